"""Games as they were a while ago, on a real PostgreSQL: never a version that is too young, whatever was taken back."""

import random
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine

from services.game.games.late import Late, over
from services.game.games.servicer import GamesServicer
from services.game.settings import GameSettings
from services.game.store.database import open_engine, transaction
from services.game.store.schema import game as game_table
from services.game.store.schema import game_event
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.pb.flagfall.v1 import game_pb2 as pb
from tests.integration.game.nothing_overdue import NOTHING_OVERDUE
from tests.integration.game.test_search import FIXED, MATE, START_MS, WHITE

STARTED, ENDED = events_pb2.GAME_STATUS_STARTED, events_pb2.GAME_STATUS_ENDED
LATE_MS = 60_000


@pytest.fixture
async def engine(database_url: str) -> AsyncIterator[AsyncEngine]:
    made = open_engine(GameSettings(database_url=database_url))
    yield made
    await made.dispose()


class Life:
    """A game as it went: its rows, and what stood after each version."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        self.id = f"life{seed:04}"
        self.moves: list[list[str]] = [[]]
        self.at_ms = [START_MS]
        self.kinds = [events_pb2.GAME_EVENT_KIND_CREATED]
        for number in range(chance.randrange(2, 40)):
            stood = list(self.moves[-1])
            if stood and chance.random() < 0.3:
                self.kinds.append(events_pb2.GAME_EVENT_KIND_TAKEN_BACK)
                del stood[-chance.randint(1, 2) :]
            elif chance.random() < 0.2:
                self.kinds.append(events_pb2.GAME_EVENT_KIND_DRAW_OFFERED)
            else:
                self.kinds.append(events_pb2.GAME_EVENT_KIND_MOVE)
                stood.append(f"m{number}")
            self.moves.append(stood)
            self.at_ms.append(self.at_ms[-1] + chance.choice((0, 1, 500, 40_000)))

    def state(self, version: int) -> events_pb2.GameState:
        """As of a version."""
        stood = self.moves[version - 1]
        return events_pb2.GameState(
            game_id=self.id,
            version=version,
            status=STARTED,
            ply=len(stood),
            fen=" ".join(stood),
            turn=WHITE,
            at_ms=self.at_ms[version - 1],
            deadline_ms=self.at_ms[version - 1] + 9_000,
        )

    def event_rows(self) -> list[dict[str, Any]]:
        """What is kept of it."""
        rows = []
        for version, (kind, stood, at_ms) in enumerate(zip(self.kinds, self.moves, self.at_ms, strict=True), start=1):
            moved = kind == events_pb2.GAME_EVENT_KIND_MOVE
            rows.append(
                {
                    "game_id": self.id,
                    "version": version,
                    "payload": events_pb2.GameEvent(kind=kind, state=self.state(version)).SerializeToString(),
                    "uci": stood[-1] if moved else "",
                    "san": stood[-1].upper() if moved else "",
                    "ply": len(stood) if moved else 0,
                    "at_ms": at_ms,
                }
            )
        return rows

    def old_enough(self, now_ms: int) -> int:
        """The newest version that may be told."""
        return max([1, *(n for n, at_ms in enumerate(self.at_ms, start=1) if at_ms <= now_ms - LATE_MS)])


async def keep(engine: AsyncEngine, life: Life) -> None:
    async with transaction(engine) as connection:
        row = FIXED | {"id": life.id, "created_ms": START_MS, "version": len(life.moves), "ply": len(life.moves[-1])}
        await connection.execute(sa.insert(game_table), [row])
        await connection.execute(sa.insert(game_event), life.event_rows())


async def test_what_is_told_is_the_newest_that_is_old_enough(engine: AsyncEngine) -> None:
    lives = [Life(seed) for seed in range(12)]
    for life in lives:
        await keep(engine, life)
    late = Late(engine, 200)
    games = await late.going_on([life.id for life in lives])
    assert set(games) == {life.id for life in lives}
    assert any(events_pb2.GAME_EVENT_KIND_TAKEN_BACK in life.kinds for life in lives)
    for after_ms in (0, 59_999, 60_000, 60_001, 61_000, 120_000, 10_000_000):
        now_ms = START_MS + after_ms
        told = await late.fetch([pb.FetchItem(game_id=life.id) for life in lives], games, LATE_MS, now_ms)
        for life, fetched in zip(lives, told, strict=True):
            version = life.old_enough(now_ms)
            snapshot = fetched.snapshot
            expected = life.state(version)
            expected.at_ms += LATE_MS
            expected.deadline_ms += LATE_MS
            assert snapshot.state == expected
            assert [move.uci for move in snapshot.moves] == life.moves[version - 1]
        for since in (1, 2, 9):
            items = [pb.FetchItem(game_id=life.id, since_version=since) for life in lives]
            for life, fetched in zip(lives, await late.fetch(items, games, LATE_MS, now_ms), strict=True):
                version = life.old_enough(now_ms)
                if since >= version:
                    assert fetched.up_to_date.version == len(life.moves)
                else:
                    versions = [event.state.version for event in fetched.events.events]
                    assert versions == list(range(since + 1, version + 1))


async def test_more_events_than_one_answer_has_are_a_snapshot(engine: AsyncEngine) -> None:
    life = next(life for life in map(Life, range(50)) if len(life.moves) > 20)
    await keep(engine, life)
    late = Late(engine, 5)
    games = await late.going_on([life.id])
    item = pb.FetchItem(game_id=life.id, since_version=1)
    (fetched,) = await late.fetch([item], games, LATE_MS, START_MS + 10_000_000)
    assert [move.uci for move in fetched.snapshot.moves] == life.moves[-1]


class Servicer(GamesServicer):
    """With a `Fetch` that knows one game, which is over."""

    def __init__(self, engine: AsyncEngine, now_ms: int) -> None:
        none: Any = None
        beats: Any = type("Clock", (), {"now_ms": lambda _: now_ms})()
        super().__init__(engine, none, beats, NOTHING_OVERDUE, none, none, GameSettings())
        self.asked: list[str] = []
        self.status = ENDED

    async def _fetch(self, items: Sequence[pb.FetchItem]) -> list[pb.Fetched]:
        self.asked += [item.game_id for item in items]
        state = events_pb2.GameState(version=9, status=self.status)
        return [pb.Fetched(snapshot=pb.Snapshot(state=state)) for _ in items]


async def test_what_is_over_comes_as_it_is_and_in_its_place(engine: AsyncEngine) -> None:
    life = Life(3)
    await keep(engine, life)
    async with transaction(engine) as connection:
        ended = FIXED | {"id": "over0001", "created_ms": START_MS, "end_reason": int(MATE), "winner": int(WHITE)}
        await connection.execute(sa.insert(game_table), [ended])
    servicer = Servicer(engine, START_MS)
    items = [pb.FetchItem(game_id=id) for id in ("over0001", life.id, "nothing1", life.id)]
    answer = await servicer.FetchLate(pb.FetchLateRequest(items=items, late_ms=LATE_MS), None)  # type: ignore[arg-type]
    assert [fetched.snapshot.state.version for fetched in answer.results] == [9, 1, 9, 1]
    assert servicer.asked == ["over0001", "nothing1"]


@pytest.mark.parametrize("kind", ["snapshot", "events"])
def test_a_game_that_was_opened_again_meanwhile_is_not_shown(kind: str) -> None:
    for status in (STARTED, ENDED):
        state = events_pb2.GameState(status=status)
        fetched = pb.Fetched(snapshot=pb.Snapshot(state=state))
        if kind == "events":
            fetched = pb.Fetched(events=pb.Events(events=[events_pb2.GameEvent(state=state)]))
        assert (over(fetched) == fetched) == (status == ENDED)
    refusal = pb.Fetched(refusal=common_pb2.Refusal(code="not_found"))
    assert over(refusal) == refusal
