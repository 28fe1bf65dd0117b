"""The game service by gRPC."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext

import grpc

from services.channels import GameStubs
from services.clock.alarm import Alarm, from_deadlines, from_state
from services.clock.game_port import DeadlinePage, Decided, GameUnavailable, TimeLeft
from services.clock.settings import ClockSettings
from services.domain.refusal import Refusal, RefusalCode
from services.pb.flagfall.v1 import game_pb2 as pb
from services.runtime import tracing, wire

log = logging.getLogger(__name__)


class GrpcGame:
    """Implements `Game`."""

    def __init__(self, channel: grpc.aio.Channel, settings: ClockSettings) -> None:
        self._stubs = GameStubs(channel)
        self._call_s = settings.call_timeout_ms / 1000
        self._list_s = settings.list_timeout_ms / 1000
        self._page_size = settings.deadline_page_size

    async def flag(self, alarms: Sequence[Alarm]) -> Sequence[Decided | Refusal]:
        """See `Game`."""
        commands = [pb.Command(game_id=alarm.game_id, flag=pb.Flag(version=alarm.version)) for alarm in alarms]
        with _traced(commands) if tracing.on else nullcontext():
            try:
                answer = await self._stubs.games.Submit(pb.SubmitRequest(commands=commands), timeout=self._call_s)
            except grpc.aio.AioRpcError as error:
                raise _unavailable(error) from error
        return [
            Decided() if reply.WhichOneof("result") == "accepted" else wire.refusal_from_pb(reply.refusal)
            for reply in answer.replies
        ]

    async def standing(self, game_ids: Sequence[str]) -> Sequence[TimeLeft | Refusal | None]:
        """See `Game`."""
        request = pb.FetchRequest(items=[pb.FetchItem(game_id=game_id, since_version=0) for game_id in game_ids])
        try:
            answer = await self._stubs.games.Fetch(request, timeout=self._call_s)
        except grpc.aio.AioRpcError as error:
            raise _unavailable(error) from error
        return [_standing(fetched) for fetched in answer.results]

    async def deadlines(self, after: str, *, overdue_only: bool) -> DeadlinePage:
        """See `Game`."""
        request = pb.ListDeadlinesRequest(after_game_id=after, limit=self._page_size, overdue_only=overdue_only)
        try:
            answer = await self._stubs.upkeep.ListDeadlines(request, timeout=self._list_s)
        except grpc.aio.AioRpcError as error:
            raise _unavailable(error) from error
        # Only an empty page is the last. A short page may not be: the server may have a lower limit.
        last = answer.deadlines[-1].game_id if answer.deadlines else ""
        return DeadlinePage(tuple(from_deadlines(answer.deadlines)), last, answer.now_ms)


def _standing(fetched: pb.Fetched) -> TimeLeft | Refusal | None:
    if fetched.WhichOneof("result") == "snapshot":
        state = fetched.snapshot.state
        return TimeLeft(from_state(state), state.at_ms)
    if fetched.refusal.code == RefusalCode.NOT_FOUND:
        return None
    return wire.refusal_from_pb(fetched.refusal)


@contextmanager
def _traced(commands: Sequence[pb.Command]) -> Iterator[None]:
    """Start the root spans of the sampled flags; end them after the body."""
    spans = []
    for command in commands:
        if (span := tracing.root("clock.flag", game=command.game_id)) is not None:
            command.traceparent = span.traceparent
            spans.append(span)
            with tracing.told(span.traceparent):
                log.info("the deadline of version %d of game %s is due", command.flag.version, command.game_id)
    try:
        with tracing.batch("clock.batch", [command.traceparent for command in commands]):
            yield
    finally:
        for span in spans:
            span.end()


def _unavailable(error: grpc.aio.AioRpcError) -> GameUnavailable:
    return GameUnavailable(f"{error.code().name}: {error.details()}")
