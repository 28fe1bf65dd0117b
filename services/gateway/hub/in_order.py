"""Puts numbered things in order: repeated ones are dropped, early ones wait."""

from typing import Generic, TypeVar

T = TypeVar("T")


class InOrder(Generic[T]):
    """Hands things out by number without gaps, starting after the number `last`."""

    def __init__(self, last: int, early_max: int) -> None:
        self.last = last
        self._early: dict[int, T] = {}
        self._early_max = early_max

    def take(self, number: int, thing: T) -> list[T] | None:
        """Everything that can be handed out now that `thing` has come; None when this number came before."""
        if number <= self.last or number in self._early:
            return None
        if number > self.last + 1:
            if len(self._early) < self._early_max:
                self._early[number] = thing
            return []
        self.last = number
        ready = [thing]
        while self._early and self.last + 1 in self._early:
            self.last += 1
            ready.append(self._early.pop(self.last))
        return ready

    def jump(self, last: int) -> list[T]:
        """Continue after `last` (never backwards), since all before is known. Returns what can follow at once."""
        if last > self.last:
            self.last = last
            self._early = {number: thing for number, thing in self._early.items() if number > last}
        ready = []
        while self.last + 1 in self._early:
            self.last += 1
            ready.append(self._early.pop(self.last))
        return ready

    @property
    def gap(self) -> bool:
        """Whether a thing waits for an earlier one. Things beyond `early_max` were dropped and also make a gap."""
        return bool(self._early)
