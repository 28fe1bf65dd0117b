"""Crazyhouse pockets in a FEN: in brackets after the board, or after an eighth slash.

Read: `[QRp]`, `/QRp`, nothing, `[]`, `/`, `[-]` and `/-`, letters in any order. Written: brackets always, White's men
first, the strongest first; so do python-chess and Fairy-Stockfish, and lichess reads it.
"""

import re
from functools import lru_cache

import chess
from chess.variant import CrazyhouseBoard

from services.rules.refused import bad_position, quoted

_POCKET = re.compile("[pnbrqPNBRQ]{0,64}")
_POCKETS_CACHED = 1 << 12


def split_pockets(text: str) -> tuple[str, str]:
    """The first field of a FEN as board and pockets; what is in the pockets is not looked at."""
    board, bracket, pockets = text.partition("[")
    if bracket:
        if not pockets.endswith("]"):
            raise bad_position("fen.pockets", f"the pockets {quoted(bracket + pockets)} have no closing bracket")
        return board, pockets[:-1]
    if text.count("/") == 8:
        board, _, pockets = text.rpartition("/")
        return board, pockets
    return text, ""


def fill_pockets(board: chess.Board, text: str) -> None:
    """Put men into the empty pockets of a board."""
    pockets = pockets_of(board)
    if text in ("", "-"):
        return
    pockets[:] = [type(pocket)(letters) for pocket, letters in zip(pockets, _sides(text), strict=True)]


def write_pockets(board: chess.Board) -> str:
    """The pockets in brackets."""
    black, white = map(str, pockets_of(board))
    return f"[{white.upper()}{black}]"


@lru_cache(_POCKETS_CACHED)
def _sides(text: str) -> tuple[str, str]:
    """The men of Black and of White, all in small letters; Rejected when there is anything else."""
    if not _POCKET.fullmatch(text):
        raise bad_position("fen.pockets", f"pockets hold letters of PNBRQ and pnbrq, not {quoted(text)}")
    return (
        "".join([letter for letter in text if letter.islower()]),
        "".join([letter.lower() for letter in text if letter.isupper()]),
    )


def pockets_of(board: chess.Board) -> list[chess.variant.CrazyhousePocket]:
    """Both pockets, Black's first."""
    if not isinstance(board, CrazyhouseBoard):
        raise TypeError(f"a {type(board).__name__} has no pockets")
    return board.pockets
