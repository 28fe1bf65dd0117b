"""Crazyhouse pockets in a FEN: in brackets after the board, or after an eighth slash.

Read: `[QRp]`, `/QRp`, nothing, `[]`, `/`, `[-]` and `/-`, letters in any order. Written: always brackets, White's
pieces first, the strongest first. python-chess and Fairy-Stockfish write the same, and lichess reads it.
"""

import re
from functools import lru_cache

import chess
from chess.variant import CrazyhouseBoard

from services.domain.text import say
from services.rules.refused import bad_position, quoted

_POCKET = re.compile("[pnbrqPNBRQ]{0,64}")
_POCKETS_CACHED = 1 << 12


def split_pockets(text: str) -> tuple[str, str]:
    """Split the first field of a FEN into board and pockets. The content of the pockets is not checked."""
    board, bracket, pockets = text.partition("[")
    if bracket:
        if not pockets.endswith("]"):
            raise bad_position("fen.pockets", say("rules.fen_pockets_unclosed", given=quoted(bracket + pockets)))
        return board, pockets[:-1]
    if text.count("/") == 8:
        board, _, pockets = text.rpartition("/")
        return board, pockets
    return text, ""


def fill_pockets(board: chess.Board, text: str) -> None:
    """Put the pieces in `text` into the empty pockets of a board. Raises Rejected for an invalid text."""
    pockets = pockets_of(board)
    if text in ("", "-"):
        return
    pockets[:] = [type(pocket)(letters) for pocket, letters in zip(pockets, _sides(text), strict=True)]


def write_pockets(board: chess.Board) -> str:
    """The pockets of a board as text, in brackets."""
    black, white = map(str, pockets_of(board))
    return f"[{white.upper()}{black}]"


@lru_cache(_POCKETS_CACHED)
def _sides(text: str) -> tuple[str, str]:
    """Black's and White's pieces, all in lower case. Raises Rejected for any other letter."""
    if not _POCKET.fullmatch(text):
        raise bad_position("fen.pockets", say("rules.fen_pockets_letters", given=quoted(text)))
    return (
        "".join([letter for letter in text if letter.islower()]),
        "".join([letter.lower() for letter in text if letter.isupper()]),
    )


def pockets_of(board: chess.Board) -> list[chess.variant.CrazyhousePocket]:
    """Both pockets, Black's first."""
    if not isinstance(board, CrazyhouseBoard):
        raise TypeError(f"a {type(board).__name__} has no pockets")
    return board.pockets
