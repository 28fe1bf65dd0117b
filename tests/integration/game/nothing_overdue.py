"""An `Overdue` for readers without a commit path: no game's time is up."""

from collections.abc import Iterable
from typing import Any


class NothingOverdue:
    """Ends nothing."""

    async def end(self, games: Iterable[object]) -> bool:
        """Whether a game was ended: never."""
        return False


NOTHING_OVERDUE: Any = NothingOverdue()
