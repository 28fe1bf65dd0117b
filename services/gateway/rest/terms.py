"""Reads the game that a request asks for: variant, position, time, colour, rule set."""

import math
import re
from dataclasses import dataclass

from services.domain.text import say
from services.domain.time_control import (
    WRONG_INCREMENT,
    ClockControl,
    Correspondence,
    PerMove,
    TimeControl,
    Unlimited,
    is_live,
    problem,
)
from services.domain.variant import Variant
from services.gateway.errors import malformed
from services.gateway.protocol.rule_sets import RULE_FIELDS
from services.gateway.rest.requests import Fields
from services.gateway.rest.rule_fields import chosen
from services.pb.flagfall.v1 import common_pb2
from services.runtime.wire import rule_set_to_pb, time_control_to_pb

FEN_CHARS_MAX = 256
SECONDS_MAX = 100_000
_MINUTES_CHARS_MAX = 10
_RANGE_CHARS_MAX = 20
_RANGE = re.compile(r"([0-9]{1,4})-([0-9]{1,4})")

_COLOURS = {
    "white": common_pb2.COLOR_WHITE,
    "black": common_pb2.COLOR_BLACK,
    "random": common_pb2.COLOR_UNSPECIFIED,
}
GAME_FIELDS = ("variant", "fen", "clock.limit", "clock.increment", "days", "perMove", "color", *RULE_FIELDS)
"""The fields of `wanted_game`. Endpoints refuse other names: with a misspelt clock, a game would have none."""
SEEK_FIELDS = ("variant", "time", "increment", "days", "perMove", "untimed", "color", "ratingRange", *RULE_FIELDS)
"""The fields of `wanted_seek`. The public API's seek has its clock in minutes."""
UNUSED_FIELDS = ("rules", "message")
"""Fields that clients of the public API may send too. They have no effect: what they forbid does not exist here."""
FROM_POSITION = "fromPosition"
"""The public API's key for standard chess from a given position."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The requested game, ready for the game service."""

    variant: str
    initial_fen: str
    rule_set: common_pb2.RuleSet
    time_control: common_pb2.TimeControl
    color: common_pb2.Color


def wanted_game(fields: Fields) -> Wanted:
    """Read all fields of a game. Raises Refused with the name of the invalid field."""
    key = fields.choice("variant", [*Variant, FROM_POSITION], Variant.STANDARD.value)
    fen = fields.text("fen", "", chars_max=FEN_CHARS_MAX)
    if fields.has("fen") and not fen.strip():
        # A client that sends an empty position wanted a position: do not use the starting position instead.
        raise malformed(say("request.fen_empty"), "fen")
    if key == FROM_POSITION:
        if not fen:
            raise malformed(say("request.no_fen"), "fen")
        key = Variant.STANDARD.value
    rule_set = rule_set_to_pb(chosen(fields, key))
    return Wanted(key, fen, rule_set, time_control_to_pb(_control(fields)), colour(fields))


def colour(fields: Fields) -> common_pb2.Color:
    """The field `color`: white, black or random (UNSPECIFIED). When missing, random."""
    return _COLOURS[fields.choice("color", _COLOURS, "random")]


def _control(fields: Fields) -> TimeControl:
    """A clock, days, or seconds for each move; unlimited without any of them. Raises Refused for several."""
    has_clock = fields.has("clock.limit") or fields.has("clock.increment")
    _one_of(fields, has_clock)
    if has_clock:
        limit_s = fields.integer("clock.limit", least=0, most=SECONDS_MAX)
        increment_s = fields.integer("clock.increment", 0, least=0, most=SECONDS_MAX)
        return _clock(limit_s * 1000, increment_s * 1000, "clock.limit", "clock.increment")
    return _for_each_move(fields) or Unlimited()


def _one_of(fields: Fields, has_clock: bool) -> None:
    if has_clock + fields.has("days") + fields.has("perMove") > 1:
        at = "perMove" if fields.has("perMove") else "days"
        raise malformed(say("request.several_times"), at)


def _clock(initial_ms: int, increment_ms: int, initial: str, increment: str) -> ClockControl:
    control = ClockControl(initial_ms, increment_ms)
    if (wrong := problem(control)) is not None:
        raise malformed(wrong, increment if wrong == WRONG_INCREMENT else initial)
    return control


def _for_each_move(fields: Fields) -> TimeControl | None:
    control: TimeControl
    if fields.has("days"):
        name, control = "days", Correspondence(fields.integer("days", least=0, most=SECONDS_MAX))
    elif fields.has("perMove"):
        name, control = "perMove", PerMove(fields.integer("perMove", least=0, most=SECONDS_MAX) * 1000)
    else:
        return None
    if (wrong := problem(control)) is not None:
        raise malformed(wrong, name)
    return control


@dataclass(frozen=True, slots=True)
class WantedSeek:
    """The requested seek. `live`: it waits only while the connection is open. A rating of 0 is no bound."""

    variant: str
    rule_set: common_pb2.RuleSet
    time_control: common_pb2.TimeControl
    color: common_pb2.Color
    rating_min: int
    rating_max: int
    live: bool


def wanted_seek(fields: Fields) -> WantedSeek:
    """Read all fields of a seek. Raises Refused with the name of the invalid field."""
    key = fields.choice("variant", Variant, Variant.STANDARD.value)
    rule_set = rule_set_to_pb(chosen(fields, key))
    has_clock = fields.has("time") or fields.has("increment")
    _one_of(fields, has_clock)
    control: TimeControl | None
    if has_clock:
        increment_ms = fields.integer("increment", 0, least=0, most=SECONDS_MAX) * 1000
        control = _clock(_minutes_ms(fields), increment_ms, "time", "increment")
    else:
        control = _for_each_move(fields)
    if fields.boolean("untimed"):
        if control is not None:
            raise malformed(say("request.untimed_with_time"), "untimed")
        control = Unlimited()
    if control is None:
        raise malformed(say("request.seek_without_time"), "time")
    least, most = _rating_range(fields)
    return WantedSeek(key, rule_set, time_control_to_pb(control), colour(fields), least, most, live=is_live(control))


def _minutes_ms(fields: Fields) -> int:
    """The field `time` in ms. It is in minutes, and fractions like 0.25, 0.5, 0.75 and 1.5 are possible."""
    text = fields.text("time", chars_max=_MINUTES_CHARS_MAX)
    try:
        minutes = float(text)
    except ValueError:
        raise malformed(say("request.minutes", name="time"), "time") from None
    if not math.isfinite(minutes) or not 0 <= minutes <= SECONDS_MAX:
        raise malformed(say("request.minutes", name="time"), "time")
    return round(minutes * 60_000)


def _rating_range(fields: Fields) -> tuple[int, int]:
    text = fields.text("ratingRange", "", chars_max=_RANGE_CHARS_MAX).strip()
    if not text:
        return 0, 0
    found = _RANGE.fullmatch(text)
    if found is None or int(found[1]) > int(found[2]):
        raise malformed(say("request.rating_range", name="ratingRange"), "ratingRange")
    return int(found[1]), int(found[2])
