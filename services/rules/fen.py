"""FEN text to a board and back, several times as fast as the library's own, with the reason and place of each fault.

A board is carried as eight lanes of 64 bits in one integer (pawns, knights, bishops, rooks, queens, kings, White's men,
Black's men), so that a rank of text stands for one value and each rank is parsed or written once and remembered.

Read: blanks around and between fields are tidied; castling letters may come in any order; missing fields are filled
(White to move, no castling, no en passant, counters 0 and 1), and move number 0 is read as 1. Everything else that does
not follow the standard (PGN 16.1.3) is refused. Written: six fields; an en passant square only if the capture is legal.
"""

import re
import struct
from enum import Enum
from functools import lru_cache

import chess

from services.domain.refusal import RefusalCode
from services.rules.limits import Limits
from services.rules.refused import Refused, quoted

class Castling(Enum):
    """How a variant's castling rights are read and written."""

    STANDARD = "standard"
    """King on its e-file square, rooks in the corners; KQkq."""
    CHESS960 = "chess960"
    """Any squares of the first rank: KQkq for the outermost rooks (X-FEN), a file's letter for an inner one."""
    NONE = "none"
    """The field is always -."""


COUNTER_MAX = 999_999_999
"""The highest counter that is read. What a game may start with is less (`position_check`), so that none plays itself
out of what can be read."""

_LANES = "pnbrqk"
_LANE_BITS = 64
_WHITE_LANE, _BLACK_LANE = 6, 7
_LANES_PACK = struct.Struct("<8Q")
_RANK_MASK = sum(0xFF << (_LANE_BITS * lane) for lane in range(8))
_RANKS_CACHED = 1 << 15
_RANK_TEXT = re.compile("[pnbrqkPNBRQK1-8]{1,8}")
_COUNTER = re.compile("[0-9]{1,9}")
_SQUARE = re.compile("[a-h][36]")

# letter, rook's square, king's square, side
_CASTLINGS = (
    ("K", chess.H1, chess.E1, "white"),
    ("Q", chess.A1, chess.E1, "white"),
    ("k", chess.H8, chess.E8, "black"),
    ("q", chess.A8, chess.E8, "black"),
)
_CASTLING_TEXTS = {
    sum(chess.BB_SQUARES[rook] for bit, (_, rook, _, _) in enumerate(_CASTLINGS) if number >> bit & 1): "".join(
        letter for bit, (letter, *_) in enumerate(_CASTLINGS) if number >> bit & 1
    )
    or "-"
    for number in range(16)
}
_CASTLING_RIGHTS = {text: rights for rights, text in _CASTLING_TEXTS.items()}


def read_fen(text: str, limits: Limits) -> chess.Board:
    """The board that a FEN describes, not checked beyond what its text says; Refused when it cannot be read.

    The board's en passant square is as written: whether it means anything is for `position_check`.
    """
    if len(text) > limits.fen_chars_max:
        raise _refuse("fen", f"a FEN has at most {limits.fen_chars_max} characters, this has {len(text)}")
    fields = text.split()
    if not fields:
        raise _refuse("fen", "the FEN is empty")
    if len(fields) > 6:
        raise _refuse("fen", f"a FEN has six fields, this has {len(fields)}")
    given = len(fields)
    board = chess.Board(None)
    set_packed(board, _read_board(fields[0]))
    turn = fields[1] if given > 1 else "w"
    if turn not in ("w", "b"):
        raise _refuse("fen.turn", f"the side to move is w or b, not {quoted(turn)}")
    board.turn = turn == "w"
    if given > 2:
        board.castling_rights = _read_castling(fields[2])
    if given > 3:
        board.ep_square = _read_en_passant(fields[3])
    board.halfmove_clock = _read_counter(fields[4], "fen.halfMoves") if given > 4 else 0
    board.fullmove_number = (_read_counter(fields[5], "fen.fullMoves") if given > 5 else 1) or 1
    return board


def write_fen(board: chess.Board, packed: int | None = None) -> str:
    """The FEN of a board whose en passant square, if set, is known to be of use. `packed` spares packing it again."""
    packed = pack(board) if packed is None else packed
    ranks = "/".join([_rank_text(packed >> shift & _RANK_MASK) for shift in range(56, -8, -8)])
    turn = "w" if board.turn else "b"
    square = "-" if board.ep_square is None else chess.SQUARE_NAMES[board.ep_square]
    castling = _CASTLING_TEXTS[board.castling_rights]
    return f"{ranks} {turn} {castling} {square} {board.halfmove_clock} {board.fullmove_number}"


