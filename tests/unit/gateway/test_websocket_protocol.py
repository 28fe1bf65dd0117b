"""Frames that go past the interface's queue: their bytes as RFC 6455 has them."""

import asyncio
from typing import Any

import pytest
from uvicorn import Config
from uvicorn.server import ServerState
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.uri import parse_uri

from services.gateway.sockets.websocket_protocol import SocketProtocol


class Wire(asyncio.Transport):
    """What was written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.closing = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += bytes(data)

    def pause_reading(self) -> None:
        """Nothing is read here."""

    def resume_reading(self) -> None:
        """Nothing is read here."""

    def is_closing(self) -> bool:
        return self.closing


async def no_app(scope: Any, receive: Any, send: Any) -> None:
    raise AssertionError("nobody is served here")


def open_protocol() -> tuple[SocketProtocol, Wire]:
    protocol = SocketProtocol(Config(app=no_app, lifespan="off", interface="asgi3"), ServerState(), {})
    wire = Wire()
    protocol.transport = wire
    protocol.writable.set()
    protocol.conn.state = State.OPEN
    return protocol, wire


def read(data: bytes) -> list[Frame]:
    """What a client makes of it."""
    client = ClientProtocol(parse_uri("ws://127.0.0.1/"), state=State.OPEN, max_size=None)
    client.receive_data(data)
    return [event for event in client.events_received() if isinstance(event, Frame)]


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 70_000])
async def test_each_length_is_read_as_one_text_frame(size: int) -> None:
    protocol, wire = open_protocol()
    assert protocol.write_text(b"x" * size)
    assert protocol.write_text(b"after")
    first, second = read(wire.written)
    assert (first.opcode, first.fin, bytes(first.data)) == (Opcode.TEXT, True, b"x" * size)
    assert bytes(second.data) == b"after"


@pytest.mark.parametrize("why", ["held up", "closing", "close sent", "close received", "gone"])
async def test_nothing_is_written_where_it_would_wait_or_be_lost(why: str) -> None:
    protocol, wire = open_protocol()
    if why == "held up":
        protocol.writable.clear()
    elif why == "closing":
        wire.closing = True
    elif why == "close sent":
        protocol.close_sent = True
    elif why == "close received":
        protocol.conn.state = State.CLOSING
    else:
        protocol.disconnected = True
    assert not protocol.write_text(b"x")
    assert wire.written == b""


async def test_text_goes_to_its_taker_and_what_is_no_text_does_not() -> None:
    protocol, _ = open_protocol()
    taken: list[str] = []
    protocol.take_text = taken.append
    protocol.handle_text(Frame(Opcode.TEXT, "schön".encode()[:5], fin=False))
    protocol.handle_cont(Frame(Opcode.CONT, "schön".encode()[5:]))
    assert taken == ["schön"]
    assert protocol.idle


async def test_text_behind_what_waits_waits_too() -> None:
    protocol, _ = open_protocol()
    taken: list[str] = []
    protocol.take_text = taken.append
    protocol.handle_bytes(Frame(Opcode.BINARY, b"first"))
    protocol.handle_text(Frame(Opcode.TEXT, b"second"))
    assert taken == []
    assert [(await protocol.receive())["type"] for _ in range(2)] == ["websocket.receive"] * 2


async def test_pings_and_fragments_are_told_of_and_end_where_they_are_too_many() -> None:
    protocol, wire = open_protocol()
    allowed = iter([True, True, False, False])
    protocol.take_other = lambda: next(allowed)
    protocol.handle_text(Frame(Opcode.TEXT, b"", fin=False))
    protocol.handle_cont(Frame(Opcode.CONT, b"", fin=False))
    protocol.handle_cont(Frame(Opcode.CONT, b"", fin=False))
    assert len(protocol.frames) == 3
    protocol.handle_cont(Frame(Opcode.CONT, b"", fin=False))
    assert len(protocol.frames) == 3
    protocol.conn.send_pong(b"")
    protocol.handle_ping()
    assert wire.written == b""


async def test_who_does_not_read_gets_no_pongs() -> None:
    protocol, wire = open_protocol()
    protocol.writable.clear()
    protocol.conn.send_pong(b"x")
    protocol.handle_ping()
    assert wire.written == b""


async def test_only_the_pong_that_was_asked_for_is_a_sign_of_life() -> None:
    protocol, _ = open_protocol()
    protocol.pending_ping_payload = b"asked"
    protocol.handle_pong(Frame(Opcode.PONG, b"stray"))
    assert protocol.pong_s == 0
    protocol.handle_pong(Frame(Opcode.PONG, b"asked"))
    assert protocol.pong_s > 0
