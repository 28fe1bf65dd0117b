"""The rules service over gRPC: questions as values in, verdicts as values out."""

from collections.abc import Awaitable, Sequence
from typing import TypeVar

import grpc

from services.domain.colour import Colour
from services.domain.pgn import PgnMove
from services.domain.refusal import Refusal
from services.domain.rule_set import RuleSet
from services.game.play.game import Standing
from services.game.play.pgn_game import PgnGame
from services.game.play.question import (
    CanMate,
    Forfeit,
    Forfeited,
    ForfeitKind,
    Ping,
    Play,
    Played,
    Pong,
    Question,
    RulesUnavailable,
    Start,
    Verdict,
)
from services.pb.flagfall.v1 import rules_pb2 as pb
from services.pb.flagfall.v1.rules_pb2_grpc import RulesServiceStub
from services.runtime.rpc import refusal_of
from services.runtime.wire import (
    claims_from_pb,
    colour_from_pb,
    colour_to_pb,
    outcome_from_pb,
    refusal_from_pb,
    rule_set_to_pb,
)

A = TypeVar("A")

_FORFEIT_KINDS = {
    ForfeitKind.FLAG: pb.FORFEIT_KIND_FLAG,
    ForfeitKind.RESIGNATION: pb.FORFEIT_KIND_RESIGNATION,
}
_CAN_MATE = {pb.CAN_MATE_YES: CanMate.YES, pb.CAN_MATE_NO: CanMate.NO}


class GrpcRules:
    """The rules service over gRPC, one call per batch. Raises RulesUnavailable if a call is not answered."""

    def __init__(self, channel: grpc.aio.Channel, timeout_ms: int) -> None:
        self._stub = RulesServiceStub(channel)
        self._timeout_s = timeout_ms / 1000

    async def judge(self, questions: Sequence[Question]) -> list[Verdict]:
        """A verdict for each question, in order."""
        request = pb.JudgeRequest(questions=[_question(question) for question in questions])
        answer = await _answered(self._stub.Judge(request, timeout=self._timeout_s))
        if len(answer.verdicts) != len(questions):
            raise RuntimeError(f"{len(answer.verdicts)} verdicts to {len(questions)} questions")
        return [_verdict(verdict) for verdict in answer.verdicts]

    async def adjudicate(self, question: Forfeit, timeout_s: float) -> Verdict:
        """The verdict on a forfeit after a full search; `timeout_s` limits the call, in seconds."""
        asked = pb.Adjudication(rule_set=rule_set_to_pb(question.rule_set), forfeit=_forfeit(question))
        request = pb.AdjudicateTimeoutRequest(questions=[asked])
        answer = await _answered(self._stub.AdjudicateTimeout(request, timeout=timeout_s))
        if len(answer.verdicts) != 1:
            raise RuntimeError(f"{len(answer.verdicts)} verdicts to one question")
        return _verdict(answer.verdicts[0])

    async def read_pgn(
        self, pgn: bytes, rule_set: RuleSet, games_max: int, timeout_s: float
    ) -> Sequence[PgnGame] | Refusal:
        """The games of a PGN without variations and comments, at most `games_max`, or a refusal."""
        request = pb.ReadPgnRequest(pgn=pgn, rule_set=rule_set_to_pb(rule_set), games_max=games_max)
        answer = await _answered(self._stub.ReadPgn(request, timeout=timeout_s))
        if answer.HasField("refusal"):
            return refusal_from_pb(answer.refusal)
        return [_pgn_game(game) for game in answer.games.games]


async def _answered(call: Awaitable[A]) -> A:
    """The answer to a call. Raises RulesUnavailable if there is none."""
    try:
        return await call
    except grpc.aio.AioRpcError as error:
        away = error.code() is grpc.StatusCode.UNAVAILABLE
        raise RulesUnavailable(refusal_of(error), error.code().name, away=away) from error


def _question(question: Question) -> pb.Question:
    match question:
        case Play(variant, rule_set, fen, keys, move):
            position = pb.Position(variant=variant, fen=fen, keys=keys)
            return pb.Question(
                rule_set=rule_set_to_pb(rule_set),
                play=pb.Play(position=position, move=move),
                traceparent=question.trace,
            )
        case Forfeit():
            return pb.Question(
                rule_set=rule_set_to_pb(question.rule_set), forfeit=_forfeit(question), traceparent=question.trace
            )
        case Start(variant, rule_set, fen, number, moves):
            return pb.Question(
                rule_set=rule_set_to_pb(rule_set), start=pb.Start(variant=variant, fen=fen, number=number, moves=moves)
            )
        case Ping():
            return pb.Question(ping=pb.Ping())


def _forfeit(question: Forfeit) -> pb.Forfeit:
    return pb.Forfeit(
        position=pb.Position(variant=question.variant, fen=question.fen, keys=question.keys),
        loser=colour_to_pb(question.loser),
        kind=_FORFEIT_KINDS[question.kind],
    )


def _verdict(verdict: pb.Verdict) -> Verdict:
    kind = verdict.WhichOneof("answer")
    if kind == "played":
        return Played(verdict.played.uci, verdict.played.san, _standing(verdict.played.standing))
    if kind == "started":
        return _standing(verdict.started.standing)
    if kind == "forfeited":
        forfeited = verdict.forfeited
        can_mate = _CAN_MATE.get(forfeited.can_mate, CanMate.UNKNOWN)
        return Forfeited(outcome_from_pb(forfeited.outcome), can_mate, forfeited.undetermined)
    if kind == "refusal":
        return refusal_from_pb(verdict.refusal)
    if kind == "pong":
        return Pong()
    raise RuntimeError("a verdict without an answer")


def _pgn_game(game: pb.PgnGame) -> PgnGame:
    moves = (PgnMove(m.uci, m.san, m.clock_ms if m.HasField("clock_ms") else None) for m in game.moves)
    return PgnGame(
        {tag.name: tag.value for tag in game.tags},
        game.variant,
        game.initial_fen,
        tuple(moves),
        outcome_from_pb(game.outcome) if game.HasField("outcome") else None,
        _standing(game.final),
        game.line,
    )


def _standing(standing: pb.Standing) -> Standing:
    return Standing(
        standing.position.fen,
        standing.position.keys,
        colour_from_pb(standing.turn) or Colour.WHITE,
        standing.check,
        standing.legal,
        claims_from_pb(standing.claims),
        outcome_from_pb(standing.outcome) if standing.HasField("outcome") else None,
    )
