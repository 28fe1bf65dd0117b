"""Middleware for all HTTP requests: a request id, metrics, log context, CORS, headers for browsers' security, and JSON
instead of a bare 500."""

import logging
import re
import secrets
import time
from contextlib import nullcontext

from prometheus_client import Counter, Histogram
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from services.gateway.errors import on_failure
from services.gateway.main.security_headers import headers_for, is_page
from services.runtime import logs, tracing
from services.runtime.metrics import SECONDS

log = logging.getLogger(__name__)

REQUESTS = Counter("flagfall_http_requests_total", "HTTP requests answered.", ["method", "route", "status"])
REQUEST_SECONDS = Histogram(
    "flagfall_http_request_duration_seconds",
    "From received to answered; a stream counts when it ends.",
    ["method", "route"],
    buckets=SECONDS,
)

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_METHODS = frozenset(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
_CORS = [
    (b"access-control-allow-origin", b"*"),
    (b"access-control-allow-headers", b"Authorization, Content-Type, Accept"),
    (b"access-control-allow-methods", b"GET, POST, DELETE, OPTIONS"),
    (b"access-control-max-age", b"86400"),
]


class Watching:
    """ASGI middleware around the whole application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request with its metrics and logs. Sockets have their own metrics."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        given = headers.get(b"x-request-id", b"").decode("latin-1")
        request_id = given if _ID.fullmatch(given) else secrets.token_hex(8)
        started_s = time.perf_counter()
        status = 0

        async def send_on(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [
                    *message["headers"],
                    (b"x-request-id", request_id.encode()),
                    *_CORS[:1],
                    *headers_for(is_page(message["headers"]), scope["scheme"] == "https"),
                ]
            await send(message)

        given_trace = headers.get(b"traceparent", b"").decode("latin-1") if tracing.on else ""
        with logs.bind(request_id=request_id), tracing.offered(given_trace) if given_trace else nullcontext():
            try:
                if scope["method"] == "OPTIONS":
                    await send_on({"type": "http.response.start", "status": 204, "headers": _CORS[1:]})
                    await send_on({"type": "http.response.body", "body": b""})
                else:
                    await self._app(scope, receive, send_on)
            except Exception as error:
                log.exception("%s %s failed", scope["method"], scope["path"][:200])
                if not status:
                    response = await on_failure(Request(scope), error)
                    await response(scope, receive, send_on)
                # else the answer is sent or incomplete: then the server closes the connection
            finally:
                route = getattr(scope.get("route"), "path", "none")
                method = scope["method"] if scope["method"] in _METHODS else "OTHER"
                REQUESTS.labels(method, route, str(status)).inc()
                REQUEST_SECONDS.labels(method, route).observe(time.perf_counter() - started_s)