def pack_bytes(board: chess.Board) -> bytes:
    """All men on the board in 64 bytes."""
    white, black = board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK]
    return _LANES_PACK.pack(
        board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings, white, black
    )


def pack(board: chess.Board) -> int:
    """All men on the board in one integer."""
    return int.from_bytes(pack_bytes(board), "little")


def set_packed(board: chess.Board, packed: int) -> None:
    """Put the men on an empty board."""
    pawns, knights, bishops, rooks, queens, kings, white, black = _LANES_PACK.unpack(packed.to_bytes(64, "little"))
    board.pawns, board.knights, board.bishops = pawns, knights, bishops
    board.rooks, board.queens, board.kings = rooks, queens, kings
    board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK] = white, black
    board.occupied = white | black


def _read_board(text: str) -> int:
    ranks = text.split("/")
    if len(ranks) != 8:
        raise _refuse("fen.board", f"a board has eight ranks, this has {len(ranks)}")
    packed = 0
    for rank in ranks:
        packed = packed << 8 | _read_rank(rank)
    return packed


@lru_cache(maxsize=_RANKS_CACHED)
def _rank_value(text: str) -> int | str:
    """A rank in its lanes, or what is wrong with it."""
    if not _RANK_TEXT.fullmatch(text):
        return "holds something that is no man and no count"
    value = file = 0
    previous_digit = False
    for letter in text:
        if letter.isdigit():
            if previous_digit:
                return "has two counts side by side"
            file += int(letter)
            previous_digit = True
            continue
        if file > 7:
            break
        side = _WHITE_LANE if letter.isupper() else _BLACK_LANE
        value |= 1 << (_LANE_BITS * _LANES.index(letter.lower()) + file) | 1 << (_LANE_BITS * side + file)
        file += 1
        previous_digit = False
    else:
        if file == 8:
            return value
    return f"has {'fewer' if file < 8 else 'more'} than eight squares"


def _read_rank(text: str) -> int:
    value = _rank_value(text) if len(text) <= 8 else "has more than eight squares"
    if isinstance(value, str):
        raise _refuse("fen.board", f"the rank {quoted(text)} {value}")
    return value


@lru_cache(maxsize=_RANKS_CACHED)
def _rank_text(value: int) -> str:
    text, gap = "", 0
    for file in range(8):
        men = [letter for lane, letter in enumerate(_LANES) if value >> (_LANE_BITS * lane + file) & 1]
        if not men:
            gap += 1
            continue
        white = value >> (_LANE_BITS * _WHITE_LANE + file) & 1
        text += (str(gap) if gap else "") + (men[0].upper() if white else men[0])
        gap = 0
    return text + (str(gap) if gap else "")


def _read_castling(text: str) -> int:
    if (rights := _CASTLING_RIGHTS.get(text)) is not None:
        return rights
    tidy = "".join(letter for letter, *_ in _CASTLINGS if letter in text)
    if len(text) > 4 or sorted(tidy) != sorted(text):
        raise _refuse("fen.castling", f"castling rights are letters of KQkq, each once, or -, not {quoted(text)}")
    return _CASTLING_RIGHTS[tidy]


def castling_problem(board: chess.Board) -> str:
    """The first castling right without its king or rook, in words; empty when there is none."""
    for letter, rook, king, side in _CASTLINGS:
        men = board.occupied_co[side == "white"]
        if not board.castling_rights & chess.BB_SQUARES[rook]:
            continue
        if not board.kings & men & chess.BB_SQUARES[king]:
            return f"{letter} needs the {side} king on {chess.SQUARE_NAMES[king]}"
        if not board.rooks & men & chess.BB_SQUARES[rook]:
            return f"{letter} needs a {side} rook on {chess.SQUARE_NAMES[rook]}"
    return ""


def _read_en_passant(text: str) -> int | None:
    if text == "-":
        return None
    if not _SQUARE.fullmatch(text):
        raise _refuse("fen.enPassant", f"an en passant square is on the third or sixth rank, or -, not {quoted(text)}")
    return chess.SQUARE_NAMES.index(text)


def _read_counter(text: str, at: str) -> int:
    if not _COUNTER.fullmatch(text):
        raise _refuse(at, f"a counter is a whole number from 0 to {COUNTER_MAX}, not {quoted(text)}")
    return int(text)


def _refuse(at: str, message: str) -> Refused:
    return Refused(RefusalCode.BAD_POSITION, message, at)
