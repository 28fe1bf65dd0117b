"""gRPC as every service uses it: channels that spread over replicas, servers that drain, one table of errors.

Refusals of players' wishes travel inside the answers (`common.Refusal`), since a batch may hold good and bad ones. A
gRPC status other than OK says that the call as a whole was not done.
"""

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

import grpc
from google.protobuf.descriptor import ServiceDescriptor
from google.protobuf.descriptor_pb2 import MethodOptions
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import aio as health_aio

from services.domain.refusal import Refusal, RefusalCode
from services.runtime.batching import Overloaded
from services.runtime.metrics import RPC_SECONDS, RPC_TOTAL, from_zero
from services.runtime.settings import DEFAULTS, Settings

log = logging.getLogger(__name__)

_RETRY_POLICY = {
    "maxAttempts": 4,
    "initialBackoff": "0.05s",
    "maxBackoff": "0.5s",
    "backoffMultiplier": 2,
    "retryableStatusCodes": ["UNAVAILABLE"],
}
CHANNEL_OPTIONS = [
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1_000),
    ("grpc.enable_http_proxy", 0),
]


class BadRequest(Exception):
    """The caller asked for something that nobody may ask for. Its message goes to the caller."""


EXCEPTION_STATUS: tuple[tuple[type[Exception], grpc.StatusCode], ...] = (
    (Overloaded, grpc.StatusCode.RESOURCE_EXHAUSTED),
    (TimeoutError, grpc.StatusCode.DEADLINE_EXCEEDED),
    (ConnectionError, grpc.StatusCode.UNAVAILABLE),
    (BadRequest, grpc.StatusCode.INVALID_ARGUMENT),
)
"""What a server answers when a method raises; anything else is INTERNAL and logged, a ValueError too."""

UNAVAILABLE_STATUS = frozenset(
    [
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        grpc.StatusCode.ABORTED,
        grpc.StatusCode.CANCELLED,
    ]
)


BUSY = Refusal(RefusalCode.UNAVAILABLE, "The server is busy or restarting; the same request may be repeated.")
"""What a client is told when a call was not done, or not known to be done, in time."""


def repeatable(services: Iterable[ServiceDescriptor]) -> list[str]:
    """The paths of those methods that may be sent again: the contract gives them an idempotency level."""
    return [
        f"/{service.full_name}/{method.name}"
        for service in services
        for method in service.methods
        if method.GetOptions().idempotency_level != MethodOptions.IDEMPOTENCY_UNKNOWN
    ]


def service_config(retried: Iterable[str]) -> str:
    """The service config of a channel: calls take turns, and these paths are retried while a server is away."""
    names = []
    for path in retried:
        _, service, method = path.split("/")
        names.append({"service": service, "method": method})
    retries = [{"name": names, "retryPolicy": _RETRY_POLICY}] if names else []
    return json.dumps({"loadBalancingConfig": [{"round_robin": {}}], "methodConfig": retries})


def open_channel(target: str, settings: Settings = DEFAULTS, retried: Iterable[str] = ()) -> grpc.aio.Channel:
    """A channel that finds all addresses of `host:port` and takes turns. Make it after any fork, inside the loop.

    Calls to the paths in `retried` are sent again by themselves when no server could be reached.
    """
    options = [
        *CHANNEL_OPTIONS,
        ("grpc.service_config", service_config(retried)),
        ("grpc.keepalive_time_ms", settings.keepalive_ms),
        ("grpc.keepalive_timeout_ms", settings.keepalive_answer_ms),
        ("grpc.dns_min_time_between_resolutions_ms", settings.resolved_again_ms),
        ("grpc.max_receive_message_length", settings.message_bytes_max),
    ]
    return grpc.aio.insecure_channel(target if "://" in target else f"dns:///{target}", options=options)


def refusal_of(error: grpc.aio.AioRpcError) -> Refusal:
    """What a caller may tell a client about a call that failed as a whole."""
    if error.code() in UNAVAILABLE_STATUS:
        return BUSY
    if error.code() is grpc.StatusCode.INVALID_ARGUMENT:
        return Refusal(RefusalCode.MALFORMED, error.details() or "This cannot be read.")
    log.error("call failed: %s %s", error.code(), error.details())
    return Refusal(RefusalCode.UNAVAILABLE, "The server could not do this.")


async def check_serving(channel: grpc.aio.Channel) -> None:
    """A readiness check: the server at the other end says SERVING."""
    stub: Any = health_pb2_grpc.HealthStub(channel)
    answer = await stub.Check(health_pb2.HealthCheckRequest())
    if answer.status != health_pb2.HealthCheckResponse.SERVING:
        raise ConnectionError("not serving")


