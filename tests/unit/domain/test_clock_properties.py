"""What holds of a chess clock whatever is done to it: moves, outages, gifts, takebacks, stops, turns begun anew."""

from dataclasses import dataclass, field, replace

from hypothesis import given
from hypothesis import strategies as st

from services.domain.clock import ChessClock, ClockLimits, DeadlineKind
from services.domain.colour import Colour
from services.domain.time_control import ClockControl, Correspondence, PerMove, TimeControl, Unlimited

LIMITS = ClockLimits(day_ms=86_400_000, first_move_ms=30_000)
CONTROLS: st.SearchStrategy[TimeControl] = st.sampled_from(
    [
        *(ClockControl(initial_ms, increment_ms) for initial_ms in (15_000, 300_000) for increment_ms in (0, 3_000)),
        *(PerMove(30_000), Correspondence(1), Unlimited()),
    ]
)
MS = st.integers(0, 40_000)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("move"), MS),
        st.tuples(st.just("outage"), MS),
        st.tuples(st.just("give"), st.integers(1, 60).map(lambda seconds: seconds * 1000)),
        st.tuples(st.just("stop"), MS),
        st.tuples(st.just("again"), MS),
        st.tuples(st.just("back"), st.integers(1, 4)),
    ),
    max_size=40,
)


@dataclass
class Played:
    """A clock with all that may have added time to it: what it showed after each ply, and what was given since."""

    line: list[ChessClock]
    now_ms: int = 0
    given: dict[Colour, int] = field(default_factory=lambda: dict.fromkeys(Colour, 0))

    @property
    def clock(self) -> ChessClock:
        """As it stands."""
        return self.line[-1]

    def step(self, kind: str, amount: int) -> None:
        """Do one thing, `amount` ms (plies for `back`) later."""
        if kind == "back":
            kept = self.line[: max(1, len(self.line) - amount)]
            then = kept[-1]
            back = self.clock.taken_back(then.turn, then.plies, then.white_ms, then.black_ms, self.now_ms)
            self.line = [*kept[:-1], back]
            return
        self.now_ms += amount
        match kind:
            case "move":
                self.line.append(self.clock.after_move(self.now_ms))
            case "outage":
                self.line.append(self.clock.after_move(self.now_ms, outage_ms=amount))
            case "give":
                self._give(self.clock.turn, amount)
            case "stop":
                self.line[-1] = self.clock.stopped(self.now_ms)
            case "again":
                self.line[-1] = self.clock.restarted(self.now_ms)

    def _give(self, side: Colour, ms: int) -> None:
        if isinstance(self.clock.control, ClockControl):
            self.given[side] += ms
            self.line[-1] = self.clock.given(side, ms)

    def most_ms(self, side: Colour) -> int:
        """Base, increments of the moves that `side` made on this line, and all that it was given."""
        control = self.clock.control
        if not isinstance(control, ClockControl):
            return 0
        moves = sum(before.turn is side for before in self.line[:-1])
        return control.initial_ms + control.increment_ms * moves + self.given[side]


def begun(control: TimeControl, turn: Colour) -> Played:
    return Played([ChessClock.start(control, turn, 0)])


@given(CONTROLS, st.sampled_from(Colour), STEPS)
def test_time_is_never_below_zero_and_never_more_than_base_increments_and_gifts(
    control: TimeControl, turn: Colour, steps: list[tuple[str, int]]
) -> None:
    played = begun(control, turn)
    for kind, amount in steps:
        before_ms = played.clock.turn_started_ms
        played.step(kind, amount)
        clock = played.clock
        assert clock.turn_started_ms >= before_ms, "a turn never begins before the one before it"
        assert clock.plies == len(played.line) - 1
        for side in Colour:
            assert 0 <= clock.left_ms(side) <= played.most_ms(side), (kind, amount)
            for later_ms in (0, 1, 10_000, 10**9):
                left_ms = clock.remaining_ms(side, LIMITS, played.now_ms + later_ms)
                assert left_ms >= 0
                if isinstance(control, ClockControl):
                    assert left_ms <= clock.left_ms(side)


