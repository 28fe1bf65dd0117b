"""The way in by gRPC: batches of questions.

Judging runs on the event loop itself. It takes some 100 us a question, so a full batch holds the loop for a few
milliseconds; a thread would add a hop and, under one interpreter lock, no speed. A breath between slices lets health
checks and other callers through.
"""

import asyncio
import logging
import time
from collections import Counter

import grpc

from services.domain.refusal import Refusal, RefusalCode
from services.pb.flagfall.v1 import rules_pb2 as pb
from services.pb.flagfall.v1.rules_pb2_grpc import RulesServiceServicer, add_RulesServiceServicer_to_server
from services.rules.judge import Verdict, judge
from services.rules.limits import Limits
from services.rules.metrics import JUDGE_SECONDS, VERDICTS
from services.rules.refused import Refused
from services.rules.seen import Seen
from services.rules.settings import RulesSettings
from services.rules.wire import question_from_pb, rule_set_from_pb, verdict_to_pb
from services.runtime import lifecycle, rpc

log = logging.getLogger(__name__)

SLICE_QUESTIONS = 64
"""Questions judged before the loop may turn."""


class RulesServer(RulesServiceServicer):
    """RulesService: each question is judged by itself, in order."""

    def __init__(self, limits: Limits, questions_max: int, positions_kept_max: int = 0) -> None:
        self._limits = limits
        self._seen = Seen(positions_kept_max)
        self._questions_max = questions_max

    async def Judge(
        self, request: pb.JudgeRequest, context: grpc.aio.ServicerContext[pb.JudgeRequest, pb.JudgeResponse]
    ) -> pb.JudgeResponse:
        """As many verdicts as there were questions. Too many questions are an INVALID_ARGUMENT for the whole call."""
        if len(request.questions) > self._questions_max:
            raise ValueError(f"a call holds at most {self._questions_max} questions, this {len(request.questions)}")
        verdicts: list[pb.Verdict] = []
        counts: Counter[tuple[str, str]] = Counter()
        spent_s = 0.0
        for first in range(0, len(request.questions), SLICE_QUESTIONS):
            if first:
                await asyncio.sleep(0)
            started_s = time.perf_counter()
            for question in request.questions[first : first + SLICE_QUESTIONS]:
                kind = question.WhichOneof("ask")
                verdict = answer(question, kind, self._limits, self._seen)
                verdicts.append(verdict)
                counts[kind or "none", verdict.refusal.code if verdict.HasField("refusal") else "ok"] += 1
            spent_s += time.perf_counter() - started_s
        JUDGE_SECONDS.observe(spent_s)
        for labels, count in counts.items():
            VERDICTS.labels(*labels).inc(count)
        return pb.JudgeResponse(verdicts=verdicts)


def answer(question: pb.Question, kind: str | None, limits: Limits, seen: Seen | None = None) -> pb.Verdict:
    """The verdict on one message. A defect in here is logged and refused, so that it harms no neighbour."""
    if kind == "ping":
        return pb.Verdict(pong=pb.Pong())
    try:
        verdict: Verdict = judge(question_from_pb(question, kind), rule_set_from_pb(question), limits, seen)
    except Refused as refused:
        verdict = refused.refusal
    except Exception:
        log.exception("a question could not be judged: %s", str(question)[:500])
        verdict = Refusal(RefusalCode.UNAVAILABLE, "The rules service failed on this question.")
    return verdict_to_pb(verdict)


async def serve(settings: RulesSettings, stop: lifecycle.Stop) -> None:
    """Serve until asked to stop, then drain."""
    server = RulesServer(settings.limits(), settings.questions_max, settings.positions_kept_max)
    async with (
        lifecycle.admin(settings, stop) as health,
        rpc.serving(settings, lambda grpc_server: add_RulesServiceServicer_to_server(server, grpc_server)),
    ):
        await stop.wait()
        health.drain()
