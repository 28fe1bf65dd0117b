"""A container's probes, counted as a kubelet counts them."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Execute = Callable[[Sequence[str], float], Awaitable[bool]]
"""Runs a command in the container, for so many seconds at the most: whether it ended with 0."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One of a container's three, with the defaults of Kubernetes."""

    action: Mapping[str, Any]
    period_s: float = 10.0
    timeout_s: float = 1.0
    failures: int = 3
    successes: int = 1
    delay_s: float = 0.0

    @classmethod
    def of(cls, container: Mapping[str, Any], kind: str) -> "Probe | None":
        """The probe of that kind, with named ports as numbers."""
        given = container.get(kind)
        if given is None:
            return None
        action = {key: given[key] for key in ("httpGet", "tcpSocket", "exec") if key in given}
        if len(action) != 1:
            raise ValueError(f"{container['name']}: {kind} has no action that is known: {given}")
        for key in ("httpGet", "tcpSocket"):
            if key in action:
                action[key] = {**action[key], "port": _port(container, action[key]["port"])}
        return cls(
            action,
            float(given.get("periodSeconds", 10)),
            float(given.get("timeoutSeconds", 1)),
            int(given.get("failureThreshold", 3)),
            int(given.get("successThreshold", 1)),
            float(given.get("initialDelaySeconds", 0)),
        )

    async def passes(self, address: str, execute: Execute) -> bool:
        """Ask once."""
        if "exec" in self.action:
            return await execute(self.action["exec"]["command"], self.timeout_s)
        asked = self.action.get("httpGet") or self.action["tcpSocket"]
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(self.timeout_s):
                reader, writer = await asyncio.open_connection(address, asked["port"])
                try:
                    if "tcpSocket" in self.action:
                        return True
                    writer.write(
                        f"GET {asked['path']} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n".encode()
                    )
                    status = (await reader.readline()).split(b" ")[1:2]
                    return bool(status) and 200 <= int(status[0]) < 400
                finally:
                    writer.close()
        return False


@dataclass(slots=True)
class Count:
    """A row of answers of the same kind."""

    passed: int = 0
    failed: int = 0

    def add(self, passed: bool) -> None:
        """Count one more."""
        self.passed, self.failed = (self.passed + 1, 0) if passed else (0, self.failed + 1)


def _port(container: Mapping[str, Any], given: Any) -> int:
    if isinstance(given, int):
        return given
    for port in container.get("ports", ()):
        if port.get("name") == given:
            return int(port["containerPort"])
    raise ValueError(f"{container['name']}: no port is named {given}")
