"""PGN of a game, in the export format: tags, moves in SAN with clocks, lines below 80 characters. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from services.domain.time_control import ClockControl, Correspondence, TimeControl, Unlimited
from services.gateway import public_json
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.pb.flagfall.v1.game_pb2 import PlayedMove, Snapshot
from services.runtime.wire import time_control_from_pb

LINE_CHARS_MAX = 79
DAY_S = 86_400

_TIME_FORFEITS = (common_pb2.END_REASON_FLAG, common_pb2.END_REASON_EXPIRY)
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]+")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a PGN is to hold besides the result."""

    tags: bool = True
    moves: bool = True
    clocks: bool = True


def pgn(game: Snapshot, moves: Sequence[PlayedMove], site: str, wanted: Wanted) -> str:
    """A game with as many of its moves as may be shown; `site` is its address. Ends with an empty line."""
    result = result_of(game.state)
    parts = []
    if wanted.tags:
        parts.append("\n".join(f'[{name} "{escaped(value)}"]' for name, value in tags(game, site)))
    shown = moves if wanted.moves else ()
    with_clocks = wanted.clocks and game.info.time_control.HasField("clock")
    parts.append(wrapped([*movetext(game.info.initial_fen, shown, with_clocks), result]))
    return "\n\n".join(parts) + "\n\n"


def tags(game: Snapshot, site: str) -> Iterator[tuple[str, str]]:
    """The seven tags that every PGN has, in their order, and then the rest."""
    info = game.info
    created = datetime.fromtimestamp(info.created_ms / 1000, UTC)
    control = time_control_from_pb(info.time_control)
    variant = public_json.variant(info.variant, info.initial_fen)
    kind = "Rated" if info.rated else "Casual"
    date = created.strftime("%Y.%m.%d")
    yield "Event", f"{kind} {public_json.pace(info.time_control)} game"
    yield "Site", site
    yield "Date", date
    yield "Round", "-"
    yield "White", info.white.name
    yield "Black", info.black.name
    yield "Result", result_of(game.state)
    yield "GameId", info.id
    yield "UTCDate", date
    yield "UTCTime", created.strftime("%H:%M:%S")
    yield "WhiteElo", "?"
    yield "BlackElo", "?"
    for side, player in (("White", info.white), ("Black", info.black)):
        if player.title:
            yield f"{side}Title", player.title
    yield "Variant", variant["name"]
    yield "TimeControl", time_control_tag(control)
    yield "Termination", termination(game.state)
    if info.initial_fen:
        yield "FEN", info.initial_fen
        yield "SetUp", "1"


def result_of(state: events_pb2.GameState) -> str:
    """1-0, 0-1, 1/2-1/2, or * for a game that goes on or was aborted."""
    if state.status != events_pb2.GAME_STATUS_ENDED:
        return "*"
    winners = {common_pb2.COLOR_WHITE: "1-0", common_pb2.COLOR_BLACK: "0-1"}
    return winners.get(state.outcome.winner, "1/2-1/2")


def termination(state: events_pb2.GameState) -> str:
    """How the game came to its end, in the words that readers of PGN know."""
    if state.status == events_pb2.GAME_STATUS_ENDED:
        return "Time forfeit" if state.outcome.reason in _TIME_FORFEITS else "Normal"
    return "Abandoned" if state.status == events_pb2.GAME_STATUS_ABORTED else "Unterminated"


def time_control_tag(control: TimeControl) -> str:
    """Seconds for the game and for a move; one move in so many seconds; or - for no limit."""
    match control:
        case ClockControl(initial_ms, increment_ms):
            return f"{initial_ms // 1000}+{increment_ms // 1000}"
        case Correspondence(days):
            return f"1/{days * DAY_S}"
        case Unlimited():
            return "-"


def movetext(initial_fen: str, moves: Iterable[PlayedMove], with_clocks: bool) -> Iterator[str]:
    """The moves with their numbers, as pieces between which a line may break."""
    number, white = _start(initial_fen)
    told = False
    for move in moves:
        if white:
            yield f"{number}."
        elif not told:
            yield f"{number}..."
        yield move.san
        told = white and not with_clocks
        if with_clocks:
            yield f"{{ [%clk {clock_text(move.clock_ms)}] }}"
        if not white:
            number += 1
        white = not white


def clock_text(remaining_ms: int) -> str:
    """h:mm:ss, whole seconds that are left."""
    seconds = max(0, remaining_ms) // 1000
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def wrapped(pieces: Iterable[str]) -> str:
    """The pieces in lines as long as allowed."""
    lines: list[str] = []
    for piece in pieces:
        if lines and len(lines[-1]) + 1 + len(piece) <= LINE_CHARS_MAX:
            lines[-1] += f" {piece}"
        else:
            lines.append(piece)
    return "\n".join(lines)


def escaped(value: str) -> str:
    """A tag's value: quotes and backslashes escaped, nothing that breaks a line."""
    return _CONTROLS.sub(" ", value).replace("\\", "\\\\").replace('"', '\\"')


def _start(initial_fen: str) -> tuple[int, bool]:
    """The number of the first move and whether it is White's."""
    fields = initial_fen.split()
    number = int(fields[5]) if len(fields) > 5 and fields[5].isdecimal() else 1
    return number, len(fields) < 2 or fields[1] == "w"
