"""The clock service's own decisions, without a store or a port."""

import asyncio
from collections.abc import Sequence

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError

from services.clock.alarm import Alarm, NoAlarm, from_deadlines, from_state, newest
from services.clock.firing import Firing
from services.clock.game_port import DeadlinePage, Decided, GameUnavailable, TimeLeft
from services.clock.rebuild import Rebuild
from services.clock.redis_alarms import Answered, Taken
from services.clock.settings import ClockSettings
from services.clock.timer import Timer
from services.domain.refusal import Refusal, RefusalCode
from services.pb.flagfall.v1 import events_pb2, game_pb2
from services.runtime.database_clock import SAMPLES, DatabaseClock
from tests.stack.said import said

NOW_MS = 1_900_000_000_000
ALARM = Alarm("game", 7, NOW_MS - 100)
STARTED = events_pb2.GAME_STATUS_STARTED


@pytest.mark.parametrize(
    ("status", "kind", "deadline_ms", "rings"),
    [
        (STARTED, events_pb2.DEADLINE_KIND_FLAG, NOW_MS, True),
        (STARTED, events_pb2.DEADLINE_KIND_FIRST_MOVE, NOW_MS, True),
        (STARTED, events_pb2.DEADLINE_KIND_EXPIRY, NOW_MS, False),  # the sweep's
        (STARTED, events_pb2.DEADLINE_KIND_UNSPECIFIED, 0, False),  # untimed
        (STARTED, events_pb2.DEADLINE_KIND_FLAG, 0, False),
        (events_pb2.GAME_STATUS_ENDED, events_pb2.DEADLINE_KIND_FLAG, NOW_MS, False),
        (events_pb2.GAME_STATUS_ABORTED, events_pb2.DEADLINE_KIND_FIRST_MOVE, NOW_MS, False),
    ],
)
def test_a_state_asks_for_an_alarm_or_none(
    status: events_pb2.GameStatus, kind: events_pb2.DeadlineKind, deadline_ms: int, rings: bool
) -> None:
    state = events_pb2.GameState(game_id="game", version=7, status=status, deadline_kind=kind, deadline_ms=deadline_ms)
    assert from_state(state) == (Alarm("game", 7, NOW_MS) if rings else NoAlarm("game", 7))


def test_a_page_leaves_correspondence_to_the_sweep() -> None:
    kinds = [events_pb2.DEADLINE_KIND_EXPIRY, events_pb2.DEADLINE_KIND_FLAG]
    page = [game_pb2.Deadline(game_id=f"g{kind}", version=1, deadline_ms=5, kind=kind) for kind in kinds]
    assert from_deadlines(page) == [Alarm("g2", 1, 5)]


def test_the_highest_version_of_each_game_counts_in_any_order() -> None:
    wishes: list[Alarm | NoAlarm] = [
        Alarm("a", 3, 1),
        NoAlarm("b", 1),
        Alarm("a", 5, 2),
        Alarm("a", 4, 3),
        Alarm("b", 2, 4),
    ]
    assert newest(wishes) == [Alarm("a", 5, 2), Alarm("b", 2, 4)]


def test_the_database_clock_is_unknown_until_an_answer_and_then_never_ahead() -> None:
    steady = [0.0]
    clock = DatabaseClock(lambda: steady[0])
    assert clock.now_ms() is None
    # The true time is NOW_MS + steady; answers travelled 40, 3 and 25 ms.
    for at, travelled in ((100.0, 40), (200.0, 3), (300.0, 25)):
        steady[0] = at
        clock.learn(int(NOW_MS + at - travelled))
    steady[0] = 1_000.0
    assert clock.now_ms() == NOW_MS + 1_000 - 3


def test_a_database_clock_that_was_set_back_is_followed() -> None:
    clock = DatabaseClock(lambda: 0.0)
    clock.learn(NOW_MS)
    for _ in range(SAMPLES):
        clock.learn(NOW_MS - 5_000)
    assert clock.now_ms() == NOW_MS - 5_000


