"""Questions and verdicts to and from their messages. A message with a missing field raises Rejected with its name."""

from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import DEFAULT_PRESET, PRESETS, RuleSet
from services.domain.text import say
from services.pb.flagfall.v1 import common_pb2
from services.pb.flagfall.v1 import rules_pb2 as pb
from services.rules.dead.possible_mate import CanMate
from services.rules.forfeit import Forfeited, ForfeitKind
from services.rules.judge import Forfeit, Play, Played, Position, Question, Start, Verdict
from services.rules.legal_moves import LegalMove
from services.rules.refused import Rejected
from services.rules.standing import Standing
from services.runtime import wire

_KINDS = {pb.FORFEIT_KIND_FLAG: ForfeitKind.FLAG, pb.FORFEIT_KIND_RESIGNATION: ForfeitKind.RESIGNATION}
_CAN_MATE = {CanMate.YES: pb.CAN_MATE_YES, CanMate.NO: pb.CAN_MATE_NO, CanMate.UNKNOWN: pb.CAN_MATE_UNKNOWN}


def question_from_pb(message: pb.Question, kind: str | None) -> Question:
    """The question in `message`, of this `kind`. A ping is not a question."""
    match kind:
        case "play":
            return Play(position_from_pb(message.play.position), message.play.move)
        case "start":
            return Start(message.start.variant, message.start.fen, number_of(message.start), tuple(message.start.moves))
        case "forfeit":
            return forfeit_from_pb(message.forfeit)
        case _:
            raise Rejected(RefusalCode.MALFORMED, say("rules.question_empty"), "ask")


def position_from_pb(message: pb.Position) -> Position:
    """Position from protobuf. It is not checked here."""
    return Position(message.variant, message.fen, message.keys)


def number_of(message: pb.Start | pb.StartPositionRequest) -> int | None:
    """The number of a Chess960 position, or None."""
    return message.number if message.HasField("number") else None


def forfeit_from_pb(message: pb.Forfeit) -> Forfeit:
    """Forfeit from protobuf."""
    loser = wire.colour_from_pb(message.loser)
    if loser is None:
        raise Rejected(RefusalCode.MALFORMED, say("rules.forfeit_without_loser"), "loser")
    kind = _KINDS.get(message.kind)
    if kind is None:
        raise Rejected(RefusalCode.MALFORMED, say("rules.forfeit_without_kind"), "kind")
    return Forfeit(position_from_pb(message.position), loser, kind, message.thorough)


def rule_set_from_pb(message: common_pb2.RuleSet) -> RuleSet:
    """Rule set from protobuf; all fields must be set."""
    try:
        return wire.rule_set_from_pb(message)
    except ValueError as error:
        field = str(error).partition(": ")[0]
        raise Rejected(RefusalCode.MALFORMED, say("rules.rule_set_field"), field) from error


def options_from_pb(message: common_pb2.RuleSet) -> RuleSet:
    """A rule set of which only the options of Chaturanga are used; an empty message is the default."""
    return rule_set_from_pb(message) if message.ByteSize() else PRESETS[DEFAULT_PRESET]


def verdict_to_pb(verdict: Verdict) -> pb.Verdict:
    """Verdict to protobuf."""
    match verdict:
        case Played(uci, san, standing):
            message = pb.Verdict()
            message.played.uci, message.played.san = uci, san
            _fill_standing(message.played.standing, standing)
            return message
        case Standing():
            return pb.Verdict(started=pb.Started(standing=standing_to_pb(verdict)))
        case Forfeited(outcome, can_mate, undetermined):
            forfeited = pb.Forfeited(
                outcome=wire.outcome_to_pb(outcome), can_mate=_CAN_MATE[can_mate], undetermined=undetermined
            )
            return pb.Verdict(forfeited=forfeited)
        case Refusal():
            return pb.Verdict(refusal=wire.refusal_to_pb(verdict))


def legal_move_to_pb(move: LegalMove) -> pb.LegalMove:
    """Legal move to protobuf."""
    return pb.LegalMove(
        uci=move.uci, uci_960=move.uci_960, san=move.san, capture=move.capture, check=move.check, wins=move.wins
    )


def standing_to_pb(standing: Standing) -> pb.Standing:
    """Standing to protobuf."""
    message = pb.Standing()
    _fill_standing(message, standing)
    return message


def _fill_standing(message: pb.Standing, standing: Standing) -> None:
    """Set the fields of an empty message in place: a message passed to a constructor would be copied."""
    position = message.position
    position.variant, position.fen, position.keys = standing.variant, standing.fen, standing.keys
    message.turn = wire.colour_to_pb(standing.turn)
    message.check = standing.check
    message.legal = " ".join(standing.legal)
    if standing.outcome is not None:
        message.outcome.CopyFrom(wire.outcome_to_pb(standing.outcome))
    if standing.claims:
        message.claims.extend(wire.claims_to_pb(standing.claims))
