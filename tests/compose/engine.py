"""Debian's Docker engine in a namespace of its own, with a folder of its own, for the time of a test."""

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.compose.network import Namespace

READY_WITHIN_S = 60.0
STOPPED_WITHIN_S = 60.0
ANSWER_WITHIN_S = 180.0
POLL_S = 0.1


class SocketConnection(http.client.HTTPConnection):
    """HTTP over the engine's socket."""

    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=ANSWER_WITHIN_S)
        self._path = path

    def connect(self) -> None:
        """Connect to the socket instead of a port."""
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


class Engine:
    """Runs from construction until `stop`."""

    def __init__(self, folder: Path, namespace: Namespace) -> None:
        self._folder = folder
        self._log = folder / "log"
        self._socket = folder / "socket"
        words = ["nsenter", f"--net=/var/run/netns/{namespace.name}", "dockerd", "--host", self.url]
        words += ["--data-root", str(folder / "data"), "--exec-root", str(folder / "exec")]
        words += ["--pidfile", str(folder / "pid")]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            self._wait_ready()
        except BaseException:
            self.stop()
            raise

    @property
    def url(self) -> str:
        """What DOCKER_HOST is to be."""
        return f"unix://{self._socket}"

    def _wait_ready(self) -> None:
        until = time.monotonic() + READY_WITHIN_S
        while True:
            try:
                self.ask("GET", "/_ping")
            except OSError:
                if self._process.poll() is not None or time.monotonic() > until:
                    raise AssertionError(f"the engine did not start:\n{self.said()}") from None
                time.sleep(POLL_S)
            else:
                return

    def said(self) -> str:
        """The last of its log."""
        return "\n".join(self._log.read_text(errors="replace").splitlines()[-40:])

    def ask(self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None) -> bytes:
        """One call of its API. A refusal raises AssertionError, an engine that is away OSError."""
        connection = SocketConnection(self._socket)
        try:
            connection.request(method, path, body=body, headers=headers or {})
            answer = connection.getresponse()
            said = answer.read()
        finally:
            connection.close()
        assert answer.status < 400, f"{method} {path}: {answer.status} {said.decode(errors='replace')}"
        return said

    def load(self, archive: Path) -> None:
        """Take the images of an archive."""
        with archive.open("rb") as file:
            size = str(archive.stat().st_size)
            headers = {"Content-Type": "application/x-tar", "Content-Length": size}
            said = self.ask("POST", "/images/load?quiet=1", file, headers)
        assert b'"error"' not in said, said.decode(errors="replace")

    def listed(self, kind: str) -> list[dict[str, Any]]:
        """Everything there is of containers (ended ones too), networks or volumes."""
        found = json.loads(self.ask("GET", f"/{kind}" + ("/json?all=1" if kind == "containers" else "")))
        return list(found["Volumes"] or [] if kind == "volumes" else found)

    def stop(self) -> None:
        """End it with all its containers and take its folder away."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(STOPPED_WITHIN_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        for mount in self._mounts():
            subprocess.run(["umount", "--lazy", mount], check=False, capture_output=True, timeout=20)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _mounts(self) -> list[str]:
        inside = str(self._folder.resolve()) + os.sep
        points = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()]
        return sorted((point for point in points if point.startswith(inside)), reverse=True)