@given(CONTROLS, STEPS, MS, MS)
def test_a_move_moves_time_on_one_clock_only_and_by_what_was_spent(
    control: TimeControl, steps: list[tuple[str, int]], think_ms: int, outage_ms: int
) -> None:
    played = begun(control, Colour.WHITE)
    for step in steps:
        played.step(*step)
    clock = replace(played.clock, turn_started_ms=played.now_ms)
    outage_ms = min(think_ms, outage_ms)
    moved = clock.after_move(played.now_ms + think_ms, outage_ms)
    assert moved.left_ms(clock.turn.other) == clock.left_ms(clock.turn.other)
    if isinstance(control, ClockControl):
        charged_ms = think_ms - outage_ms if clock.plies else 0
        left_ms = max(0, clock.left_ms(clock.turn) - charged_ms)
        assert moved.left_ms(clock.turn) == left_ms + control.increment_ms
        stopped = clock.stopped(played.now_ms + think_ms, outage_ms)
        assert stopped.left_ms(clock.turn) == left_ms, "a stop charges as a move does, and adds nothing"
    else:
        assert (moved.white_ms, moved.black_ms) == (0, 0)


@given(CONTROLS, STEPS)
def test_a_deadline_is_when_nothing_is_left(control: TimeControl, steps: list[tuple[str, int]]) -> None:
    played = begun(control, Colour.WHITE)
    for step in steps:
        played.step(*step)
    clock = played.clock
    deadline = clock.deadline(LIMITS)
    if deadline is None:
        assert isinstance(control, Unlimited)
    elif deadline.kind is DeadlineKind.FIRST_MOVE:
        assert clock.plies < 2
        assert deadline.at_ms <= clock.turn_started_ms + 30_000
    else:
        assert clock.remaining_ms(clock.turn, LIMITS, deadline.at_ms) == 0
        assert (
            deadline.at_ms == clock.turn_started_ms or clock.remaining_ms(clock.turn, LIMITS, deadline.at_ms - 1) == 1
        )
    assert 0 <= clock.look_ms(LIMITS) <= (deadline.at_ms if deadline else 0)


@given(CONTROLS, STEPS, MS)
def test_a_takeback_restores_the_times_of_that_ply_and_begins_the_turn_now(
    control: TimeControl, steps: list[tuple[str, int]], later_ms: int
) -> None:
    played = begun(control, Colour.WHITE)
    for kind, amount in steps:
        played.step("move" if kind == "back" else kind, amount)
    then = played.line[len(played.line) // 2]
    now_ms = played.now_ms + later_ms
    back = played.clock.taken_back(then.turn, then.plies, then.white_ms, then.black_ms, now_ms)
    assert replace(back, turn_started_ms=then.turn_started_ms) == then
    assert back.turn_started_ms == now_ms
    deadline = back.deadline(LIMITS)
    if isinstance(control, PerMove | Correspondence):
        assert deadline is not None
        assert deadline.at_ms > now_ms, "never past already"


@given(CONTROLS, STEPS, st.integers(0, 10**12))
def test_who_goes_on_without_a_clock_has_no_deadline(
    control: TimeControl, steps: list[tuple[str, int]], later_ms: int
) -> None:
    played = begun(control, Colour.WHITE)
    for step in steps:
        played.step(*step)
    untimed = played.clock.gone_on(played.now_ms)
    assert (untimed.turn, untimed.plies) == (played.clock.turn, played.clock.plies)
    for clock in (untimed, untimed.after_move(played.now_ms + later_ms)):
        assert (clock.deadline(LIMITS), clock.look_ms(LIMITS), clock.running) == (None, 0, False)
        assert clock.remaining_ms(clock.turn, LIMITS, played.now_ms + later_ms) == 0
