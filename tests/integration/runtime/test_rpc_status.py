"""What a caller hears when a method raises, over real gRPC."""

import logging

import grpc
import pytest
from grpc_health.v1 import health_pb2 as pb

from services.runtime.batching import Overloaded
from services.runtime.rpc import BadRequest, open_channel, serving
from services.runtime.settings import Settings


@pytest.mark.parametrize(
    ("error", "code", "said", "logged"),
    [
        (BadRequest("items: 9 of them"), grpc.StatusCode.INVALID_ARGUMENT, "items: 9 of them", False),
        (ValueError("a defect of ours"), grpc.StatusCode.INTERNAL, "ValueError: a defect of ours", True),
        (UnicodeDecodeError("utf-8", b"x", 0, 1, "no"), grpc.StatusCode.INTERNAL, "UnicodeDecodeError: ", True),
        (KeyError("x"), grpc.StatusCode.INTERNAL, "KeyError: 'x'", True),
        (Overloaded("full"), grpc.StatusCode.RESOURCE_EXHAUSTED, "Overloaded: full", False),
        (ConnectionError("away"), grpc.StatusCode.UNAVAILABLE, "ConnectionError: away", False),
    ],
)
async def test_only_a_bad_request_is_the_callers_fault(
    error: Exception, code: grpc.StatusCode, said: str, logged: bool, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(request: pb.HealthCheckRequest, context: object) -> pb.HealthCheckResponse:
        raise error

    handler = grpc.unary_unary_rpc_method_handler(
        fail,
        request_deserializer=pb.HealthCheckRequest.FromString,
        response_serializer=pb.HealthCheckResponse.SerializeToString,
    )
    generic = grpc.method_handlers_generic_handler("test.Failing", {"Fail": handler})
    async with (
        serving(Settings(drain_ms=0), lambda server: server.add_generic_rpc_handlers((generic,))) as server,
        open_channel(f"127.0.0.1:{server.port}") as channel,
    ):
        call = channel.unary_unary(
            "/test.Failing/Fail",
            request_serializer=pb.HealthCheckRequest.SerializeToString,
            response_deserializer=pb.HealthCheckResponse.FromString,
        )
        with caplog.at_level(logging.ERROR), pytest.raises(grpc.aio.AioRpcError) as raised:
            await call(pb.HealthCheckRequest(), timeout=5)
    assert raised.value.code() is code
    assert (raised.value.details() or "").startswith(said)
    assert ("Fail failed" in caplog.text) == logged
