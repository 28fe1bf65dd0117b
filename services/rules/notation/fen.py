"""FEN text to a board and back, several times as fast as the library's code, with reason and place of each fault.

Read: extra blanks are removed; castling letters may be in any order; missing fields are filled (White to move, no
castling, no en passant, counters 0 and 1), and move number 0 is read as 1. `text.castling`, `fen_pockets` and
`fen_checks` read the spellings of variants. In variants without castling and double steps, a FEN of four fields may
leave out both of these. Everything else that violates the standard (PGN 16.1.3) is refused. Written: six fields, in
Three-check seven; an en passant square only if the capture is legal.
"""

import re
from typing import TYPE_CHECKING

import chess

from services.domain.text import say
from services.rules.limits import InputLimits
from services.rules.notation.fen_board import PROMOTED_SHIFT, pack_bytes, read_pieces, set_packed, write_pieces
from services.rules.notation.fen_checks import set_checks, take_checks, write_checks
from services.rules.notation.fen_pockets import fill_pockets, split_pockets, write_pockets
from services.rules.refused import bad_position, quoted
from services.rules.text.castling import Castling, read_castling, write_castling

if TYPE_CHECKING:
    from services.rules.families.family import Family

__all__ = ["COUNTER_MAX", "Castling", "pack_bytes", "read_fen", "write_fen"]

COUNTER_MAX = 999_999_999
"""The highest counter that can be read. A game must start with less (`position_check`), so that no game can reach a
counter that cannot be read."""

_COUNTER = re.compile("[0-9]{1,9}")
_SQUARE = re.compile("[a-h][36]")
_SQUARES = {name: square for square, name in enumerate(chess.SQUARE_NAMES)}


def read_fen(text: str, limits: InputLimits, family: "Family") -> chess.Board:
    """The board of a FEN. Raises Rejected if the text is invalid; `position_check` checks the position.

    The board's en passant square is as written: `position_check` clears it if no capture is legal.
    """
    if len(text) > limits.fen_chars_max:
        raise bad_position("fen", say("rules.fen_too_long", most=limits.fen_chars_max, given=len(text)))
    fields = text.split()
    if not fields:
        raise bad_position("fen", say("rules.fen_empty"))
    board = family.empty_board()
    if family.counts_checks:
        set_checks(board, take_checks(fields))
    if not family.double_step and len(fields) == 4 and fields[2].isdigit() and fields[3].isdigit():
        fields[2:2] = ["-", "-"]
    given = len(fields)
    if given > 6:
        raise bad_position("fen", say("rules.fen_fields", given=given))
    if family.has_pockets:
        pieces, pockets = split_pockets(fields[0])
        packed = read_pieces(pieces)
        fill_pockets(board, pockets)
    else:
        packed = read_pieces(fields[0])
        if packed >> PROMOTED_SHIFT:
            raise bad_position("fen.board", say("rules.fen_board_mark"))
    set_packed(board, packed)
    turn = fields[1] if given > 1 else "w"
    if turn not in ("w", "b"):
        raise bad_position("fen.turn", say("rules.fen_turn", given=quoted(turn)))
    board.turn = turn == "w"
    if given > 2:
        board.castling_rights = read_castling(fields[2], board, family.castling)
    if given > 3:
        board.ep_square = _read_en_passant(fields[3], family)
    board.halfmove_clock = _read_counter(fields[4], "fen.halfMoves") if given > 4 else 0
    board.fullmove_number = (_read_counter(fields[5], "fen.fullMoves") if given > 5 else 1) or 1
    return board


def write_fen(board: chess.Board, family: "Family") -> str:
    """The FEN of a board. Its en passant square may be set only if the capture is legal."""
    packed = int.from_bytes(pack_bytes(board), "little")
    if family.has_pockets:
        pieces_text = write_pieces(packed | board.promoted << PROMOTED_SHIFT) + write_pockets(board)
    else:
        pieces_text = write_pieces(packed)
    turn = "w" if board.turn else "b"
    castling = write_castling(board, family.castling)
    square = "-" if board.ep_square is None else chess.SQUARE_NAMES[board.ep_square]
    text = f"{pieces_text} {turn} {castling} {square} {board.halfmove_clock} {board.fullmove_number}"
    return f"{text} {write_checks(board)}" if family.counts_checks else text


def _read_en_passant(text: str, family: "Family") -> int | None:
    if text == "-":
        return None
    if not family.double_step:
        raise bad_position("fen.enPassant", say("rules.fen_no_double_step", given=quoted(text)))
    if not _SQUARE.fullmatch(text):
        raise bad_position("fen.enPassant", say("rules.fen_en_passant", given=quoted(text)))
    return _SQUARES[text]


def _read_counter(text: str, at: str) -> int:
    if not _COUNTER.fullmatch(text):
        raise bad_position(at, say("rules.fen_counter", most=COUNTER_MAX, given=quoted(text)))
    return int(text)
