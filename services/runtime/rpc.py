"""gRPC as every service uses it: channels that spread over replicas, servers that drain, one table of errors.

Refusals of players' requests are inside the answers (`common.Refusal`), since one batch may hold accepted and refused
requests. A gRPC status other than OK means that the whole call was not done.
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

from services.domain.refusal import BUSY, Refusal, RefusalCode
from services.domain.text import say
from services.runtime.batching import Overloaded
from services.runtime.metrics import RPC_SECONDS, RPC_STRANGERS, RPC_TOTAL, from_zero
from services.runtime.service_secret import SecretChannel, accepts
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
    """The request is invalid for any caller. The message of this exception is sent to the caller."""


EXCEPTION_STATUS: tuple[tuple[type[Exception], grpc.StatusCode], ...] = (
    (Overloaded, grpc.StatusCode.RESOURCE_EXHAUSTED),
    (TimeoutError, grpc.StatusCode.DEADLINE_EXCEEDED),
    (ConnectionError, grpc.StatusCode.UNAVAILABLE),
    (BadRequest, grpc.StatusCode.INVALID_ARGUMENT),
)
"""The status a server answers if a method raises. Any other exception, also ValueError, is INTERNAL and is logged."""

UNAVAILABLE_STATUS = frozenset(
    [
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        grpc.StatusCode.ABORTED,
        grpc.StatusCode.CANCELLED,
    ]
)


def repeatable(services: Iterable[ServiceDescriptor]) -> list[str]:
    """The paths of the methods that may be retried: those with an idempotency level in the contract."""
    return [
        f"/{service.full_name}/{method.name}"
        for service in services
        for method in service.methods
        if method.GetOptions().idempotency_level != MethodOptions.IDEMPOTENCY_UNKNOWN
    ]


def service_config(retried: Iterable[str]) -> str:
    """The gRPC service config of a channel, as JSON: round robin, and retries of these paths on UNAVAILABLE."""
    names = []
    for path in retried:
        _, service, method = path.split("/")
        names.append({"service": service, "method": method})
    retries = [{"name": names, "retryPolicy": _RETRY_POLICY}] if names else []
    return json.dumps({"loadBalancingConfig": [{"round_robin": {}}], "methodConfig": retries})


def open_channel(target: str, settings: Settings = DEFAULTS, retried: Iterable[str] = ()) -> grpc.aio.Channel:
    """A channel to all addresses of `host:port`, used in turn. Make it after any fork, inside the event loop.

    The channel retries calls to the paths in `retried` if it could not reach a server. Its calls carry the secret of
    the services, where they have one.
    """
    options = [
        *CHANNEL_OPTIONS,
        ("grpc.service_config", service_config(retried)),
        ("grpc.keepalive_time_ms", settings.keepalive_ms),
        ("grpc.keepalive_timeout_ms", settings.keepalive_answer_ms),
        ("grpc.dns_min_time_between_resolutions_ms", settings.resolved_again_ms),
        ("grpc.max_receive_message_length", settings.message_bytes_max),
    ]
    channel = grpc.aio.insecure_channel(target if "://" in target else f"dns:///{target}", options=options)
    secrets = settings.service_secrets
    return SecretChannel(channel, secrets[0]) if secrets else channel


def refusal_of(error: grpc.aio.AioRpcError) -> Refusal:
    """The refusal to send to a client for a call that failed as a whole."""
    if error.code() in UNAVAILABLE_STATUS:
        return BUSY
    if error.code() is grpc.StatusCode.INVALID_ARGUMENT:
        reason = error.details()
        text = say("request.not_valid", reason=reason) if reason else say("request.unreadable")
        return Refusal(RefusalCode.MALFORMED, text)
    log.error("call failed: %s %s", error.code(), error.details())
    return Refusal(RefusalCode.UNAVAILABLE, say("request.not_done"))


async def check_serving(channel: grpc.aio.Channel) -> None:
    """A readiness check: raises unless the server of this channel reports SERVING."""
    stub: Any = health_pb2_grpc.HealthStub(channel)
    answer = await stub.Check(health_pb2.HealthCheckRequest())
    if answer.status != health_pb2.HealthCheckResponse.SERVING:
        raise ConnectionError("not serving")


async def _strange(request: Any, context: grpc.aio.ServicerContext[Any, Any]) -> None:
    await context.abort(grpc.StatusCode.UNAUTHENTICATED, "the call does not carry the secret of this server's services")


_REFUSED: Any = grpc.unary_unary_rpc_method_handler(_strange)


class _Watch(grpc.aio.ServerInterceptor):
    """Refuses calls without the secret. For every unary method: counts and measures calls, and turns exceptions into
    statuses."""

    def __init__(self, secrets: tuple[str, ...]) -> None:
        self._secrets = secrets

    async def intercept_service(
        self, continuation: Callable[[Any], Awaitable[Any]], details: grpc.HandlerCallDetails
    ) -> Any:
        if not accepts(self._secrets, details.invocation_metadata):
            RPC_STRANGERS.inc()
            return _REFUSED
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


# Each call looks up a metric by its labels, so cache it. The cache is bounded: unknown methods do not get here.
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
    """A running server; `port` is the port number in use."""

    def __init__(self, server: grpc.aio.Server, port: int, health: health_aio.HealthServicer) -> None:
        self._server = server
        self.port = port
        self._health = health

    async def drain(self, drain_ms: int) -> None:
        """Report NOT_SERVING, wait until callers have seen it, then finish calls in flight for at most `drain_ms`."""
        await self._health.enter_graceful_shutdown()
        await asyncio.sleep(min(0.2, drain_ms / 1000))
        await self._server.stop(drain_ms / 1000)


@asynccontextmanager
async def serving(
    settings: Settings, add: Callable[[grpc.aio.Server], None], methods: Iterable[str] = ()
) -> AsyncIterator[RpcServer]:
    """Run a server with the health service and the services that `add` registers; drain it at the end.

    `methods` are the names of its methods; their metrics are exported from the start.
    """
    from_zero(RPC_TOTAL, methods, SHOWN_FROM_START)
    server = grpc.aio.server(
        interceptors=[_Watch(settings.service_secrets)],
        options=[
            ("grpc.so_reuseport", 0),
            ("grpc.max_receive_message_length", settings.message_bytes_max),
            ("grpc.max_connection_age_ms", settings.connection_age_ms),
            ("grpc.max_connection_age_grace_ms", settings.connection_grace_ms),
            # Accept pings twice as often as clients send them, so that jitter does not close a connection.
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
