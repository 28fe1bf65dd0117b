"""The gRPC server: batches of questions about moves, and calls about one position.

Judging runs on the event loop. A question takes about 100 us, so a full batch blocks the loop for a few milliseconds. A
thread would add a hop and, with one interpreter lock, no speed. Between slices the loop serves health checks and other
callers.
"""

import asyncio
import logging
import secrets
import time
from collections import Counter
from typing import Protocol

import grpc

from services.domain.colour import Colour
from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.domain.variant import Variant
from services.pb.flagfall.v1 import rules_pb2 as pb
from services.pb.flagfall.v1.rules_pb2_grpc import RulesServiceServicer, add_RulesServiceServicer_to_server
from services.rules.adjudication import JOB, Adjudicator
from services.rules.dead.possible_mate import CanMate
from services.rules.families.chess960 import NUMBERS
from services.rules.judge import Start, Verdict, judge, start, written_fen
from services.rules.legal_moves import legal_moves, parse_move
from services.rules.limits import InputLimits
from services.rules.metrics import JUDGE_SECONDS, QUESTIONS_AT_ONCE, VERDICTS
from services.rules.pgn import pgn_job
from services.rules.refused import Rejected
from services.rules.seen import Seen
from services.rules.settings import RulesSettings
from services.rules.side_process import NoAnswer, SideProcess
from services.rules.wire import (
    forfeit_from_pb,
    legal_move_to_pb,
    number_of,
    options_from_pb,
    position_from_pb,
    question_from_pb,
    rule_set_from_pb,
    standing_to_pb,
    verdict_to_pb,
)
from services.runtime import lifecycle, rpc, tracing, wire

log = logging.getLogger(__name__)

SLICE_QUESTIONS = 64
"""The number of questions judged before the event loop may run other tasks."""


class PgnWork(Protocol):
    """Reads and writes PGN outside this process (`pgn_job`)."""

    async def ask(self, question: bytes) -> bytes:
        """The answer to a question. Raises NoAnswer."""


class Searches(Protocol):
    """Searches, outside this process, whether a side can still mate."""

    async def can_mate(self, fen: str, chess960: bool, side: Colour) -> CanMate:
        """Whether `side` can mate; UNKNOWN if the search reaches its limits."""


