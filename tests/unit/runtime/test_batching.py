"""Batches form by themselves."""

import asyncio
from collections.abc import Sequence

import pytest

from services.runtime.batching import Batcher, Overloaded


class Hop:
    """A hop that answers an item with its double, when let."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []
        self.gate = asyncio.Event()
        self.gate.set()

    async def send(self, items: Sequence[int]) -> list[int]:
        self.batches.append(list(items))
        await self.gate.wait()
        return [2 * item for item in items]


def batcher(hop: Hop, size_max: int = 8, waiting_max: int = 100, under_way_max: int = 4) -> Batcher[int, int]:
    return Batcher("test", hop.send, size_max=size_max, waiting_max=waiting_max, under_way_max=under_way_max)


async def test_an_item_leaves_at_once_when_the_line_is_idle() -> None:
    hop = Hop()
    line = batcher(hop)
    assert [await line.call(1), await line.call(2)] == [2, 4]
    assert hop.batches == [[1], [2]]


async def test_items_gather_while_a_batch_is_under_way() -> None:
    hop = Hop()
    hop.gate.clear()
    line = batcher(hop)
    first = asyncio.ensure_future(line.call(1))
    while not hop.batches:
        await asyncio.sleep(0)
    rest = [asyncio.ensure_future(line.call(item)) for item in range(2, 6)]
    for _ in range(5):
        await asyncio.sleep(0)
    assert hop.batches == [[1]]
    hop.gate.set()
    assert await asyncio.gather(first, *rest) == [2, 4, 6, 8, 10]
    assert hop.batches == [[1], [2, 3, 4, 5]]


async def test_a_full_batch_leaves_beside_the_one_under_way_up_to_the_limit() -> None:
    hop = Hop()
    hop.gate.clear()
    line = batcher(hop, size_max=2, under_way_max=3)
    calls = [asyncio.ensure_future(line.call(item)) for item in range(10)]
    for _ in range(10):
        await asyncio.sleep(0)
    assert hop.batches == [[0, 1], [2, 3], [4, 5]]
    hop.gate.set()
    assert await asyncio.gather(*calls) == [2 * item for item in range(10)]


async def test_items_of_one_key_go_one_at_a_time_in_order() -> None:
    batches: list[list[str]] = []

    async def send(items: Sequence[str]) -> list[str]:
        batches.append(list(items))
        await asyncio.sleep(0)
        return list(items)

    line: Batcher[str, str] = Batcher(
        "keyed", send, size_max=8, waiting_max=100, under_way_max=4, key=lambda item: item[0]
    )
    await asyncio.gather(*(line.call(item) for item in ("a1", "a2", "b1", "a3", "b2")))
    assert batches == [["a1", "b1"], ["a2", "b2"], ["a3"]]


async def test_one_more_than_may_wait_is_refused_and_the_others_are_not_harmed() -> None:
    hop = Hop()
    hop.gate.clear()
    line = batcher(hop, waiting_max=3, size_max=1, under_way_max=1)
    calls = [asyncio.ensure_future(line.call(0))]
    while not hop.batches:
        await asyncio.sleep(0)
    calls += [asyncio.ensure_future(line.call(item)) for item in (1, 2, 3)]
    await asyncio.sleep(0)
    with pytest.raises(Overloaded):
        await line.call(4)
    hop.gate.set()
    assert await asyncio.gather(*calls) == [0, 2, 4, 6]


async def test_a_failed_batch_fails_its_own_items_only() -> None:
    async def send(items: Sequence[int]) -> list[int]:
        if 1 in items:
            raise ConnectionError("gone")
        return list(items)

    line: Batcher[int, int] = Batcher("failing", send, size_max=1, waiting_max=10, under_way_max=1)
    answers = await asyncio.gather(line.call(0), line.call(1), line.call(2), return_exceptions=True)
    assert [answers[0], answers[2]] == [0, 2]
    assert isinstance(answers[1], ConnectionError)


async def test_a_caller_who_left_is_not_sent_and_holds_nobody_up() -> None:
    hop = Hop()
    hop.gate.clear()
    line = batcher(hop, size_max=1, under_way_max=1)
    first = asyncio.ensure_future(line.call(1))
    while not hop.batches:
        await asyncio.sleep(0)
    gone = asyncio.ensure_future(line.call(2))
    last = asyncio.ensure_future(line.call(3))
    await asyncio.sleep(0)
    gone.cancel()
    hop.gate.set()
    assert [await first, await last] == [2, 6]
    assert hop.batches == [[1], [3]]


async def test_drained_waits_for_all() -> None:
    hop = Hop()
    hop.gate.clear()
    line = batcher(hop, size_max=1, under_way_max=1)
    calls = [asyncio.ensure_future(line.call(item)) for item in (1, 2)]
    await asyncio.sleep(0)
    draining = asyncio.ensure_future(line.drained())
    await asyncio.sleep(0)
    assert not draining.done()
    hop.gate.set()
    await draining
    assert [call.done() for call in calls] == [True, True]
