"""A real Alertmanager with the repository's configuration, and somebody who takes its messages.

Waiting times are divided by 60 so that a test need not take minutes: those of the rules (`for`) and of Alertmanager's
grouping. Nothing else of either is changed but the two addresses, put in as its head says.
"""

import json
import re
import threading
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from deploy.observability.operator_rules import RULES
from tests.stack.background import Background
from tests.watch.live import HttpProbe, Programs, hurried

HURRY = 60
UNITS_MS = {"s": 1_000, "m": 60_000, "h": 3_600_000}
TOLD_WITHIN_S = 60.0
_WAITS = re.compile(r"\b(for|group_wait|group_interval|repeat_interval): (\d+)([smh])\b")


def sooner(text: str) -> str:
    """Rules or a configuration whose waits are divided by 60, and whose rules are evaluated all the time."""
    return _WAITS.sub(lambda wait: f"{wait[1]}: {int(wait[2]) * UNITS_MS[wait[3]] // HURRY}ms", hurried(text))


@dataclass(frozen=True, slots=True)
class Told:
    """One alert in a message."""

    receiver: str
    status: str
    labels: dict[str, str]
    annotations: dict[str, str]


class Duty:
    """Takes webhooks, as an operator's pager would. Use `page_url` and `ticket_url`; close it."""

    def __init__(self) -> None:
        self.told: list[Told] = []
        duty = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                for alert in message["alerts"]:
                    duty.told.append(Told(self.path[1:], alert["status"], alert["labels"], alert["annotations"]))
                self.send_response(200)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, name="duty", daemon=True).start()

    def url(self, receiver: str) -> str:
        """Where messages of a receiver, page or ticket, are taken."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/{receiver}"

    def wait(self, is_it: Callable[[Told], bool], within_s: float = TOLD_WITHIN_S) -> Told:
        """The first message that is the one. Raises AssertionError."""
        deadline_s = time.monotonic() + within_s
        while True:
            if found := next(filter(is_it, list(self.told)), None):
                return found
            assert time.monotonic() < deadline_s, f"not told within {within_s:g} s, but of {self.told}"
            time.sleep(0.1)

    def close(self) -> None:
        """Take no more."""
        self._server.shutdown()
        self._server.server_close()


class Alertmanager:
    """Started on construction, ended by `stop`."""

    def __init__(self, background: Background, folder: Path, duty: Duty) -> None:
        self._programs = Programs(background)
        port = self._programs.ports.take()
        self.address = f"127.0.0.1:{port}"
        folder.mkdir(parents=True, exist_ok=True)
        text = sooner((RULES.parent / "alertmanager.yml").read_text())
        for receiver in ("page", "ticket"):
            text = text.replace(f'"http://{receiver}.invalid/"', f'"{duty.url(receiver)}"')
        file = folder / "alertmanager.yml"
        file.write_text(text)
        argv = (
            "prometheus-alertmanager",
            f"--config.file={file}",
            f"--storage.path={folder / 'data'}",
            f"--web.listen-address={self.address}",
            "--cluster.listen-address=",
            "--log.level=warn",
        )
        self._programs.start("alertmanager", argv, folder, HttpProbe(port, "/-/ready"))

    def alerts(self) -> list[dict[str, Any]]:
        """What it knows of now, silenced or not."""
        with urllib.request.urlopen(f"http://{self.address}/api/v2/alerts", timeout=10) as answer:
            found: list[dict[str, Any]] = json.load(answer)
        return found

    def stop(self) -> None:
        """End it."""
        self._programs.stop()
