"""The game service for tasks, which run in ordinary threads."""

import logging
import time
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from services.domain.refusal import RefusalCode
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.game_pb2_grpc import GameServiceStub
from services.runtime.rpc import CHANNEL_OPTIONS
from services.workers.turn import Turn

log = logging.getLogger(__name__)

COMPUTER_ID = "computer"
CALL_TIMEOUT_S = 2.0
PAUSE_S = 0.2


class SyncGame:
    """Calls that wait. Safe for several threads."""

    def __init__(self, target: str, submit_ms: int) -> None:
        address = target if "://" in target else f"dns:///{target}"
        self._channel = grpc.insecure_channel(address, options=CHANNEL_OPTIONS)
        self._stub = GameServiceStub(self._channel)
        self._submit_s = submit_ms / 1000

    def close(self) -> None:
        """Give the connection back."""
        self._channel.close()

    def still_waits(self, turn: Turn) -> bool:
        """Whether the game is still at this version. True when nobody can say: the move's own refusal will tell."""
        item = pb.FetchItem(game_id=turn.game_id, since_version=turn.version)
        try:
            answer = self._stub.Fetch(pb.FetchRequest(items=[item]), timeout=CALL_TIMEOUT_S)
        except grpc.RpcError as error:
            log.warning("a turn could not be looked up: %s", error)
            return True
        return answer.results[0].HasField("up_to_date")

    def play(self, turn: Turn, uci: str) -> str:
        """Hand a move in; `accepted` or the refusal's code. Asks again, with the same id, while a part is away."""
        move = pb.Move(text=uci, ply=turn.ply)
        command = pb.Command(game_id=turn.game_id, player_id=COMPUTER_ID, command_id=turn.command_id, move=move)
        deadline_s = time.monotonic() + self._submit_s
        while True:
            try:
                reply = self._stub.Submit(pb.SubmitRequest(commands=[command]), timeout=CALL_TIMEOUT_S).replies[0]
            except grpc.RpcError as error:
                log.warning("a move could not be handed in: %s", error)
                code: str = RefusalCode.UNAVAILABLE
            else:
                code = "accepted" if reply.HasField("accepted") else reply.refusal.code
            if code != RefusalCode.UNAVAILABLE or time.monotonic() > deadline_s:
                return code
            time.sleep(PAUSE_S)

    def sweep(self, limit: int) -> pb.SweepResponse:
        """One bounded sweep. Raises grpc.RpcError."""
        return self._stub.Sweep(pb.SweepRequest(limit=limit), timeout=10 * CALL_TIMEOUT_S)

    def check(self) -> None:
        """Raise when the game service cannot be reached."""
        stub: Any = health_pb2_grpc.HealthStub(self._channel)
        answer = stub.Check(health_pb2.HealthCheckRequest(), timeout=1)
        if answer.status != health_pb2.HealthCheckResponse.SERVING:
            raise ConnectionError("not serving")
