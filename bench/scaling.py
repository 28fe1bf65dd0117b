"""The resources for a number of games, computed from measured costs: `python -m bench.scaling FIGURES [--write
docs/scaling.md]`.

FIGURES is what `python -m bench --only moves,gentle,uncached,idle,footprint --json FIGURES` wrote. The tables go to the
output, or between the marks of the page. `Assumed` holds the assumptions; everything else is measured.
"""

import argparse
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BEGIN, END = "<!-- tables of {name}: python -m bench.scaling -->", "<!-- end of tables -->"
SIZES = (1_000, 100_000, 1_000_000)
SECOND_US = 1e6
DAY_S = 86_400
GIB, MB, TB = 2**30, 1e6, 1e12


@dataclass(frozen=True, slots=True)
class Kind:
    """Live games of one speed: their share of running games, and the moves in one."""

    name: str
    share: float
    plies: int
    seconds: int


@dataclass(frozen=True, slots=True)
class Assumed:
    """Assumptions that are not measured here. A changed line changes the tables."""

    kinds: tuple[Kind, ...] = (
        Kind("bullet 1+0", 0.20, 70, 100),
        Kind("blitz 3+2", 0.45, 76, 420),
        Kind("rapid 10+5", 0.25, 80, 1_100),
        Kind("the computer, 10+0", 0.10, 70, 700),
    )
    computer: str = "the computer, 10+0"
    watchers_each: float = 0.3
    busy: float = 0.6
    """How much of a processor a process may use at the peak."""
    replicas_min: int = 2
    engine_us: float = 17_000
    """Processor time of the engine for a move, at the level that takes most (docs/bench.md: 3 to 17 ms)."""
    task_us: float = 1_500
    """Of a worker for a task beside its engine (services/workers/celery_worker.py)."""
    heard_share: float = 0.17
    """Of a gateway's cost of a move, hearing of it from Redis (profile in docs/bench.md): once for each gateway."""
    pool_connections: int = 8
    postgres_cores: int = 16
    wal_mb_per_s: float = 200.0
    """What a disk that confirms writes takes all day."""

    @property
    def plies_per_s(self) -> float:
        """Half-moves a second of a game, in the mean."""
        return sum(kind.share * kind.plies / kind.seconds for kind in self.kinds)

    @property
    def computer_per_s(self) -> float:
        """Computer moves a second, of a game in the mean: every other one of its games."""
        return sum(kind.share * kind.plies / kind.seconds / 2 for kind in self.kinds if kind.name == self.computer)


@dataclass(frozen=True, slots=True)
class Costs:
    """The measured costs, from one machine."""

    told: Mapping[str, Any]

    def move_us(self, part: str) -> float:
        """Processor time of a service for a move, with games and positions in its caches."""
        return float(self.told["cpu_us_by_process"][part])

    def forgotten_us(self, part: str) -> float:
        """The same when another replica handled the move before, so that nothing is cached."""
        return max(self.move_us(part), float(self.told["cpu_us_by_process_uncached"][part]))

    def shared_us(self, part: str, replicas: int) -> float:
        """The same with several replicas in turn: one move in that many finds its game in the cache."""
        return self.forgotten_us(part) - (self.forgotten_us(part) - self.move_us(part)) / replicas

    def quiet_us(self, part: str) -> float:
        """Processor time a second of a service for a player who is connected and pings, but does not move."""
        idle, quiet = self.told["idle_us_by_process"][part], self.told["quiet_us_by_process"][part]
        return max(0.0, float(quiet - idle)) / float(self.told["quiet_players"])

    def figure(self, name: str) -> float:
        """Any other figure, by its name."""
        return float(self.told[name])


@dataclass(frozen=True, slots=True)
class Need:
    """The resources for a number of games."""

    games: int
    moves_per_s: float
    sockets: float
    replicas: Mapping[str, int]
    gateway_bytes: float
    """Memory of one gateway."""
    connections: int
    commits_per_s: float
    postgres_cores: float
    wal_mb_per_s: float
    history_tb_per_day: float
    redis_per_s: float
    redis_cores: float
    redis_mb_per_s: float
    sent_mb_per_s: float
    """To players and watchers."""


