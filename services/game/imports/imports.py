"""Imported games: the rules service reads them from a PGN, and one transaction stores them.

Such a game is over from the start. Its seats are empty, so it counts for no player and no player gets an event; the
clock, the workers and the

sweep never handle it.
"""

from collections.abc import Iterator, Sequence
from typing import Protocol

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine

from services.domain.clock import Outages
from services.domain.colour import Colour
from services.domain.outcome import Outcome
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import FIDE, RuleSet
from services.domain.text import say
from services.domain.time_control import ClockControl
from services.game.commit.creation import OWN_ARRAYS, new_game_id
from services.game.commit.ports import Rules
from services.game.play.change import Change, ChangeKind
from services.game.play.game import Game, Limits, Standing
from services.game.play.pgn_game import PgnGame, ended_by_move, imported, mover
from services.game.play.question import RulesUnavailable, Start
from services.game.settings import GameSettings
from services.game.store.database import transaction
from services.game.store.rows import CHANGING, changing_values, fixed_values
from services.game.store.schema import game as game_table
from services.game.store.schema import game_event as event_table
from services.game.wire.messages import event_message, info_message
from services.pb.flagfall.v1 import events_pb2 as pb
from services.pb.flagfall.v1.common_pb2 import PgnTag
from services.runtime.wire import colour_to_pb

ONE_GAME = 1


class PgnReader(Rules, Protocol):
    """Reads PGN."""

    async def read_pgn(
        self, pgn: bytes, rule_set: RuleSet, games_max: int, timeout_s: float
    ) -> Sequence[PgnGame] | Refusal:
        """All games of a PGN; raises RulesUnavailable if the rules service does not answer."""


class Imports:
    """Stores games read from PGN."""

    def __init__(self, engine: AsyncEngine, rules: PgnReader, limits: Limits, settings: GameSettings) -> None:
        self._engine = engine
        self._rules = rules
        self._limits = limits
        self._settings = settings

    async def keep(self, pgn: bytes, now_ms: int) -> Game | Refusal:
        """Store the single finished game of this PGN; returns it, or a refusal."""
        if len(pgn) > self._settings.import_bytes_max:
            return Refusal(
                RefusalCode.LIMIT_REACHED, say("imports.bytes_max", most=self._settings.import_bytes_max), "pgn"
            )
        try:
            told = await self._read(pgn)
            if isinstance(told, Refusal):
                return told
            outcome = told.outcome
            if outcome is None:
                return Refusal(
                    RefusalCode.MALFORMED,
                    say("imports.no_result"),
                    f"games[0].line[{told.line}]",
                )
            initial_fen = await self._initial_fen(told)
        except RulesUnavailable as error:
            return error.refusal
        name_chars_max = self._settings.import_name_chars_max
        game = imported(told, outcome, new_game_id(), initial_fen, name_chars_max, now_ms)
        await self._insert(told, outcome, game)
        return game

    async def _read(self, pgn: bytes) -> PgnGame | Refusal:
        timeout_s = self._settings.import_timeout_ms / 1000
        games = await self._rules.read_pgn(pgn, FIDE, ONE_GAME, timeout_s)
        if isinstance(games, Refusal):
            return games
        if len(games) != ONE_GAME:
            return Refusal(RefusalCode.MALFORMED, say("imports.one_game", count=len(games)), "pgn")
        if len(games[0].moves) > self._settings.import_plies_max:
            return Refusal(
                RefusalCode.LIMIT_REACHED,
                say("imports.moves_max", count=len(games[0].moves), most=self._settings.import_plies_max),
                "pgn",
            )
        size_max = self._settings.import_tags_bytes_max
        size = sum(len(f"{name}{value}".encode()) for name, value in games[0].tags.items())
        if size > size_max:
            return Refusal(
                RefusalCode.LIMIT_REACHED,
                say("imports.tags_max", count=size, most=size_max),
                "pgn",
            )
        return games[0]

    async def _initial_fen(self, told: PgnGame) -> str:
        """The initial FEN as the store has it; empty for the initial position of standard chess."""
        if told.initial_fen or told.variant not in OWN_ARRAYS:
            return told.initial_fen
        (standing,) = await self._rules.judge([Start(told.variant, FIDE, "")])
        assert isinstance(standing, Standing), "a variant's own array can be played from"
        return standing.fen

    async def _insert(self, told: PgnGame, outcome: Outcome, game: Game) -> None:
        changing = dict(zip(CHANGING, changing_values(game, self._limits), strict=True))
        async with transaction(self._engine) as connection:
            await connection.execute(sa.insert(game_table).values(**fixed_values(game.terms), **changing))
            rows = [
                {"game_id": game.terms.id, "version": version, "at_ms": game.terms.created_ms} | row
                for version, row in enumerate(self._events(told, outcome, game), 1)
            ]
            await connection.execute(sa.insert(event_table), rows)

    def _events(self, told: PgnGame, outcome: Outcome, game: Game) -> Iterator[dict[str, object]]:
        """The columns of all events of the game. They contain no intermediate positions: `Fetch` sends the whole
        game."""
        created = self._state(game, 1, 0)
        tags = [PgnTag(name=name, value=value) for name, value in told.tags.items()]
        event = pb.GameEvent(kind=pb.GAME_EVENT_KIND_CREATED, state=created, info=info_message(game.terms, tags))
        yield _row(event)
        by_move = ended_by_move(told, outcome)
        for ply, move in enumerate(told.moves):
            side = mover(told, ply)
            if by_move and ply == len(told.moves) - 1:
                event = self._end(game, ChangeKind.MOVE, side)
            else:
                state = self._state(game, ply + 2, ply + 1)
                state.last_uci, state.last_san, state.turn = move.uci, move.san, colour_to_pb(side.other)
                event = pb.GameEvent(kind=pb.GAME_EVENT_KIND_MOVE, state=state, by=colour_to_pb(side))
            clock_ms = (move.clock_ms or 0) if isinstance(game.terms.control, ClockControl) else 0
            yield _row(event, move.uci, move.san, ply + 1, clock_ms)
        if not by_move:
            yield _row(self._end(game, ChangeKind.ENDED, None))

    def _state(self, game: Game, version: int, ply: int) -> pb.GameState:
        status, at_ms = pb.GAME_STATUS_STARTED, game.terms.created_ms
        return pb.GameState(game_id=game.terms.id, version=version, status=status, ply=ply, at_ms=at_ms)

    def _end(self, game: Game, kind: ChangeKind, by: Colour | None) -> pb.GameEvent:
        return event_message(Change(game, kind, by, game.terms.created_ms), self._limits, Outages())


def _row(event: pb.GameEvent, uci: str = "", san: str = "", ply: int = 0, clock_ms: int = 0) -> dict[str, object]:
    return {"payload": event.SerializeToString(), "uci": uci, "san": san, "ply": ply, "clock_ms": clock_ms}
