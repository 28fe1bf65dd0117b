"""Case C05: the game service is killed and comes back while clocks run, and Redis is emptied as well.

A real process dies right behind its acknowledgements. Every clock would have fallen while it was away.
"""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import grpc

from deploy.laptop.node import ROOT
from deploy.laptop.ports import PortBlock
from services.channels import open_game_channel
from services.clock.server import serve as serve_clock
from services.clock.settings import ClockSettings
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.game_pb2_grpc import GameServiceStub
from services.pb.flagfall.v1.rules_pb2_grpc import add_RulesServiceServicer_to_server
from services.rules.server import RulesServer
from services.rules.settings import RulesSettings
from services.runtime.lifecycle import Stop, cancelled
from services.runtime.rpc import serving
from services.runtime.settings import Settings
from tests.integration.game.game_in_memory import eventually
from tests.integration.races.race_replicas import PATIENT, SHARDS, World, new_chance, player_of, racing, rounds, uci

if TYPE_CHECKING:
    from services.pb.flagfall.v1.game_pb2_grpc import GameServiceAsyncStub

LEFT_MS = 5_000
"""What both sides have left when the service dies: less than it is away, and enough to answer once it is back."""
GAP_MS = 400
GRACE_MS = 100
MINUTE_MS = 60_000
WHITE, BLACK = common_pb2.COLOR_WHITE, common_pb2.COLOR_BLACK


@dataclass
class Service:
    """The game service as a process that can be killed and started again on the same port."""

    environment: dict[str, str]
    target: str
    process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it; it is not awaited until it answers."""
        self.process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "services.game", "serve"), env=os.environ | self.environment, cwd=ROOT
        )

    async def kill(self, number: signal.Signals = signal.SIGKILL) -> None:
        """End it so."""
        if self.process is not None and self.process.returncode is None:
            self.process.send_signal(number)
            await self.process.wait()


@asynccontextmanager
async def service_of(world: World, gap_ms: int = GAP_MS) -> AsyncIterator[Service]:
    """A game service with the real rules, and somebody who beats for it."""
    own = RulesSettings()
    async with AsyncExitStack() as stack:
        ports = stack.enter_context(PortBlock())
        judge = RulesServer(own.limits(), own.questions_max)
        rules = await stack.enter_async_context(
            serving(Settings(drain_ms=0), lambda server: add_RulesServiceServicer_to_server(judge, server))
        )
        port = ports.take()
        environment = {
            "DATABASE_URL": world.database_url,
            "REDIS_URL": world.redis_url,
            "RULES_TARGET": f"127.0.0.1:{rules.port}",
            "GRPC_PORT": str(port),
            "EVENT_SHARDS": str(SHARDS),
            "OUTAGE_GAP_MS": str(gap_ms),
            "BEAT_POLL_MS": "100",
            "LOG_FORMAT": "text",
        }
        service = Service({f"FLAGFALL_{name}": value for name, value in environment.items()}, f"127.0.0.1:{port}")
        await service.start()
        try:
            yield service
        finally:
            await service.kill()


async def _beat(game: "GameServiceAsyncStub") -> None:
    """What a gateway does, more often."""
    while True:
        with suppress(grpc.aio.AioRpcError):
            await game.Submit(pb.SubmitRequest(commands=[pb.Command(beat=pb.Beat())]), timeout=1)
        await asyncio.sleep(GAP_MS / 4000)


async def _outage_ms(world: World, start_ms: int, end_ms: int) -> int:
    """How much of a span nobody could move in, by the database's own record."""
    spans = await world.rows("SELECT start_ms, end_ms FROM outage")
    return sum(max(0, min(end_ms, until_ms) - max(start_ms, from_ms)) for from_ms, until_ms in spans)


def _move(place: int, game_id: str, white: bool, text: str) -> pb.Command:
    return pb.Command(game_id=game_id, player_id=player_of(place, white), command_id=f"r{white}", move=uci(text))


async def _told(game: "GameServiceAsyncStub", commands: Sequence[pb.Command]) -> list[pb.Accepted]:
    """Commands as a client sends them: again with the same id until there is an answer."""
    while True:
        try:
            replies = (await game.Submit(pb.SubmitRequest(commands=commands), timeout=2)).replies
        except grpc.aio.AioRpcError:
            await asyncio.sleep(0.05)
            continue
        if all(reply.HasField("accepted") for reply in replies):
            return [reply.accepted for reply in replies]
        assert {reply.refusal.code for reply in replies if reply.HasField("refusal")} == {"unavailable"}, replies


