"""The methods of `GameService` about people: parsed here, decided elsewhere, refusals as values."""

from collections.abc import Sequence
from typing import Any

import grpc
from sqlalchemy.ext.asyncio import AsyncEngine

from services.domain.refusal import Refusal, RefusalCode
from services.game.chat.chat import Chat, ChatPublisher
from services.game.commit.beats import Beats
from services.game.commit.creation import NewGames
from services.game.invitations.invitations import Announcer, Answered, Invitations, Offer
from services.game.invitations.rematch import Rematches
from services.game.lobby.seeks import Seeks
from services.game.lobby.seeks_server import SeeksServicer
from services.game.people.accounts import Accounts
from services.game.people.passwords import Passwords
from services.game.people.people_messages import (
    account_message,
    challenge_message,
    credential_message,
    holder_message,
    person_message,
)
from services.game.people.people_parsing import (
    NO_CHALLENGE,
    is_game_id,
    plain_text,
    refuse_player_id,
    refuse_sides,
    wish_of,
)
from services.game.people.tokens import Tokens
from services.game.play.game import Seat
from services.game.play.person import is_player_id
from services.game.play.refusals import NO_GAME, NO_PLAYER
from services.game.ratings.ratings import Ratings
from services.game.settings import GameSettings
from services.game.store import player_events
from services.game.wire.messages import summary_message
from services.pb.flagfall.v1 import events_pb2 as events
from services.pb.flagfall.v1 import game_pb2 as pb
from services.runtime.wire import colour_from_pb, refusal_to_pb

Context = grpc.aio.ServicerContext[Any, Any]

_ROOMS = (events.CHAT_ROOM_PLAYER, events.CHAT_ROOM_SPECTATOR)


