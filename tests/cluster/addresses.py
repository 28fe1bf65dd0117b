"""Where people reach the gateways, as it changes."""

from collections.abc import Callable, Iterator, Sequence
from typing import overload


class Addresses(Sequence[str]):
    """What a load balancer leads to now. While there is nothing, what there was last: a client gets no answer there and
    tries again, as people do."""

    def __init__(self, ask: Callable[[], list[str]]) -> None:
        """`ask` gives the addresses of the gateways that are ready."""
        self._ask = ask
        self._last: list[str] = []

    def _now(self) -> list[str]:
        self._last = self._ask() or self._last
        return self._last

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[str]: ...
    def __getitem__(self, at: int | slice) -> str | Sequence[str]:
        """One; a place beyond the end counts from the beginning again, since the number changes between two looks."""
        now = self._now()
        return now[at] if isinstance(at, slice) else now[at % len(now)]

    def __len__(self) -> int:
        """How many there are."""
        return len(self._now())

    def __iter__(self) -> Iterator[str]:
        """Those of now; the places of a `Sequence` would never come to an end."""
        return iter(self._now())
