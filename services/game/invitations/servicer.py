"""`InvitationsService`: challenges and rematches. Parses requests and returns refusals in the answer."""

from typing import Any

import grpc

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.game.commit.beats import Beats
from services.game.invitations.invitations import Answered, Invitations, Offer
from services.game.invitations.messages import challenge_message
from services.game.invitations.parsing import NO_CHALLENGE, refuse_sides, wish_of
from services.game.invitations.rematch import Offered, Rematches
from services.game.play.game import Game
from services.game.play.person import is_player_id
from services.game.play.refusals import NO_GAME, NO_PLAYER
from services.game.settings import GameSettings
from services.game.wire.fields import is_game_id, plain_text
from services.game.wire.messages import summary_message
from services.pb.flagfall.v1 import events_pb2 as events
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.game_pb2_grpc import InvitationsServiceServicer
from services.runtime.wire import colour_from_pb, refusal_to_pb

Context = grpc.aio.ServicerContext[Any, Any]


class InvitationsServicer(InvitationsServiceServicer):
    """Challenges and rematches."""

    def __init__(self, invitations: Invitations, rematches: Rematches, beats: Beats, settings: GameSettings) -> None:
        self._invitations = invitations
        self._rematches = rematches
        self._beats = beats
        self._settings = settings

    async def CreateChallenge(self, request: pb.CreateChallengeRequest, context: Context) -> pb.CreateChallengeResponse:
        """Make a challenge to a player, or an open one."""
        wish = wish_of(request, self._settings)
        name = plain_text(request.name, self._settings.challenge_name_chars_max, "name")
        for refusal in (refuse_sides(request), wish, name):
            if isinstance(refusal, Refusal):
                return pb.CreateChallengeResponse(refusal=refusal_to_pb(refusal))
        assert not isinstance(wish, Refusal)
        assert not isinstance(name, Refusal)
        made = await self._invitations.create(
            request.challenger_id,
            request.dest_id,
            Offer(
                wish,
                name,
                request.keep_alive,
                request.open,
                counter_to=request.counter_to,
                user_ids=tuple(request.user_ids),
                expires_ms=request.expires_ms,
            ),
            self._beats.now_ms(),
        )
        if isinstance(made, Refusal):
            return pb.CreateChallengeResponse(refusal=refusal_to_pb(made))
        return pb.CreateChallengeResponse(challenge=challenge_message(made))

    async def AnswerChallenge(self, request: pb.AnswerChallengeRequest, context: Context) -> pb.AnswerChallengeResponse:
        """Accept, decline or cancel a challenge."""
        answered = await self._answer(request)
        if isinstance(answered, Refusal):
            return pb.AnswerChallengeResponse(refusal=refusal_to_pb(answered))
        response = pb.AnswerChallengeResponse(challenge=challenge_message(answered.challenge))
        if answered.game is not None:
            response.game.CopyFrom(self._summary(answered.game))
        return response

    async def _answer(self, request: pb.AnswerChallengeRequest) -> Answered | Refusal:
        if not is_game_id(request.id):
            return NO_CHALLENGE
        if not is_player_id(request.player_id):
            return NO_PLAYER
        now_ms = self._beats.now_ms()
        match request.answer:
            case pb.CHALLENGE_ANSWER_ACCEPT:
                wanted = colour_from_pb(request.color)
                return await self._invitations.accept(request.id, request.player_id, wanted, now_ms)
            case pb.CHALLENGE_ANSWER_DECLINE:
                return await self._invitations.decline(request.id, request.player_id, request.reason, now_ms)
            case pb.CHALLENGE_ANSWER_CANCEL:
                return await self._invitations.cancel(request.id, request.player_id, now_ms)
            case _:
                return Refusal(RefusalCode.MALFORMED, say("invitations.answer"), "answer")

    async def GetChallenge(self, request: pb.GetChallengeRequest, context: Context) -> pb.GetChallengeResponse:
        """The current state of a challenge."""
        found = (
            await self._invitations.get(request.id, self._beats.now_ms()) if is_game_id(request.id) else NO_CHALLENGE
        )
        if isinstance(found, Refusal):
            return pb.GetChallengeResponse(refusal=refusal_to_pb(found))
        return pb.GetChallengeResponse(challenge=challenge_message(found))

    async def ListChallenges(self, request: pb.ListChallengesRequest, context: Context) -> pb.ListChallengesResponse:
        """The waiting challenges to and by a player."""
        if not is_player_id(request.player_id):
            return pb.ListChallengesResponse()
        incoming, outgoing = await self._invitations.waiting(request.player_id, self._beats.now_ms())
        return pb.ListChallengesResponse(
            incoming=[challenge_message(challenge) for challenge in incoming],
            outgoing=[challenge_message(challenge) for challenge in outgoing],
        )

    async def OfferRematch(self, request: pb.OfferRematchRequest, context: Context) -> pb.OfferRematchResponse:
        """Offer a rematch: a challenge, or the game if it began."""
        offered = await self._offer_rematch(request)
        if isinstance(offered, Refusal):
            return pb.OfferRematchResponse(refusal=refusal_to_pb(offered))
        response = pb.OfferRematchResponse()
        if offered.challenge is not None:
            response.challenge.CopyFrom(challenge_message(offered.challenge))
        if offered.game is not None:
            response.game.CopyFrom(self._summary(offered.game))
        return response

    async def _offer_rematch(self, request: pb.OfferRematchRequest) -> Offered | Refusal:
        if not is_game_id(request.game_id):
            return NO_GAME
        if not is_player_id(request.player_id):
            return NO_PLAYER
        return await self._rematches.offer(request.game_id, request.player_id, self._beats.now_ms())

    def _summary(self, game: Game) -> events.GameSummary:
        limits = self._settings.limits()
        return summary_message(game, limits, self._beats.outages, self._beats.now_ms())
