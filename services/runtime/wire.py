"""Domain values to protobuf messages and back. An unknown or unset value raises a ValueError that names the field."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any, cast

from google.protobuf.message import Message

from services.domain.chaturanga import CHATURANGA, BareKing, ChaturangaRules, Elephant, Kings, PawnBecomes, Stalemate
from services.domain.colour import Colour
from services.domain.outcome import Claim, EndReason, Outcome
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import (
    AbsentPlayer,
    Agreement,
    DeadPosition,
    FallenFlag,
    LateCorrespondence,
    MoveCount,
    RatedDraw,
    Rematch,
    Repetition,
    Resignation,
    RuleSet,
    Takeback,
    WinOnTime,
)
from services.domain.text import Argument, Text, say
from services.domain.time_control import ClockControl, Correspondence, PerMove, TimeControl, Unlimited
from services.pb.flagfall.v1 import common_pb2 as pb
from services.words.catalogue import knows, sentence

_COLOURS = {Colour.WHITE: pb.COLOR_WHITE, Colour.BLACK: pb.COLOR_BLACK}
_COLOURS_BACK = {number: colour for colour, number in _COLOURS.items()}
_REASONS = {value: cast(pb.EndReason, pb.EndReason.Value(f"END_REASON_{value.name}")) for value in EndReason}
_REASONS_BACK = {number: reason for reason, number in _REASONS.items()}
_CLAIMS = {value: cast(pb.Claim, pb.Claim.Value(f"CLAIM_{value.name}")) for value in Claim}
_NO_CLAIMS: frozenset[Claim] = frozenset()
_CLAIMS_BACK = {number: claim for claim, number in _CLAIMS.items()}
_RULES = {
    "repetition": Repetition,
    "move_count": MoveCount,
    "win_on_time": WinOnTime,
    "dead_position": DeadPosition,
    "fallen_flag": FallenFlag,
    "resignation": Resignation,
    "agreement": Agreement,
    "absent_player": AbsentPlayer,
    "late_correspondence": LateCorrespondence,
    "takeback": Takeback,
    "rated_draw": RatedDraw,
    "rematch": Rematch,
}
"""The fields of a RuleSet and of its message, by name, with the type of each."""
_ADDED: dict[str, Any] = {
    "dead_position": DeadPosition.BY_MATERIAL,
    "fallen_flag": FallenFlag.DECIDES_AT_ONCE,
    "resignation": Resignation.LOSS,
    "agreement": Agreement.ANY_TIME,
    "absent_player": AbsentPlayer.CLOCK_RUNS,
    "late_correspondence": LateCorrespondence.CLOSED_AT_ONCE,
    "takeback": Takeback.NEVER,
    "rated_draw": RatedDraw.HALF_POINT,
    "rematch": Rematch.COLOURS_SWAP,
}
"""Fields added by schema migration 0003. Games of older RuleSet messages, with three fields, used these values."""
_CHATURANGA = {
    "stalemate": Stalemate,
    "bare_king": BareKing,
    "elephant": Elephant,
    "kings": Kings,
    "pawn_becomes": PawnBecomes,
}
_RULE_SETS_CACHED = 1024


def colour_to_pb(colour: Colour | None) -> pb.Color:
    """Colour to protobuf; None becomes UNSPECIFIED."""
    return pb.COLOR_UNSPECIFIED if colour is None else _COLOURS[colour]


def colour_from_pb(number: pb.Color) -> Colour | None:
    """Colour from protobuf; UNSPECIFIED becomes None."""
    return _COLOURS_BACK.get(number)


def outcome_to_pb(outcome: Outcome) -> pb.Outcome:
    """Outcome to protobuf."""
    return pb.Outcome(winner=colour_to_pb(outcome.winner), reason=_REASONS[outcome.reason])


def outcome_from_pb(message: pb.Outcome) -> Outcome:
    """Outcome from protobuf. Raises ValueError if the reason is unset or unknown."""
    if message.reason not in _REASONS_BACK:
        raise ValueError(f"outcome.reason: unknown value {message.reason}")
    return Outcome(colour_from_pb(message.winner), _REASONS_BACK[message.reason])


def claims_to_pb(claims: frozenset[Claim]) -> list[pb.Claim]:
    """Claims to protobuf, in a stable order."""
    return [_CLAIMS[claim] for claim in Claim if claim in claims]


def claims_from_pb(numbers: Sequence[pb.Claim]) -> frozenset[Claim]:
    """Claims from protobuf. Unknown ones are left out: a newer service may know more."""
    if not numbers:
        return _NO_CLAIMS
    return frozenset(_CLAIMS_BACK[number] for number in numbers if number in _CLAIMS_BACK)


@lru_cache(maxsize=_RULE_SETS_CACHED)
def rule_set_to_pb(rule_set: RuleSet) -> pb.RuleSet:
    """Rule set to protobuf. The message is shared: do not change it."""
    message = pb.RuleSet(**_numbers(pb.RuleSet, rule_set, _RULES))
    if rule_set.chaturanga != CHATURANGA:
        rules = rule_set.chaturanga
        options = pb.ChaturangaRules(**_numbers(pb.ChaturangaRules, rules, _CHATURANGA), king_leap=rules.king_leap)
        message.chaturanga.CopyFrom(options)
    return message


def rule_set_from_pb(message: pb.RuleSet) -> RuleSet:
    """Rule set from protobuf. Raises ValueError if a field is not set. If all fields that were added later are unset,
    the message comes from an older replica or an old row, and they get the values of that time."""
    return _rule_set(message.SerializeToString(deterministic=True))


@lru_cache(maxsize=_RULE_SETS_CACHED)
def _rule_set(data: bytes) -> RuleSet:
    message = pb.RuleSet.FromString(data)
    if any(getattr(message, field) for field in _ADDED):
        values = _values(message, _RULES, "rule_set")
    else:
        first = {field: kind for field, kind in _RULES.items() if field not in _ADDED}
        values = _values(message, first, "rule_set") | _ADDED
    return RuleSet(**values, chaturanga=chaturanga_from_pb(message))


def chaturanga_from_pb(message: pb.RuleSet) -> ChaturangaRules:
    """The options of Chaturanga in a rule set; the defaults if it has none. Raises ValueError if only some are set."""
    if not message.HasField("chaturanga"):
        return CHATURANGA
    options = _values(message.chaturanga, _CHATURANGA, "rule_set.chaturanga")
    return ChaturangaRules(**options, king_leap=message.chaturanga.king_leap)


def _numbers(kind: type[Message], value: object, fields: Mapping[str, type[StrEnum]]) -> dict[str, Any]:
    """The enum numbers of a value's fields. The name of an enum number is the field's name and the member's name."""
    numbers = {}
    for field in fields:
        enum = kind.DESCRIPTOR.fields_by_name[field].enum_type
        assert enum is not None, "each of these fields is an enum"
        numbers[field] = enum.values_by_name[f"{field.upper()}_{getattr(value, field).name}"].number
    return numbers