def need(costs: Costs, games: int, assumed: Assumed = Assumed()) -> Need:
    """Compute the resources by processor time. The number of replicas is found by trying, because with more of them
    caches hit less often."""
    moves = games * assumed.plies_per_s
    sockets = games * (2 + assumed.watchers_each)
    deliveries = moves * assumed.watchers_each
    gateway_us = (
        moves * costs.move_us("gateway") * (1 + assumed.heard_share * (1 + assumed.watchers_each))
        + games * 2 * costs.quiet_us("gateway")
        + games * assumed.watchers_each * costs.figure("gateway_us_per_watcher_second")
        + deliveries * costs.figure("gateway_us_per_delivery")
    )
    engines_us = games * assumed.computer_per_s * (assumed.engine_us + assumed.task_us)
    replicas = {
        "gateway": _count(lambda _: gateway_us, assumed),
        "game": _count(lambda n: moves * costs.shared_us("game", n), assumed),
        "rules": _count(lambda n: moves * costs.shared_us("rules", n), assumed),
        "clock": assumed.replicas_min,  # each follows everything: more of them share no work
        "dispatcher": _count(lambda _: moves * costs.move_us("dispatcher"), assumed),
        "worker": _count(lambda _: engines_us, assumed),
    }
    held = games * (2 + assumed.watchers_each) / replicas["gateway"]
    gateway_bytes = (
        costs.told["base_bytes_by_process"]["gateway"]
        + sockets / replicas["gateway"] * costs.figure("gateway_bytes_per_socket")
        + min(held, games) * costs.figure("gateway_bytes_per_game")
    )
    redis_us = moves * costs.move_us("valkey") + games * 2 * costs.quiet_us("valkey")
    return Need(
        games=games,
        moves_per_s=moves,
        sockets=sockets,
        replicas=replicas,
        gateway_bytes=gateway_bytes,
        connections=replicas["game"] * assumed.pool_connections,
        commits_per_s=moves * costs.figure("commits_per_move"),
        postgres_cores=moves * costs.shared_us("postgres", replicas["game"]) / SECOND_US,
        wal_mb_per_s=moves * costs.figure("wal_bytes_per_move") / MB,
        history_tb_per_day=moves * costs.figure("history_bytes_per_move") * DAY_S / TB,
        redis_per_s=moves * costs.figure("redis_commands_per_move"),
        redis_cores=redis_us / SECOND_US,
        redis_mb_per_s=moves * costs.figure("redis_bytes_per_move") / MB,
        sent_mb_per_s=(2 * moves + deliveries) * costs.figure("event_bytes") / MB,
    )


def _count(spent_us: Callable[[int], float], assumed: Assumed) -> int:
    count = assumed.replicas_min
    while spent_us(count) > count * assumed.busy * SECOND_US:
        count = max(count + 1, math.ceil(spent_us(count) / (assumed.busy * SECOND_US)))
    return count


def limits(costs: Costs, assumed: Assumed = Assumed()) -> Sequence[tuple[str, float, str]]:
    """For each part of which there is only one: the number of games at which it is full, and why. The first to be full
    comes first."""
    one = need(costs, SIZES[-1], assumed)
    per_game = {
        "the clock's follower (each replica hears every move)": (
            assumed.plies_per_s * costs.move_us("clock") / SECOND_US / assumed.busy,
            f"one processor at {assumed.busy:.0%}",
        ),
        "Redis, its one thread": (one.redis_cores / one.games / assumed.busy, f"one processor at {assumed.busy:.0%}"),
        f"PostgreSQL, {assumed.postgres_cores} processors": (
            one.postgres_cores / one.games / assumed.busy / assumed.postgres_cores,
            f"at {assumed.busy:.0%}, if it scales with them",
        ),
        "PostgreSQL's log": (one.wal_mb_per_s / one.games / assumed.wal_mb_per_s, f"{assumed.wal_mb_per_s:.0f} MB/s"),
    }
    found = [(name, 1 / share, by) for name, (share, by) in per_game.items()]
    return sorted(found, key=lambda row: row[1])


