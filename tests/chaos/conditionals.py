"""Checks conditional moves: each is played together with the move that it answers, and never otherwise."""

from collections.abc import Iterator, Sequence

from tests.chaos.facts import MOVE, STARTED, Event, Game, Seat, Violation


def check_conditionals(game: Game, seat: Seat) -> Iterator[Violation]:
    """What was acknowledged before the opponent moved is played in the same commit, as the version after."""
    for at, event in enumerate(game.events):
        if event.kind != MOVE or event.by == seat.colour or event.status != STARTED:
            continue
        lines = [lines for lines in seat.lines if lines.ply == event.ply - 1]
        known = [place for place, each in enumerate(lines) if each.acked_ms is not None and each.acked_ms < event.at_ms]
        # Later lines may have replaced the acknowledged ones.
        answers = [each.answers.get(event.uci) for each in lines[known[-1] :]] if known else [None]
        if None in answers:
            continue
        then = game.events[at + 1] if at + 1 < len(game.events) else None
        played = then is not None and (then.kind, then.at_ms, then.command) == (MOVE, event.at_ms, "")
        if then is None or not played or then.uci not in answers:
            yield Violation("conditional move not played", game.id, f"version {event.version}: {answers}, then {then}")


def is_conditional(game: Game, event: Event, seats: Sequence[Seat]) -> bool:
    """Whether this move without a command is an answer that its player had set."""
    before = game.events[event.version - 2]
    return (
        event.kind == MOVE
        and event.command == ""
        and event.at_ms == before.at_ms
        and any(
            lines.ply == before.ply - 1 and lines.answers.get(before.uci) == event.uci
            for seat in seats
            if seat.player == event.player
            for lines in seat.lines
        )
    )
