"""The people's side over real gRPC: what a caller gets when a call as a whole cannot be done."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest

from services.channels import GameStubs, open_game_channel
from services.game.main.servicers import register
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.game_pb2_grpc import GameServiceStub, PlayersServiceStub
from services.runtime.rpc import serving
from tests.integration.game.people import people


@asynccontextmanager
async def dialled(database_url: str, **settings: Any) -> AsyncIterator[Any]:
    async with (
        people(database_url, drain_ms=0, **settings) as house,
        serving(house.settings, lambda server: register(house.servicers, server)) as server,
        open_game_channel(f"127.0.0.1:{server.port}") as channel,
    ):
        yield GameServiceStub(channel)


@pytest.fixture
def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def test_a_person_is_made_found_and_answered(database_url: str) -> None:
    async with dialled(database_url) as stub:
        made = await stub.CreateAccount(pb.CreateAccountRequest(username="Ann", password="correct horse"))
        held = await stub.ResolveTokens(pb.ResolveTokensRequest(tokens=[made.credential.token, "nobodys_token"]))
        assert [holder.player.name for holder in held.holders] == ["Ann", ""]
        again = await stub.CreateAccount(pb.CreateAccountRequest(username="ann", password="correct horse"))
        assert again.refusal.code == "name_taken"


async def test_a_service_and_the_old_one_are_answered_by_the_same_code(database_url: str) -> None:
    async with (
        people(database_url, drain_ms=0) as house,
        serving(house.settings, lambda server: register(house.servicers, server)) as server,
        open_game_channel(f"127.0.0.1:{server.port}") as channel,
    ):
        old: Any = GameServiceStub(channel)
        new: Any = PlayersServiceStub(channel)
        called: Any = GameStubs(channel).players
        made = await new.CreateAccount(pb.CreateAccountRequest(username="Ann", password="correct horse"))
        asked = pb.ResolveTokensRequest(tokens=[made.credential.token])
        for stub in (new, old, called):
            (holder,) = (await stub.ResolveTokens(asked)).holders
            assert holder.player.name == "Ann"


async def test_too_many_items_are_an_invalid_argument(database_url: str) -> None:
    async with dialled(database_url, items_max=2) as stub:
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await stub.ResolveTokens(pb.ResolveTokensRequest(tokens=["a"] * 3))
    assert raised.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert raised.value.details() == "tokens: 3 of them; at most 2"


async def test_too_many_passwords_exhaust_the_resource(database_url: str) -> None:
    heavy = {"password_waiting_max": 1, "password_memory_kib": 16_384, "password_rounds": 4}
    async with dialled(database_url, **heavy) as stub:
        request = pb.LogInRequest(username="nobody1", password="correct horse")
        answers = await asyncio.gather(*(stub.LogIn(request) for _ in range(10)), return_exceptions=True)
        codes = {answer.code() for answer in answers if isinstance(answer, grpc.aio.AioRpcError)}
        assert codes == {grpc.StatusCode.RESOURCE_EXHAUSTED}
        assert any(isinstance(answer, pb.LogInResponse) for answer in answers)


async def test_without_a_database_the_service_is_unavailable(free_port: int) -> None:
    async with dialled(f"postgresql+asyncpg://flagfall@127.0.0.1:{free_port}/flagfall") as stub:
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await stub.CreateGuest(pb.CreateGuestRequest())
    assert raised.value.code() is grpc.StatusCode.UNAVAILABLE
