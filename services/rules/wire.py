"""Questions and verdicts to and from their messages. One that says too little is Refused with the field's name."""

from services.domain.outcome import Outcome
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import RuleSet
from services.pb.flagfall.v1 import rules_pb2 as pb
from services.rules.judge import Play, Played, Position, Question, Start, TimeForfeit, Verdict
from services.rules.refused import Refused
from services.rules.standing import Standing
from services.runtime import wire


def question_from_pb(message: pb.Question, kind: str | None) -> Question:
    """A question of the kind that `message` holds; a ping is none and needs no judging."""
    match kind:
        case "play":
            return Play(_position(message.play.position), message.play.move)
        case "start":
            return Start(message.start.variant, message.start.fen)
        case "time_forfeit":
            flagged = wire.colour_from_pb(message.time_forfeit.flagged)
            if flagged is None:
                raise Refused(RefusalCode.MALFORMED, "whose time ran out is not said", "flagged")
            return TimeForfeit(_position(message.time_forfeit.position), flagged)
        case _:
            raise Refused(RefusalCode.MALFORMED, "the question asks nothing", "ask")


def rule_set_from_pb(message: pb.Question) -> RuleSet:
    """The rule set of a question."""
    try:
        return wire.rule_set_from_pb(message.rule_set)
    except ValueError as error:
        field, _, reason = str(error).partition(": ")
        raise Refused(RefusalCode.MALFORMED, reason, field) from error


def verdict_to_pb(verdict: Verdict) -> pb.Verdict:
    """A verdict."""
    match verdict:
        case Played(uci, san, standing):
            return pb.Verdict(played=pb.Played(uci=uci, san=san, standing=_standing(standing)))
        case Standing():
            return pb.Verdict(started=pb.Started(standing=_standing(verdict)))
        case Outcome():
            return pb.Verdict(forfeited=pb.Forfeited(outcome=wire.outcome_to_pb(verdict)))
        case Refusal():
            return pb.Verdict(refusal=wire.refusal_to_pb(verdict))


def _position(message: pb.Position) -> Position:
    return Position(message.variant, message.fen, message.keys)


def _standing(standing: Standing) -> pb.Standing:
    return pb.Standing(
        position=pb.Position(variant=standing.variant, fen=standing.fen, keys=standing.keys),
        turn=wire.colour_to_pb(standing.turn),
        check=standing.check,
        legal=" ".join(standing.legal),
        outcome=None if standing.outcome is None else wire.outcome_to_pb(standing.outcome),
        claims=wire.claims_to_pb(standing.claims) if standing.claims else (),
    )
