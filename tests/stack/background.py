"""An event loop in a thread of its own."""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class Background:
    """Runs coroutines for callers that have no loop, or another one."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="background", daemon=True)
        self._thread.start()

    def call(self, coroutine: Coroutine[Any, Any, T], within_s: float = 120.0) -> T:
        """Run a coroutine to its end and return its result."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(within_s)

    def close(self) -> None:
        """Stop the loop; nothing may be running."""
        self.call(self._loop.shutdown_asyncgens())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
