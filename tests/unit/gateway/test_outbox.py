"""The line of frames that wait for one socket."""

import asyncio

import pytest

from services.domain.time_control import ClockControl, Correspondence, PerMove, TimeControl, Unlimited
from services.gateway.protocol.shapes import EventFrame
from services.gateway.sockets.outbox import Outbox
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.runtime.wire import time_control_to_pb


@pytest.mark.parametrize("control", [Unlimited(), ClockControl(60_000, 0), PerMove(30_000), Correspondence(3)])
async def test_moves_of_any_time_control_are_written(control: TimeControl) -> None:
    """Each is measured by its kind: one that is not known would end the hub for everybody."""
    written: list[bytes] = []

    async def send(frame: bytes) -> None:
        written.append(frame)

    outbox = Outbox(10, 10_000)
    writing = asyncio.ensure_future(outbox.write(send))
    state = events_pb2.GameState(game_id="g", status=events_pb2.GAME_STATUS_STARTED, turn=common_pb2.COLOR_WHITE)
    move = events_pb2.GameEvent(kind=events_pb2.GAME_EVENT_KIND_MOVE, state=state)
    assert outbox.put(EventFrame(move, time_control_to_pb(control).WhichOneof("kind") or ""))
    outbox.close()
    await writing
    assert len(written) == 1


async def test_frames_are_written_in_order_and_close_ends_after_them() -> None:
    written: list[bytes] = []

    async def send(frame: bytes) -> None:
        await asyncio.sleep(0)
        written.append(frame)

    outbox = Outbox(10, 1_000)
    writing = asyncio.ensure_future(outbox.write(send))
    for word in (b"a", b"b", b"c"):
        assert outbox.put(word)
    outbox.close()
    assert outbox.put(b"too late")
    await writing
    assert written == [b"a", b"b", b"c"]


@pytest.mark.parametrize(("frames_max", "bytes_max", "size", "fit"), [(3, 1_000, 10, 3), (100, 50, 20, 2)])
async def test_line_is_bounded_by_frames_and_bytes(frames_max: int, bytes_max: int, size: int, fit: int) -> None:
    outbox = Outbox(frames_max, bytes_max)
    assert [outbox.put(b"x" * size) for _ in range(fit + 1)] == [True] * fit + [False]


async def test_one_frame_larger_than_the_limit_may_wait_alone() -> None:
    outbox = Outbox(10, 50)
    assert outbox.put(b"x" * 80)
    assert not outbox.put(b"y")


async def test_room_comes_back_as_frames_are_written() -> None:
    gate = asyncio.Event()

    async def send(_frame: bytes) -> None:
        await gate.wait()

    outbox = Outbox(2, 1_000)
    writing = asyncio.ensure_future(outbox.write(send))
    assert outbox.put(b"a")
    await asyncio.sleep(0)  # a is being written
    assert [outbox.put(word) for word in (b"b", b"c", b"d")] == [True, True, False]
    gate.set()
    for _ in range(5):
        await asyncio.sleep(0)
    assert outbox.put(b"e")
    outbox.close()
    await writing


async def test_what_finds_nothing_before_it_is_written_at_once() -> None:
    written: list[bytes] = []
    open_for = 2

    def at_once(frame: bytes) -> bool:
        if len(written) >= open_for:
            return False
        written.append(frame)
        return True

    async def send(frame: bytes) -> None:
        await asyncio.sleep(0)
        written.append(frame)

    outbox = Outbox(10, 1_000, at_once)
    assert all(outbox.put(word) for word in (b"a", b"b", b"c"))
    assert written == [b"a", b"b"]
    open_for = 10
    outbox.put(b"d")  # c still waits: nothing overtakes it
    assert written == [b"a", b"b"]
    writing = asyncio.ensure_future(outbox.write(send))
    await asyncio.sleep(0)  # c is being written
    outbox.put(b"e")
    outbox.close()
    await writing
    assert written == [b"a", b"b", b"c", b"d", b"e"]
