"""The game service by gRPC, as the workers use it."""

from dataclasses import dataclass

import grpc

from services.channels import GameStubs
from services.domain.refusal import Refusal
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.events_pb2 import GAME_STATUS_STARTED
from services.runtime import wire
from services.runtime.metrics import UNKNOWN_MODE
from services.workers.settings import WorkersSettings
from services.workers.turn import HintAsked, Position, Turn, newest_turns

COMPUTER_ID = "computer"


class GameUnavailable(Exception):
    """The game service did not answer; the same call may be repeated without harm."""


@dataclass(frozen=True, slots=True)
class Swept:
    """What one call of a sweep ended, and whether there may be more to end."""

    games: int
    challenges: int
    more: bool


class GrpcGame:
    """The game service. Every method raises GameUnavailable."""

    def __init__(self, channel: grpc.aio.Channel, settings: WorkersSettings) -> None:
        self._stubs = GameStubs(channel)
        self._call_s = settings.call_timeout_ms / 1000
        self._list_s = settings.list_timeout_ms / 1000

    async def position(self, turn: Turn | HintAsked) -> Position | None:
        """The position for which a move is needed; None if the game has moved on, or does not exist."""
        request = pb.FetchRequest(items=[pb.FetchItem(game_id=turn.game_id, since_version=0)])
        try:
            fetched = (await self._stubs.games.Fetch(request, timeout=self._call_s)).results[0]
        except grpc.aio.AioRpcError as error:
            raise _unavailable(error) from error
        if fetched.WhichOneof("result") != "snapshot":
            return None
        now = fetched.snapshot.state
        if (now.status, now.ply, now.fen, now.takebacks) != (GAME_STATUS_STARTED, turn.ply, turn.fen, turn.takebacks):
            return None
        if isinstance(turn, Turn) and now.computer_turn_level != turn.level:
            return None
        info, state = fetched.snapshot.info, fetched.snapshot.state
        moves = tuple(move.uci for move in fetched.snapshot.moves)
        options = wire.chaturanga_from_pb(info.rule_set)
        mode = info.time_control.WhichOneof("kind") or UNKNOWN_MODE
        return Position(info.variant, info.initial_fen, moves, state.fen, tuple(state.legal.split()), options, mode)

    async def submit(self, turn: Turn, move: str, thought_ms: int) -> pb.Accepted | Refusal:
        """Submit the computer's move (UCI), with how long it took to find."""
        command = pb.Command(
            game_id=turn.game_id,
            player_id=COMPUTER_ID,
            command_id=turn.command_id,
            move=pb.Move(text=move, ply=turn.ply, takebacks=turn.takebacks, thought_ms=thought_ms),
            traceparent=turn.trace,
        )
        try:
            reply = (
                await self._stubs.games.Submit(pb.SubmitRequest(commands=[command]), timeout=self._call_s)
            ).replies[0]
        except grpc.aio.AioRpcError as error:
            raise _unavailable(error) from error
        return reply.accepted if reply.WhichOneof("result") == "accepted" else wire.refusal_from_pb(reply.refusal)

    async def give_hint(self, hint: HintAsked, move: str) -> Refusal | None:
        """Send a hint (a move in UCI) to the player who asked; return a refusal if the game has moved on."""
        request = pb.GiveHintRequest(game_id=hint.game_id, ply=hint.ply, takebacks=hint.takebacks, uci=move)
        try:
            answer = await self._stubs.computer.GiveHint(request, timeout=self._call_s)
        except grpc.aio.AioRpcError as error:
            raise _unavailable(error) from error
        return wire.refusal_from_pb(answer.refusal) if answer.HasField("refusal") else None

    async def waiting_turns(self, waiting_ms: int, limit: int) -> list[Turn]:
        """The computer's turns that began at least `waiting_ms` ago, at most `limit`."""
        request = pb.ListComputerTurnsRequest(waiting_ms=waiting_ms, limit=limit)
        try:
            answer = await self._stubs.upkeep.ListComputerTurns(request, timeout=self._list_s)
        except grpc.aio.AioRpcError as error:
            raise _unavailable(error) from error
        return newest_turns(game.state for game in answer.games)

    async def sweep(self, limit: int) -> Swept:
        """End what has expired, at most `limit` games."""
        try:
            answer = await self._stubs.upkeep.Sweep(pb.SweepRequest(limit=limit), timeout=self._list_s)
        except grpc.aio.AioRpcError as error:
            raise _unavailable(error) from error
        return Swept(answer.games_ended, answer.challenges_lapsed, answer.more)


def _unavailable(error: grpc.aio.AioRpcError) -> GameUnavailable:
    return GameUnavailable(f"{error.code().name}: {error.details()}")
