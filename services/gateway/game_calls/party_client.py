"""The client of the game service for parties. Refusals and failed calls raise Refused."""

import grpc

from services.channels import GameStubs
from services.gateway.game_calls.calls import called, good
from services.gateway.settings import GatewaySettings
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.events_pb2 import Party, PartySettings


class PartyClient:
    """Calls of the game service about parties."""

    def __init__(self, channel: grpc.aio.Channel, settings: GatewaySettings) -> None:
        self._stubs = GameStubs(channel)
        self._timeout_s = settings.command_timeout_ms / 1000

    async def create(self, host_id: str, settings: PartySettings) -> Party:
        """Create a party. Raises Refused."""
        request = pb.CreatePartyRequest(host_id=host_id, settings=settings)
        return good(await called(self._stubs.parties.CreateParty(request, timeout=self._timeout_s))).party

    async def get(self, party_id: str) -> Party:
        """A party in its current state. Raises Refused."""
        return good(
            await called(self._stubs.parties.GetParty(pb.GetPartyRequest(id=party_id), timeout=self._timeout_s))
        ).party

    async def change(self, request: pb.ChangePartyRequest) -> Party:
        """Change a party; returns its new state. Raises Refused."""
        return good(await called(self._stubs.parties.ChangeParty(request, timeout=self._timeout_s))).party
