"""The figures of `make bench`: by name for its last line, and as tables for people."""

from collections.abc import Mapping
from typing import Any

from bench.figures import percentile
from bench.flags import Flags
from bench.floor import Floor
from bench.footprint import Footprint
from bench.moves import GENERATOR, Measured
from bench.plies import Plies

Keys = dict[str, Any]


def moves_keys(played: Measured) -> Keys:
    """Figures of the saturated stretch."""
    return {
        "moves_per_second": round(played.per_second, 1),
        "cpu_us_per_move": round(played.cpu_us, 1),
        **_latency_keys("", played),
        "cpu_us_by_process": {name: round(value, 1) for name, value in played.us_by_process.items()},
        "generator_us_per_move": round(played.generator_us, 1),
        "batch_sizes": {hop: round(size, 1) for hop, size in played.batch_sizes.items()},
        "others_cores": round(played.others_cores, 2),
    }


def gentle_keys(played: Measured) -> Keys:
    """Figures of the same games with think time."""
    return {
        "gentle_moves_per_second": round(played.per_second, 1),
        "gentle_cpu_us_per_move": round(played.cpu_us, 1),
        **_latency_keys("gentle_", played),
    }


def unbatched_keys(played: Measured) -> Keys:
    """Figures of the stack with batches of one item."""
    return {
        "cpu_us_per_move_unbatched": round(played.cpu_us, 1),
        "moves_per_second_unbatched": round(played.per_second, 1),
    }


def uncached_keys(played: Measured) -> Keys:
    """Figures of the stack without caches between moves."""
    return {
        "cpu_us_per_move_uncached": round(played.cpu_us, 1),
        "moves_per_second_uncached": round(played.per_second, 1),
        "cpu_us_by_process_uncached": {name: round(value, 1) for name, value in played.us_by_process.items()},
    }


def floor_keys(floor: Floor) -> Keys:
    """Figures of the floor."""
    return {
        "floor_us": round(floor.total_us, 1),
        "floor_us_by_part": {
            "rules": round(floor.rules_us, 1),
            "frames": round(floor.frames_us, 1),
            "save": round(floor.save_us, 1),
        },
    }


def plies_keys(plies: Plies) -> Keys:
    """Figures of early and late moves."""
    return {
        "ply300_over_ply10": round(plies.ratio, 3),
        "cpu_us_per_move_ply10": round(plies.early.measured.cpu_us, 1),
        "cpu_us_per_move_ply300": round(plies.late.measured.cpu_us, 1),
        "legal_moves_ply10": plies.early.legal,
        "legal_moves_ply300": plies.late.legal,
        "keys_ply10": plies.early.repeatable,
        "keys_ply300": plies.late.repeatable,
    }


def flags_keys(flags: Flags) -> Keys:
    """Figures of flags at scale."""
    return {
        "flags_clocks": flags.clocks,
        "flags_fallen": flags.by_flag,
        "flags_spread_ms": flags.deadlines_spread_ms,
        "flags_early": sum(late < 0 for late in flags.late_ms),
        "flags_late_p50_ms": round(percentile(flags.late_ms, 0.5), 1),
        "flags_late_p99_ms": round(percentile(flags.late_ms, 0.99), 1),
        "flags_late_p999_ms": round(percentile(flags.late_ms, 0.999), 1),
        "flags_late_max_ms": round(max(flags.late_ms), 1),
        "flags_cpu_us_per_flag": round(sum(flags.us_by_process.values()), 1),
        "flags_others_cores": round(flags.others_cores, 2),
        "flags_outages": flags.outages,
    }


def _latency_keys(prefix: str, played: Measured) -> Keys:
    return {
        f"{prefix}{what}_p{name}_ms": round(percentile(values, share), 2)
        for what, values in (("ack", played.ack_ms), ("deliver", played.deliver_ms))
        for name, share in (("50", 0.5), ("99", 0.99))
    }


def show_moves(title: str, played: Measured) -> None:
    """Print the figures of a stretch of play."""
    latencies = ", ".join(
        f"{name[:-3].replace('_', ' ')} {value:g} ms" for name, value in _latency_keys("", played).items()
    )
    print(f"\n{title}")
    print(f"  {played.per_second:.0f} moves/s, {played.cpu_us:.0f} us of processor time a move; {latencies}")
    print(f"  us a move: {_parts(played.us_by_process)} ({GENERATOR} {played.generator_us:.0f}, not counted)")
    print("  batches: " + ", ".join(f"{hop} {size:.1f}" for hop, size in played.batch_sizes.items()))
    print(f"  {played.others_cores:.2f} processors were busy with something else", flush=True)
    if played.unavailable:
        print(f"  {played.unavailable} moves were sent again after `unavailable`", flush=True)


def show_plies(plies: Plies) -> None:
    """Print the costs of early and late moves, and their ratio."""
    for side in (plies.early, plies.late):
        title = f"from ply {side.first_ply} to {side.last_ply}: {side.legal} legal moves, {side.repeatable} keys"
        show_moves(title, side.measured)
    print(f"\nply 300 costs {plies.ratio:.2f} times what ply 10 costs", flush=True)


def show_floor(floor: Floor) -> None:
    """Print the floor and its parts."""
    print(
        f"\nfloor: {floor.total_us:.0f} us a move: rules {floor.rules_us:.0f}, one frame in and two out "
        f"{floor.frames_us:.0f}, a share of a committed batch of {floor.batch} {floor.save_us:.0f}",
        flush=True,
    )


def show_idle(title: str, by_process: Mapping[str, float]) -> None:
    """Print the cost without moves."""
    total = sum(by_process.values())
    print(f"\n{title}: {total:.0f} us of processor time a second ({total / 10_000:.1f} % of one processor)")
    print(f"  {_parts(by_process)}", flush=True)


def rounded(by_process: Mapping[str, float]) -> dict[str, int]:
    """Whole microseconds of each process."""
    return {name: round(value) for name, value in by_process.items()}


def show_footprint(weighed: Footprint) -> None:
    """Print what a move writes, and the memory of a connection."""
    print("\nwhat a move leaves in the stores, and what a connection weighs")
    print("  " + ", ".join(f"{name} {value}" for name, value in weighed.keys().items()), flush=True)


def show_flags(flags: Flags) -> None:
    """Print how late flags were."""
    print(f"\n{len(flags.late_ms)} of {flags.clocks} running clocks fell within {flags.deadlines_spread_ms} ms")
    print("  " + ", ".join(f"{name.removeprefix('flags_')} {value}" for name, value in flags_keys(flags).items()))
    print(f"  us a flag: {_parts(flags.us_by_process)}", flush=True)


def _parts(by_process: Mapping[str, float]) -> str:
    ranked = sorted(by_process.items(), key=lambda item: -item[1])
    return ", ".join(f"{name} {value:.0f}" for name, value in ranked)
