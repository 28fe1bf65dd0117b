"""The game that somebody asks for, read from the fields of a challenge: variant, position, time, colour, rule set."""

from dataclasses import dataclass

from services.domain.time_control import ClockControl, Correspondence, TimeControl, Unlimited, problem
from services.domain.variant import Variant
from services.gateway.errors import Refused, malformed
from services.gateway.requests import Fields
from services.gateway.rule_fields import RULE_FIELDS, chosen
from services.pb.flagfall.v1 import common_pb2
from services.runtime.wire import rule_set_to_pb, time_control_to_pb

FEN_CHARS_MAX = 256
SECONDS_MAX = 100_000

_COLOURS = {
    "white": common_pb2.COLOR_WHITE,
    "black": common_pb2.COLOR_BLACK,
    "random": common_pb2.COLOR_UNSPECIFIED,
}
GAME_FIELDS = ("variant", "fen", "clock.limit", "clock.increment", "days", "color", *RULE_FIELDS)
"""What `wanted_game` reads. Endpoints refuse other names: a misspelt clock would make a game without one."""
UNUSED_FIELDS = ("rules", "message", "expiresAt")
"""What clients of the public API may send besides, and what changes nothing here: nothing that these forbid exists."""
FROM_POSITION = "fromPosition"
"""The public API's key for standard chess from a position of one's own."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for, ready for the game service."""

    variant: str
    initial_fen: str
    rule_set: common_pb2.RuleSet
    time_control: common_pb2.TimeControl
    color: common_pb2.Color


def wanted_game(fields: Fields) -> Wanted:
    """Read them all; Refused with the name of the field that is wrong."""
    key = fields.choice("variant", [*Variant, FROM_POSITION], Variant.STANDARD.value)
    fen = fields.text("fen", "", chars_max=FEN_CHARS_MAX)
    if fields.has("fen") and not fen.strip():
        # Whoever sends an empty position meant one: it never becomes the first array.
        raise malformed("The FEN is empty.", "fen")
    if key == FROM_POSITION:
        if not fen:
            raise malformed("A game from a position needs one.", "fen")
        key = Variant.STANDARD.value
    rule_set = rule_set_to_pb(chosen(fields, key))
    return Wanted(key, fen, rule_set, time_control_to_pb(_control(fields)), colour(fields))


def colour(fields: Fields) -> common_pb2.Color:
    """The field `color`: white, black, or random (UNSPECIFIED), which it is when it is missing."""
    return _COLOURS[fields.choice("color", _COLOURS, "random")]


def _control(fields: Fields) -> TimeControl:
    """A clock when there is one, days a move otherwise, neither of them: as long as one likes."""
    if fields.has("clock.limit") or fields.has("clock.increment"):
        limit_s = fields.integer("clock.limit", least=0, most=SECONDS_MAX)
        increment_s = fields.integer("clock.increment", 0, least=0, most=SECONDS_MAX)
        control: TimeControl = ClockControl(limit_s * 1000, increment_s * 1000)
        if (wrong := problem(control)) is not None:
            raise _wrong(wrong, "clock.increment" if "increment" in wrong else "clock.limit")
        return control
    if fields.has("days"):
        control = Correspondence(fields.integer("days", least=0, most=SECONDS_MAX))
        if (wrong := problem(control)) is not None:
            raise _wrong(wrong, "days")
        return control
    return Unlimited()


def _wrong(what: str, at: str) -> Refused:
    return malformed(f"{what[:1].upper()}{what[1:]}.", at)