class Answers:
    """A game service that gives prepared answers, and alarms that remember what was written down."""

    def __init__(self, *answers: Decided | Refusal | Exception, standing: TimeLeft | Refusal | None = None) -> None:
        self.left = list(answers)
        self.stands = standing
        self.fired: list[Alarm] = []
        self.written: list[Answered] = []
        self.put_again: list[Alarm | NoAlarm] = []
        self.redis_away = False
        self.hold = asyncio.Event()
        self.hold.set()
        self.pages: list[DeadlinePage | Exception] = []

    async def flag(self, alarms: Sequence[Alarm]) -> Sequence[Decided | Refusal]:
        self.fired += alarms
        await self.hold.wait()
        answers: list[Decided | Refusal] = []
        for _ in alarms:
            answer = self.left.pop(0)
            if isinstance(answer, Exception):
                raise answer
            answers.append(answer)
        return answers

    async def standing(self, game_ids: Sequence[str]) -> Sequence[TimeLeft | Refusal | None]:
        return [self.stands for _ in game_ids]

    async def deadlines(self, after: str, *, overdue_only: bool) -> DeadlinePage:
        page = self.pages.pop(0)
        if isinstance(page, Exception):
            raise page
        return page

    async def put(self, wishes: Sequence[Alarm | NoAlarm], *, corrects: bool = False) -> int:
        if self.redis_away:
            raise RedisConnectionError("away")
        self.put_again += wishes
        return len(wishes)

    async def answer(self, answers: Sequence[Answered]) -> Sequence[None]:
        if self.redis_away:
            raise RedisConnectionError("away")
        self.written += answers
        return [None] * len(answers)


def firing_of(world: Answers, **own: int) -> Firing:
    clock = DatabaseClock(lambda: 0.0)
    clock.learn(NOW_MS)
    return Firing(world, world, clock, ClockSettings(retry_pause_ms=50, retry_pause_max_ms=300).model_copy(update=own))


async def fire(firing: Firing, *alarms: Alarm) -> None:
    firing.start(alarms)
    await firing.drained()


@pytest.mark.parametrize(
    "answer",
    [
        Decided(),
        Refusal(RefusalCode.GAME_OVER, said("")),
        Refusal(RefusalCode.STALE_VERSION, said("")),
        Refusal(RefusalCode.NOT_FOUND, said("")),
    ],
)
async def test_a_decided_or_overtaken_alarm_is_gone(answer: Decided | Refusal) -> None:
    world = Answers(answer)
    await fire(firing_of(world), ALARM)
    assert world.written == [Answered(ALARM, None)]


@pytest.mark.parametrize(
    "answer",
    [
        GameUnavailable("away"),
        Refusal(RefusalCode.UNAVAILABLE, said("")),
        Refusal(RefusalCode.NOT_ALLOWED, said("not yet")),
        Refusal(RefusalCode.NOT_DUE, said("")),  # the state below says: the same version and deadline
    ],
)
async def test_what_was_fired_in_vain_rings_again_after_growing_pauses_with_an_end(answer: Refusal | Exception) -> None:
    world = Answers(*[answer] * 5, standing=TimeLeft(ALARM, NOW_MS))
    firing = firing_of(world)
    for _ in range(5):
        await fire(firing, ALARM)
    pauses_ms = [(entry.again_ms or 0) - NOW_MS for entry in world.written]
    assert pauses_ms == [50, 100, 200, 300, 300]


@pytest.mark.parametrize(
    "wish",
    [
        Alarm("game", 7, NOW_MS + 5_000),  # moved by an outage
        Alarm("game", 8, NOW_MS + 5_000),  # a version whose event did not come
        NoAlarm("game", 8),
    ],
)
async def test_not_due_sets_what_the_state_asks_for(wish: Alarm | NoAlarm) -> None:
    world = Answers(Refusal(RefusalCode.NOT_DUE, said("")), standing=TimeLeft(wish, NOW_MS))
    await fire(firing_of(world), ALARM)
    assert world.put_again == [wish]
    assert world.written == []


async def test_a_game_that_cannot_be_told_rings_again() -> None:
    world = Answers(
        Refusal(RefusalCode.NOT_DUE, said("")),
        standing=Refusal(RefusalCode.UNAVAILABLE, said("")),
    )
    await fire(firing_of(world), ALARM)
    assert world.written == [Answered(ALARM, NOW_MS + 50)]


