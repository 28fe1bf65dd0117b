"""Services that know each other by a secret, over real gRPC: strangers are refused, and a change loses no call."""

import contextlib
import itertools
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2 as pb
from prometheus_client import REGISTRY

from services.runtime.rpc import RpcServer, check_serving, open_channel, serving
from services.runtime.settings import Settings

OLD, NEW = "the-old-secret-1234", "the-new-secret-1234"


def settings(secret: str) -> Settings:
    return Settings.model_validate({"drain_ms": 0, "service_secret": secret})


async def answered(server: RpcServer, secret: str) -> bool:
    """Whether a service with this secret is answered; a refusal says why."""
    async with open_channel(f"127.0.0.1:{server.port}", settings(secret)) as channel:
        try:
            await check_serving(channel)
        except grpc.aio.AioRpcError as error:
            refused = error
        else:
            return True
    assert refused.code() is grpc.StatusCode.UNAUTHENTICATED
    assert "secret" in (refused.details() or "")
    assert NEW not in str(refused)
    return False


async def test_only_services_with_the_secret_are_answered() -> None:
    before = REGISTRY.get_sample_value("flagfall_rpc_strangers_total") or 0.0
    async with serving(settings(NEW), lambda server: None) as server:
        assert [await answered(server, secret) for secret in (NEW, OLD, "")] == [True, False, False]
    assert REGISTRY.get_sample_value("flagfall_rpc_strangers_total") == before + 2


@pytest.mark.parametrize("steps", [[OLD, f"{OLD},{NEW}", f"{NEW},{OLD}", NEW], ["", f"{NEW},", NEW]])
async def test_in_a_change_any_two_neighbouring_steps_understand_each_other(steps: list[str]) -> None:
    for older, newer in itertools.pairwise(steps):
        for here, there in ((older, newer), (newer, older)):
            async with serving(settings(here), lambda server: None) as server:
                assert await answered(server, there), f"a server with {here!r} refuses a client with {there!r}"


async def test_streams_and_other_headers_are_carried_too() -> None:
    seen: list[tuple[str, Any]] = []

    async def watch(request: pb.HealthCheckRequest, context: Any) -> Any:
        seen.extend(context.invocation_metadata())
        yield pb.HealthCheckResponse(status=pb.HealthCheckResponse.SERVING)

    handler = grpc.unary_stream_rpc_method_handler(
        watch,
        request_deserializer=pb.HealthCheckRequest.FromString,
        response_serializer=pb.HealthCheckResponse.SerializeToString,
    )
    generic = grpc.method_handlers_generic_handler("test.Streaming", {"Watch": handler})
    add = lambda server: server.add_generic_rpc_handlers((generic,))  # noqa: E731
    async with serving(settings(NEW), add) as server:
        for secret, expected in ((NEW, grpc.StatusCode.OK), (OLD, grpc.StatusCode.UNAUTHENTICATED)):
            async with open_channel(f"127.0.0.1:{server.port}", settings(secret)) as channel:
                call = channel.unary_stream(
                    "/test.Streaming/Watch",
                    request_serializer=pb.HealthCheckRequest.SerializeToString,
                    response_deserializer=pb.HealthCheckResponse.FromString,
                )
                under_way = call(pb.HealthCheckRequest(), timeout=5, metadata=(("other", "1"),))
                with contextlib.suppress(grpc.aio.AioRpcError):
                    async for _ in under_way:
                        pass
                assert await under_way.code() is expected
    assert ("other", "1") in seen
