"""The checker's own clock, from product.md (section 3) and guarantees 5 and 6.

An outage begins to count only when the gap between beats is long enough: until then it is unknown, so a decision on
something received in that time may or may not have counted it. `certain` are the outages that a decision had to know.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tests.chaos.facts import GIVEN_MS, MOVE, STARTED, TAKEN_BACK, Control, Event, Game, Rules, Span

WHITE, BLACK = "white", "black"
COMPUTER = "computer"


def certain(outages: Sequence[Span], at_ms: int, gap_ms: int) -> list[Span]:
    """The outages that a decision on something received at `at_ms` had to give back."""
    return [span for span in outages if span.start_ms + gap_ms <= at_ms]


def lost_ms(outages: Sequence[Span], start_ms: int, end_ms: int) -> int:
    """How much of a stretch lies in outages."""
    return sum(max(0, min(end_ms, span.end_ms) - max(start_ms, span.start_ms)) for span in outages)


def postponed_ms(outages: Sequence[Span], start_ms: int, due_ms: int) -> int:
    """The end of the time, moved later by the outages during the turn, one after the other."""
    for span in sorted(outages, key=lambda each: each.start_ms):
        if span.end_ms > start_ms and span.start_ms < due_ms:
            due_ms += span.end_ms - max(start_ms, span.start_ms)
    return due_ms


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn at its beginning: who is to move, since when, and the time left of both."""

    side: str
    ply: int
    start_ms: int
    left_ms: dict[str, int]
    control: Control
    """That of the game until it goes on without a clock."""
    paused_ms: int | None = None
    """Since when the other side decides after a flag fall."""
    over: bool = False
    """The game has ended, and a later event can only undo the end."""

    def due_ms(self, game: Game, rules: Rules) -> int | None:
        """When its time is over, without outages; None: never."""
        if self.over:
            return None
        if self.paused_ms is not None:
            return self.paused_ms + rules.decision_ms
        if self.stands(game):
            return None
        if self.control.kind == "correspondence":
            return self.start_ms + self.control.turn_ms
        if self.control.kind not in ("clock", "perMove"):
            return None
        whole_ms = self.left_ms[self.side] if self.control.kind == "clock" else self.control.turn_ms
        falls_ms = None if self.ply == 0 else self.start_ms + whole_ms
        if game.against_computer or self.ply >= 2:
            return falls_ms
        first_ms = self.start_ms + rules.first_move_ms
        return first_ms if falls_ms is None else min(first_ms, falls_ms)

    def stands(self, game: Game) -> bool:
        """Whether the clock stands still: the computer's, which is charged what a worker says that it thought."""
        mover = game.white if self.side == WHITE else game.black
        return mover == COMPUTER and (self.control.kind != "clock" or self.left_ms[self.side] > 0)

    def due_with(self, game: Game, rules: Rules, outages: Sequence[Span]) -> int | None:
        """The same with outages given back."""
        due_ms = self.due_ms(game, rules)
        from_ms = self.start_ms if self.paused_ms is None else self.paused_ms
        return None if due_ms is None else postponed_ms(outages, from_ms, due_ms)

    def clock_after(self, at_ms: int, outages: Sequence[Span]) -> int:
        """The mover's clock after a move at `at_ms`."""
        if self.control.kind != "clock":
            return 0
        spent_ms = 0 if self.ply == 0 else max(0, at_ms - self.start_ms - lost_ms(outages, self.start_ms, at_ms))
        return max(0, self.left_ms[self.side] - spent_ms) + self.control.increment_ms

    def moved(self, event: Event) -> "Turn":
        """The turn after a move."""
        left_ms = {**self.left_ms, self.side: event.clock_ms}
        return Turn(other(self.side), self.ply + 1, max(self.start_ms, event.at_ms), left_ms, self.control)

    def changed(self, event: Event) -> "Turn":
        """The turn after something else than a move or a takeback."""
        anew = replace(self, start_ms=max(self.start_ms, event.at_ms))
        match event.kind:
            case "paused":
                return replace(self, paused_ms=event.at_ms)
            case "wentOn":
                return replace(anew, control=Control("unlimited"), paused_ms=None)
            case "timeGiven" if event.by:
                to = other(event.by)
                return replace(self, left_ms={**self.left_ms, to: self.left_ms[to] + GIVEN_MS})
            case "timeGiven":
                return anew
            case "seatTaken" if self.control.kind == "perMove" and event.by == self.side:
                return anew
        return self


def other(side: str) -> str:
    """The other side."""
    return BLACK if side == WHITE else WHITE


def turns(game: Game) -> Iterator[tuple[Turn, Event | None]]:
    """Each event with the turn in which it came, by the stored clocks; at the end the current turn, with None. A
    takeback restores the times left after that half-move; the turn then begins again.
    """
    initial_ms = game.control.initial_ms
    turn = Turn(WHITE, 0, game.created_ms, {WHITE: initial_ms, BLACK: initial_ms}, game.control)
    stood = [turn.left_ms]
    for event in game.events[1:]:
        yield turn, event
        if event.kind == MOVE:
            turn = turn.moved(event)
            stood = [*stood[: turn.ply], turn.left_ms]
        elif event.kind == TAKEN_BACK:
            side = BLACK if event.ply % 2 else WHITE
            left_ms = stood[min(event.ply, len(stood) - 1)]
            turn = Turn(side, event.ply, max(turn.start_ms, event.at_ms), left_ms, turn.control)
        else:
            turn = turn.changed(event)
        turn = replace(turn, over=event.status != STARTED)
    if not game.over:
        yield turn, None
