"""The admin port: /metrics, /healthz (the event loop runs, all vital checks pass), and /readyz.

Ready: not draining, and all dependencies answer.

Checks run once a period on the event loop. A thread serves the port and only reads the last results. So a probe gets
an answer even when the loop is stuck, and the answer says so.
"""

import asyncio
import json
import logging
import threading
import time
from collections.abc import Awaitable, Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from services.runtime.metrics import DRAINING, READY

log = logging.getLogger(__name__)

Check = Callable[[], Awaitable[None]]
"""Returns if all is well, otherwise raises; the text of the exception is shown."""


class Health:
    """The health of this process: its checks, their last results, and whether it drains."""

    def __init__(self, timeout_ms: int, period_ms: int = 2_000, stuck_ms: int = 10_000) -> None:
        self._timeout_s = timeout_ms / 1000
        self._period_s = period_ms / 1000
        self._stuck_s = stuck_ms / 1000
        self._checks: dict[str, Check] = {}
        self._problems: dict[str, str] = {}
        self._vital: set[str] = set()
        self._signs: set[str] = set()
        self._started = False
        self._draining = False
        self._beat_s = time.monotonic()
        self.facts: dict[str, str] = {}
        """Shown on /healthz and /readyz beside the checks, such as which engine is in use."""

    def add_check(self, name: str, check: Check) -> None:
        """Add a check: while it fails, this process is not ready."""
        self._checks[name] = check
        self._problems[name] = "not checked yet"

    def add_vital(self, name: str, check: Check) -> None:
        """Add a vital check: while it fails, this process is not alive. Use it where only a restart helps."""
        self._checks[name] = check
        self._problems[name] = ""
        self._vital.add(name)

    def add_sign(self, name: str, check: Check) -> None:
        """Add a check that is shown and measured but decides nothing: all replicas share what it looks at."""
        self._checks[name] = check
        self._problems[name] = ""
        self._signs.add(name)

    def problem(self, name: str) -> str:
        """What was wrong when this check ran last; empty if nothing was."""
        return self._problems.get(name, "")

    async def run(self) -> None:
        """Run all checks once a period, for ever."""
        while True:
            await self.check_once()
            await asyncio.sleep(self._period_s)

    async def check_once(self) -> bool:
        """Run all checks now. Return whether all passed."""
        self._beat_s = time.monotonic()
        await asyncio.gather(*(self._run_check(name, check) for name, check in self._checks.items()))
        self._started = True
        self._beat_s = time.monotonic()
        return self.ready

    async def _run_check(self, name: str, check: Check) -> None:
        try:
            await asyncio.wait_for(check(), self._timeout_s)
        except Exception as error:  # any failure of a dependency means: not ready
            problem = f"{type(error).__name__}: {error}".strip(": ")[:300]
            if name not in self._problems or self._problems[name] == "not checked yet":
                log.info("waiting for %s: %s", name, problem)
            elif not self._problems[name]:
                # When all processes stop together, a dependency may stop first. That needs no warning.
                log.log(logging.INFO if self._draining else logging.WARNING, "%s is not ready: %s", name, problem)
            self._problems[name] = problem
            READY.labels(name).set(0)
        else:
            if self._problems.get(name):
                log.info("%s is ready", name)
            self._problems[name] = ""
            READY.labels(name).set(1)

    def drain(self) -> None:
        """Report not ready from now on, so that no new work is sent here."""
        self._draining = True
        DRAINING.set(1)

    @property
    def ready(self) -> bool:
        """Whether new work may be sent here."""
        return self._started and not self._draining and not any(self._problems[name] for name in self._gates)

    @property
    def _gates(self) -> set[str]:
        return self._problems.keys() - self._signs

    @property
    def alive(self) -> bool:
        """Whether the event loop ran recently and all vital checks pass."""
        return time.monotonic() - self._beat_s < self._stuck_s and not any(map(self._problems.get, self._vital))

    def report(self) -> dict[str, object]:
        """The state, checks and facts, for people to read."""
        return {
            "ready": self.ready,
            "draining": self._draining,
            "checks": {name: self._problems.get(name) or "ok" for name in self._checks},
            "facts": dict(self.facts),
        }


class AdminServer:
    """The admin port, served by a thread from `open` to `close`."""

    def __init__(self, health: Health, host: str, port: int) -> None:
        self._server = ThreadingHTTPServer((host, port), _handler(health))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, name="admin", daemon=True)

    @property
    def port(self) -> int:
        """The port number in use."""
        return int(self._server.server_address[1])

    def open(self) -> None:
        """Start to serve."""
        self._thread.start()

    def close(self) -> None:
        """Stop serving and close the port."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _handler(health: Health) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = 5

        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            if path == "/metrics":
                self._answer(200, CONTENT_TYPE_LATEST, generate_latest())
            elif path == "/healthz":
                self._answer_report(health.alive)
            elif path == "/readyz":
                self._answer_report(health.ready)
            else:
                self._answer(404, "application/json", b'{"error":"there are /metrics, /healthz and /readyz"}')

        def _answer_report(self, good: bool) -> None:
            self._answer(200 if good else 503, "application/json", json.dumps(health.report()).encode())

        def _answer(self, status: int, content_type: str, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            log.debug("admin: " + format, *args)

    return Handler
