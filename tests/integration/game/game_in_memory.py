"""A game service for tests of the clock and the workers: the real contract over real gRPC, its games in memory.

It keeps the promises that callers rely on (one flag a game, none before deadline + grace, a repeated command id is
answered again, a wrong ply is refused) and counts what was asked of it. test_game_in_memory.py asks the real service
the same. What that does beyond is tested with the real service.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Self

import chess
import grpc

from services.domain.refusal import RefusalCode
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.game_pb2_grpc import GameServiceServicer, add_GameServiceServicer_to_server
from services.runtime.event_stream import Publisher
from services.runtime.rpc import serving
from services.runtime.settings import Settings

GRACE_MS = 100
PAGE_MAX = 50


@dataclass(slots=True)
class Record:
    """One game: a clock that will fall, or a board with a computer on it."""

    id: str
    version: int = 1
    deadline_ms: int = 0
    kind: events_pb2.DeadlineKind = events_pb2.DEADLINE_KIND_FLAG
    status: events_pb2.GameStatus = events_pb2.GAME_STATUS_STARTED
    board: chess.Board = field(default_factory=chess.Board)
    level: int = 0
    computer: chess.Color | None = None
    turn_began_ms: int = 0
    decided_ms: int = 0
    answers: dict[str, pb.Reply] = field(default_factory=dict)


def now_ms() -> int:
    """The test machine's clock, which is the database's too."""
    return time.time_ns() // 1_000_000


class GameInMemory(GameServiceServicer):
    """See above. `target` is set while `running`."""

    def __init__(self, publisher: Publisher | None) -> None:
        self.publisher = publisher
        self.games: dict[str, Record] = {}
        self.flags: Counter[str] = Counter()
        """Flag commands by game id, whatever came of them."""
        self.refused: Counter[str] = Counter()
        """Refusals by code."""
        self.early = 0
        self.moves: list[tuple[str, int, str]] = []
        """Accepted moves of the computer: game id, ply, UCI."""
        self.move_commands: list[pb.Command] = []
        self.hints: list[tuple[str, int, str]] = []
        """Hints that were given: game id, ply, UCI."""
        self.turns_listed = 0
        """How often somebody asked for the computer's turns."""
        self.available = True
        self.sweeps: list[int] = []
        self.left_to_sweep = 0
        self.target = ""

    @classmethod
    def make(cls, publisher: Publisher | None = None) -> Self:
        """One with the calls that clock and workers need; the others answer UNIMPLEMENTED."""
        return cls(publisher)

    @asynccontextmanager
    async def running(self) -> AsyncIterator["GameInMemory"]:
        """Serve on a free port."""
        settings = Settings(drain_ms=100)
        async with serving(settings, lambda server: add_GameServiceServicer_to_server(self, server)) as server:
            self.target = f"127.0.0.1:{server.port}"
            yield self

    async def add(self, record: Record, *, silently: bool = False) -> Record:
        """Begin a game."""
        self.games[record.id] = record
        record.turn_began_ms = now_ms()
        if not silently:
            await self.tell(record)
        return record

    async def tell(self, record: Record, kind: events_pb2.GameEventKind = events_pb2.GAME_EVENT_KIND_MOVE) -> None:
        """Publish the newest version."""
        if self.publisher:
            event = events_pb2.GameEvent(kind=kind, state=self.state(record))
            await self.publisher.publish([event])

    def state(self, record: Record) -> events_pb2.GameState:
        """The state as events and snapshots carry it."""
        running = record.status == events_pb2.GAME_STATUS_STARTED
        computer_turn = running and record.computer is record.board.turn
        return events_pb2.GameState(
            game_id=record.id,
            version=record.version,
            status=record.status,
            ply=record.board.ply(),
            fen=record.board.fen(),
            turn=common_pb2.COLOR_WHITE if record.board.turn else common_pb2.COLOR_BLACK,
            at_ms=now_ms(),
            deadline_ms=record.deadline_ms if running else 0,
            deadline_kind=record.kind if running and record.deadline_ms else events_pb2.DEADLINE_KIND_UNSPECIFIED,
            legal=" ".join(move.uci() for move in record.board.legal_moves) if running else "",
            computer_turn_level=record.level if computer_turn else 0,
        )

    def info(self, record: Record) -> events_pb2.GameInfo:
        """What never changes of a game."""
        return events_pb2.GameInfo(id=record.id, variant="standard")

    async def Submit(
        self, request: pb.SubmitRequest, context: grpc.aio.ServicerContext[pb.SubmitRequest, pb.SubmitResponse]
    ) -> pb.SubmitResponse:
        self._check()
        return pb.SubmitResponse(replies=[await self._decide(command) for command in request.commands])

    async def Fetch(
        self, request: pb.FetchRequest, context: grpc.aio.ServicerContext[pb.FetchRequest, pb.FetchResponse]
    ) -> pb.FetchResponse:
        self._check()
        results = []
        for item in request.items:
            if record := self.games.get(item.game_id):
                snapshot = pb.Snapshot(info=self.info(record), state=self.state(record))
                snapshot.moves.extend(pb.PlayedMove(uci=move.uci()) for move in record.board.move_stack)
                results.append(pb.Fetched(snapshot=snapshot))
            else:
                results.append(pb.Fetched(refusal=common_pb2.Refusal(code=RefusalCode.NOT_FOUND)))
        return pb.FetchResponse(results=results)

    async def GiveHint(
        self, request: pb.GiveHintRequest, context: grpc.aio.ServicerContext[pb.GiveHintRequest, pb.GiveHintResponse]
    ) -> pb.GiveHintResponse:
        self._check()
        self.hints.append((request.game_id, request.ply, request.uci))
        return pb.GiveHintResponse()

    async def ListDeadlines(
        self,
        request: pb.ListDeadlinesRequest,
        context: grpc.aio.ServicerContext[pb.ListDeadlinesRequest, pb.ListDeadlinesResponse],
    ) -> pb.ListDeadlinesResponse:
        self._check()
        now = now_ms()
        found = sorted(
            (record.id, record)
            for record in self.games.values()
            if record.status == events_pb2.GAME_STATUS_STARTED
            and record.deadline_ms
            and record.id > request.after_game_id
            and (record.deadline_ms <= now or not request.overdue_only)
        )
        deadlines = [
            pb.Deadline(game_id=game_id, version=record.version, deadline_ms=record.deadline_ms, kind=record.kind)
            for game_id, record in found[: min(request.limit, PAGE_MAX)]
        ]
        return pb.ListDeadlinesResponse(deadlines=deadlines, now_ms=now)

    async def ListComputerTurns(
        self,
        request: pb.ListComputerTurnsRequest,
        context: grpc.aio.ServicerContext[pb.ListComputerTurnsRequest, pb.ListComputerTurnsResponse],
    ) -> pb.ListComputerTurnsResponse:
        self._check()
        self.turns_listed += 1
        since_ms = now_ms() - request.waiting_ms
        waiting = [
            events_pb2.GameSummary(info=self.info(record), state=self.state(record))
            for record in self.games.values()
            if self.state(record).computer_turn_level and record.turn_began_ms <= since_ms
        ]
        return pb.ListComputerTurnsResponse(games=waiting[: request.limit])

    async def Sweep(
        self, request: pb.SweepRequest, context: grpc.aio.ServicerContext[pb.SweepRequest, pb.SweepResponse]
    ) -> pb.SweepResponse:
        self._check()
        ended = min(self.left_to_sweep, request.limit)
        self.left_to_sweep -= ended
        self.sweeps.append(ended)
        return pb.SweepResponse(games_ended=ended, more=self.left_to_sweep > 0)

    def _check(self) -> None:
        if not self.available:
            raise ConnectionError("away for the test")

    async def _decide(self, command: pb.Command) -> pb.Reply:
        record = self.games.get(command.game_id)
        if record is None:
            return self._refuse(RefusalCode.NOT_FOUND)
        if command.WhichOneof("action") == "flag":
            return await self._flag(record, command.flag.version)
        self.move_commands.append(command)
        if command.command_id in record.answers:
            return record.answers[command.command_id]
        reply = await self._move(record, command)
        if command.command_id and reply.WhichOneof("result") == "accepted":
            record.answers[command.command_id] = reply
        return reply

    async def _flag(self, record: Record, version: int) -> pb.Reply:
        self.flags[record.id] += 1
        now = now_ms()
        if record.status != events_pb2.GAME_STATUS_STARTED:
            return self._refuse(RefusalCode.GAME_OVER)
        if version != record.version:
            return self._refuse(RefusalCode.STALE_VERSION)
        if now < record.deadline_ms + GRACE_MS:
            self.early += 1
            return self._refuse(RefusalCode.NOT_DUE)
        record.status = events_pb2.GAME_STATUS_ENDED
        record.decided_ms = now
        return await self._accept(record)

    async def _move(self, record: Record, command: pb.Command) -> pb.Reply:
        if record.status != events_pb2.GAME_STATUS_STARTED:
            return self._refuse(RefusalCode.GAME_OVER)
        ply = record.board.ply()
        if command.move.HasField("ply") and command.move.ply != ply:
            return self._refuse(RefusalCode.STALE_VERSION)
        if command.player_id == "computer" and record.computer is not record.board.turn:
            return self._refuse(RefusalCode.NOT_YOUR_TURN)
        try:
            record.board.push_uci(command.move.text)
        except ValueError:
            return self._refuse(RefusalCode.ILLEGAL_MOVE)
        if command.player_id == "computer":
            self.moves.append((record.id, ply, command.move.text))
        if record.board.is_game_over():
            record.status = events_pb2.GAME_STATUS_ENDED
        return await self._accept(record)

    async def _accept(self, record: Record) -> pb.Reply:
        record.version += 1
        record.turn_began_ms = now_ms()
        await self.tell(record)
        return pb.Reply(accepted=pb.Accepted(version=record.version, state=self.state(record)))

    def _refuse(self, code: RefusalCode) -> pb.Reply:
        self.refused[code] += 1
        return pb.Reply(refusal=common_pb2.Refusal(code=code, message=code))


async def eventually(
    condition: Callable[[], bool] | Callable[[], Awaitable[bool]], what: str, within_s: float = 60.0
) -> None:
    """Wait for a condition; an AssertionError says what never happened."""
    deadline_s = time.monotonic() + within_s
    while True:
        held = condition()
        if held if isinstance(held, bool) else await held:
            return
        assert time.monotonic() < deadline_s, f"not within {within_s} s: {what}"
        await asyncio.sleep(0.01)
