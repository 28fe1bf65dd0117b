"""Case S06: the health page says that nobody can move and why, while the gateway stays ready."""

import asyncio
from typing import Any

import httpx
import pytest

from services.domain.refusal import BUSY
from services.game.play.question import RulesUnavailable
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.game_pb2_grpc import GameServiceStub
from tests.integration.gateway.gateway_subprocess import GatewayProcess, gateway_process, loud_game
from tests.integration.races.race_replicas import channel_to, racing


async def shown(gateway: GatewayProcess) -> dict[str, Any]:
    async with httpx.AsyncClient(trust_env=False) as client:
        answer = await client.get(f"http://127.0.0.1:{gateway.port}/api/flagfall/health", timeout=5)
        found: dict[str, Any] = answer.json()
        return found


async def until(gateway: GatewayProcess, **wanted: object) -> dict[str, Any]:
    async with asyncio.timeout(30):
        while True:
            found = await shown(gateway)
            if wanted.items() <= found.items():
                return found
            await asyncio.sleep(0.05)


async def test_a_stalled_game_service_is_named_and_the_gateway_stays_ready(redis_url: str) -> None:
    async with loud_game(redis_url) as game, gateway_process(game.target, redis_url) as gateway:
        assert "neighbour" not in await until(gateway, moves="possible", redis="answers")
        game.beat_gate.clear()
        assert (await until(gateway, moves="nobody can move", neighbour="game"))["ready"] is True
        assert await gateway.metric('nobody_can_move{neighbour="game"}') == 1
        game.beat_gate.set()
        await until(gateway, moves="possible")
        assert await gateway.metric('nobody_can_move{neighbour="game"}') == 0


async def test_a_beat_that_fails_names_the_service_behind_the_game_service(
    database_url: str, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: object) -> None:
        raise RulesUnavailable(BUSY, "DEADLINE_EXCEEDED")

    async def stall(*_: object) -> None:
        raise TimeoutError

    async with racing(database_url, redis_url, 1) as world:
        service = GameServiceStub(channel_to(world.first.servicer))
        beat = pb.SubmitRequest(commands=[pb.Command(beat=pb.Beat())])
        assert (await service.Submit(beat)).replies[0].HasField("accepted")
        with monkeypatch.context() as patch:
            patch.setattr(world.first.path._beats, "beat", stall)
            assert (await service.Submit(beat)).replies[0].refusal.at == "database"
            patch.setattr(world.first.path._rules, "judge", refuse)
            assert (await service.Submit(beat)).replies[0].refusal.at == "rules"
