"""Three-check counters in a FEN: `+1+0` (checks given by White and Black), or `2+3` (checks they still need).

Both can be read, as a field before the move counters or as the last field. Written: `+1+0` as the seventh field, so
that the six usual fields keep their places. lichess writes the same; python-chess and Fairy-Stockfish read it.
"""

import re

import chess
from chess.variant import ThreeCheckBoard

from services.domain.text import say
from services.rules.refused import bad_position, quoted

CHECKS_TO_WIN = 3
_COUNTERS = re.compile("(\\+?)([0-3])\\+([0-3])")
_PLACE = 4


def take_checks(fields: list[str]) -> tuple[int, int]:
    """Remove the counters from a FEN's fields. Return the checks White and Black still need; three if not given."""
    places = [place for place, field in enumerate(fields) if place >= _PLACE and "+" in field]
    if not places:
        return CHECKS_TO_WIN, CHECKS_TO_WIN
    if len(places) > 1 or places[0] not in (_PLACE, len(fields) - 1):
        raise bad_position("fen.checks", say("rules.fen_checks_place"))
    text = fields.pop(places[0])
    match = _COUNTERS.fullmatch(text)
    if match is None:
        raise bad_position("fen.checks", say("rules.fen_checks", given=quoted(text)))
    white, black = int(match[2]), int(match[3])
    return (CHECKS_TO_WIN - white, CHECKS_TO_WIN - black) if match[1] else (white, black)


def set_checks(board: chess.Board, left: tuple[int, int]) -> None:
    """Set the checks that White and Black still need."""
    if not isinstance(board, ThreeCheckBoard):
        raise TypeError(f"a {type(board).__name__} counts no checks")
    board.remaining_checks[chess.WHITE], board.remaining_checks[chess.BLACK] = left


def write_checks(board: chess.Board) -> str:
    """The checks that White and Black have given, as text (`+1+0`)."""
    if not isinstance(board, ThreeCheckBoard):
        raise TypeError(f"a {type(board).__name__} counts no checks")
    left = board.remaining_checks
    return f"+{CHECKS_TO_WIN - left[chess.WHITE]}+{CHECKS_TO_WIN - left[chess.BLACK]}"
