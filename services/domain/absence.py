"""What a player's absence from the board leads to: who is watched, who counts as away, and what the other side may do.

Away times are in ms; None means that nothing is known, which never counts as away.
"""

from services.domain.rule_set import AbsentPlayer
from services.domain.time_control import Correspondence, TimeControl, is_live


def is_watched(absent: AbsentPlayer, control: TimeControl) -> bool:
    """Whether it matters in a game between people who is there: live games, and those that a computer plays on."""
    return is_live(control) or computer_takes_seats(absent, control)


def computer_takes_seats(absent: AbsentPlayer, control: TimeControl) -> bool:
    """Whether a computer plays for whoever is away in an unrated game between people; never over days."""
    return absent is AbsentPlayer.COMPUTER_PLAYS and not isinstance(control, Correspondence)


def is_claimed(absent: AbsentPlayer) -> bool:
    """Whether the opponent of a player who has left a live game may claim it after a while."""
    return absent is AbsentPlayer.OPPONENT_CLAIMS


def has_lasted(away_ms: int | None, limit_ms: int) -> bool:
    """Whether somebody is known to have been away for as long as a limit."""
    return away_ms is not None and away_ms >= limit_ms


def have_both_lasted(white_ms: int | None, black_ms: int | None, limit_ms: int) -> bool:
    """Whether both are known to have been away for as long as a limit."""
    return has_lasted(white_ms, limit_ms) and has_lasted(black_ms, limit_ms)


def left_ms(away_ms: int, limit_ms: int) -> int:
    """What is missing until a limit."""
    return max(0, limit_ms - away_ms)
