"""A run: play, inject a fault, wait until all games go on, check; repeat; and check everything at the end."""

import asyncio
import random
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import asyncpg
import httpx

from tests.chaos.arranging import Person, sign_up
from tests.chaos.database import Database
from tests.chaos.demands import Work, check_work
from tests.chaos.facts import Rules, Seat, Span, Violation
from tests.chaos.faults import FAULTS, Tools
from tests.chaos.going_on import described, goes_on, rounds
from tests.chaos.ground import Ground, Stack
from tests.chaos.ledger import Ledger, frozen
from tests.chaos.line import now_ms
from tests.chaos.player import Player
from tests.chaos.table import KINDS, SHARES, Table
from tests.stack.replicas import ReplicatedFlagfall

DAY_MS = 20_000
SWEEP_S = 5
SETTINGS = {
    "FLAGFALL_SIGN_UPS_PER_HOUR": "1000000",
    "FLAGFALL_DAY_MS": str(DAY_MS),
    "FLAGFALL_SWEEP_PERIOD_S": str(SWEEP_S),
    "FLAGFALL_DECISION_MS": "8000",
    "FLAGFALL_ABSENCE_MS": "15000",
    "FLAGFALL_SEAT_MS": "8000",
    "FLAGFALL_GAME_PRESENCE_PERIOD_MS": "500",
    "FLAGFALL_CHALLENGES_PER_MINUTE": "1000",
    "FLAGFALL_SEEKS_PER_MINUTE": "1000",
}
BETWEEN_S = (0.5, 3.0)
RECOVERED_WITHIN_S = 60.0
PUBLISHED_WITHIN_MS = 5_000
COMPUTER_WITHIN_MS = 15_000
CAUGHT_UP_WITHIN_S = 30.0
SIGNED_UP_AT_ONCE = 8
SIGN_UPS_TRIED = 10
POLL_S = 0.1
TABLES_PER_S = 25
"""How fast the tables begin."""
SLOW_S = 5.0
SHOWN_MAX = 5
LOUD = re.compile(r"^(\S+) +\| \S+ [EC] (.*)")
LINES_KEPT_MAX = 30
NEEDED = ("gateway", "game", "rules")
"""The parts that must be ready before the next fault; a worker may be hit again while it starts."""


class Log(Protocol):
    """The file for the log lines of all processes."""

    def write(self, text: str, /) -> object:
        """Keep a line."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a run."""

    seconds: float = 300
    games: int = 200
    seed: int = 0
    gateways: int = 2
    faults: tuple[str, ...] = ()
    pause_s: float = 60.0


@dataclass(slots=True)
class Broken:
    """One fault and the recovery from it."""

    kind: str
    began_ms: int
    done_ms: int
    recovery_s: list[float] = field(default_factory=list)
    """For each table, from the end of the fault to the first thing that went on."""
    slowest: str = ""
    """The table that was last, before it went on."""


