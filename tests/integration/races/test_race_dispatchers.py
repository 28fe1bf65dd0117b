"""Two dispatchers and doubled, late and redelivered tasks on real games: one computer move a turn.

Every turn is worked on by several workers at once, which find different moves: the first that is committed is the move.
"""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

from services.game.play.game import Seat
from services.pb.flagfall.v1 import game_pb2 as pb
from services.runtime.lifecycle import cancelled
from services.runtime.redis_client import connect
from services.workers.broker import Broker
from services.workers.celery_queue import CeleryQueue
from services.workers.dispatcher import Dispatcher
from services.workers.event_group import EventGroup
from services.workers.grpc_game import GrpcGame
from services.workers.levels import Level
from services.workers.mover import Mover
from services.workers.settings import WorkersSettings
from services.workers.turn import Position, Turn
from services.workers.work import Work
from tests.integration.game.game_in_memory import eventually
from tests.integration.races.race_replicas import PATIENT, World, channel_to, new_chance, player_of, racing, rounds, uci

COMPUTER = Seat("computer", "Computer level 3", computer_level=3)
PLIES = 8
COPIES = 3
"""How often each task is worked on."""


class _ChanceMover(Mover):
    """Finds any legal move, after a while that differs."""

    def __init__(self, chance: random.Random) -> None:
        self._luck = chance

    async def choose(self, position: Position, level: Level) -> str:
        """See `Mover`."""
        await asyncio.sleep(self._luck.random() * 0.004)
        return self._luck.choice(position.legal)


class _Queue:
    """The queue and its workers in one: every turn is handed out several times, and some again much later."""

    def __init__(self, workers: list[Work], chance: random.Random) -> None:
        self.queued: Counter[Turn] = Counter()
        self.outcomes: Counter[str] = Counter()
        self.late: list[Turn] = []
        self._workers = workers
        self._chance = chance
        self._tasks: set[asyncio.Task[None]] = set()

    async def enqueue(self, turns: list[Turn]) -> None:
        """See `CeleryQueue`."""
        for turn in turns:
            self.queued[turn] += 1
            self.late += self._chance.choices([turn], k=self._chance.random() < 0.2)
            for _ in range(COPIES):
                task = asyncio.create_task(self._work(turn))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _work(self, turn: Turn) -> None:
        self.outcomes[await self._chance.choice(self._workers).engine_move(turn)] += 1

    async def redeliver(self) -> None:
        """Work on the tasks that were kept back, when everything else is done."""
        while self._tasks:
            # Not gather: with tasks that are done already it lets nothing else run, also not what takes them away.
            done, _ = await asyncio.wait(tuple(self._tasks))
            for task in done:
                task.result()
        before = self.outcomes["played"]
        await asyncio.gather(*(self._work(turn) for turn in self.late))
        assert self.outcomes["played"] == before


class _NoBroker(Broker):
    """A queue in which nothing waits."""

    def __init__(self) -> None: ...

    async def depth(self, queue: str) -> int:
        """See `Broker`."""
        return 0


@asynccontextmanager
async def _dispatching(world: World, queue: _Queue, settings: WorkersSettings) -> AsyncIterator[None]:
    """Two dispatchers that also look at the waiting turns all the time, each with a game replica of its own."""
    tasks: list[asyncio.Future[None]] = []
    clients = []
    for replica in world.replicas:
        redis = connect(world.redis_url)
        clients.append(redis)
        game = GrpcGame(channel_to(replica.servicer), settings)
        dispatcher = Dispatcher(
            redis, EventGroup(redis, settings), cast(CeleryQueue, queue), _NoBroker(), game, settings
        )
        tasks += map(asyncio.ensure_future, (dispatcher.follow(), dispatcher.claim(), dispatcher.reconcile()))
    try:
        yield
    finally:
        await asyncio.gather(*map(cancelled, tasks))
        await asyncio.gather(*(redis.aclose() for redis in clients))


async def test_each_turn_of_the_computer_is_played_once(database_url: str, redis_url: str) -> None:
    chance = new_chance()
    settings = WorkersSettings.model_validate(
        {
            "redis_url": redis_url,
            "reconcile_period_ms": 100,
            "turn_lost_ms": 60_000,
            "dispatch_lease_ms": 300,
            "call_timeout_ms": 20_000,
        }
    )
    async with racing(database_url, redis_url, **PATIENT) as world:
        template = await world.game(black=COMPUTER)
        games = await world.clones(template, rounds(40), black_id=COMPUTER.player_id)
        services = [GrpcGame(channel_to(replica.servicer), settings) for replica in world.replicas]
        queue = _Queue([Work(service, _ChanceMover(chance), settings) for service in services], chance)

        async def move(place: int, game_id: str, ply: int, text: str) -> None:
            command = pb.Command(game_id=game_id, player_id=player_of(place, True), move=uci(text, ply=ply))
            reply = await chance.choice(world.replicas).ask(command)
            assert reply.HasField("accepted"), reply

        async def all_answered() -> bool:
            return await world.rows("SELECT count(*) FROM game WHERE computer_turn_level > 0") == [(0,)]

        async with _dispatching(world, queue, settings):
            for ply in range(0, PLIES, 2):
                rows = await world.rows("SELECT id, legal FROM game WHERE id = ANY(:ids) AND end_reason = 0", ids=games)
                legal = {game_id: moves.split() for game_id, moves in rows}
                await asyncio.gather(
                    *(
                        move(place, game_id, ply, chance.choice(legal[game_id]))
                        for place, game_id in enumerate(games)
                        if game_id in legal
                    )
                )
                await eventually(all_answered, f"the computer answers after ply {ply}")
            await queue.redeliver()
        await world.one_history(games, 1)
        plies = await world.rows(
            "SELECT game_id, command_id, count(*) FROM game_event WHERE player_id = 'computer' GROUP BY 1, 2"
        )
        assert {count for _, _, count in plies} == {1}
        assert queue.outcomes["played"] == len(plies)
        assert set(queue.queued.values()) == {1}, "one dispatcher queues a turn, whichever hears of it or finds it"
        assert len(queue.queued) == len(plies)
        assert set(queue.outcomes) <= {"played", "outdated", "late", "repeated"}
        assert queue.outcomes["late"] > 0, "workers found other moves for a turn that had been played"
        ended = await world.rows(
            "SELECT count(*) FROM game WHERE id = ANY(:ids) AND ply = :plies", ids=games, plies=PLIES
        )
        assert ended[0][0] > len(games) // 2
