"""The environment of a run: a stack of any kind, the possible faults, and the settings that the checker needs."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from tests.chaos.facts import Rules


class Stack(Protocol):
    """A Flagfall whose parts can be killed one by one: of processes in `tests.stack.replicas`, of pods in
    `tests.cluster`."""

    @property
    def gateways(self) -> Sequence[str]:
        """Addresses at which people reach the gateways, http://HOST:PORT; read again for each connection."""

    @property
    def database_url(self) -> str:
        """As the services want it."""

    @property
    def redis_url(self) -> str:
        """That of events, presence and timers."""

    @property
    def names(self) -> list[str]:
        """All parts, each replica by itself."""

    async def start(self, folder: Path, settings: Mapping[str, str]) -> None:
        """Start everything and return once all is ready."""

    def of(self, part: str) -> list[str]:
        """The names of a part's replicas."""

    def send(self, name: str, number: int) -> None:
        """Signal a process."""

    async def down(self, names: Iterable[str], number: int = ...) -> None:
        """End processes together; they stay down."""

    def up(self, names: Iterable[str]) -> None:
        """Start what is down."""

    async def ready(self, names: Iterable[str]) -> None:
        """Return once these are ready. Raises TimeoutError."""

    async def stop(self) -> None:
        """End everything."""


@dataclass(frozen=True, slots=True)
class Ground:
    """`faults` are done by name; each is given `tests.chaos.faults.Tools` and returns the black-out it made."""

    stack: Stack
    faults: Mapping[str, Callable[[Any], Awaitable[Any]]]
    settings: Mapping[str, str]
    """Settings of the services that the stack is started with."""
    rules: Rules
    day_ms: int
    """How long a day of correspondence lasts."""
