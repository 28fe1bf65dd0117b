"""Checks absences: a player who lost by absence, or whose seat a computer took, was really away for that long."""

from collections.abc import Iterator, Sequence

from tests.chaos.facts import Event, Game, Rules, Seat, Violation


def check_absences(game: Game, seats: Sequence[Seat], rules: Rules) -> Iterator[Violation]:
    """No connected player counted as absent, and no reconnecting player lost by absence."""
    for event in game.events:
        if event.kind == "seatTaken":
            waited_ms = rules.seat_ms if event.player else rules.gone_ms
            away = [seat for seat in seats if seat.colour == event.by]
            if not event.player and game.control.kind != "perMove":
                yield Violation("seat taken by nobody", game.id, f"version {event.version}")
        elif event.reason == "absence" and event.kind == "ended":
            waited_ms = rules.absence_ms
            away = [seat for seat in seats if seat.player != event.player]
            if event.winner is not None and event.winner in [seat.colour for seat in away]:
                yield Violation("wrong winner by absence", game.id, f"version {event.version}: {event.winner}")
        else:
            continue
        for seat in away:
            yield from _check_away(game, event, seat, event.at_ms - waited_ms + rules.noted_ms)


def _check_away(game: Game, event: Event, seat: Seat, since_ms: int) -> Iterator[Violation]:
    where = f"version {event.version} at {event.at_ms}: {seat.colour} here {seat.here[-4:]}, left {seat.left}"
    if any(start_ms < event.at_ms and (end_ms is None or end_ms > since_ms) for start_ms, end_ms in seat.here):
        yield Violation("gone though connected", game.id, where)
    if event.reason == "absence" and not any(left_ms <= since_ms for left_ms in seat.left):
        yield Violation("lost by absence while coming back", game.id, where)
