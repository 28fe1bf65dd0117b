"""`LobbyService`: parses requests for seeks and passes them on."""

from typing import Any

import grpc

from services.domain.refusal import Refusal
from services.game.commit.beats import Beats
from services.game.invitations.invitations import Invitations
from services.game.invitations.parsing import wish_of
from services.game.lobby.seek import Range, Seek
from services.game.lobby.seeks import NO_SEEK, Seeks
from services.game.people.people_messages import person_message
from services.game.play.game import Game
from services.game.play.person import is_player_id
from services.game.play.refusals import NO_PLAYER
from services.game.settings import GameSettings
from services.game.wire.bounds import bounded
from services.game.wire.fields import is_game_id
from services.game.wire.messages import summary_message
from services.pb.flagfall.v1 import events_pb2 as events
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.game_pb2_grpc import LobbyServiceServicer
from services.runtime.wire import colour_to_pb, refusal_to_pb, rule_set_to_pb, time_control_to_pb

Context = grpc.aio.ServicerContext[Any, Any]


class LobbyServicer(LobbyServiceServicer):
    """Seeks, and keep-alives of connected players."""

    def __init__(self, seeks: Seeks, invitations: Invitations, beats: Beats, settings: GameSettings) -> None:
        self._seeks = seeks
        self._invitations = invitations
        self._beats = beats
        self._settings = settings

    async def CreateSeek(self, request: pb.CreateSeekRequest, context: Context) -> pb.CreateSeekResponse:
        """Make a seek: a game at once, or a seek that waits."""
        wish = wish_of(request, self._settings)
        if not is_player_id(request.player_id):
            return pb.CreateSeekResponse(refusal=refusal_to_pb(NO_PLAYER))
        if isinstance(wish, Refusal):
            return pb.CreateSeekResponse(refusal=refusal_to_pb(wish))
        range = Range(request.rating_min, request.rating_max)
        made = await self._seeks.create(request.player_id, wish, range, self._beats.now_ms())
        match made:
            case Refusal():
                return pb.CreateSeekResponse(refusal=refusal_to_pb(made))
            case Seek():
                return pb.CreateSeekResponse(seek=seek_message(made))
            case Game():
                return pb.CreateSeekResponse(game=self._summary(made))

    async def CancelSeek(self, request: pb.CancelSeekRequest, context: Context) -> pb.CancelSeekResponse:
        """Remove a player's own seek."""
        refusal = _refuse(request.id, request.player_id)
        refusal = refusal or await self._seeks.cancel(request.id, request.player_id)
        return pb.CancelSeekResponse(refusal=None if refusal is None else refusal_to_pb(refusal))

    async def AcceptSeek(self, request: pb.AcceptSeekRequest, context: Context) -> pb.AcceptSeekResponse:
        """Accept a seek and begin the game."""
        refusal = _refuse(request.id, request.player_id)
        made = refusal or await self._seeks.accept(request.id, request.player_id, self._beats.now_ms())
        if isinstance(made, Refusal):
            return pb.AcceptSeekResponse(refusal=refusal_to_pb(made))
        return pb.AcceptSeekResponse(game=self._summary(made))

    async def ListSeeks(self, request: pb.ListSeeksRequest, context: Context) -> pb.ListSeeksResponse:
        """Waiting seeks, newest first."""
        most = self._settings.seeks_listed_max
        player_id = request.player_id if is_player_id(request.player_id) else ""
        limit = min(request.limit, most) if request.limit > 0 else most
        seeks = await self._seeks.listed(player_id, limit, self._beats.now_ms())
        return pb.ListSeeksResponse(seeks=[seek_message(seek) for seek in seeks])

    async def KeepAlive(self, request: pb.KeepAliveRequest, context: Context) -> pb.KeepAliveResponse:
        """These players are still connected: extend their challenges and seeks."""
        now_ms = self._beats.now_ms()
        bounded(request.player_ids, "player_ids", self._settings.items_max)
        bounded(request.seek_ids, "seek_ids", self._settings.items_max)
        if request.player_ids:
            await self._invitations.hold([player for player in request.player_ids if is_player_id(player)], now_ms)
        seeks = list(request.seek_ids)
        return pb.KeepAliveResponse(gone_seek_ids=await self._seeks.hold(seeks, now_ms) if seeks else ())

    def _summary(self, game: Game) -> events.GameSummary:
        limits = self._settings.limits()
        return summary_message(game, limits, self._beats.outages, self._beats.now_ms())


def seek_message(seek: Seek) -> events.Seek:
    """A seek as a message."""
    player = person_message(seek.person)
    player.rating = seek.rating
    wish = seek.wish
    return events.Seek(
        id=seek.id,
        player=player,
        variant=wish.variant,
        rule_set=rule_set_to_pb(wish.rule_set),
        time_control=time_control_to_pb(wish.control),
        rated=wish.rated,
        color=colour_to_pb(wish.colour),
        rating_min=seek.range.least,
        rating_max=seek.range.most,
        created_ms=seek.created_ms,
        expires_ms=seek.expires_ms,
    )


def _refuse(id: str, player_id: str) -> Refusal | None:
    """A refusal if an id does not have the form of a seek's or a player's, or None."""
    if not is_game_id(id):
        return NO_SEEK
    return None if is_player_id(player_id) else NO_PLAYER