async def test_an_alarm_under_way_is_not_fired_beside_itself_and_room_is_bounded() -> None:
    world = Answers(Decided(), Decided())
    world.hold.clear()
    firing = firing_of(world, alarms_firing_max=2)
    others = [Alarm(f"other{number}", 1, NOW_MS) for number in range(5)]
    firing.start([ALARM, ALARM, *others])
    assert firing.room == 0
    await asyncio.sleep(0)
    firing.start([ALARM])
    world.hold.set()
    await firing.has_room()
    await firing.drained()
    assert world.fired == [ALARM, others[0]]
    assert firing.room == 2


async def test_an_answer_that_redis_cannot_take_is_left_to_the_lease() -> None:
    world = Answers(Decided())
    world.redis_away = True
    firing = firing_of(world)
    await fire(firing, ALARM)
    assert firing.room == ClockSettings().alarms_firing_max


async def test_a_rebuild_that_failed_is_tried_again_from_its_first_page() -> None:
    world = Answers()
    first, second = Alarm("a", 1, NOW_MS), Alarm("b", 1, NOW_MS)
    world.pages = [
        DeadlinePage((first,), "a", NOW_MS),
        GameUnavailable("away"),
        DeadlinePage((first,), "a", NOW_MS),
        DeadlinePage((second,), "b", NOW_MS),
        DeadlinePage((), "", NOW_MS),
    ]
    noticed: list[Alarm] = []
    clock = DatabaseClock(lambda: 0.0)
    rebuild = Rebuild(world, world, clock, ClockSettings(), noticed.extend)
    rebuild.ask("start")
    rebuild.ask("start")
    task = asyncio.create_task(rebuild.run())
    while world.pages:
        await asyncio.sleep(0.01)
    task.cancel()
    assert noticed == [first, first, second]
    assert clock.now_ms() == NOW_MS


class Due:
    """Alarms that hold one moment and count how often they were asked."""

    def __init__(self) -> None:
        self.next_ms: int | None = None
        self.asked = 0

    async def take(self, now_ms: int, count_max: int, lease_ms: int) -> Taken:
        self.asked += 1
        return Taken((), self.next_ms)


async def test_the_timer_sleeps_until_something_earlier_is_noticed() -> None:
    due, clock = Due(), DatabaseClock(lambda: 0.0)
    clock.learn(NOW_MS)
    due.next_ms = NOW_MS + 50_000
    timer = Timer(due, firing_of(Answers()), clock, ClockSettings(alarm_poll_ms=600_000))
    task = asyncio.create_task(timer.run())
    while not due.asked:
        await asyncio.sleep(0)
    for _ in range(20):
        timer.notice([Alarm("later", 1, NOW_MS + 60_000)])
        await asyncio.sleep(0)
    assert due.asked == 1
    timer.notice([Alarm("sooner", 1, NOW_MS + 40_000)])
    while due.asked < 2:
        await asyncio.sleep(0)
    task.cancel()


class Storm:
    """An alarm each millisecond, of which those that are due are taken."""

    def __init__(self, count: int) -> None:
        self.moments = [NOW_MS + number for number in range(count)]
        self.late_ms: list[int] = []
        self.rounds = 0

    async def take(self, now_ms: int, count_max: int, lease_ms: int) -> Taken:
        self.rounds += 1
        rung = [moment for moment in self.moments if moment <= now_ms]
        self.moments = self.moments[len(rung) :]
        self.late_ms += [now_ms - moment for moment in rung]
        alarms = tuple(Alarm(f"game{moment}", 1, moment - 100) for moment in rung)
        return Taken(alarms, self.moments[0] if self.moments else None)


async def test_alarms_that_ring_close_together_are_taken_together() -> None:
    storm, loop = Storm(300), asyncio.get_running_loop()
    began_s = loop.time()
    clock = DatabaseClock(lambda: (loop.time() - began_s) * 1000)
    clock.learn(NOW_MS)
    settings = ClockSettings(alarm_gather_ms=20)
    task = asyncio.create_task(Timer(storm, firing_of(Answers()), clock, settings).run())
    while storm.moments:
        await asyncio.sleep(0.01)
    task.cancel()
    assert len(storm.late_ms) == 300
    assert storm.rounds <= 300 / 20 + 2
