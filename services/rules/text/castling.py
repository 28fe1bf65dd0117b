"""The castling field of a FEN, in the form of each variant.

A board stores a right as the square of its rook. In Chess960, KQkq means the outermost rook on that side of the king,
and a file letter means an inner rook (X-FEN). File letters for every rook (Shredder-FEN) can be read too. In
Chaturanga (an option), K or k is the right to one leap of the king.
"""

from enum import Enum
from functools import lru_cache

import chess

from services.rules.refused import bad_position, quoted


class Castling(Enum):
    """How a variant's castling rights are read and written."""

    STANDARD = "standard"
    """King on the e-file, rooks in the corners; KQkq."""
    CHESS960 = "chess960"
    """Any squares of the first rank: KQkq for the outermost rooks (X-FEN), a file letter for an inner one."""
    NONE = "none"
    """The field is -. Letters that are valid in standard chess are accepted and ignored."""
    KING_LEAP = "kingLeap"
    """No castling: K or k means that this king may still leap."""


LEAP_RIGHTS = {chess.WHITE: chess.BB_H1, chess.BLACK: chess.BB_H8}
"""The value in `castling_rights` for a king that may still leap. The squares themselves have no meaning."""

# letter, rook's square, king's square, side
_CORNERS = (
    ("K", chess.H1, chess.E1, "white"),
    ("Q", chess.A1, chess.E1, "white"),
    ("k", chess.H8, chess.E8, "black"),
    ("q", chess.A8, chess.E8, "black"),
)
_TEXTS = {
    sum(chess.BB_SQUARES[rook] for bit, (_, rook, _, _) in enumerate(_CORNERS) if number >> bit & 1): "".join(
        letter for bit, (letter, *_) in enumerate(_CORNERS) if number >> bit & 1
    )
    or "-"
    for number in range(16)
}
_RIGHTS = {text: rights for rights, text in _TEXTS.items()}
_FILES = "ABCDEFGH"
_FIELDS_CACHED = 1 << 12


def read_castling(text: str, board: chess.Board, castling: Castling) -> int:
    """The rights in the field `text` for the pieces on the board, as a bitboard. Raises Rejected if it is invalid.

    `castling_problem` checks whether the king and rook of a STANDARD right are there.
    """
    if text == "-":
        return 0
    if castling is Castling.STANDARD:
        return _read_corners(text)
    if castling is Castling.CHESS960:
        return _read_960(text, *_rooks_and_kings(board))
    if castling is Castling.KING_LEAP:
        if text not in ("K", "k", "Kk", "kK"):
            raise bad_position("fen.castling", f"a right to leap is K, k, both or -, not {quoted(text)}")
        return (LEAP_RIGHTS[chess.WHITE] if "K" in text else 0) | (LEAP_RIGHTS[chess.BLACK] if "k" in text else 0)
    if _problem(board, _read_corners(text)):
        raise bad_position("fen.castling", f"there is no castling in this variant, so the field is -, not {text}")
    return 0


def write_castling(board: chess.Board, castling: Castling) -> str:
    """The field for the rights of a board."""
    if castling is Castling.CHESS960:
        return _text_960(board.castling_rights, *_rooks_and_kings(board))
    return _TEXTS[board.castling_rights]


def castling_problem(board: chess.Board, castling: Castling) -> str:
    """The first castling right without its king or rook, as text for people; empty if all rights are valid.

    A promoted rook has no right. In Chess960 every right was matched to a rook when it was read. A king that was in
    check has no right to leap.
    """
    if castling is Castling.KING_LEAP and board.castling_rights & LEAP_RIGHTS[board.turn] and board.is_check():
        return f"{'K' if board.turn else 'k'} is the right of a king that was never in check, and this one is"
    return _problem(board, board.castling_rights) if castling is Castling.STANDARD else ""


