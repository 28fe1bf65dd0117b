"""A Celery worker whose broker goes away at the worst moment: for an instant, while all its tasks are at hand."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest

from tests.integration.game.game_in_memory import eventually
from tests.integration.workers.running_workers import World, played, tame, world

__all__ = ["world"]


@dataclass(slots=True)
class Line:
    """A way to Valkey that can be cut."""

    host: str
    port: int
    whole: bool = True
    refused: int = 0
    _open: set[asyncio.StreamWriter] = field(default_factory=set)

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Somebody wants through."""
        if not self.whole:
            self.refused += 1
            writer.close()
            return
        onwards, back = await asyncio.open_connection(self.host, self.port)
        self._open |= {writer, back}
        try:
            await asyncio.gather(_carry(reader, back), _carry(onwards, writer))
        finally:
            self._open -= {writer, back}

    def cut(self) -> None:
        """End all connections and let nobody through."""
        self.whole = False
        for writer in self._open:
            writer.close()


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass  # the other end has gone
    finally:
        writer.close()


@pytest.fixture
def line(redis_url: str) -> Line:
    parts = urlsplit(redis_url)
    assert parts.hostname is not None
    assert parts.port is not None
    return Line(parts.hostname, parts.port)


async def test_a_worker_with_all_tasks_at_hand_goes_on_when_its_broker_was_away(
    world: World, line: Line, tmp_path: Path
) -> None:
    asked, go = tmp_path / "asked", tmp_path / "go"
    server = await asyncio.start_server(line.connected, "127.0.0.1")
    port = server.sockets[0].getsockname()[1]
    parts = urlsplit(world.redis_url)
    through = urlunsplit(parts._replace(netloc=parts.netloc.replace(f":{parts.port}", f":{port}")))
    await world.start(
        "celery",
        broker_url=through.removesuffix("/0") + "/1",
        engine_command=tame("wait", asked=asked, go=go),
        engine_move_ms="600000",
        worker_threads="1",
        heartbeat_period_ms="600000",  # nothing but the task at hand
    )
    first, second = await world.computer_game("first", 10), await world.computer_game("second", 10)
    await world.enqueue(world.turn(first))
    await eventually(asked.exists, "the engine thinks")
    line.cut()
    go.touch()  # the task ends, and its acknowledgement is the first thing that fails
    await eventually(lambda: line.refused > 0, "the broker is missed")
    line.whole = True
    await world.enqueue(world.turn(second))
    await played(world, 2)
    line.cut()
    server.close()
