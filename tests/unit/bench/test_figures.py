"""The arithmetic of the bench, and the names of its figures."""

import pytest

from bench.figures import batch_totals, mean_sizes, percentile, us_per_move
from bench.flags import Flags
from bench.floor import Floor
from bench.moves import Measured, merged
from bench.plies import Plies, Side
from bench.report import flags_keys, floor_keys, moves_keys, plies_keys, unbatched_keys


def measured(moves: int, cpu_us: float, seconds: float = 2.0) -> Measured:
    return Measured(
        moves=moves,
        seconds=seconds,
        ack_ms=tuple(float(number) for number in range(1, 101)),
        deliver_ms=(5.0,),
        us_by_process={"game": cpu_us - 10, "postgres": 10.0},
        generator_us=200.0,
        batch_sizes={"game.commit": 30.0},
        unavailable=0,
        others_cores=0.0,
    )


@pytest.mark.parametrize(("share", "value"), [(0.0, 1.0), (0.5, 50.0), (0.99, 99.0), (0.999, 100.0), (1.0, 100.0)])
def test_a_percentile_is_one_of_the_values(share: float, value: float) -> None:
    assert percentile([float(number) for number in range(100, 0, -1)], share) == value


def test_p999_of_a_thousand_is_the_last_but_one_and_shows_two_late_flags() -> None:
    assert percentile([100.0] * 999 + [900.0], 0.999) == 100.0
    assert percentile([100.0] * 998 + [900.0] * 2, 0.999) == 900.0


def test_nothing_has_no_percentile_and_no_cost() -> None:
    with pytest.raises(ValueError, match="no values"):
        percentile([], 0.5)
    with pytest.raises(ValueError, match="no move"):
        us_per_move({"game": 1.0}, 0)


def test_processor_time_is_divided_by_committed_moves() -> None:
    assert us_per_move({"game": 0.5, "beat": 0.0}, 1_000) == {"game": 500.0, "beat": 0.0}


def test_batch_sizes_are_those_of_the_stretch_alone() -> None:
    def metrics(items: int, batches: int) -> str:
        return (
            f'flagfall_batch_size_bucket{{hop="commit",le="1.0"}} 7.0\n'
            f'flagfall_batch_size_sum{{hop="commit"}} {items}.0\n'
            f'flagfall_batch_size_count{{hop="commit"}} {batches}.0\n'
            'flagfall_batch_size_sum{hop="idle"} 4.0\nflagfall_batch_size_count{hop="idle"} 4.0\n'
        )

    before, after = batch_totals(metrics(100, 100)), batch_totals(metrics(400, 110))
    assert mean_sizes(before, after) == {"commit": 30.0}
    assert mean_sizes({}, after) == {"commit": 400 / 110, "idle": 1.0}


def test_stretches_are_merged_move_by_move() -> None:
    both = merged([measured(100, 1_000.0), measured(300, 2_000.0, seconds=4.0)])
    assert (both.moves, both.seconds, both.cpu_us) == (400, 6.0, 1_750.0)
    assert len(both.ack_ms) == 200


def test_the_last_line_has_the_names_that_the_bars_are_written_for() -> None:
    side = Side(measured(10, 1_000.0), 10, 50, 25.0, 20.0)
    late = Side(measured(10, 1_100.0), 300, 340, 27.0, 45.0)
    keys = {
        **moves_keys(measured(2_000, 900.0)),
        **unbatched_keys(measured(2_000, 2_500.0)),
        **floor_keys(Floor(100.0, 40.0, 60.0, 30)),
        **plies_keys(Plies(side, late)),
        **flags_keys(Flags(10_000, 900, (-1.0, 110.0, 180.0), 3, 0, {"game": 400.0}, 0.0)),
    }
    wanted = {
        "moves_per_second": 1_000.0,
        "cpu_us_per_move": 900.0,
        "cpu_us_per_move_unbatched": 2_500.0,
        "floor_us": 200.0,
        "ack_p50_ms": 50.0,
        "ack_p99_ms": 99.0,
        "deliver_p99_ms": 5.0,
        "cpu_us_by_process": {"game": 890.0, "postgres": 10.0},
        "ply300_over_ply10": 1.1,
        "flags_early": 1,
        "flags_late_p999_ms": 180.0,
        "flags_late_max_ms": 180.0,
    }
    assert {name: keys[name] for name in wanted} == wanted