def _problem(board: chess.Board, rights: int) -> str:
    for letter, rook, king, side in _CORNERS:
        if not rights & chess.BB_SQUARES[rook]:
            continue
        men = board.occupied_co[side == "white"] & ~board.promoted
        if not board.kings & men & chess.BB_SQUARES[king]:
            return (
                f"{letter} needs the {side} king on {chess.SQUARE_NAMES[king]}; from elsewhere it castles in Chess960"
            )
        if not board.rooks & men & chess.BB_SQUARES[rook]:
            return f"{letter} needs a {side} rook on {chess.SQUARE_NAMES[rook]}"
    return ""


def _read_corners(text: str) -> int:
    if (rights := _RIGHTS.get(text)) is not None:
        return rights
    tidy = "".join(letter for letter, *_ in _CORNERS if letter in text)
    if len(text) > 4 or sorted(tidy) != sorted(text):
        hint = "; files of rooks are for Chess960" if text.isascii() and set(text.upper()) <= set(_FILES + "KQ") else ""
        raise bad_position(
            "fen.castling", f"castling rights are letters of KQkq, each once, or -, not {quoted(text)}{hint}"
        )
    return _RIGHTS[tidy]


def _rooks_and_kings(board: chess.Board) -> tuple[int, int]:
    backs = chess.BB_RANK_1 & board.occupied_co[chess.WHITE] | chess.BB_RANK_8 & board.occupied_co[chess.BLACK]
    return board.rooks & backs, board.kings & backs


@lru_cache(maxsize=_FIELDS_CACHED)
def _outer(rooks: int, kings: int) -> tuple[tuple[str, int], ...]:
    """The letters of KQkq that have a rook here, each with its rook: the outermost on that side of the king."""
    found: list[tuple[str, int]] = []
    for rank, letters in ((chess.BB_RANK_1, "KQ"), (chess.BB_RANK_8, "kq")):
        king, own = kings & rank, rooks & rank
        if not king:
            continue
        if own > king:
            found.append((letters[0], 1 << own.bit_length() - 1))
        if (lowest := own & -own) and lowest < king:
            found.append((letters[1], lowest))
    return tuple(found)


def _read_960(text: str, rooks: int, kings: int) -> int:
    # Longer than any valid field. The cache below must not store invalid ones.
    if len(text) > 4:
        raise bad_position("fen.castling", f"castling rights are at most four letters, not {quoted(text)}")
    rights = _rights_960(text, rooks, kings)
    if isinstance(rights, str):
        raise bad_position("fen.castling", rights)
    return rights


@lru_cache(maxsize=_FIELDS_CACHED)
def _rights_960(text: str, rooks: int, kings: int) -> int | str:
    """The rights, or a text that says what is wrong."""
    outer = dict(_outer(rooks, kings))
    rights = 0
    for letter in text:
        side, rank = ("white", chess.BB_RANK_1) if letter.isupper() else ("black", chess.BB_RANK_8)
        king = kings & rank
        if letter in "KQkq":
            rook, where = outer.get(letter, 0), f"on the {'h' if letter in 'Kk' else 'a'}-side of its king"
        elif letter.upper() in _FILES:
            rook = rooks & rank & chess.BB_FILES[_FILES.index(letter.upper())]
            where = f"on the {letter.lower()}-file"
        else:
            return f"castling rights are letters of KQkq, files of rooks (HAha), or -, not {quoted(text)}"
        if not king:
            return f"{letter} needs the {side} king on its first rank"
        if not rook:
            return f"{letter} needs a {side} rook on its first rank {where}"
        beside = ~(king - 1) if rook > king else king - 1
        if rights & rank & beside:
            return f"{quoted(text)} gives {side} two rights on one side of the king"
        rights |= rook
    return rights


@lru_cache(maxsize=_FIELDS_CACHED)
def _text_960(rights: int, rooks: int, kings: int) -> str:
    outer = {rook: letter for letter, rook in _outer(rooks, kings)}
    text = ""
    for rank in (chess.BB_RANK_1, chess.BB_RANK_8):
        for square in chess.scan_reversed(rights & rank):
            letter = _FILES[chess.square_file(square)]
            text += outer.get(chess.BB_SQUARES[square]) or (letter if rank == chess.BB_RANK_1 else letter.lower())
    return text or "-"
