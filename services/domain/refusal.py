"""Refusals: why a request was not done.

A refusal is a value. `code` is stable and part of every interface; `text` is for people; `at` is the place in the
input, if there is one. The gRPC and HTTP layers have the tables that translate codes to statuses.
"""

from dataclasses import dataclass
from enum import StrEnum

from services.domain.text import Text, say


class RefusalCode(StrEnum):
    """The cause of a refusal. The docstring of each code is its default text for the client."""

    NOT_YOUR_TURN = "not_your_turn"
    """It is the opponent's turn."""
    ILLEGAL_MOVE = "illegal_move"
    """This move is not legal in this position."""
    STALE_VERSION = "stale_version"
    """The game has moved on: this was meant for another ply."""
    TIME_IS_UP = "time_is_up"
    """The clock had run out when this arrived."""
    GAME_OVER = "game_over"
    """The game is over."""
    MALFORMED = "malformed"
    """This cannot be read; `at` says where."""
    NOT_A_PLAYER = "not_a_player"
    """Only the players of this game may do that."""
    NOT_FOUND = "not_found"
    """There is no such thing."""
    NOT_ALLOWED = "not_allowed"
    """The state or the rules of this game do not allow it now."""
    NOT_DUE = "not_due"
    """The deadline has not passed, or is not this version's."""
    COMMAND_CONFLICT = "command_conflict"
    """This command id was used before for another command."""
    BAD_POSITION = "bad_position"
    """No game can start from this position."""
    UNSUPPORTED_VARIANT = "unsupported_variant"
    """This server does not play this variant."""
    NAME_TAKEN = "name_taken"
    """This name is taken."""
    WRONG_PASSWORD = "wrong_password"
    """Name and password do not belong together."""
    ACCOUNT_NEEDED = "account_needed"
    """A guest cannot do that: it needs an account."""
    LIMIT_REACHED = "limit_reached"
    """There are too many of these already."""
    UNAVAILABLE = "unavailable"
    """A part of the server does not answer; the same request may be repeated without harm."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """One refusal."""

    code: RefusalCode
    text: Text
    at: str = ""


BUSY = Refusal(RefusalCode.UNAVAILABLE, say("request.busy"))
"""The answer to a client if a call was not done in time, or its result is unknown."""
