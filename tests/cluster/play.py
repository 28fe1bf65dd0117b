"""Games on a cluster, one fault after the other, and what each of them did to the people at the boards."""

import asyncio
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from services.game.settings import GameSettings
from tests.chaos.facts import Rules, Span
from tests.chaos.ground import Ground
from tests.chaos.run import Log, Options, Run
from tests.cluster.cluster import JOB, Cluster, Gone
from tests.cluster.container import End
from tests.cluster.faults import PARTS, faults_of
from tests.cluster.http_table import HttpTable
from tests.cluster.manifests import Manifests

TABLES = 10
"""One of each kind."""
DAY_MS = 86_400_000
NOTED_MS = 6_000
"""Three periods of the gateways' notes of who is there."""
CODE_GOING = 1012
"""`Service Restart`, by which a gateway that ends sends its clients elsewhere (docs/protocol.md)."""
REPLICAS = {part: 2 for part in PARTS if part != "beat"}
"""As many as the base of the manifests has; the local overlay has one of each, for a small machine."""


@dataclass(frozen=True, slots=True)
class Farewell:
    """How the clients of one gateway that ended were sent away."""

    pod: str
    codes: tuple[int, ...]
    spread_s: float
    """From the first 1012 to the last."""
    back_s: tuple[float, ...]
    """How long each was away."""


@dataclass(frozen=True, slots=True)
class Deed:
    """One fault and what came of it."""

    name: str
    violations: tuple[str, ...]
    """New ones."""
    ends: tuple[End, ...]
    gone: tuple[Gone, ...]
    farewells: tuple[Farewell, ...]
    seconds: float
    moves: int
    """Acknowledged while it was done."""
    slowest_s: float
    """Until something had gone on at each table."""


@dataclass(slots=True)
class Play:
    """`begin`, then `do` again and again, then `finish`; `close` in any case."""

    cluster: Cluster
    run: Run
    by_http: HttpTable
    rolled: list[Deed] = field(default_factory=list)
    _chance: random.Random = field(default_factory=lambda: random.Random("pods"))
    _http: asyncio.Task[None] | None = None

    @classmethod
    def of(
        cls,
        manifests: Manifests,
        target: Manifests,
        folder: Path,
        say: Callable[[str], None],
        log: Log,
        replicas: Mapping[str, int] = REPLICAS,
    ) -> "Play":
        """On pods of `manifests`, which are rolled to those of `target`."""

        def write(line: str) -> None:
            log.write(f"{time.time():.3f} {line}\n")

        cluster = Cluster(manifests, write, replicas)
        ground = Ground(cluster, faults_of(cluster, target), {}, _rules(), DAY_MS)
        run = Run(Options(games=TABLES, seed=6), folder, say, log, ground)
        return cls(cluster, run, HttpTable(cluster.gateways))

    async def begin(self) -> None:
        """Start the cluster and the games."""
        await self.run.begin()
        self._http = asyncio.create_task(self.by_http.run(), name="table of the HTTP API")

    async def roll_out(self, target: Manifests) -> None:
        """The migration, then every part: what `kubectl apply -k` of a new version does."""
        if JOB in target.makers:
            await self.cluster.migrate(target)
        for part in PARTS:
            self.rolled.append(await self.do(f"roll {part}"))

    async def do(self, name: str) -> Deed:
        """Do one fault, wait until games go on everywhere, and check them."""
        violations, ends, gone = len(self.run.ledger.violations), len(self.cluster.ends), len(self.cluster.gone)
        broken = await self.run.one(name, self._chance)
        self._check_http()
        left = tuple(self.cluster.gone[gone:])
        return Deed(
            name,
            tuple(f"{each.what}: {each.game_id} {each.detail}" for each in self.run.ledger.violations[violations:]),
            tuple(self.cluster.ends[ends:]),
            left,
            tuple(self._farewell(each) for each in left if each.component == "gateway"),
            (broken.done_ms - broken.began_ms) / 1000,
            sum(broken.began_ms <= at <= broken.done_ms for at in self.run.acks_ms()),
            max(broken.recovery_s, default=0.0),
        )

    async def finish(self) -> list[str]:
        """Let all games come to rest and check every one of them; all that was ever wrong."""
        await self.run.finish()
        self._check_http()
        return [f"{each.what}: {each.game_id} {each.detail}" for each in self.run.ledger.violations]

    async def close(self) -> None:
        """End the games and the cluster."""
        if self._http is not None:
            self._http.cancel()
            await asyncio.gather(self._http, return_exceptions=True)
        await self.run.close()

    def _check_http(self) -> None:
        assert self._http is not None, "begin comes first"
        if self._http.done():
            self._http.result()
        assert not self.by_http.complaints, self.by_http.complaints

    def _farewell(self, gone: Gone) -> Farewell:
        """What happened to clients' connections while that pod was ending."""
        span = Span(gone.asked_ms, gone.gone_ms)
        codes, told_ms, back_s = [], [], []
        for seat in self.run.seats:
            for at_ms, code in seat.closed:
                if not span.start_ms <= at_ms <= span.end_ms:
                    continue
                codes.append(code)
                if code == CODE_GOING:
                    told_ms.append(at_ms)
                    again = [start_ms for start_ms, _ in seat.here if start_ms >= at_ms]
                    back_s += [(min(again) - at_ms) / 1000] if again else []
        spread_s = (max(told_ms) - min(told_ms)) / 1000 if told_ms else 0.0
        return Farewell(gone.name, tuple(codes), spread_s, tuple(sorted(back_s)))


def _rules() -> Rules:
    """The numbers of product.md as the services have them when nothing else is said."""
    given = GameSettings.model_construct()
    return Rules(
        grace_ms=given.flag_grace_ms,
        first_move_ms=given.first_move_ms,
        gap_ms=given.outage_gap_ms,
        late_ms=20_000,
        expiry_late_ms=120_000,
        decision_ms=given.decision_ms,
        gone_ms=given.gone_ms,
        seat_ms=given.seat_ms,
        absence_ms=given.absence_ms,
        noted_ms=NOTED_MS,
    )
