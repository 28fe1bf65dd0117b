"""Checks the answers to clients: each acknowledged command is in the database once, and each refusal was right."""

from collections.abc import Iterator, Sequence

from tests.chaos.arithmetic import certain, turns
from tests.chaos.conditionals import is_conditional
from tests.chaos.facts import MOVE, STARTED, TAKEN_BACK, Command, Event, Game, Rules, Seat, Span, Violation

WIRE_PREFIX = "ws:"
"""The prefix that the gateway adds to a client's command id."""
GATEWAYS = {"seat-": "seatTaken", "back-": "seatReturned"}
"""Commands that gateways send themselves."""
EFFECTS = {
    MOVE: {MOVE},
    "resign": {"ended"},
    "undo": {TAKEN_BACK},
    "takeback": {"takebackOffered", TAKEN_BACK},
    "notakeback": {"takebackClosed"},
    "hint": {"hinted"},
    "givetime": {"timeGiven"},
    "goon": {"goingOnOffered", "wentOn"},
    "win": {"ended"},
}
OVERTAKEN = frozenset(["stale_version", "not_your_turn", "not_allowed"])
"""Refusals of a move that came too late: after a takeback, a pause, or a change of a seat."""
LOST = {MOVE: "lost move", "draw": "lost draw command", "nodraw": "lost draw command"}


def check_commands(game: Game, seat: Seat) -> Iterator[Violation]:
    """Each acknowledged command is in the history exactly once, at its version and with its move; a refused one is
    not."""
    for command in list(seat.commands.values()):
        found = [e for e in game.events if e.player == seat.player and e.command == WIRE_PREFIX + command.id]
        name = f"{command.id} of {seat.colour} ({command.kind} {command.text}, acknowledged as {command.acked})"
        if len(found) > 1:
            yield Violation("command with two effects", game.id, f"{name}: versions {[e.version for e in found]}")
        if command.refused and found:
            yield Violation("refused and done", game.id, f"{name}: {command.refused}, version {found[0].version}")
        if command.acked is None:
            continue
        if not found:
            yield Violation(LOST.get(command.kind, "lost command"), game.id, name)
        elif found[0].version != command.acked:
            yield Violation("acknowledged as another version", game.id, f"{name}: version {found[0].version}")
        elif found[0].kind not in EFFECTS.get(command.kind, {found[0].kind}):
            yield Violation("another effect", game.id, f"{name}: {found[0].kind}")
        elif command.kind == MOVE and (found[0].uci, found[0].ply) != (command.text, command.ply + 1):
            yield Violation("another move", game.id, f"{name}: {found[0].uci} at ply {found[0].ply}")


def check_unknown(game: Game, seats: Sequence[Seat]) -> Iterator[Violation]:
    """Nothing is in the history that no client sent."""
    sent = {(seat.player, WIRE_PREFIX + command) for seat in seats for command in seat.commands}
    people = {seat.player for seat in seats}
    for event in game.events[1:]:
        if event.player not in people or (event.player, event.command) in sent:
            continue
        if GATEWAYS.get(event.command[:5]) != event.kind and not is_conditional(game, event, seats):
            yield Violation("a command that nobody sent", game.id, f"version {event.version}: {event.command}")


def check_seen(game: Game, seat: Seat) -> Iterator[Violation]:
    """What a client saw is what the database has."""
    by_version = {event.version: event for event in game.events}
    lines = _lines(game)
    for version, seen in list(seat.seen.items()):
        event = by_version.get(version)
        if event is None:
            yield Violation("seen and not there", game.id, f"version {version}, {seat.colour}: {seen}")
        elif (seen.kind, seen.status, seen.ply, seen.fen) != (event.kind, event.status, event.ply, event.fen) or (
            seen.kind == MOVE and (seen.uci, seen.san) != (event.uci, event.san)
        ):
            yield Violation("seen otherwise", game.id, f"version {version}, {seat.colour}: {seen}, not {event}")
    for version, line in list(seat.wholes):
        if line != lines.get(version):
            yield Violation("seen otherwise", game.id, f"the whole game at version {version}, {seat.colour}: {line}")
    for complaint in list(seat.complaints):
        yield Violation("client complains", game.id, f"{seat.colour}: {complaint}")


def _lines(game: Game) -> dict[int, tuple[str, ...]]:
    """The list of moves at each version."""
    lines: dict[int, tuple[str, ...]] = {}
    line: tuple[str, ...] = ()
    for event in game.events:
        if event.kind == MOVE:
            line = (*line, event.uci)
        elif event.kind == TAKEN_BACK:
            line = line[: event.ply]
        lines[event.version] = line
    return lines


def check_refusals(game: Game, seat: Seat, outages: Sequence[Span], rules: Rules) -> Iterator[Violation]:
    """`time_is_up` only after the time was up, `game_over` only after the end."""
    for command in list(seat.commands.values()):
        name = f"{command.id} of {seat.colour}, answered at {command.answered_ms}"
        if command.refused == "time_is_up" and not _was_up(game, command, outages, rules):
            yield Violation("refused in time", game.id, name)
        ended = any(e.status != STARTED and e.at_ms <= command.answered_ms for e in game.events)
        if command.refused == "game_over" and not ended:
            yield Violation("refused in a running game", game.id, name)
        if command.kind == MOVE and command.refused in OVERTAKEN:
            later = [e for e in game.events if e.version > command.version and e.at_ms <= command.answered_ms]
            if not any(e.kind in (TAKEN_BACK, "paused", "seatTaken", MOVE) for e in later):
                yield Violation("refused without a cause", game.id, f"{name}: {command.refused}")


def _was_up(game: Game, command: Command, outages: Sequence[Span], rules: Rules) -> bool:
    """Whether the time was over before the answer, in the turn that the client saw or in a later one."""
    known = certain(outages, command.sent_ms, rules.gap_ms)
    for turn, event in turns(game):
        if _before(event, command.version):
            continue
        due_ms = turn.due_with(game, rules, known)
        if due_ms is not None and turn.start_ms <= command.answered_ms and due_ms <= command.answered_ms:
            return True
    return False


def _before(event: Event | None, version: int) -> bool:
    return event is not None and event.version <= version
