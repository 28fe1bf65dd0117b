"""Domain values to protobuf messages and back. Unknown or unset values are ValueErrors that name the field."""

from collections.abc import Sequence
from functools import lru_cache
from typing import cast

from services.domain.colour import Colour
from services.domain.outcome import Claim, EndReason, Outcome
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import MoveCount, Repetition, RuleSet, WinOnTime
from services.domain.time_control import ClockControl, Correspondence, TimeControl, Unlimited
from services.pb.flagfall.v1 import common_pb2 as pb

_COLOURS = {Colour.WHITE: pb.COLOR_WHITE, Colour.BLACK: pb.COLOR_BLACK}
_COLOURS_BACK = {number: colour for colour, number in _COLOURS.items()}
_REASONS = {value: cast(pb.EndReason, pb.EndReason.Value(f"END_REASON_{value.name}")) for value in EndReason}
_REASONS_BACK = {number: reason for reason, number in _REASONS.items()}
_CLAIMS = {value: cast(pb.Claim, pb.Claim.Value(f"CLAIM_{value.name}")) for value in Claim}
_NO_CLAIMS: frozenset[Claim] = frozenset()
_CLAIMS_BACK = {number: claim for claim, number in _CLAIMS.items()}
_REPETITIONS = {value: cast(pb.Repetition, pb.Repetition.Value(f"REPETITION_{value.name}")) for value in Repetition}
_MOVE_COUNTS = {value: cast(pb.MoveCount, pb.MoveCount.Value(f"MOVE_COUNT_{value.name}")) for value in MoveCount}
_WINS_ON_TIME = {value: cast(pb.WinOnTime, pb.WinOnTime.Value(f"WIN_ON_TIME_{value.name}")) for value in WinOnTime}
_REPETITIONS_BACK = {number: value for value, number in _REPETITIONS.items()}
_MOVE_COUNTS_BACK = {number: value for value, number in _MOVE_COUNTS.items()}
_WINS_ON_TIME_BACK = {number: value for value, number in _WINS_ON_TIME.items()}


def colour_to_pb(colour: Colour | None) -> pb.Color:
    """A colour; None is UNSPECIFIED."""
    return pb.COLOR_UNSPECIFIED if colour is None else _COLOURS[colour]


def colour_from_pb(number: pb.Color) -> Colour | None:
    """A colour; UNSPECIFIED is None."""
    return _COLOURS_BACK.get(number)


def outcome_to_pb(outcome: Outcome) -> pb.Outcome:
    """An outcome."""
    return pb.Outcome(winner=colour_to_pb(outcome.winner), reason=_REASONS[outcome.reason])


def outcome_from_pb(message: pb.Outcome) -> Outcome:
    """An outcome; ValueError without a known reason."""
    if message.reason not in _REASONS_BACK:
        raise ValueError(f"outcome.reason: unknown value {message.reason}")
    return Outcome(colour_from_pb(message.winner), _REASONS_BACK[message.reason])


def claims_to_pb(claims: frozenset[Claim]) -> list[pb.Claim]:
    """Claims in a stable order."""
    return [_CLAIMS[claim] for claim in Claim if claim in claims]


def claims_from_pb(numbers: Sequence[pb.Claim]) -> frozenset[Claim]:
    """Claims; unknown ones are left out, since a newer neighbour may know more."""
    if not numbers:
        return _NO_CLAIMS
    return frozenset(_CLAIMS_BACK[number] for number in numbers if number in _CLAIMS_BACK)


@lru_cache(maxsize=256)
def rule_set_to_pb(rule_set: RuleSet) -> pb.RuleSet:
    """A rule set. The message is shared: do not change it."""
    return pb.RuleSet(
        repetition=_REPETITIONS[rule_set.repetition],
        move_count=_MOVE_COUNTS[rule_set.move_count],
        win_on_time=_WINS_ON_TIME[rule_set.win_on_time],
    )


def rule_set_from_pb(message: pb.RuleSet) -> RuleSet:
    """A rule set; ValueError when a field is not set."""
    return _rule_set(message.repetition, message.move_count, message.win_on_time)


@lru_cache(maxsize=256)
def _rule_set(repetition: pb.Repetition, move_count: pb.MoveCount, win_on_time: pb.WinOnTime) -> RuleSet:
    if repetition not in _REPETITIONS_BACK:
        raise ValueError(f"rule_set.repetition: unknown value {repetition}")
    if move_count not in _MOVE_COUNTS_BACK:
        raise ValueError(f"rule_set.move_count: unknown value {move_count}")
    if win_on_time not in _WINS_ON_TIME_BACK:
        raise ValueError(f"rule_set.win_on_time: unknown value {win_on_time}")
    return RuleSet(
        _REPETITIONS_BACK[repetition],
        _MOVE_COUNTS_BACK[move_count],
        _WINS_ON_TIME_BACK[win_on_time],
    )


def time_control_to_pb(control: TimeControl) -> pb.TimeControl:
    """A time control."""
    match control:
        case Unlimited():
            return pb.TimeControl(unlimited=pb.Unlimited())
        case ClockControl(initial_ms, increment_ms):
            return pb.TimeControl(clock=pb.ClockControl(initial_ms=initial_ms, increment_ms=increment_ms))
        case Correspondence(days):
            return pb.TimeControl(correspondence=pb.CorrespondenceControl(days=days))


def time_control_from_pb(message: pb.TimeControl) -> TimeControl:
    """A time control; ValueError when no kind is set. Whether its figures may be asked for, `problem` says."""
    kind = message.WhichOneof("kind")
    if kind == "unlimited":
        return Unlimited()
    if kind == "clock":
        return ClockControl(message.clock.initial_ms, message.clock.increment_ms)
    if kind == "correspondence":
        return Correspondence(message.correspondence.days)
    raise ValueError("time_control: no kind is set")


def refusal_to_pb(refusal: Refusal) -> pb.Refusal:
    """A refusal."""
    return pb.Refusal(code=refusal.code, message=refusal.message, at=refusal.at)


def refusal_from_pb(message: pb.Refusal) -> Refusal:
    """A refusal; a code from a newer neighbour becomes `not_allowed` with its message kept."""
    try:
        code = RefusalCode(message.code)
    except ValueError:
        code = RefusalCode.NOT_ALLOWED
    return Refusal(code, message.message, message.at)
