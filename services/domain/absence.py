"""Effects of a player's absence: which games are watched, who counts as away, and what the opponent may do.

Away times are in ms. None means unknown and never counts as away.
"""

from services.domain.rule_set import AbsentPlayer
from services.domain.time_control import Correspondence, TimeControl, is_live


def is_watched(absent: AbsentPlayer, control: TimeControl) -> bool:
    """Whether a game between people tracks presence: a live game, or one in which a computer takes an empty seat."""
    return is_live(control) or computer_takes_seats(absent, control)


def computer_takes_seats(absent: AbsentPlayer, control: TimeControl) -> bool:
    """Whether a computer plays for an absent player in an unrated game between people; never in correspondence."""
    return absent is AbsentPlayer.COMPUTER_PLAYS and not isinstance(control, Correspondence)


def is_claimed(absent: AbsentPlayer) -> bool:
    """Whether the opponent of a player who left a live game may claim the win after some time."""
    return absent is AbsentPlayer.OPPONENT_CLAIMS


def has_lasted(away_ms: int | None, limit_ms: int) -> bool:
    """Whether a player is known to have been away for at least `limit_ms`."""
    return away_ms is not None and away_ms >= limit_ms


def have_both_lasted(white_ms: int | None, black_ms: int | None, limit_ms: int) -> bool:
    """Whether both players are known to have been away for at least `limit_ms`."""
    return has_lasted(white_ms, limit_ms) and has_lasted(black_ms, limit_ms)


def left_ms(away_ms: int, limit_ms: int) -> int:
    """The time in ms until the limit is reached; 0 if it is reached."""
    return max(0, limit_ms - away_ms)
