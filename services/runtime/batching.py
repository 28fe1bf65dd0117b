"""Batches that form by themselves.

In an idle queue an item is sent at the next turn of the event loop, with all items that came in the same turn. While a
batch is in flight, items wait; they are sent together when it returns. A further batch is sent at the same time only
if a full batch is waiting, or if the batches in flight are slow. There is no timer and no delay at low load.
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import Generic, TypeVar

from services.runtime.metrics import BATCH_REFUSED, BATCH_SECONDS, BATCH_SIZE

Item = TypeVar("Item")
Answer = TypeVar("Answer")

SLOW_S = 0.05
"""A batch that takes longer (seconds) does not delay the next batch."""


class Overloaded(Exception):
    """Too many items are waiting for this hop. Nothing was done; the same request may be repeated."""


class Batcher(Generic[Item, Answer]):
    """A queue of items for one hop.

    `send` gets a batch and returns one answer for each item, in order. If it raises, every caller of the batch gets
    the exception. With `key`, at most one item of a key is in flight, and items of one key are sent in arrival order.
    """

    def __init__(
        self,
        hop: str,
        send: Callable[[Sequence[Item]], Awaitable[Sequence[Answer]]],
        *,
        size_max: int,
        waiting_max: int,
        under_way_max: int,
        key: Callable[[Item], Hashable] | None = None,
    ) -> None:
        self._hop = hop
        self._send = send
        self._size_max = size_max
        self._waiting_max = waiting_max
        self._under_way_max = under_way_max
        self._key = key
        self._waiting: deque[tuple[Item, asyncio.Future[Answer]]] = deque()
        self._busy_keys: set[Hashable] = set()
        self._under_way: dict[asyncio.Task[None], float] = {}
        self._scheduled = False
        self._sizes = BATCH_SIZE.labels(hop)
        self._seconds = BATCH_SECONDS.labels(hop)
        self._refused = BATCH_REFUSED.labels(hop)

    async def call(self, item: Item) -> Answer:
        """Send one item and return its answer. Raises Overloaded, or the exception of `send` for its batch."""
        return await self.put(item)

    def put(self, item: Item) -> asyncio.Future[Answer]:
        """Queue one item; return the future of its answer. Raises Overloaded. A cancelled future leaves the queue."""
        if len(self._waiting) >= self._waiting_max:
            self._refused.inc()
            raise Overloaded(f"{len(self._waiting)} items are waiting for {self._hop}")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Answer] = loop.create_future()
        self._waiting.append((item, future))
        if not self._scheduled:
            self._scheduled = True
            loop.call_soon(self._depart)
        return future

    async def drained(self) -> None:
        """Return once no item is waiting and no batch is in flight."""
        while self._waiting or self._under_way:
            if self._under_way:
                await asyncio.wait(tuple(self._under_way), return_when=asyncio.FIRST_COMPLETED)
            else:
                await asyncio.sleep(0)

    def _depart(self) -> None:
        self._scheduled = False
        while self._waiting and self._may_depart():
            batch = self._take()
            if not batch:
                return
            task = asyncio.ensure_future(self._carry(batch))
            self._under_way[task] = time.monotonic()
            task.add_done_callback(self._back)

    def _may_depart(self) -> bool:
        if not self._under_way:
            return True
        if len(self._under_way) >= self._under_way_max:
            return False
        return len(self._waiting) >= self._size_max or time.monotonic() - max(self._under_way.values()) > SLOW_S

    def _take(self) -> list[tuple[Item, asyncio.Future[Answer]]]:
        batch: list[tuple[Item, asyncio.Future[Answer]]] = []
        kept: deque[tuple[Item, asyncio.Future[Answer]]] = deque()
        held_back: set[Hashable] = set()
        while self._waiting and len(batch) < self._size_max:
            item, future = self._waiting.popleft()
            if future.done():
                continue
            if self._key is None:
                batch.append((item, future))
                continue
            key = self._key(item)
            if key in self._busy_keys or key in held_back:
                held_back.add(key)
                kept.append((item, future))
            else:
                self._busy_keys.add(key)
                batch.append((item, future))
        if kept:
            kept.extend(self._waiting)
            self._waiting = kept
        return batch

    async def _carry(self, batch: list[tuple[Item, asyncio.Future[Answer]]]) -> None:
        started_s = time.perf_counter()
        self._sizes.observe(len(batch))
        try:
            answers = await self._send([item for item, _ in batch])
            if len(answers) != len(batch):
                raise RuntimeError(f"{self._hop}: {len(answers)} answers to {len(batch)} items")
        except BaseException as error:
            for _, future in batch:
                if not future.done():
                    future.set_exception(error if isinstance(error, Exception) else asyncio.CancelledError())
            if not isinstance(error, Exception):
                raise
        else:
            for (_, future), answer in zip(batch, answers, strict=True):
                if not future.done():
                    future.set_result(answer)
        finally:
            self._seconds.observe(time.perf_counter() - started_s)
            if self._key is not None:
                self._busy_keys.difference_update([self._key(item) for item, _ in batch])

    def _back(self, task: asyncio.Task[None]) -> None:
        del self._under_way[task]
        if self._waiting and not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._depart)