@dataclass(slots=True)
class Run:
    """One run."""

    options: Options
    folder: Path
    say: Callable[[str], None]
    log: Log
    ground: Ground | None = None
    """What is played on; without one, processes of this machine, with what `make chaos` does to them."""
    ledger: Ledger = field(init=False)
    tables: list[Table] = field(default_factory=list)
    broken: list[Broken] = field(default_factory=list)
    made: list[Span] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    loud: Counter[str] = field(default_factory=Counter)
    """Lines of the services that say ERROR."""
    seconds: float = 0.0
    _on: Ground = field(init=False)
    _tasks: list[asyncio.Task[None]] = field(default_factory=list)
    _began_s: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self._on = self.ground or self._processes()
        self.ledger = Ledger(self._on.rules)

    async def whole(self) -> None:
        """Run completely. The results are in `ledger` and `broken`."""
        try:
            await self.begin()
            await self._break(time.monotonic() + self.options.seconds)
            await self.finish()
        finally:
            await self.close()

    async def begin(self) -> None:
        """Start the stack and return once games go on at all tables."""
        await self.stack.start(self.folder, self._on.settings)
        self.say(f"{len(self.stack.names)} processes run after {time.monotonic() - self._began_s:.0f} s")
        await self._seat_people()
        self._tasks = [
            asyncio.create_task(table.run(after_s=table.number / TABLES_PER_S), name=f"table {table.number}")
            for table in self.tables
        ]
        await self._recover(Broken("start", now_ms(), now_ms()))
        self.say(f"{len(self.tables)} games go on")

    async def finish(self) -> None:
        """Let play stop, and check everything."""
        await self._finish()
        for violation in check_work(self._work(time.monotonic() - self._began_s)):
            self.ledger.note(violation)

    async def close(self) -> None:
        """End everything, in any state."""
        for task in self._tasks:
            task.cancel()
        for result in await asyncio.gather(*self._tasks, return_exceptions=True):
            if isinstance(result, Exception):
                self.ledger.note(Violation("the checker itself failed", detail=repr(result)))
        await self.stack.stop()
        self.seconds = time.monotonic() - self._began_s

    @property
    def stack(self) -> Stack:
        """What is played on."""
        return self._on.stack

    def _processes(self) -> Ground:
        rules = Rules(
            grace_ms=100,
            first_move_ms=30_000,
            gap_ms=3_000,
            late_ms=20_000,
            expiry_late_ms=SWEEP_S * 1_000 + 30_000 + int(self.options.pause_s * 1_000),
        )
        stack = ReplicatedFlagfall(self._line, replicas=2, gateways=self.options.gateways)
        return Ground(stack, FAULTS, SETTINGS, rules, DAY_MS)

    @property
    def seats(self) -> list[Seat]:
        """Every seat of every game."""
        return [seat for table in self.tables for seat in table.seats]

    @property
    def players(self) -> list[Player]:
        """Whoever plays now."""
        return [player for table in self.tables for player in table.players]

    def acks_ms(self) -> list[int]:
        """When moves were acknowledged (other commands need no rules service)."""
        return [at for table in self.tables for at in table.acks_ms] + [
            at for player in self.players for at in player.acks_ms
        ]

    def _work(self, seconds: float) -> Work:
        return Work(
            asked=frozenset(self.options.faults),
            done=frozenset(broken.kind for broken in self.broken),
            seconds=seconds,
            tables=len(self.tables),
            moves=len(self.acks_ms()),
            flags=self.ledger.ended["flag"],
            computer_moves=self.ledger.computer_moves,
            outages=len(self.spans),
            kinds=self.ledger.kinds,
        )

    async def _seat_people(self) -> None:
        gate = asyncio.Semaphore(SIGNED_UP_AT_ONCE)

        async def person(number: int, account: bool) -> Person:
            async with gate, httpx.AsyncClient(timeout=30, verify=False) as client:
                for tried in range(SIGN_UPS_TRIED):
                    name = f"chaos-{self.options.seed}-{number}-{tried}" if account else None
                    try:
                        return await sign_up(client, self.stack.gateways[number % len(self.stack.gateways)], name)
                    except httpx.HTTPStatusError as error:
                        if error.response.status_code != httpx.codes.SERVICE_UNAVAILABLE:
                            raise
                        self.say(f"person {number} is asked to come again")
                        await asyncio.sleep(1)
                raise TimeoutError(f"nobody signs up person {number}")

        async def table(number: int) -> Table:
            kind = KINDS[SHARES[number % len(SHARES)]]
            people = await asyncio.gather(*(person(2 * number + at, kind.account) for at in range(2)))
            chance = random.Random(f"{self.options.seed} table {number}")
            return Table(number, kind, self.stack.gateways, people, chance)

        self.tables = list(await asyncio.gather(*(table(number) for number in range(self.options.games))))

    async def _break(self, until_s: float) -> None:
        """Inject one fault after the other, each kind at least once."""
        chance = random.Random(f"{self.options.seed} faults")
        for round_number, kind in rounds(self.options.faults, chance):
            if round_number > 0 and time.monotonic() >= until_s:
                return
            await asyncio.sleep(chance.uniform(*BETWEEN_S))
            await self.one(kind, chance)
        await asyncio.sleep(max(0.0, until_s - time.monotonic()))  # nothing is to be broken

    async def one(self, kind: str, chance: random.Random) -> Broken:
        """Do one fault, wait until all go on, and check what is known by then."""
        tools = Tools(self.stack, chance, self.options.pause_s, self.say, self.ledger.note)
        began_ms = now_ms()
        try:
            black = await self._on.faults[kind](tools)
        except (TimeoutError, OSError, asyncpg.PostgresError) as error:
            self.ledger.note(Violation("a fault could not be made", detail=f"{kind}: {error!r}"))
            black = None
        broken = Broken(kind, began_ms, now_ms())
        self.broken.append(broken)
        if black is not None:
            self.made.append(black)
        await self._recover(broken)
        await self.stack.ready(name for part in NEEDED for name in self.stack.of(part))
        await self._check()
        slowest_s = max(broken.recovery_s, default=0.0)
        if slowest_s > SLOW_S:
            self.say(f"the slowest: {broken.slowest}")
        during = sum(broken.began_ms <= at <= broken.done_ms for at in self.acks_ms())
        self.say(
            f"{kind:<17} {(broken.done_ms - broken.began_ms) / 1000:4.1f} s with {during} moves, all went on "
            f"{slowest_s:4.1f} s later; {len(self.spans)} outages, {len(self.ledger.violations)} violations"
        )
        return broken

    async def _recover(self, broken: Broken) -> None:
        """Return once every table made progress and all clients are connected."""
        waiting = list(self.tables)
        began_s = time.monotonic()
        while waiting and time.monotonic() - began_s < RECOVERED_WITHIN_S:
            before = {table.number: described(table) for table in waiting[:SHOWN_MAX]}
            await asyncio.sleep(POLL_S)
            for table in [each for each in waiting if goes_on(each, broken.done_ms)]:
                waiting.remove(table)
                broken.slowest = before.get(table.number, "")
                broken.recovery_s.append(time.monotonic() - began_s)
        for table in waiting:
            detail = f"{RECOVERED_WITHIN_S:g} s after {broken.kind}: {described(table)}"
            self.ledger.note(Violation("stuck", table.game_id or f"table {table.number}", detail))

    async def _check(self, *, final: bool = False) -> None:
        database = await Database.open(self.stack.database_url, self._on.day_ms)
        try:
            before = [frozen(seat) for seat in self.seats if final or seat.game_id not in self.ledger.settled]
            if final:
                games, scores = await database.all()
                self.ledger.check_scores(games, scores)
            else:
                games = await database.games(list(self.ledger.settled))
            read_ms = now_ms()
            self.spans = await database.outages()
            after = [frozen(seat) for seat in self.seats if final or seat.game_id not in self.ledger.settled]
            await asyncio.to_thread(self.ledger.check_games, games, before, after, self.spans, read_ms, final=final)
            self.ledger.check_outages(self.spans, self.made, self.acks_ms())
            now_played = {table.game_id for table in self.tables}
            self.ledger.settled |= {game.id for game in games if game.over and game.id not in now_played}
            await self._settles("not published", database.unpublished, PUBLISHED_WITHIN_MS)
            await self._settles("the computer does not move", database.computer_turns, COMPUTER_WITHIN_MS)
        finally:
            await database.close()

    async def _settles(self, what: str, ask: Callable[[int], Awaitable[list[str]]], within_ms: int) -> None:
        """Nothing may wait for longer than that, seen twice."""
        first = set(await ask(within_ms))
        if first:
            await asyncio.sleep(within_ms / 1000)
            for item in first & set(await ask(within_ms)):
                self.ledger.note(Violation(what, item.split(":")[1] if ":" in item else item, item))

    async def _finish(self) -> None:
        """Let play stop, then check all games."""
        for table in self.tables:
            table.rest()
        database = await Database.open(self.stack.database_url, self._on.day_ms)
        try:
            deadline_s = time.monotonic() + CAUGHT_UP_WITHIN_S
            while True:
                newest = await database.newest_versions([player.seat.game_id for player in self.players])
                behind = [p for p in self.players if p.owes or p.version != newest.get(p.seat.game_id)]
                if not behind or time.monotonic() > deadline_s:
                    break
                await asyncio.sleep(POLL_S)
            for player in behind:
                there = newest.get(player.seat.game_id)
                detail = f"{player.seat.colour} has {player.version} of {there}, owes {player.owes}"
                self.ledger.note(Violation("not caught up", player.seat.game_id, detail))
        finally:
            await database.close()
        await self._check(final=True)

    def _line(self, line: str) -> None:
        self.log.write(f"{time.time():.3f} {line}\n")
        if found := LOUD.match(line):
            said = f"{found.group(1).rstrip('0123456789')}: {found.group(2)[:160]}"
            self.loud[said if said in self.loud or len(self.loud) < LINES_KEPT_MAX else "others"] += 1
