"""One engine process, controlled by UCI.

Written here since the libraries tie the protocol to their own boards, and some variants need boards that none of
them has. Only what a computer's move takes: handshake, options, a position as moves, one search bounded by nodes.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass

from services.domain.chaturanga import CHATURANGA
from services.domain.variant import Variant
from services.workers.levels import Level
from services.workers.turn import Position

SKILL = "Skill Level"
CHATURANGA_PREFIX = "Chaturanga_"
"""The prefix of Chaturanga's options in an engine that has them."""


class EngineFailed(Exception):
    """The engine violated UCI, died, or was too slow. `reason` is a short word for a metric."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits of one engine process."""

    start_ms: int
    move_ms: int
    line_bytes_max: int
    hash_mb: int


class UciEngine:
    """An engine process. After any EngineFailed it must be killed: its next output may belong to the old search."""

    def __init__(
        self, process: asyncio.subprocess.Process, transport: asyncio.SubprocessTransport, bounds: Bounds
    ) -> None:
        self._process = process
        self._transport = transport
        self._bounds = bounds
        self._options: dict[str, str] = {}
        self._set: dict[str, str] = {}
        self.name = "unnamed engine"

    @classmethod
    async def start(cls, command: tuple[str, ...], bounds: Bounds) -> "UciEngine":
        """Start a process and wait until it is ready. Raises EngineFailed."""
        loop = asyncio.get_running_loop()
        try:
            # As `create_subprocess_exec`, but it keeps the transport: only the transport can close a full pipe.
            transport, protocol = await loop.subprocess_exec(
                lambda: asyncio.subprocess.SubprocessStreamProtocol(limit=bounds.line_bytes_max, loop=loop),
                *command,
                stderr=asyncio.subprocess.DEVNULL,
            )
        except OSError as error:
            raise EngineFailed("start", f"{command[0]}: {error}") from error
        engine = cls(asyncio.subprocess.Process(transport, protocol, loop), transport, bounds)
        try:
            await engine._shake_hands()
        except BaseException:
            await engine.kill()
            raise
        return engine

    def plays(self, position: Position) -> bool:
        """Whether the engine can play the variant, and the options of Chaturanga if they are not the defaults."""
        if position.chaturanga != CHATURANGA and f"{CHATURANGA_PREFIX}elephant" not in self._options:
            return False
        name = Variant(position.variant).uci
        choices = self._options.get("UCI_Variant", "").split()
        return name in choices or name == "chess"

    async def best_move(self, position: Position, level: Level) -> str:
        """A move in UCI, legal in the position. Raises EngineFailed."""
        async with self._within(self._bounds.move_ms, "a move"):
            self._option("UCI_Variant", Variant(position.variant).uci)
            for name, value in asdict(position.chaturanga).items():
                self._option(CHATURANGA_PREFIX + name, str(value).lower() if isinstance(value, bool) else value)
            self._option("UCI_Chess960", "true" if position.variant == "chess960" else "false")
            self._option(SKILL, str(level.skill))
            self._say(f"position {_told(position)}")
            # On a busy machine the nodes take long: after half the limit the search ends with its best move so far.
            self._say(f"go nodes {level.nodes} movetime {self._bounds.move_ms // 2}")
            words = (await self._wait_for("bestmove")).split()
        move = words[1] if len(words) > 1 else ""
        if move not in position.legal:
            raise EngineFailed("illegal", f"{self.name} plays {move!r} in {position.fen}")
        return move

    async def kill(self) -> None:
        """Kill the process at once."""
        with suppress(ProcessLookupError):
            self._process.kill()
        self._transport.close()
        await self._process.wait()

    async def _shake_hands(self) -> None:
        async with self._within(self._bounds.start_ms, "its start"):
            self._say("uci")
            async for line in self._lines():
                words = line.split()
                if words[:2] == ["id", "name"]:
                    self.name = " ".join(words[2:]).partition(" [")[0][:80]  # without the details of its build
                elif words[:2] == ["option", "name"] and "type" in words:
                    self._options[" ".join(words[2 : words.index("type")])] = line
                elif words[:1] == ["uciok"]:
                    break
            self._option("Threads", "1")
            self._option("Hash", str(self._bounds.hash_mb))
            self._say("isready")
            await self._wait_for("readyok")

    def _option(self, name: str, value: str) -> None:
        """Set an option if the engine has it and its value differs. A number is limited to the option's range."""
        if name not in self._options:
            return
        words = self._options[name].split()
        if "min" in words and "max" in words:
            low, high = int(words[words.index("min") + 1]), int(words[words.index("max") + 1])
            value = str(min(max(int(value), low), high))
        if self._set.get(name) != value:
            self._say(f"setoption name {name} value {value}")
            self._set[name] = value

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode() + b"\n")

    async def _wait_for(self, word: str) -> str:
        async for line in self._lines():
            if line.split()[:1] == [word]:
                return line
        raise AssertionError("the lines of an engine end with EngineFailed")

    async def _lines(self) -> AsyncIterator[str]:
        assert self._process.stdout is not None
        while True:
            line = await self._process.stdout.readline()
            if not line:
                raise EngineFailed("died", f"{self.name} ended")
            yield line.decode(errors="replace")

    @asynccontextmanager
    async def _within(self, limit_ms: int, what: str) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(limit_ms / 1000):
                yield
        except TimeoutError as error:
            raise EngineFailed("stalled", f"{self.name} took more than {limit_ms} ms for {what}") from error
        except (OSError, ValueError) as error:  # a broken pipe; a line that is too long or violates UCI
            raise EngineFailed("garbage", f"{self.name}: {error}") from error


def _told(position: Position) -> str:
    """The UCI command for a position, with the moves that lead to it, so that the engine sees repetitions."""
    start = f"fen {position.initial_fen}" if position.initial_fen else "startpos"
    return f"{start} moves {' '.join(position.moves)}" if position.moves else start
