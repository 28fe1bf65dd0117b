"""Checks that a game's history in the database is complete and correct."""

from collections import Counter
from collections.abc import Iterator, Sequence

import chess

from tests.chaos.arithmetic import Turn, certain, other, turns
from tests.chaos.facts import MOVE, PAUSED, STARTED, TAKEN_BACK, Event, Game, Rules, Span, Violation

LIVE = frozenset(["clock", "perMove"])
FALLEN = {"flag": LIVE, "expiry": frozenset(["correspondence"]), "noFirstMove": LIVE}
"""Ends by a deadline, with the time controls that have them."""


def check_versions(game: Game) -> Iterator[Violation]:
    """No version is missing or doubled, no command has two effects, and the game has ended once at the most, but for
    ends that were undone against the computer."""
    numbers = [event.version for event in game.events]
    if numbers != list(range(1, len(numbers) + 1)):
        yield Violation("versions with a gap", game.id, f"{numbers}")
    if game.version != len(numbers):
        yield Violation("row and events differ", game.id, f"row {game.version}, events up to {numbers[-1:]}")
    for (player, command), count in Counter((e.player, e.command) for e in game.events if e.command).items():
        if count > 1:
            yield Violation("command with two effects", game.id, f"{command} of {player}: {count}")
    undone = {e.version - 1 for e in game.events if e.kind == TAKEN_BACK and game.against_computer}
    ends = [event for event in game.events if event.status != STARTED and event.version not in undone]
    if len(ends) > 1 or (ends and ends[-1] is not game.events[-1]):
        yield Violation("ended more than once", game.id, f"{[(e.version, e.kind, e.reason) for e in ends]}")
    if game.over != bool(ends) or (ends and ends[-1].reason != game.reason):
        yield Violation("row and events differ", game.id, f"row {game.reason!r}, events {[e.reason for e in ends]}")


def check_moves(game: Game) -> Iterator[Violation]:
    """Every move is legal, every position the one that python-chess has, and mates and stalemates have ended it."""
    board = chess.Board()
    for event in game.events:
        if event.kind == MOVE:
            try:
                move = board.parse_uci(event.uci)
            except ValueError:
                yield Violation("illegal move", game.id, f"version {event.version}: {event.uci} in {board.fen()}")
                return
            if board.san(move) != event.san:
                yield Violation("wrong notation", game.id, f"version {event.version}: {event.san}, {board.san(move)}")
            board.push(move)
        elif event.kind == TAKEN_BACK:
            for _ in range(max(0, board.ply() - event.ply)):
                board.pop()
        if event.ply != board.ply() or event.fen != board.fen():
            yield Violation("wrong position", game.id, f"version {event.version}: {event.fen}, not {board.fen()}")
            return
        if board.is_checkmate() != (event.reason == "checkmate") or board.is_stalemate() != (
            event.reason == "stalemate"
        ):
            yield Violation("mate or stalemate not seen", game.id, f"version {event.version}: {event.reason!r}")
    if game.events and (game.ply, game.fen) != (board.ply(), board.fen()):
        yield Violation("wrong position", game.id, f"row: {game.fen}, not {board.fen()}")


def check_takebacks(game: Game) -> Iterator[Violation]:
    """Moves are taken back by consent, against the computer at will, and as many as the asker's last one needs."""
    asked, ply, count = "", 0, 0
    for event in game.events:
        if event.kind == TAKEN_BACK:
            count += 1
            asker = event.by if game.against_computer else other(event.by)
            target = ply - (2 if asker == ("black" if ply % 2 else "white") else 1)
            where = f"version {event.version}: from {ply} to {event.ply} by {event.by}, asked by {asked or 'nobody'}"
            if not game.against_computer and asked != asker:
                yield Violation("taken back without consent", game.id, where)
            if event.ply != target:
                yield Violation("wrong moves taken back", game.id, where)
        if event.takebacks != count:
            yield Violation("takebacks miscounted", game.id, f"version {event.version}: {event.takebacks}, not {count}")
        if event.kind == "takebackOffered":
            asked = event.by
        elif event.kind in (MOVE, TAKEN_BACK, "takebackClosed", "seatTaken"):
            asked = ""
        ply = event.ply