async def test_a_killed_service_loses_no_acknowledged_move_and_charges_nobody_for_its_absence(
    database_url: str, redis_url: str
) -> None:
    chance, third = new_chance(), rounds(15)
    async with racing(database_url, redis_url, count=1, loops=False) as world, service_of(world) as service:
        template = await world.game(uci("e2e4"), uci("e7e5"))
        await world.execute("UPDATE game SET deadline_ms = NULL WHERE id = :id", id=template)
        channel, stop = open_game_channel(service.target), Stop()
        game: GameServiceAsyncStub = GameServiceStub(channel)
        clock = ClockSettings.model_validate(
            {"redis_url": redis_url, "game_target": service.target, "event_shards": SHARDS}
        )
        beating = asyncio.ensure_future(_beat(game))
        timing = asyncio.ensure_future(serve_clock(clock, stop))
        try:
            await _told(game, [_move(0, (await world.clones(template, 1))[0], True, "g1f3")])  # it serves
            await world.first.beats.look()
            began_ms = world.first.beats.now_ms()
            games = await world.clones(
                template,
                3 * third,
                turn_started_ms=began_ms,
                white_ms=LEFT_MS,
                black_ms=LEFT_MS,
                deadline_ms=began_ms + LEFT_MS,
            )
            moves = [_move(place, game_id, True, "g1f3") for place, game_id in enumerate(games)]
            acknowledged = await _told(game, moves[:third])
            sent = asyncio.ensure_future(game.Submit(pb.SubmitRequest(commands=moves[third : 2 * third]), timeout=2))
            await asyncio.sleep(chance.random() * 0.02)  # some die on their way in, some on their way out
            await service.kill()
            await asyncio.gather(sent, return_exceptions=True)
            await world.first.redis.flushall()

            async def all_time_is_up() -> bool:
                await world.first.beats.look()
                return world.first.beats.now_ms() > began_ms + LEFT_MS + GRACE_MS + 500

            await eventually(all_time_is_up, "every clock would have fallen")
            await service.start()
            again = await _told(game, moves[third : 2 * third])
            repeated = await _told(game, moves[:third])
            assert [a.version for a in acknowledged] == [a.version for a in repeated] == [a.version for a in again]
            assert all(accepted.repeated for accepted in repeated), "what was acknowledged was there"
            assert await world.rows("SELECT count(*) FROM game WHERE id = ANY(:ids) AND end_reason > 0", ids=games) == [
                (0,)
            ], "nobody lost on the service's time"

            answers = [_move(place, games[place], False, "b8c6") for place in range(0, third, 3)]
            for command, accepted in zip(answers, await _told(game, answers), strict=True):
                ((at_ms, turn_ms),) = await world.rows(
                    "SELECT e.at_ms, d.at_ms FROM game_event e, game_event d WHERE e.game_id = :id AND d.game_id = :id"
                    " AND e.version = :version AND d.version = :version - 1",
                    id=command.game_id,
                    version=accepted.version,
                )
                charged_ms = at_ms - turn_ms - await _outage_ms(world, turn_ms, at_ms)
                assert accepted.state.black_ms == LEFT_MS - charged_ms

            await eventually(lambda: _all_fallen(world, games), "every clock falls in the end")
            await _losers_were_on_move(world, games, began_ms)
        finally:
            stop.set()
            await asyncio.gather(cancelled(beating), timing)
            await channel.close()