class PeopleServicer(SeeksServicer):
    """Accounts, tokens, challenges, chat and people's events. `server.GameServicer` adds the games."""

    def __init__(
        self,
        *,
        engine: AsyncEngine,
        beats: Beats,
        new_games: NewGames,
        publishing: Announcer,
        publisher: ChatPublisher,
        settings: GameSettings,
    ) -> None:
        self._engine = engine
        self._beats = beats
        self._settings = settings
        self._passwords = Passwords(settings)
        self._accounts = Accounts(engine, self._passwords, settings)
        self._ratings = Ratings(engine)
        self._tokens = Tokens(engine, settings)
        self._invitations = Invitations(engine, new_games, publishing, settings)
        self._rematches = Rematches(engine, new_games, self._invitations, publishing, settings)
        self._seeks = Seeks(engine, new_games, settings)
        self._chat = Chat(engine, publisher, settings)

    async def seat_of(self, player_id: str) -> Seat | Refusal:
        """Somebody at a board."""
        person = await self._accounts.person(player_id)
        return NO_PLAYER if person is None else person.seat()

    async def CreateAccount(self, request: pb.CreateAccountRequest, context: Context) -> pb.CreateAccountResponse:
        """A new account and its first token."""
        made = await self._accounts.create(request.username, request.password, self._beats.now_ms())
        if isinstance(made, Refusal):
            return pb.CreateAccountResponse(refusal=refusal_to_pb(made))
        return pb.CreateAccountResponse(credential=credential_message(made))

    async def LogIn(self, request: pb.LogInRequest, context: Context) -> pb.LogInResponse:
        """A new token for whoever knows the password."""
        made = await self._accounts.log_in(request.username, request.password, self._beats.now_ms())
        if isinstance(made, Refusal):
            return pb.LogInResponse(refusal=refusal_to_pb(made))
        return pb.LogInResponse(credential=credential_message(made))

    async def CreateGuest(self, request: pb.CreateGuestRequest, context: Context) -> pb.CreateGuestResponse:
        """Somebody without an account."""
        made = await self._accounts.create_guest(self._beats.now_ms())
        return pb.CreateGuestResponse(credential=credential_message(made))

    async def ResolveTokens(self, request: pb.ResolveTokensRequest, context: Context) -> pb.ResolveTokensResponse:
        """Who holds each token, in order."""
        self._bounded(request.tokens, "tokens")
        held = await self._tokens.resolve(request.tokens, self._beats.now_ms())
        return pb.ResolveTokensResponse(holders=[holder_message(holder) for holder in held])

    async def CreateToken(self, request: pb.CreateTokenRequest, context: Context) -> pb.CreateTokenResponse:
        """Another token of an account."""
        self._bounded(request.scopes, "scopes")
        description = plain_text(request.description, self._settings.token_description_chars_max, "description")
        refusal = refuse_player_id(request.player_id)
        if isinstance(description, Refusal) or refusal is not None:
            return pb.CreateTokenResponse(
                refusal=refusal_to_pb(description if isinstance(description, Refusal) else refusal or NO_PLAYER)
            )
        made = await self._tokens.create(request.player_id, description, request.scopes, self._beats.now_ms())
        if isinstance(made, Refusal):
            return pb.CreateTokenResponse(refusal=refusal_to_pb(made))
        return pb.CreateTokenResponse(credential=credential_message(made))

    async def RevokeToken(self, request: pb.RevokeTokenRequest, context: Context) -> pb.RevokeTokenResponse:
        """Forget a token."""
        await self._tokens.revoke(request.token)
        return pb.RevokeTokenResponse()

    async def GetPlayers(self, request: pb.GetPlayersRequest, context: Context) -> pb.GetPlayersResponse:
        """Those that exist, in the order asked; or bots."""
        self._bounded(request.ids, "ids")
        if request.bots > 0 and not request.ids:
            profiles = await self._accounts.bots(request.bots)
        else:
            profiles = await self._accounts.profiles(request.ids)
        perfs = await self._ratings.of_players([profile.person.id for profile in profiles], self._beats.now_ms())
        return pb.GetPlayersResponse(
            accounts=[account_message(profile, perfs[profile.person.id]) for profile in profiles]
        )

    async def UpgradeToBot(self, request: pb.UpgradeToBotRequest, context: Context) -> pb.UpgradeToBotResponse:
        """Make an account a bot, for good."""
        refusal = refuse_player_id(request.player_id)
        if refusal is not None:
            return pb.UpgradeToBotResponse(refusal=refusal_to_pb(refusal))
        bot = await self._accounts.upgrade_to_bot(request.player_id)
        if isinstance(bot, Refusal):
            return pb.UpgradeToBotResponse(refusal=refusal_to_pb(bot))
        return pb.UpgradeToBotResponse(player=person_message(bot))

    async def CreateChallenge(self, request: pb.CreateChallengeRequest, context: Context) -> pb.CreateChallengeResponse:
        """A challenge to somebody, or an open one."""
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
        """Accept, decline or cancel."""
        answered = await self._answer(request)
        if isinstance(answered, Refusal):
            return pb.AnswerChallengeResponse(refusal=refusal_to_pb(answered))
        response = pb.AnswerChallengeResponse(challenge=challenge_message(answered.challenge))
        if answered.game is not None:
            limits = self._settings.limits()
            summary = summary_message(answered.game, limits, self._beats.outages, self._beats.now_ms())
            response.game.CopyFrom(summary)
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
                return Refusal(RefusalCode.MALFORMED, "An answer accepts, declines or cancels.", "answer")

    async def GetChallenge(self, request: pb.GetChallengeRequest, context: Context) -> pb.GetChallengeResponse:
        """A challenge as it stands now."""
        found = (
            await self._invitations.get(request.id, self._beats.now_ms()) if is_game_id(request.id) else NO_CHALLENGE
        )
        if isinstance(found, Refusal):
            return pb.GetChallengeResponse(refusal=refusal_to_pb(found))
        return pb.GetChallengeResponse(challenge=challenge_message(found))

    async def ListChallenges(self, request: pb.ListChallengesRequest, context: Context) -> pb.ListChallengesResponse:
        """Challenges to and by somebody that wait for an answer."""
        if not is_player_id(request.player_id):
            return pb.ListChallengesResponse()
        incoming, outgoing = await self._invitations.waiting(request.player_id, self._beats.now_ms())
        return pb.ListChallengesResponse(
            incoming=[challenge_message(challenge) for challenge in incoming],
            outgoing=[challenge_message(challenge) for challenge in outgoing],
        )

    async def ListPlayerEvents(
        self, request: pb.ListPlayerEventsRequest, context: Context
    ) -> pb.ListPlayerEventsResponse:
        """Somebody's events after a number; fewer than there are up to `last_seq` when they are many: ask again."""
        (result,) = await self._events_of([request])
        return result

    async def ListEventsOfPlayers(
        self, request: pb.ListEventsOfPlayersRequest, context: Context
    ) -> pb.ListEventsOfPlayersResponse:
        """The same for each of many; together no more than one list holds, or one for each."""
        self._bounded(request.players, "players")
        return pb.ListEventsOfPlayersResponse(results=await self._events_of(request.players))

    async def _events_of(self, asked: Sequence[pb.ListPlayerEventsRequest]) -> list[pb.ListPlayerEventsResponse]:
        limit = max(1, self._settings.player_events_listed_max // max(1, len(asked)))
        found = await player_events.since(
            self._engine,
            [(item.player_id if is_player_id(item.player_id) else "", item.since_seq) for item in asked],
            limit,
        )
        return [pb.ListPlayerEventsResponse(events=events, last_seq=last) for events, last in found]

    async def PostChat(self, request: pb.PostChatRequest, context: Context) -> pb.PostChatResponse:
        """Say something beside a game."""
        refusal = None if is_game_id(request.game_id) else NO_GAME
        refusal = refusal or refuse_player_id(request.player_id)
        if request.room not in _ROOMS:
            refusal = Refusal(
                RefusalCode.MALFORMED, "There is a room of the players and one of those who watch.", "room"
            )
        if refusal is not None:
            return pb.PostChatResponse(refusal=refusal_to_pb(refusal))
        line = await self._chat.post(
            request.game_id, request.player_id, request.room, request.text, self._beats.now_ms()
        )
        if isinstance(line, Refusal):
            return pb.PostChatResponse(refusal=refusal_to_pb(line))
        return pb.PostChatResponse(line=line)

    async def ListChat(self, request: pb.ListChatRequest, context: Context) -> pb.ListChatResponse:
        """What a room keeps, oldest first."""
        if not is_game_id(request.game_id) or request.room not in _ROOMS:
            return pb.ListChatResponse()
        return pb.ListChatResponse(lines=await self._chat.lines(request.game_id, request.room))

    def _bounded(self, items: Sequence[object], name: str) -> None:
        if len(items) > self._settings.items_max:
            raise ValueError(f"{name}: {len(items)} of them; at most {self._settings.items_max}")