def check_clocks(game: Game, outages: Sequence[Span], rules: Rules) -> Iterator[Violation]:
    """Each player was charged exactly the time of their turns, without outages; late commands were refused."""
    for turn, event in turns(game):
        if event is None or (event.kind != MOVE and not event.player):
            continue  # what a deadline did; see `check_flags`
        where = f"version {event.version}, {turn.side} to move since {turn.start_ms}, at {event.at_ms}"
        known = certain(outages, event.at_ms, rules.gap_ms)
        latest_ms = turn.due_with(game, rules, outages)
        if latest_ms is not None and event.at_ms >= latest_ms:
            yield Violation("decided after the time was up", game.id, f"{where}: due {latest_ms}")
        if event.kind != MOVE or turn.control.kind != "clock":
            continue
        least_ms = turn.clock_after(event.at_ms, known)
        most_ms = turn.clock_after(turn.start_ms if turn.stands(game) else event.at_ms, outages)
        said = f"{where}: left {event.clock_ms} and not {least_ms} to {most_ms}"
        if event.clock_ms < least_ms:
            harmed = turn.clock_after(event.at_ms, []) < least_ms
            yield Violation("charged for an outage" if harmed else "charged too much", game.id, said)
        elif event.clock_ms > most_ms:
            yield Violation("charged too little", game.id, said)
        shown = {"white": event.white_ms, "black": event.black_ms}
        if shown != {**turn.left_ms, turn.side: event.clock_ms}:
            yield Violation("clocks differ", game.id, f"{where}: shown {shown}, had {turn.left_ms}")


def check_flags(game: Game, outages: Sequence[Span], rules: Rules, now_ms: int) -> Iterator[Violation]:
    """No flag was early, wrong or forgotten."""
    for turn, event in turns(game):
        if event is None:
            yield from _forgotten(game, turn, outages, rules, now_ms)
        elif turn.over:
            continue
        elif turn.paused_ms is not None and event.reason == "flag" and event.player:
            if event.by == turn.side:
                yield Violation("wrong flag", game.id, f"version {event.version}: taken by the side whose flag fell")
        elif event.kind == PAUSED or (event.reason in FALLEN and event.kind != MOVE):
            yield from _fallen(game, turn, event, outages, rules)


def lateness_ms(game: Game, outages: Sequence[Span], rules: Rules) -> int | None:
    """How long after deadline and grace a flag fell; None when none did."""
    for turn, event in turns(game):
        if event is not None and not event.player and (event.kind == PAUSED or event.reason in FALLEN):
            due_ms = turn.due_with(game, rules, certain(outages, event.at_ms, rules.gap_ms))
            return None if due_ms is None else event.at_ms - due_ms - rules.grace_ms
    return None


def _fallen(game: Game, turn: Turn, event: Event, outages: Sequence[Span], rules: Rules) -> Iterator[Violation]:
    reason = "flag" if event.kind == PAUSED else event.reason
    where = f"version {event.version}: {reason} at {event.at_ms}, {turn.side} to move since {turn.start_ms}"
    if turn.control.kind not in FALLEN[reason]:
        yield Violation("flag without a clock", game.id, where)
        return
    due_ms = turn.due_with(game, rules, certain(outages, event.at_ms, rules.gap_ms))
    if due_ms is None:
        yield Violation("flag without a clock", game.id, where)
        return
    if event.at_ms < due_ms + rules.grace_ms:
        yield Violation("early flag", game.id, f"{where}: due {due_ms} and {rules.grace_ms} of grace")
    allowed_ms = rules.expiry_late_ms if reason == "expiry" else rules.late_ms
    latest_ms = turn.due_with(game, rules, outages) or due_ms
    if event.at_ms > latest_ms + rules.grace_ms + allowed_ms:
        yield Violation("late flag", game.id, f"{where}: due {latest_ms}")
    unfinished = turn.ply < 2 and not game.against_computer and turn.control.kind in LIVE
    if unfinished != (reason == "noFirstMove"):
        yield Violation("wrong flag", game.id, f"{where}: at ply {turn.ply}")
    if reason == "flag" and (event.kind == PAUSED) != (game.decides and turn.paused_ms is None):
        yield Violation("wrong flag", game.id, f"{where}: the opponent decides: {game.decides}")
    if event.kind == PAUSED:
        return
    if event.winner == turn.side:
        yield Violation("wrong flag", game.id, f"{where}: won by the side whose time was up")
    if event.winner is None and not unfinished and _mates_easily(event.fen, turn.side):
        yield Violation("wrong flag", game.id, f"{where}: no win for a side that can mate, {event.fen}")


def _forgotten(game: Game, turn: Turn, outages: Sequence[Span], rules: Rules, now_ms: int) -> Iterator[Violation]:
    due_ms = turn.due_with(game, rules, outages)
    allowed_ms = rules.expiry_late_ms if turn.control.kind == "correspondence" else rules.late_ms
    if due_ms is not None and now_ms > due_ms + rules.grace_ms + allowed_ms:
        where = f"{turn.side} to move since {turn.start_ms}, due {due_ms}, now {now_ms}"
        yield Violation("forgotten flag", game.id, where)


def _mates_easily(fen: str, fallen: str) -> bool:
    """Whether the other side has a pawn, a rook or a queen, with which every preset gives it the win."""
    board = chess.Board(fen)
    other = chess.BLACK if fallen == "white" else chess.WHITE
    return any(board.pieces(kind, other) for kind in (chess.PAWN, chess.ROOK, chess.QUEEN))
