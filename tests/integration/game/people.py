"""The people's side of the game service on a real PostgreSQL: its methods called as gRPC calls them.

The rules service is a fake that knows the array and refuses any other position; the clock is the test's own.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, cast

from redis.exceptions import RedisError
from sqlalchemy.ext.asyncio import AsyncEngine

from services.domain.clock import Outages
from services.domain.colour import Colour
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import CLAIMED
from services.domain.time_control import ClockControl, Correspondence, TimeControl, Unlimited
from services.game.chat.chat import Chat
from services.game.chat.servicer import ChatServicer
from services.game.commit.beats import Beats
from services.game.commit.creation import NewGames
from services.game.commit.publishing import Publishing
from services.game.invitations.invitations import Invitations
from services.game.invitations.rematch import Rematches
from services.game.invitations.servicer import InvitationsServicer
from services.game.lobby.seeks import Seeks
from services.game.lobby.servicer import LobbyServicer
from services.game.main.features import FEATURES
from services.game.people.accounts import Accounts
from services.game.people.passwords import Passwords
from services.game.people.servicer import PlayersServicer
from services.game.people.tokens import Tokens
from services.game.play.game import Standing
from services.game.play.question import Question, Start, Verdict
from services.game.ratings.ratings import Ratings
from services.game.settings import GameSettings
from services.game.store.database import open_engine
from services.game.wire.events import PersonEvent, VersionEvent
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.common_pb2 import Color
from services.pb.flagfall.v1.events_pb2 import Challenge, ChatLine, GameEvent, PlayerEvent
from services.runtime.wire import rule_set_to_pb, time_control_to_pb
from tests.integration.game.all_of import AllOf
from tests.stack.said import said

ARRAY = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
STANDING = Standing(ARRAY, b"\0" * 8, Colour.WHITE, False, "e2e4 d2d4", frozenset(), None)
START_MS = 1_700_000_000_000
BLITZ = ClockControl(300_000, 3_000)
DAILY = Correspondence(3)
UNTIMED = Unlimited()
DAY_MS = 86_400_000


@dataclass(slots=True)
class FakeClock:
    """Beats, as far as people need them."""

    ms: int = START_MS
    outages: Outages = field(default_factory=Outages)

    def now_ms(self) -> int:
        """What the test says."""
        return self.ms


@dataclass(slots=True)
class FakeRules:
    """Knows the array only."""

    asked: list[Question] = field(default_factory=list)

    async def judge(self, questions: Sequence[Question]) -> list[Verdict]:
        """A standing for the array, a refusal for anything else."""
        self.asked.extend(questions)
        return [
            STANDING
            if isinstance(question, Start) and question.fen in ("", ARRAY)
            else Refusal(RefusalCode.BAD_POSITION, said("No game can start from here."), "fen")
            for question in questions
        ]


@dataclass(slots=True)
class Heard:
    """What was published after the commits."""

    games: list[GameEvent] = field(default_factory=list)
    players: list[PlayerEvent] = field(default_factory=list)
    chat: list[ChatLine] = field(default_factory=list)
    redis_away: bool = False

    def announce(self, games: Sequence[VersionEvent] = (), players: Sequence[PersonEvent] = ()) -> None:
        """Keep it."""
        self.games.extend(GameEvent.FromString(event.to_bytes()) for event in games)
        self.players.extend(PlayerEvent.FromString(event.to_bytes()) for event in players)

    async def publish_chat(self, line: ChatLine) -> None:
        """Keep it, unless Redis is away."""
        if self.redis_away:
            raise RedisError("away")
        self.chat.append(line)


class People:
    """The servicer, what it was built of, and short ways to call it."""

    def __init__(self, engine: AsyncEngine, settings: GameSettings) -> None:
        self.engine = engine
        self.settings = settings
        self.clock = FakeClock()
        self.rules = FakeRules()
        self.heard = Heard()
        beats = cast(Beats, self.clock)
        limits = settings.limits()
        new_games = NewGames(self.rules, beats, cast(Publishing, self.heard), limits, FEATURES.ratings)
        invitations = Invitations(engine, new_games, self.heard, settings)
        rematches = Rematches(engine, new_games, invitations, self.heard, settings)
        accounts = Accounts(engine, Passwords(settings), settings)
        self.servicers: dict[str, Any] = {
            "PlayersService": PlayersServicer(
                engine, accounts, Tokens(engine, settings), Ratings(engine), beats, settings
            ),
            "InvitationsService": InvitationsServicer(invitations, rematches, beats, settings),
            "LobbyService": LobbyServicer(Seeks(engine, new_games, settings), invitations, beats, settings),
            "ChatService": ChatServicer(Chat(engine, self.heard, settings), beats),
        }
        self.server: Any = AllOf(self.servicers)

    async def account(self, name: str, password: str = "correct horse") -> pb.Credential:
        """A new account; the test fails when it is refused."""
        response = await self.server.CreateAccount(pb.CreateAccountRequest(username=name, password=password), None)
        assert response.HasField("credential"), response.refusal
        return cast(pb.Credential, response.credential)

    async def accounts(self, *names: str) -> list[str]:
        """New accounts; their ids."""
        return [(await self.account(name)).player.id for name in names]

    async def guest(self) -> str:
        """A new guest; the id."""
        return str((await self.server.CreateGuest(pb.CreateGuestRequest(), None)).credential.player.id)

    async def try_challenge(
        self, challenger: str, dest: str = "", control: TimeControl = BLITZ, **more: Any
    ) -> pb.CreateChallengeResponse:
        """Make a challenge, an open one without `dest`."""
        fields: dict[str, Any] = {
            "variant": "standard",
            "rule_set": rule_set_to_pb(CLAIMED),
            "time_control": time_control_to_pb(control),
            "open": not dest,
        }
        sides = {"challenger_id": challenger, "dest_id": dest}
        request = pb.CreateChallengeRequest(**(sides | fields | more))
        return cast(pb.CreateChallengeResponse, await self.server.CreateChallenge(request, None))

    async def challenge(self, challenger: str, dest: str = "", control: TimeControl = BLITZ, **more: Any) -> Challenge:
        """Make a challenge; the test fails when it is refused."""
        response = await self.try_challenge(challenger, dest, control, **more)
        assert response.HasField("challenge"), response.refusal
        return response.challenge

    async def answer(
        self,
        answer: pb.ChallengeAnswer,
        challenge_id: str,
        player_id: str,
        color: Color | None = None,
        reason: str = "",
    ) -> pb.AnswerChallengeResponse:
        """Answer a challenge."""
        request = pb.AnswerChallengeRequest(
            id=challenge_id, player_id=player_id, answer=answer, color=color, reason=reason
        )
        return cast(pb.AnswerChallengeResponse, await self.server.AnswerChallenge(request, None))

    async def accept(self, challenge_id: str, player_id: str, color: Color | None = None) -> pb.AnswerChallengeResponse:
        """Accept a challenge."""
        return await self.answer(pb.CHALLENGE_ANSWER_ACCEPT, challenge_id, player_id, color)

    async def decline(self, challenge_id: str, player_id: str, reason: str = "") -> pb.AnswerChallengeResponse:
        """Decline a challenge."""
        return await self.answer(pb.CHALLENGE_ANSWER_DECLINE, challenge_id, player_id, None, reason)

    async def cancel(self, challenge_id: str, player_id: str) -> pb.AnswerChallengeResponse:
        """Cancel a challenge."""
        return await self.answer(pb.CHALLENGE_ANSWER_CANCEL, challenge_id, player_id)

    async def state_of(self, challenge_id: str) -> Challenge:
        """A challenge as everybody sees it."""
        response = await self.server.GetChallenge(pb.GetChallengeRequest(id=challenge_id), None)
        assert response.HasField("challenge"), response.refusal
        return cast(Challenge, response.challenge)

    async def events(self, player_id: str, since: int = 0) -> pb.ListPlayerEventsResponse:
        """Somebody's events."""
        request = pb.ListPlayerEventsRequest(player_id=player_id, since_seq=since)
        return cast(pb.ListPlayerEventsResponse, await self.server.ListPlayerEvents(request, None))

    async def kinds(self, player_id: str) -> list[str | None]:
        """What somebody's events are about, in order."""
        return [event.WhichOneof("content") for event in (await self.events(player_id)).events]


@asynccontextmanager
async def people(database_url: str, **settings: Any) -> AsyncIterator[People]:
    """The people's side on a migrated database. Unless a setting says otherwise, passwords cost next to nothing, and
    nobody is sent away because the machine is busy."""
    own: dict[str, Any] = {"password_memory_kib": 8, "password_rounds": 1}
    own |= {"connection_wait_ms": 30_000, "statement_timeout_ms": 30_000}
    all_settings = GameSettings(database_url=database_url, **(own | settings))
    engine = open_engine(all_settings)
    try:
        yield People(engine, all_settings)
    finally:
        await engine.dispose()
