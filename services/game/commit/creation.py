"""Makes new games: checked first, inserted in the caller's transaction, published after the commit."""

import secrets
import string
from dataclasses import dataclass
from functools import cache

import sqlalchemy as sa
from prometheus_client import Counter
from sqlalchemy.ext.asyncio import AsyncConnection

from services.domain.clock import ChessClock
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import RuleSet
from services.domain.text import say
from services.domain.time_control import MODES, TimeControl, mode_of
from services.domain.variant import Variant
from services.game.commit.beats import Beats
from services.game.commit.ports import GameRatings, Rules
from services.game.commit.publishing import Publishing
from services.game.play.change import Change, ChangeKind
from services.game.play.game import Game, Limits, Seat, Standing, Terms
from services.game.play.question import RulesUnavailable, Start
from services.game.store import player_events
from services.game.store.rows import CHANGING, changing_values, fixed_values
from services.game.store.schema import game as game_table
from services.game.store.schema import game_event as event_table
from services.game.store.schema import outbox as outbox_table
from services.game.store.sql_store import OUTBOX_GAME
from services.game.wire.events import PersonEvent, VersionEvent, game_events
from services.runtime.metrics import from_zero

STARTED = Counter("flagfall_games_started_total", "Games that began.", ["mode", "variant"])
from_zero(STARTED, MODES, Variant)
_started = cache(STARTED.labels)

OWN_ARRAYS = frozenset(variant for variant in Variant if variant.own_array)
"""Variants whose first array is not that of chess: their games say what they began from."""
POSITIONS_960 = 960

ID_CHARS = string.ascii_letters + string.digits
ID_LENGTH = 8


def new_game_id() -> str:
    """Eight random letters and digits. A challenge and the game made from it have the same id."""
    return "".join(secrets.choice(ID_CHARS) for _ in range(ID_LENGTH))


@dataclass(frozen=True, slots=True)
class Created:
    """An inserted game, with the events to publish after the commit."""

    game: Game
    event: VersionEvent
    told: tuple[PersonEvent, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGame:
    """A game to be made: players, variant, rules, time control, first position and source."""

    id: str
    standing: Standing
    """The first position, as `NewGames.prepare` returned it."""
    white: Seat
    black: Seat
    variant: str
    rule_set: RuleSet
    control: TimeControl
    rated: bool
    source: str
    """The source of the game in the public API: friend, lobby, ai, party and so on."""
    created_ms: int
    initial_fen: str = ""
    """The requested first position; empty for the variant's own."""
    rematch_of: str = ""
    """The id of the game that this one is a rematch of, or empty."""
    party_id: str = ""
    """The id of the party in which this game is played, or empty."""

    @property
    def told_fen(self) -> str:
        """The first position that the game stores; empty for that of chess."""
        return self.standing.fen if self.initial_fen or self.variant in OWN_ARRAYS else ""


class NewGames:
    """Makes games."""

    def __init__(
        self, rules: Rules, beats: Beats, publishing: Publishing, limits: Limits, ratings: GameRatings
    ) -> None:
        self._rules = rules
        self._beats = beats
        self._publishing = publishing
        self._limits = limits
        self._ratings = ratings

    async def prepare(self, variant: str, initial_fen: str, rule_set: RuleSet) -> Standing | Refusal:
        """The first position of a new game, or a refusal. In Chess960 without a FEN it is random."""
        drawn = variant == Variant.CHESS960 and not initial_fen
        start = Start(variant, rule_set, initial_fen, secrets.randbelow(POSITIONS_960) if drawn else None)
        try:
            verdict = (await self._rules.judge([start]))[0]
        except RulesUnavailable as error:
            return error.refusal
        if isinstance(verdict, Refusal):
            return verdict
        assert isinstance(verdict, Standing), "Start is answered by a standing"
        if verdict.outcome is not None:
            return Refusal(RefusalCode.BAD_POSITION, say("commit.over_at_start"), "fen")
        return verdict

    async def insert(self, connection: AsyncConnection, new: NewGame) -> Created:
        """Insert a game with its event, its outbox row and the `game_start` event of each person.

        It runs in the caller's transaction. The seats get the players' current ratings.
        """
        game_id, standing, now_ms = new.id, new.standing, new.created_ms
        white, black = await self._ratings.seated(connection, new.variant, new.control, (new.white, new.black), now_ms)
        terms = Terms(
            id=game_id,
            variant=new.variant,
            rule_set=new.rule_set,
            control=new.control,
            white=white,
            black=black,
            rated=new.rated,
            source=new.source,
            initial_fen=new.told_fen,
            created_ms=now_ms,
            rematch_of=new.rematch_of,
            party_id=new.party_id,
        )
        clock = ChessClock.start(new.control, standing.turn, now_ms)
        game = Game(terms, 1, standing, clock, look_ms=clock.look_ms(self._limits.of(terms)))
        event = VersionEvent.of(Change(game, ChangeKind.CREATED, None, now_ms), self._limits, self._beats.outages)
        changing = dict(zip(CHANGING, changing_values(game, self._limits), strict=True))
        await connection.execute(sa.insert(game_table).values(**fixed_values(terms), **changing))
        await connection.execute(
            sa.insert(event_table).values(game_id=game_id, version=1, payload=event.to_bytes(), at_ms=now_ms)
        )
        await connection.execute(
            sa.insert(outbox_table).values(kind=OUTBOX_GAME, owner=game_id, number=1, at_ms=now_ms)
        )
        starts = game_events(game, self._limits, self._beats.outages, now_ms)
        told = await player_events.append(connection, starts, now_ms)
        event.add_legal(standing.legal)
        return Created(game, event, tuple(told))

    def announce(self, created: Created) -> None:
        """Publish the events of a new game. Call it after the commit."""
        terms = created.game.terms
        _started(mode_of(terms.control), terms.variant).inc()
        self._publishing.announce([created.event], created.told)