def tables(costs: Costs, assumed: Assumed = Assumed()) -> str:
    """All tables as Markdown."""
    needs = [need(costs, games, assumed) for games in SIZES]
    parts = ("gateway", "game", "rules", "clock", "dispatcher", "valkey", "postgres")
    rows: list[tuple[str, Callable[[Need], str]]] = [
        ("moves a second", lambda n: _number(n.moves_per_s)),
        ("sockets", lambda n: _number(n.sockets)),
        *((f"replicas: {name}", lambda n, name=name: str(n.replicas[name])) for name in needs[0].replicas),
        ("memory of one gateway", lambda n: f"{n.gateway_bytes / GIB:.1f} GiB"),
        ("connections to PostgreSQL (8 a game service)", lambda n: _number(n.connections)),
        ("commits a second", lambda n: _number(n.commits_per_s)),
        ("PostgreSQL: processors", lambda n: f"{n.postgres_cores:.1f}"),
        ("PostgreSQL: log", lambda n: f"{n.wal_mb_per_s:.1f} MB/s"),
        ("PostgreSQL: history grows by", lambda n: f"{n.history_tb_per_day:.3f} TB a day"),
        ("Redis: commands a second", lambda n: _number(n.redis_per_s)),
        ("Redis: of its one thread", lambda n: f"{n.redis_cores:.0%}"),
        ("Redis: network", lambda n: f"{n.redis_mb_per_s:.1f} MB/s"),
        ("sent to players and watchers", lambda n: f"{n.sent_mb_per_s:.1f} MB/s"),
    ]
    mix = ", ".join(f"{kind.share:.0%} {kind.name} ({kind.plies} plies in {kind.seconds} s)" for kind in assumed.kinds)
    return "\n".join(
        [
            f"Assumed: {mix}: {assumed.plies_per_s:.3f} moves a second and game; {assumed.watchers_each} watchers a "
            f"game; processes busy to {assumed.busy:.0%} at the peak; at least {assumed.replicas_min} of each.",
            "",
            "Measured, us of processor time a move, remembered / forgotten: "
            + ", ".join(f"{part} {costs.move_us(part):.0f} / {costs.forgotten_us(part):.0f}" for part in parts)
            + f"; {costs.figure('moves_per_second'):.0f} moves a second on {costs.told['cores']} processors. At "
            f"a hundred a second, where batches are of one, {costs.figure('gentle_cpu_us_per_move'):.0f} us in all.",
            "",
            f"A player who only waits: {costs.quiet_us('gateway'):.0f} us a second of a gateway, "
            f"{costs.quiet_us('valkey'):.0f} of Redis. A watcher: {costs.figure('gateway_us_per_watcher_second'):.0f} "
            f"us a second and {costs.figure('gateway_us_per_delivery'):.0f} for each event of "
            f"{costs.figure('event_bytes'):.0f} bytes. A socket: {costs.figure('gateway_bytes_per_socket') / 1024:.0f} "
            f"KiB of a gateway; a held game {costs.figure('gateway_bytes_per_game') / 1024:.0f} KiB. A move: "
            f"{costs.figure('wal_bytes_per_move'):.0f} bytes of log, {costs.figure('history_bytes_per_move'):.0f} of "
            f"history, {costs.figure('commits_per_move'):.2f} commits, {costs.figure('redis_commands_per_move'):.1f} "
            f"commands and {costs.figure('redis_bytes_per_move'):.0f} bytes of Redis.",
            "",
            "| games at once | " + " | ".join(f"{games:,}" for games in SIZES) + " |",
            "| --- | " + " | ".join("---:" for _ in SIZES) + " |",
            *(f"| {name} | " + " | ".join(show(each) for each in needs) + " |" for name, show in rows),
            "",
            "| there is one of | full at games | by |",
            "| --- | ---: | --- |",
            *(f"| {name} | {_number(games)} | {by} |" for name, games, by in limits(costs, assumed)),
        ]
    )


def _number(value: float) -> str:
    """A number with three digits; more would claim a precision that is not there."""
    digits = max(0, int(math.log10(value)) - 2) if value >= 1 else 0
    return f"{round(value, -digits):,.0f}" if value >= 10 else f"{value:.1f}"


def replaced(page: str, name: str, text: str) -> str:
    """The page with new tables. Raises ValueError when its markers are missing."""
    head, begin, rest = page.partition(BEGIN.format(name=name))
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page has no tables of {name}")
    return f"{head}{begin}\n\n{text}\n\n{end}{tail}"


def main() -> None:
    """Print the tables, or write them."""
    parser = argparse.ArgumentParser(prog="python -m bench.scaling", description=__doc__)
    parser.add_argument("figures", type=Path)
    parser.add_argument("--write", type=Path, help="the page whose tables are replaced")
    chosen = parser.parse_args()
    text = tables(Costs(json.loads(chosen.figures.read_text())))
    if chosen.write:
        chosen.write.write_text(replaced(chosen.write.read_text(), chosen.figures.name, text))
    else:
        print(text)


if __name__ == "__main__":
    main()
