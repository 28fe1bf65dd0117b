"""The castling field of a FEN, in the form of each variant.

A board stores a right as the square of its rook. In Chess960, KQkq means the outermost rook on that side of the king,
and a file letter means an inner rook (X-FEN). File letters for every rook (Shredder-FEN) can be read too. In
Chaturanga (an option), K or k is the right to one leap of the king.
"""

from enum import Enum
from functools import lru_cache

import chess

from services.domain.text import Text, say
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
            raise bad_position("fen.castling", say("rules.castling_leap", given=quoted(text)))
        return (LEAP_RIGHTS[chess.WHITE] if "K" in text else 0) | (LEAP_RIGHTS[chess.BLACK] if "k" in text else 0)
    if _problem(board, _read_corners(text)):
        raise bad_position("fen.castling", say("rules.castling_not_in_variant", given=text))
    return 0


def write_castling(board: chess.Board, castling: Castling) -> str:
    """The field for the rights of a board."""
    if castling is Castling.CHESS960:
        return _text_960(board.castling_rights, *_rooks_and_kings(board))
    return _TEXTS[board.castling_rights]


def castling_problem(board: chess.Board, castling: Castling) -> Text | None:
    """The first castling right without its king or rook, as text for people; None if all rights are valid.

    A promoted rook has no right. In Chess960 every right was matched to a rook when it was read. A king that was in
    check has no right to leap.
    """
    if castling is Castling.KING_LEAP and board.castling_rights & LEAP_RIGHTS[board.turn] and board.is_check():
        return say("rules.castling_leap_in_check", letter="K" if board.turn else "k")
    return _problem(board, board.castling_rights) if castling is Castling.STANDARD else None


def _problem(board: chess.Board, rights: int) -> Text | None:
    for letter, rook, king, side in _CORNERS:
        if not rights & chess.BB_SQUARES[rook]:
            continue
        pieces = board.occupied_co[side == "white"] & ~board.promoted
        if not board.kings & pieces & chess.BB_SQUARES[king]:
            return say("rules.castling_king", letter=letter, side=side, square=chess.SQUARE_NAMES[king])
        if not board.rooks & pieces & chess.BB_SQUARES[rook]:
            return say("rules.castling_rook", letter=letter, side=side, square=chess.SQUARE_NAMES[rook])
    return None


def _read_corners(text: str) -> int:
    if (rights := _RIGHTS.get(text)) is not None:
        return rights
    tidy = "".join(letter for letter, *_ in _CORNERS if letter in text)
    if len(text) > 4 or sorted(tidy) != sorted(text):
        if text.isascii() and set(text.upper()) <= set(_FILES + "KQ"):
            raise bad_position("fen.castling", say("rules.castling_letters_with_files", given=quoted(text)))
        raise bad_position("fen.castling", say("rules.castling_letters", given=quoted(text)))
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
        raise bad_position("fen.castling", say("rules.castling_too_long", given=quoted(text)))
    rights = _rights_960(text, rooks, kings)
    if isinstance(rights, Text):
        raise bad_position("fen.castling", rights)
    return rights


@lru_cache(maxsize=_FIELDS_CACHED)
def _rights_960(text: str, rooks: int, kings: int) -> int | Text:
    """The rights, or a text that says what is wrong."""
    outer = dict(_outer(rooks, kings))
    rights = 0
    for letter in text:
        side, rank = ("white", chess.BB_RANK_1) if letter.isupper() else ("black", chess.BB_RANK_8)
        king = kings & rank
        if letter in "KQkq":
            rook = outer.get(letter, 0)
        elif letter.upper() in _FILES:
            rook = rooks & rank & chess.BB_FILES[_FILES.index(letter.upper())]
        else:
            return say("rules.castling_letters_of_960", given=quoted(text))
        if not king:
            return say("rules.castling_king_on_first_rank", letter=letter, side=side)
        if not rook and letter in "KQkq":
            wing = "h" if letter in "Kk" else "a"
            return say("rules.castling_rook_beside_king", letter=letter, side=side, wing=wing)
        if not rook:
            return say("rules.castling_rook_on_file", letter=letter, side=side, file=letter.lower())
        beside = ~(king - 1) if rook > king else king - 1
        if rights & rank & beside:
            return say("rules.castling_two_rights", given=quoted(text), side=side)
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