def _values(message: Message, fields: Mapping[str, type[StrEnum]], at: str) -> dict[str, Any]:
    """The enum members for a message's numbers. Raises ValueError if a number is unset or unknown."""
    values = {}
    for field, kind in fields.items():
        number = getattr(message, field)
        enum = message.DESCRIPTOR.fields_by_name[field].enum_type
        assert enum is not None, "each of these fields is an enum"
        name = enum.values_by_number.get(number)
        member = None if name is None else kind.__members__.get(name.name.removeprefix(f"{field.upper()}_"))
        if member is None:
            raise ValueError(f"{at}.{field}: {f'unknown value {number}' if number else 'not set'}")
        values[field] = member
    return values


def time_control_to_pb(control: TimeControl) -> pb.TimeControl:
    """Time control to protobuf."""
    match control:
        case Unlimited():
            return pb.TimeControl(unlimited=pb.Unlimited())
        case ClockControl(initial_ms, increment_ms):
            return pb.TimeControl(clock=pb.ClockControl(initial_ms=initial_ms, increment_ms=increment_ms))
        case PerMove(turn_ms):
            return pb.TimeControl(per_move=pb.PerMoveControl(turn_ms=turn_ms))
        case Correspondence(days):
            return pb.TimeControl(correspondence=pb.CorrespondenceControl(days=days))


def time_control_from_pb(message: pb.TimeControl) -> TimeControl:
    """Time control from protobuf. Raises ValueError if no kind is set. `time_control.problem` checks its figures."""
    kind = message.WhichOneof("kind")
    if kind == "unlimited":
        return Unlimited()
    if kind == "clock":
        return ClockControl(message.clock.initial_ms, message.clock.increment_ms)
    if kind == "per_move":
        return PerMove(message.per_move.turn_ms)
    if kind == "correspondence":
        return Correspondence(message.correspondence.days)
    raise ValueError("time_control: no kind is set")


def refusal_to_pb(refusal: Refusal) -> pb.Refusal:
    """Refusal to protobuf."""
    return pb.Refusal(code=refusal.code, message=sentence(refusal.text), at=refusal.at, text=text_to_pb(refusal.text))


def refusal_from_pb(message: pb.Refusal) -> Refusal:
    """Refusal from protobuf. An unknown code, from a newer service, becomes `not_allowed` and keeps its text.

    A message without a text comes from the release before, and one with an unknown text from the release after: then
    its English sentence is the text.
    """
    try:
        code = RefusalCode(message.code)
    except ValueError:
        code = RefusalCode.NOT_ALLOWED
    text = text_from_pb(message.text) if message.HasField("text") else None
    if text is None or not knows(text):
        text = say("request.said", sentence=message.message)
    return Refusal(code, text, message.at)


def text_to_pb(text: Text) -> pb.Text:
    """Text to protobuf."""
    told = pb.Text(key=text.key)
    for name, value in text.arguments:
        match value:
            case Text():
                told.arguments[name].sentence.CopyFrom(text_to_pb(value))
            case str():
                told.arguments[name].text = value
            case int():
                told.arguments[name].number = value
    return told


def text_from_pb(message: pb.Text) -> Text:
    """Text from protobuf."""
    return Text(message.key, tuple(sorted((name, _argument(value)) for name, value in message.arguments.items())))


def _argument(message: pb.Text.Argument) -> Argument:
    match message.WhichOneof("value"):
        case "sentence":
            return text_from_pb(message.sentence)
        case "number":
            return message.number
        case _:
            return message.text