class RulesServer(RulesServiceServicer):
    """RulesService: it judges each question separately, in order."""

    def __init__(
        self,
        limits: InputLimits,
        questions_max: int,
        positions_kept_max: int = 0,
        adjudicator: Searches | None = None,
        pgn: PgnWork | None = None,
    ) -> None:
        """Without `adjudicator` there is no search; without `pgn` no PGN is read or written."""
        self._limits = limits
        self._pgn = pgn
        self._adjudicator = adjudicator
        self._seen = Seen(positions_kept_max)
        self._questions_max = questions_max

    async def Judge(
        self, request: pb.JudgeRequest, context: grpc.aio.ServicerContext[pb.JudgeRequest, pb.JudgeResponse]
    ) -> pb.JudgeResponse:
        """One verdict for each question, in order. Too many questions: INVALID_ARGUMENT for the whole call."""
        if len(request.questions) > self._questions_max:
            raise rpc.BadRequest(f"a call holds at most {self._questions_max} questions, this {len(request.questions)}")
        verdicts: list[pb.Verdict] = []
        counts: Counter[tuple[str, str]] = Counter()
        spent_s = 0.0
        for first in range(0, len(request.questions), SLICE_QUESTIONS):
            if first:
                await asyncio.sleep(0)
            started_s = time.perf_counter()
            for question in request.questions[first : first + SLICE_QUESTIONS]:
                kind = question.WhichOneof("ask")
                start_ns = tracing.now_ns() if tracing.on else 0
                verdict = answer(question, kind, self._limits, self._seen)
                if start_ns and tracing.TRACEPARENT.fullmatch(question.traceparent):
                    _trace(question.traceparent, kind, verdict, start_ns)
                verdicts.append(verdict)
                counts[kind or "none", verdict.refusal.code if verdict.HasField("refusal") else "ok"] += 1
            spent_s += time.perf_counter() - started_s
        JUDGE_SECONDS.observe(spent_s)
        QUESTIONS_AT_ONCE.observe(len(request.questions))
        for labels, count in counts.items():
            VERDICTS.labels(*labels).inc(count)
        return pb.JudgeResponse(verdicts=verdicts)

    async def Legal(
        self, request: pb.LegalRequest, context: grpc.aio.ServicerContext[pb.LegalRequest, pb.LegalResponse]
    ) -> pb.LegalResponse:
        """The legal moves of one position."""
        try:
            rule_set = rule_set_from_pb(request.rule_set)
            standing, moves = legal_moves(position_from_pb(request.position), rule_set, self._limits)
        except Rejected as refused:
            return pb.LegalResponse(refusal=wire.refusal_to_pb(refused.refusal))
        described = [legal_move_to_pb(move) for move in moves]
        return pb.LegalResponse(legal=pb.LegalMoves(moves=described, standing=standing_to_pb(standing)))

    async def ParseMove(
        self, request: pb.ParseMoveRequest, context: grpc.aio.ServicerContext[pb.ParseMoveRequest, pb.ParseMoveResponse]
    ) -> pb.ParseMoveResponse:
        """The legal move that a text names."""
        try:
            options = options_from_pb(request.rule_set)
            move = parse_move(position_from_pb(request.position), request.text, options, self._limits)
        except Rejected as refused:
            return pb.ParseMoveResponse(refusal=wire.refusal_to_pb(refused.refusal))
        return pb.ParseMoveResponse(move=legal_move_to_pb(move))

    async def StartPosition(
        self,
        request: pb.StartPositionRequest,
        context: grpc.aio.ServicerContext[pb.StartPositionRequest, pb.StartPositionResponse],
    ) -> pb.StartPositionResponse:
        """The starting position of a variant. For Chess960 without a number, this draws a random one."""
        number = number_of(request)
        if number is None and request.variant == Variant.CHESS960:
            number = secrets.choice(NUMBERS)
        try:
            options = options_from_pb(request.rule_set)
            standing = start(Start(request.variant, number=number), options, self._limits)
        except Rejected as refused:
            return pb.StartPositionResponse(refusal=wire.refusal_to_pb(refused.refusal))
        return pb.StartPositionResponse(start=pb.StartedAt(standing=standing_to_pb(standing), number=number))

    async def AdjudicateTimeout(
        self,
        request: pb.AdjudicateTimeoutRequest,
        context: grpc.aio.ServicerContext[pb.AdjudicateTimeoutRequest, pb.AdjudicateTimeoutResponse],
    ) -> pb.AdjudicateTimeoutResponse:
        """Who wins each forfeited game, with a search if needed. All searches use the same side process."""
        if len(request.questions) > self._questions_max:
            raise rpc.BadRequest(f"a call holds at most {self._questions_max} questions, this {len(request.questions)}")
        async with asyncio.TaskGroup() as group:
            searches = []
            for question in request.questions:
                searches.append(group.create_task(self._adjudicate(question)))
                await asyncio.sleep(0)  # each starts with work on this loop: let other tasks run between
        return pb.AdjudicateTimeoutResponse(verdicts=[search.result() for search in searches])

    async def ReadPgn(
        self, request: pb.ReadPgnRequest, context: grpc.aio.ServicerContext[pb.ReadPgnRequest, pb.ReadPgnResponse]
    ) -> pb.ReadPgnResponse:
        """The games of a PGN."""
        try:
            return pb.ReadPgnResponse.FromString(await self._pgn_work(pgn_job.READ + request.SerializeToString()))
        except NoAnswer as error:
            return pb.ReadPgnResponse(refusal=wire.refusal_to_pb(_unavailable(error)))

    async def WritePgn(
        self, request: pb.WritePgnRequest, context: grpc.aio.ServicerContext[pb.WritePgnRequest, pb.WritePgnResponse]
    ) -> pb.WritePgnResponse:
        """The PGN of games."""
        try:
            return pb.WritePgnResponse.FromString(await self._pgn_work(pgn_job.WRITE + request.SerializeToString()))
        except NoAnswer as error:
            return pb.WritePgnResponse(refusal=wire.refusal_to_pb(_unavailable(error)))

    async def _pgn_work(self, question: bytes) -> bytes:
        if self._pgn is None:
            raise NoAnswer(say("rules.side_none"))
        return await self._pgn.ask(question)

    async def _adjudicate(self, message: pb.Adjudication) -> pb.Verdict:
        asked = pb.Question(rule_set=message.rule_set, forfeit=message.forfeit)
        asked.forfeit.thorough = True
        verdict = answer(asked, "forfeit", self._limits)
        if not verdict.forfeited.undetermined or self._adjudicator is None:
            return verdict
        forfeit = forfeit_from_pb(message.forfeit)
        fen = written_fen(forfeit.position, rule_set_from_pb(message.rule_set), self._limits)
        chess960 = forfeit.position.variant == Variant.CHESS960
        searched = await self._adjudicator.can_mate(fen, chess960, forfeit.loser.other)
        return answer(asked, "forfeit", self._limits, searched=searched)


def answer(
    question: pb.Question,
    kind: str | None,
    limits: InputLimits,
    seen: Seen | None = None,
    searched: CanMate | None = None,
) -> pb.Verdict:
    """The verdict on one message. A bug is logged and refused, so it does not affect the other questions."""
    if kind == "ping":
        return pb.Verdict(pong=pb.Pong())
    try:
        verdict: Verdict = judge(
            question_from_pb(question, kind), rule_set_from_pb(question.rule_set), limits, seen, searched
        )
    except Rejected as refused:
        verdict = refused.refusal
    except Exception:
        log.exception("a question could not be judged: %s", str(question)[:500])
        verdict = Refusal(RefusalCode.UNAVAILABLE, say("rules.judge_failed"))
    return verdict_to_pb(verdict)


def _trace(traceparent: str, kind: str | None, verdict: pb.Verdict, start_ns: int) -> None:
    outcome = verdict.refusal.code if verdict.HasField("refusal") else "ok"
    span = tracing.child("rules.judge", traceparent, start_ns, question=kind or "none")
    if span is not None:
        span.end(verdict=outcome)
        with tracing.told(span.traceparent):
            log.info("%s judged: %s", kind, outcome)


def _unavailable(error: NoAnswer) -> Refusal:
    return Refusal(RefusalCode.UNAVAILABLE, say("rules.pgn_unavailable", problem=error.text))


async def serve(settings: RulesSettings, stop: lifecycle.Stop) -> None:
    """Run the rules service until asked to stop, then drain."""
    async with (
        lifecycle.admin(settings, stop) as health,
        SideProcess(JOB, settings.adjudication_bounds()) as search,
        SideProcess("pgn", settings.pgn_bounds()) as pgn,
    ):
        adjudicator = Adjudicator(search, settings.adjudication_nodes_max)
        server = RulesServer(settings.limits(), settings.questions_max, settings.positions_kept_max, adjudicator, pgn)
        async with rpc.serving(
            settings,
            lambda grpc_server: add_RulesServiceServicer_to_server(server, grpc_server),
            pb.DESCRIPTOR.services_by_name["RulesService"].methods_by_name,
        ):
            await stop.wait()
            health.drain()
