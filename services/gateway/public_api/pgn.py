"""A game as PGN: its tags (for an import those of its file), and its moves with clocks. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from services.domain import pgn as domain_pgn
from services.domain.outcome import Outcome
from services.domain.pgn import PgnLine, PgnMove
from services.domain.time_control import ClockControl, Correspondence, PerMove, TimeControl, Unlimited
from services.domain.variant import Variant
from services.gateway.public_api import public_json
from services.pb.flagfall.v1 import events_pb2
from services.pb.flagfall.v1.game_pb2 import PlayedMove, Snapshot
from services.runtime.wire import outcome_from_pb, time_control_from_pb

DAY_S = 86_400
IMPORT = "import"
"""The source of a game that was imported, not played here."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a PGN contains besides the result."""

    tags: bool = True
    moves: bool = True
    clocks: bool = True


def pgn(game: Snapshot, moves: Sequence[PlayedMove], site: str, wanted: Wanted) -> str:
    """A game as PGN text with these moves; `site` is the game's address. Ends with an empty line."""
    result = result_of(game.state)
    parts = []
    if wanted.tags:
        parts.append(domain_pgn.tag_section(tags(game, site)))
    shown = moves if wanted.moves else ()
    with_clocks = wanted.clocks and game.info.time_control.HasField("clock")
    parts.append(domain_pgn.wrapped([*movetext(game.info.initial_fen, shown, with_clocks), result]))
    return "\n\n".join(parts) + "\n\n"


def tags(game: Snapshot, site: str) -> Iterator[tuple[str, str]]:
    """A game's tags: first the seven that every PGN has, in their order, then the others."""
    info = game.info
    if info.source == IMPORT:
        yield from _tags_of_import(game)
        return
    created = datetime.fromtimestamp(info.created_ms / 1000, UTC)
    control = time_control_from_pb(info.time_control)
    variant = public_json.variant(info.variant, info.initial_fen)
    date = created.strftime("%Y.%m.%d")
    yield (
        "Event",
        f"{'Rated' if public_json.rated(info, game.state) else 'Casual'} {public_json.pace(info.time_control)} game",
    )
    yield "Site", site
    yield "Date", date
    yield "Round", "-"
    yield "White", info.white.name
    yield "Black", info.black.name
    yield "Result", result_of(game.state)
    yield "GameId", info.id
    yield "UTCDate", date
    yield "UTCTime", created.strftime("%H:%M:%S")
    yield "WhiteElo", elo(info.white)
    yield "BlackElo", elo(info.black)
    for side, difference in zip(("White", "Black"), public_json.differences(game.state), strict=True):
        if difference is not None:
            yield f"{side}RatingDiff", f"{difference:+d}"
    for side, player in (("White", info.white), ("Black", info.black)):
        if player.title:
            yield f"{side}Title", player.title
    yield "Variant", variant.name
    yield "TimeControl", time_control_tag(control)
    yield "Termination", termination(game.state)
    if info.initial_fen:
        yield "FEN", info.initial_fen
        yield "SetUp", "1"


def _tags_of_import(game: Snapshot) -> Iterable[tuple[str, str]]:
    """The tags of the imported file, in its words, because only the file knows the place, the day and the time.

    Three tags are ours: the result; the starting position, because it sets the move numbers; and a Termination if the
    file has none. So an exported import gives the same text when it is imported and exported again.
    """
    info = game.info
    known = {"White": info.white.name, "Black": info.black.name} | {tag.name: tag.value for tag in info.tags}
    told = domain_pgn.roster_first(known)
    told["Result"] = result_of(game.state)
    if info.variant != Variant.STANDARD:
        told.setdefault("Variant", public_json.variant(info.variant, info.initial_fen).name)
    told.setdefault("Termination", termination(game.state))
    if info.initial_fen:
        told["FEN"] = info.initial_fen
        told.setdefault("SetUp", "1")
    return told.items()


def elo(player: events_pb2.Player) -> str:
    """The player's rating at the start of the game; a question mark for a player without one."""
    return str(player.rating) if player.rating else "?"


def result_of(state: events_pb2.GameState) -> str:
    """1-0, 0-1 or 1/2-1/2; * for a running or aborted game."""
    return domain_pgn.result_of(_outcome(state))


def termination(state: events_pb2.GameState) -> str:
    """How the game ended, in the usual words of PGN."""
    return domain_pgn.termination(_outcome(state))


def _outcome(state: events_pb2.GameState) -> Outcome | None:
    """How the game ended; None while it is running."""
    return outcome_from_pb(state.outcome) if state.HasField("outcome") else None


def time_control_tag(control: TimeControl) -> str:
    """The tag TimeControl: seconds for the game and increment; one move in so many seconds; or - without a limit."""
    match control:
        case ClockControl(initial_ms, increment_ms):
            return f"{initial_ms // 1000}+{increment_ms // 1000}"
        case PerMove(turn_ms):
            return f"1/{turn_ms // 1000}"
        case Correspondence(days):
            return f"1/{days * DAY_S}"
        case Unlimited():
            return "-"


def movetext(initial_fen: str, moves: Iterable[PlayedMove], with_clocks: bool) -> Iterator[str]:
    """The moves with their numbers, and with clocks in whole seconds if `with_clocks`."""
    line = PgnLine(
        moves=tuple(
            PgnMove(move.uci, move.san, move.clock_ms // 1000 * 1000 if with_clocks else None) for move in moves
        )
    )
    return domain_pgn.movetext(line, *domain_pgn.first_move(initial_fen))
