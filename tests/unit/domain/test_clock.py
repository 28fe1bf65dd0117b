"""The chess clock as a value: time is handed in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.domain.clock import ChessClock, ClockLimits, Deadline, DeadlineKind, Outages
from services.domain.colour import Colour
from services.domain.time_control import ClockControl, Correspondence, PerMove, Unlimited, problem, speed_of

LIMITS = ClockLimits(day_ms=86_400_000, first_move_ms=30_000)
COMPUTER = ClockLimits(day_ms=86_400_000, first_move_ms=None)
BLITZ = ClockControl(300_000, 3_000)


def test_the_first_move_costs_nothing_and_earns_the_increment() -> None:
    # Case C03: 5+3; 40 s over move 1, then 10 s, 4 s and 1 s.
    clock = ChessClock.start(BLITZ, Colour.WHITE, now_ms=0)
    shown = []
    for at_ms in (40_000, 50_000, 54_000, 55_000):
        clock = clock.after_move(at_ms)
        shown.append((clock.white_ms, clock.black_ms))
    assert shown == [(303_000, 300_000), (303_000, 293_000), (302_000, 293_000), (302_000, 295_000)]


def test_neither_clock_moves_before_the_first_move() -> None:
    clock = ChessClock.start(BLITZ, Colour.WHITE, now_ms=0)
    assert clock.remaining_ms(Colour.WHITE, LIMITS, 25_000) == 300_000
    assert clock.remaining_ms(Colour.BLACK, LIMITS, 25_000) == 300_000


def test_black_starts_the_clock_when_black_moves_first() -> None:
    # Case C03, from-position-black-to-move.
    clock = ChessClock.start(BLITZ, Colour.BLACK, now_ms=0).after_move(20_000)
    assert (clock.white_ms, clock.black_ms, clock.turn, clock.running) == (300_000, 303_000, Colour.WHITE, True)


def test_until_both_have_moved_a_deadline_aborts() -> None:
    clock = ChessClock.start(ClockControl(15_000, 0), Colour.WHITE, now_ms=1_000)
    assert clock.deadline(LIMITS) == Deadline(31_000, DeadlineKind.FIRST_MOVE)
    clock = clock.after_move(5_000)
    # Black has 15 s, less than the 30 s for a first move: the fallen clock aborts.
    assert clock.deadline(LIMITS) == Deadline(20_000, DeadlineKind.FIRST_MOVE)
    clock = clock.after_move(6_000)
    assert clock.deadline(LIMITS) == Deadline(21_000, DeadlineKind.FLAG)


def test_against_the_computer_nobody_waits_for_a_first_move_but_a_flag_falls() -> None:
    clock = ChessClock.start(ClockControl(15_000, 0), Colour.WHITE, now_ms=0)
    assert clock.deadline(COMPUTER) is None
    assert clock.after_move(90_000).deadline(COMPUTER) == Deadline(105_000, DeadlineKind.FLAG)


def test_correspondence_limits_each_move_in_utc_days() -> None:
    clock = ChessClock.start(Correspondence(14), Colour.WHITE, now_ms=0)
    assert clock.deadline(LIMITS) == Deadline(1_209_600_000, DeadlineKind.EXPIRY)
    clock = clock.after_move(1_000)
    assert clock.deadline(LIMITS) == Deadline(1_209_601_000, DeadlineKind.EXPIRY)
    assert clock.remaining_ms(Colour.BLACK, LIMITS, 86_401_000) == 13 * 86_400_000
    assert clock.remaining_ms(Colour.WHITE, LIMITS, 86_401_000) == 14 * 86_400_000


def test_an_untimed_game_has_no_deadline() -> None:
    clock = ChessClock.start(Unlimited(), Colour.WHITE, now_ms=0).after_move(10**12)
    assert clock.deadline(LIMITS) is None
    assert clock.remaining_ms(Colour.BLACK, LIMITS, 10**13) == 0


def test_a_stopped_clock_keeps_what_was_left() -> None:
    clock = ChessClock.start(BLITZ, Colour.WHITE, 0).after_move(0).after_move(1_000)
    stopped = clock.stopped(11_000)
    assert (stopped.white_ms, stopped.black_ms) == (293_000, 302_000)
    assert clock.stopped(10**9).white_ms == 0


@pytest.mark.parametrize(
    ("spans", "start_ms", "at_ms", "expected_ms"),
    [
        ((), 0, 10, 10),
        (((2, 5),), 0, 10, 13),
        (((2, 5),), 3, 10, 12),  # only what lies in the turn
        (((2, 5),), 5, 10, 10),  # over before the turn
        (((10, 50),), 0, 10, 10),  # began at the deadline: it had fallen
        (((9, 50),), 0, 10, 51),
        (((9, 50), (50, 60)), 0, 10, 61),
        (((2, 5), (12, 20)), 0, 10, 21),  # met only because the first moved the deadline on
    ],
)
def test_an_outage_is_given_back(
    spans: tuple[tuple[int, int], ...], start_ms: int, at_ms: int, expected_ms: int
) -> None:
    assert Outages(spans).given_back(start_ms, at_ms) == expected_ms


@given(
    st.lists(st.tuples(st.integers(1, 50), st.integers(1, 50)), max_size=6),
    st.integers(0, 100),
    st.integers(0, 200),
)
def test_a_deadline_passes_exactly_when_the_uncharged_time_is_spent(
    gaps: list[tuple[int, int]], start_ms: int, length_ms: int
) -> None:
    spans, at = [], 0
    for pause, lasts in gaps:
        spans.append((at + pause, at + pause + lasts))
        at += pause + lasts
    outages = Outages(tuple(spans))
    due_ms = outages.given_back(start_ms, start_ms + length_ms)
    assert due_ms - start_ms - outages.overlap_ms(start_ms, due_ms) == length_ms
    if due_ms > start_ms:
        assert due_ms - 1 - start_ms - outages.overlap_ms(start_ms, due_ms - 1) <= length_ms


@given(
    st.sampled_from([0, 1_000, 60_000]),
    st.lists(st.integers(0, 400_000), min_size=1, max_size=60),
)
def test_time_never_appears_from_nowhere(increment_ms: int, thinks_ms: list[int]) -> None:
    control = ClockControl(300_000, increment_ms)
    clock, now_ms = ChessClock.start(control, Colour.WHITE, 0), 0
    moves = {Colour.WHITE: 0, Colour.BLACK: 0}
    for think_ms in thinks_ms:
        mover, before_ms = clock.turn, clock.white_ms if clock.turn is Colour.WHITE else clock.black_ms
        other_ms = clock.black_ms if mover is Colour.WHITE else clock.white_ms
        charged = clock.running
        now_ms += think_ms
        clock = clock.after_move(now_ms)
        moves[mover] += 1
        after_ms = clock.white_ms if mover is Colour.WHITE else clock.black_ms
        assert after_ms == max(0, before_ms - (think_ms if charged else 0)) + increment_ms
        assert (clock.black_ms if mover is Colour.WHITE else clock.white_ms) == other_ms
        assert 0 <= after_ms <= 300_000 + increment_ms * moves[mover]


@pytest.mark.parametrize(
    ("control", "expected"),
    [
        (ClockControl(15_000, 0), "ultraBullet"),
        (ClockControl(30_000, 0), "bullet"),
        (ClockControl(60_000, 0), "bullet"),
        (ClockControl(15_000, 1_000), "bullet"),
        (ClockControl(60_000, 3_000), "blitz"),  # 3 minutes with the increment
        (ClockControl(180_000, 0), "blitz"),
        (ClockControl(300_000, 3_000), "blitz"),
        (ClockControl(480_000, 0), "rapid"),
        (ClockControl(1_500_000, 0), "classical"),
        (Correspondence(3), "correspondence"),
        (Unlimited(), "correspondence"),
    ],
)
def test_speed_comes_from_the_expected_length(control: ClockControl, expected: str) -> None:
    assert speed_of(control) == expected


@pytest.mark.parametrize(
    ("control", "good"),
    [
        (ClockControl(15_000, 0), True),
        (ClockControl(90_000, 60_000), True),
        (ClockControl(10_800_000, 0), True),
        (ClockControl(0, 5_000), False),
        (ClockControl(61_000, 0), False),
        (ClockControl(10_860_000, 0), False),
        (ClockControl(60_000, 61_000), False),
        (ClockControl(60_000, -1_000), False),
        (ClockControl(60_000, 500), False),
        (Correspondence(14), True),
        (Correspondence(4), False),
        (Unlimited(), True),
    ],
)
def test_which_times_may_be_asked_for(control: ClockControl, good: bool) -> None:
    assert (problem(control) is None) is good


@given(
    st.sampled_from([ClockControl(60_000, 0), ClockControl(15_000, 2_000), ClockControl(0, 5_000), PerMove(30_000)]),
    st.lists(st.floats(0, 0.999), min_size=1, max_size=60),
    st.sampled_from([LIMITS, COMPUTER]),
)
def test_no_time_is_up_before_the_moment_to_look_and_it_seldom_changes(
    control: ClockControl | PerMove, thinks: list[float], limits: ClockLimits
) -> None:
    clock, look_ms = ChessClock.start(control, Colour.WHITE, 1_000), 0
    for share in thinks:
        last, look_ms = look_ms, clock.look_ms(limits, look_ms)
        deadline = clock.deadline(limits)
        if deadline is None:
            assert look_ms == 0
        else:
            assert clock.turn_started_ms <= look_ms <= deadline.at_ms
            if look_ms != last:
                # It is renewed only when it has come, or the turn's own limit is nearer.
                assert last <= clock.turn_started_ms or last > deadline.at_ms
        pending = 20_000 if deadline is None else deadline.at_ms - clock.turn_started_ms
        clock = clock.after_move(clock.turn_started_ms + int(share * pending))


def test_a_clock_that_both_started_charges_the_first_move() -> None:
    clock = ChessClock.start(BLITZ, Colour.WHITE, 0).running_from(5_000)
    assert clock.remaining_ms(Colour.WHITE, LIMITS, 7_000) == 298_000
    assert clock.deadline(LIMITS) == Deadline(35_000, DeadlineKind.FIRST_MOVE)
    moved = clock.after_move(9_000)
    assert (moved.white_ms, moved.black_ms, moved.running) == (299_000, 300_000, True)
    minute = ChessClock.start(ClockControl(15_000, 0), Colour.WHITE, 0).running_from(1_000)
    assert minute.deadline(LIMITS) == Deadline(16_000, DeadlineKind.FIRST_MOVE)  # until both have moved it aborts
    assert minute.deadline(COMPUTER) == Deadline(16_000, DeadlineKind.FLAG)


def test_in_correspondence_the_moment_to_look_is_when_to_remind() -> None:
    limits = ClockLimits(day_ms=86_400_000, first_move_ms=None, reminder_ms=86_400_000)
    clock = ChessClock.start(Correspondence(3), Colour.WHITE, 5_000)
    assert clock.look_ms(limits) == 2 * 86_400_000 + 5_000
    clock = clock.after_move(86_405_000)
    assert clock.look_ms(limits, 2 * 86_400_000 + 5_000) == 3 * 86_400_000 + 5_000
    day = ChessClock.start(Correspondence(1), Colour.WHITE, 5_000)
    assert day.look_ms(limits) == 5_000  # never before the turn began


def test_the_moment_to_look_stays_through_a_hundred_quick_moves() -> None:
    clock, look_ms, seen = ChessClock.start(BLITZ, Colour.WHITE, 0), 0, set()
    for ply in range(100):
        clock = clock.after_move(ply * 2_000)
        look_ms = clock.look_ms(LIMITS, look_ms)
        seen.add(look_ms)
    assert len(seen) <= 3
