"""The line of frames that wait for one socket."""

import asyncio

import pytest

from services.gateway.outbox import Outbox


async def test_frames_are_written_in_order_and_close_ends_after_them() -> None:
    written: list[str] = []

    async def send(frame: str) -> None:
        await asyncio.sleep(0)
        written.append(frame)

    outbox = Outbox(10, 1_000)
    writing = asyncio.ensure_future(outbox.write(send))
    for word in ("a", "b", "c"):
        assert outbox.put(word)
    outbox.close()
    assert outbox.put("too late")
    await writing
    assert written == ["a", "b", "c"]


@pytest.mark.parametrize(("frames_max", "bytes_max", "size", "fit"), [(3, 1_000, 10, 3), (100, 50, 20, 2)])
async def test_line_is_bounded_by_frames_and_bytes(frames_max: int, bytes_max: int, size: int, fit: int) -> None:
    outbox = Outbox(frames_max, bytes_max)
    assert [outbox.put("x" * size) for _ in range(fit + 1)] == [True] * fit + [False]


async def test_one_frame_larger_than_the_limit_may_wait_alone() -> None:
    outbox = Outbox(10, 50)
    assert outbox.put("x" * 80)
    assert not outbox.put("y")


async def test_room_comes_back_as_frames_are_written() -> None:
    gate = asyncio.Event()

    async def send(_frame: str) -> None:
        await gate.wait()

    outbox = Outbox(2, 1_000)
    writing = asyncio.ensure_future(outbox.write(send))
    assert outbox.put("a")
    await asyncio.sleep(0)  # a is being written
    assert [outbox.put(word) for word in ("b", "c", "d")] == [True, True, False]
    gate.set()
    for _ in range(5):
        await asyncio.sleep(0)
    assert outbox.put("e")
    outbox.close()
    await writing
