"""The client of the game service for the lobby, rematches and presence. Refusals and failed calls raise Refused."""

from collections.abc import Sequence

import grpc

from services.channels import GameStubs
from services.gateway.game_calls.calls import called, good
from services.gateway.settings import GatewaySettings
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.events_pb2 import GameSummary, Seek


class SeeksClient:
    """Calls of the game service about seeks and rematches."""

    def __init__(self, channel: grpc.aio.Channel, settings: GatewaySettings) -> None:
        self._stubs = GameStubs(channel)
        self._timeout_s = settings.command_timeout_ms / 1000

    async def create(self, request: pb.CreateSeekRequest) -> pb.CreateSeekResponse:
        """Create a seek. Returns the waiting seek, or the game if it was paired at once. Raises Refused."""
        return good(await called(self._stubs.lobby.CreateSeek(request, timeout=self._timeout_s)))

    async def cancel(self, seek_id: str, player_id: str) -> None:
        """Cancel a seek. Raises Refused."""
        request = pb.CancelSeekRequest(id=seek_id, player_id=player_id)
        good(await called(self._stubs.lobby.CancelSeek(request, timeout=self._timeout_s)))

    async def accept(self, seek_id: str, player_id: str) -> GameSummary:
        """Accept another player's seek; returns the new game. Raises Refused."""
        request = pb.AcceptSeekRequest(id=seek_id, player_id=player_id)
        return good(await called(self._stubs.lobby.AcceptSeek(request, timeout=self._timeout_s))).game

    async def listed(self, player_id: str) -> Sequence[Seek]:
        """The seeks that this player may see; with an empty id those that everybody may see. Raises Refused."""
        request = pb.ListSeeksRequest(player_id=player_id)
        return (await called(self._stubs.lobby.ListSeeks(request, timeout=self._timeout_s))).seeks

    async def rematch(self, game_id: str, player_id: str) -> pb.OfferRematchResponse:
        """Offer a rematch, or accept the offered one. Raises Refused."""
        request = pb.OfferRematchRequest(game_id=game_id, player_id=player_id)
        return good(await called(self._stubs.invitations.OfferRematch(request, timeout=self._timeout_s)))

    async def keep_alive(self, seek_ids: Sequence[str], player_ids: Sequence[str]) -> Sequence[str]:
        """Keep these seeks and players alive. Returns the ids of seeks that no longer wait. Raises Refused."""
        request = pb.KeepAliveRequest(seek_ids=seek_ids, player_ids=player_ids)
        return (await called(self._stubs.lobby.KeepAlive(request, timeout=self._timeout_s))).gone_seek_ids
