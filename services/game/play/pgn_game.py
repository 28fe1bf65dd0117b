"""A finished game read from PGN, and its conversion to a `Game`. Pure: only what the PGN contains is used."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from services.domain.clock import ChessClock
from services.domain.colour import Colour
from services.domain.outcome import Outcome
from services.domain.pgn import PgnMove, plain
from services.domain.rule_set import FIDE
from services.domain.time_control import ClockControl, TimeControl, Unlimited
from services.game.play.game import Game, Seat, Standing, Terms

IMPORT = "import"
"""The `source` of a game that was not played on this server."""
UNKNOWN_NAME = "?"

_CLOCK = re.compile(r"([1-9]\d{0,5})(?:\+(\d{1,4}))?")
_TITLE = re.compile(r"[A-Z]{2,4}")
_DATE, _TIME = "%Y.%m.%d", "%H:%M:%S"


@dataclass(frozen=True, slots=True)
class PgnGame:
    """One game of a PGN file, tags in file order. `outcome` is None if the file has no result; `line`: its start."""

    tags: Mapping[str, str]
    variant: str
    initial_fen: str
    moves: tuple[PgnMove, ...]
    outcome: Outcome | None
    final: Standing
    line: int = 1


def imported(told: PgnGame, outcome: Outcome, game_id: str, initial_fen: str, name_chars_max: int, now_ms: int) -> Game:
    """The last version of the imported game. `now_ms` is used as its time if the PGN has no date."""
    at_ms = _began_ms(told.tags, now_ms)
    control = _control(told)
    terms = Terms(
        id=game_id,
        variant=told.variant,
        rule_set=FIDE,
        control=control,
        white=_seat(told.tags, "White", name_chars_max),
        black=_seat(told.tags, "Black", name_chars_max),
        rated=False,
        source=IMPORT,
        initial_fen=initial_fen,
        created_ms=at_ms,
    )
    last = told.moves[-1] if told.moves else None
    clock = ChessClock(
        control=control,
        white_ms=_left_ms(told, Colour.WHITE, control),
        black_ms=_left_ms(told, Colour.BLACK, control),
        turn=told.final.turn,
        plies=len(told.moves),
        turn_started_ms=at_ms,
    )
    return Game(
        terms,
        version=1 + len(told.moves) + (not ended_by_move(told, outcome)),
        standing=replace(told.final, keys=b"", legal="", claims=frozenset(), outcome=None),
        clock=clock,
        outcome=outcome,
        ended_ms=at_ms,
        last_uci="" if last is None else last.uci,
        last_san="" if last is None else last.san,
    )


def ended_by_move(told: PgnGame, outcome: Outcome) -> bool:
    """Whether the last move ended the game, not a resignation, a flag fall or an agreement after it."""
    return bool(told.moves) and told.final.outcome == outcome


def mover(told: PgnGame, ply: int) -> Colour:
    """The side that made the move at a ply, counted from 0."""
    return told.final.turn if (len(told.moves) - ply) % 2 == 0 else told.final.turn.other


def _seat(tags: Mapping[str, str], side: str, name_chars_max: int) -> Seat:
    name = " ".join(plain(tags.get(side, "")).split())[:name_chars_max] or UNKNOWN_NAME
    title = tags.get(f"{side}Title", "")
    return Seat("", name, title if _TITLE.fullmatch(title) else "")


def _control(told: PgnGame) -> TimeControl:
    """The time control of the tag TimeControl, if every move has a clock time; otherwise unlimited."""
    match = _CLOCK.fullmatch(told.tags.get("TimeControl", "").strip())
    if match is None or any(move.clock_ms is None for move in told.moves):
        return Unlimited()
    return ClockControl(int(match[1]) * 1000, int(match[2] or 0) * 1000)


def _left_ms(told: PgnGame, side: Colour, control: TimeControl) -> int:
    """The time in ms that a side had left after its last move; the initial time before its first move."""
    if not isinstance(control, ClockControl):
        return 0
    own = [move.clock_ms for ply, move in enumerate(told.moves) if mover(told, ply) is side]
    return control.initial_ms if not own else own[-1] or 0


def _began_ms(tags: Mapping[str, str], now_ms: int) -> int:
    for date, time in ((tags.get("UTCDate"), tags.get("UTCTime", "00:00:00")), (tags.get("Date"), "00:00:00")):
        try:
            moment = datetime.strptime(f"{date} {time}", f"{_DATE} {_TIME}").replace(tzinfo=UTC)
        except ValueError:
            continue
        return int(moment.timestamp()) * 1000
    return now_ms