class _Watch(grpc.aio.ServerInterceptor):
    """Counts, times and translates exceptions for every unary method."""

    async def intercept_service(
        self, continuation: Callable[[Any], Awaitable[Any]], details: grpc.HandlerCallDetails
    ) -> Any:
        handler = await continuation(details)
        if handler is None or handler.unary_unary is None or details.method.startswith("/grpc.health"):
            return handler
        method = details.method.rsplit("/", 1)[-1]
        inner = handler.unary_unary
        seconds = _seconds(method)

        async def watched(request: Any, context: grpc.aio.ServicerContext[Any, Any]) -> Any:
            started_s = time.perf_counter()
            code = grpc.StatusCode.OK
            try:
                return await inner(request, context)
            except grpc.aio.AbortError:
                code = grpc.StatusCode.ABORTED
                raise
            except asyncio.CancelledError:
                code = grpc.StatusCode.CANCELLED
                raise
            except Exception as error:
                code = _status_of(error)
                if code is grpc.StatusCode.INTERNAL:
                    log.exception("%s failed", method)
                said = str(error) if isinstance(error, BadRequest) else f"{type(error).__name__}: {error}"
                await context.abort(code, said[:500])
            finally:
                seconds.observe(time.perf_counter() - started_s)
                _answered(method, code.name).inc()

        return grpc.unary_unary_rpc_method_handler(
            watched, request_deserializer=handler.request_deserializer, response_serializer=handler.response_serializer
        )


# A metric with its labels is looked up for every call. Only methods that there are come so far.
_seconds = cache(RPC_SECONDS.labels)
_answered = cache(RPC_TOTAL.labels)
SHOWN_FROM_START = (grpc.StatusCode.OK.name, grpc.StatusCode.UNAVAILABLE.name, grpc.StatusCode.INTERNAL.name)


def _status_of(error: Exception) -> grpc.StatusCode:
    if isinstance(error, grpc.aio.AioRpcError):
        return grpc.StatusCode.UNAVAILABLE if error.code() in UNAVAILABLE_STATUS else grpc.StatusCode.INTERNAL
    for kind, status in EXCEPTION_STATUS:
        if isinstance(error, kind):
            return status
    return grpc.StatusCode.INTERNAL


class RpcServer:
    """A running server; `port` is the one it took."""

    def __init__(self, server: grpc.aio.Server, port: int, health: health_aio.HealthServicer) -> None:
        self._server = server
        self.port = port
        self._health = health

    async def drain(self, drain_ms: int) -> None:
        """Say NOT_SERVING, let callers hear it, then finish what is under way."""
        await self._health.enter_graceful_shutdown()
        await asyncio.sleep(min(0.2, drain_ms / 1000))
        await self._server.stop(drain_ms / 1000)


@asynccontextmanager
async def serving(
    settings: Settings, add: Callable[[grpc.aio.Server], None], methods: Iterable[str] = ()
) -> AsyncIterator[RpcServer]:
    """A server with the health service and what `add` registers, from start to drain.

    `methods` are the names of its methods, whose numbers are shown from the start.
    """
    from_zero(RPC_TOTAL, methods, SHOWN_FROM_START)
    server = grpc.aio.server(
        interceptors=[_Watch()],
        options=[
            ("grpc.so_reuseport", 0),
            ("grpc.max_receive_message_length", settings.message_bytes_max),
            ("grpc.max_connection_age_ms", settings.connection_age_ms),
            ("grpc.max_connection_age_grace_ms", settings.connection_grace_ms),
            # Pings in twice the usual haste are taken, so that a client's jitter costs it no connection.
            ("grpc.http2.min_ping_interval_without_data_ms", settings.keepalive_ms // 2),
            ("grpc.keepalive_time_ms", settings.keepalive_ms),
            ("grpc.keepalive_timeout_ms", settings.keepalive_answer_ms),
            ("grpc.keepalive_permit_without_calls", 1),
        ],
    )
    health = health_aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(health, server)
    add(server)
    port = server.add_insecure_port(f"{settings.host}:{settings.grpc_port}")
    await server.start()
    await health.set("", health_pb2.HealthCheckResponse.SERVING)
    log.info("gRPC port is %d", port)
    running = RpcServer(server, port, health)
    try:
        yield running
    finally:
        await running.drain(settings.drain_ms)