async def test_while_an_old_and_a_new_service_are_there_together_nothing_is_lost_or_mixed_up(
    database_url: str, redis_url: str
) -> None:
    """A rolling update: White's moves go to either, the old one goes meanwhile, and Black's go to the new one."""
    chance = new_chance()
    async with (
        racing(database_url, redis_url, count=1, loops=False) as world,
        service_of(world, PATIENT["outage_gap_ms"]) as old,
        service_of(world, PATIENT["outage_gap_ms"]) as new,
        AsyncExitStack() as stack,
    ):
        template = await world.game(uci("e2e4"), uci("e7e5"))
        channels = [open_game_channel(service.target) for service in (old, new)]
        for channel in channels:
            stack.push_async_callback(channel.close)
        stubs: list[GameServiceAsyncStub] = [GameServiceStub(channel) for channel in channels]
        beating = [asyncio.ensure_future(_beat(stub)) for stub in stubs]
        try:
            for stub in stubs:
                await _told(stub, [_move(0, (await world.clones(template, 1))[0], True, "g1f3")])  # it serves
            await world.first.beats.look()
            began_ms = world.first.beats.now_ms()
            games = await world.clones(
                template,
                rounds(40),
                turn_started_ms=began_ms,
                white_ms=MINUTE_MS,
                black_ms=MINUTE_MS,
                deadline_ms=began_ms + MINUTE_MS,
            )
            moves = [_move(place, game_id, True, "g1f3") for place, game_id in enumerate(games)]
            at_once = [
                asyncio.ensure_future(
                    stubs[place % 2].Submit(pb.SubmitRequest(commands=moves[place : place + 2]), timeout=5)
                )
                for place in range(len(moves) - 1)
            ]
            await asyncio.sleep(chance.random() * 0.05)  # some are decided by then, and some are on their way
            await old.kill(signal.SIGTERM)
            answers = await asyncio.gather(*at_once, return_exceptions=True)
            acknowledged = {
                reply.accepted.state.game_id: reply.accepted.version
                for answer in answers
                if not isinstance(answer, BaseException)
                for reply in answer.replies
                if reply.HasField("accepted")
            }
            again = await _told(stubs[1], moves)
            assert {a.state.game_id: a.version for a in again}.items() >= acknowledged.items()
            assert {(a.version, a.state.ply) for a in again} == {(4, 3)}, "each move once"
            replies = await _told(
                stubs[1], [_move(place, game_id, False, "b8c6") for place, game_id in enumerate(games)]
            )
            for accepted in replies:
                state = accepted.state
                assert (accepted.version, state.ply, state.status) == (5, 4, events_pb2.GAME_STATUS_STARTED)
            await world.one_history(games, 3)
            for game_id, white_ms, black_ms, white_at_ms, black_at_ms in await world.rows(
                "SELECT game.id, white_ms, black_ms, w.at_ms, b.at_ms FROM game"
                " JOIN game_event AS w ON w.game_id = game.id AND w.version = 4"
                " JOIN game_event AS b ON b.game_id = game.id AND b.version = 5 WHERE game.id = ANY(:ids)",
                ids=games,
            ):
                spans = ((white_ms, began_ms, white_at_ms), (black_ms, white_at_ms, black_at_ms))
                for left_ms, from_ms, until_ms in spans:
                    assert left_ms == MINUTE_MS - (until_ms - from_ms), game_id
            assert await world.rows("SELECT start_ms FROM outage") == [], "somebody could move all the time"
        finally:
            await asyncio.gather(*(cancelled(task) for task in beating))


async def _all_fallen(world: World, games: Sequence[str]) -> bool:
    going_on = "SELECT count(*) FROM game WHERE id = ANY(:ids) AND end_reason = 0"
    return await world.rows(going_on, ids=list(games)) == [(0,)]


async def _losers_were_on_move(world: World, games: Sequence[str], began_ms: int) -> None:
    """Assert that each game was lost on time by the side that the stored moves leave on move, and none too early."""
    await world.one_history(games, 3)
    rows = await world.rows(
        "SELECT id, game.ply, winner, end_reason, white_ms, black_ms, at_ms, coalesce(moved_ms, :began) FROM game"
        " JOIN game_event AS last ON last.game_id = id AND last.version = game.version"
        " LEFT JOIN (SELECT game_id, max(at_ms) AS moved_ms FROM game_event WHERE uci <> '' GROUP BY 1) AS m"
        " ON m.game_id = id WHERE id = ANY(:ids)",
        ids=list(games),
        began=began_ms,
    )
    assert len(rows) == len(games)
    for game_id, ply, winner, reason, white_ms, black_ms, ended_ms, turn_ms in rows:
        white_was_on_move = ply % 2 == 0
        assert (reason, winner) == (common_pb2.END_REASON_FLAG, BLACK if white_was_on_move else WHITE), game_id
        assert (white_ms if white_was_on_move else black_ms) == 0
        assert (black_ms if white_was_on_move else white_ms) > 0
        spent_ms = ended_ms - turn_ms - await _outage_ms(world, turn_ms, ended_ms)
        assert spent_ms >= (LEFT_MS if ply < 4 else 0) + GRACE_MS, "not early"
