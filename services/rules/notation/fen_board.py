"""The pieces of a FEN, rank by rank, and packed boards for it.

A packed board is one integer of 64-bit lanes: pawns, knights, bishops, rooks, queens, kings, White's pieces, Black's
pieces, and promoted pieces if the variant marks them. So one rank of text is one value, and each rank is parsed or
written once and cached. Shatranj's firz and elephant are the queen and the bishop of the board.
"""

import re
import struct
from functools import lru_cache

import chess

from services.domain.text import say
from services.rules.refused import bad_position, quoted

PROMOTED_SHIFT = 512
"""The first bit of the lane of promoted pieces."""

_LANES = "pnbrqk"
_LANE_BITS = 64
_WHITE_LANE, _BLACK_LANE, _PROMOTED_LANE = 6, 7, 8
_LANES_PACK = struct.Struct("<8Q")
_PIECES_MASK = (1 << PROMOTED_SHIFT) - 1
_RANK_MASK = sum(0xFF << (_LANE_BITS * lane) for lane in range(9))
_RANKS_CACHED = 1 << 15
_RANK_CHARS_MAX = 16
_RANK_TOKEN = re.compile("([1-8])|([pnbrqkPNBRQK])(~?)")


def pack_bytes(board: chess.Board) -> bytes:
    """All pieces on the board in 64 bytes, without promotion marks."""
    white, black = board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK]
    return _LANES_PACK.pack(
        board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings, white, black
    )


def set_packed(board: chess.Board, packed: int) -> None:
    """Put the pieces of a packed board on an empty board."""
    pawns, knights, bishops, rooks, queens, kings, white, black = _LANES_PACK.unpack(
        (packed & _PIECES_MASK).to_bytes(64, "little")
    )
    board.pawns, board.knights, board.bishops = pawns, knights, bishops
    board.rooks, board.queens, board.kings = rooks, queens, kings
    board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK] = white, black
    board.occupied = white | black
    board.promoted = packed >> PROMOTED_SHIFT


def read_pieces(text: str) -> int:
    """The packed board of a FEN's first field. Raises Rejected if it is not eight ranks of eight squares."""
    ranks = text.split("/")
    if len(ranks) != 8:
        raise bad_position("fen.board", say("rules.fen_board_ranks", given=len(ranks)))
    packed = 0
    for rank in ranks:
        packed = packed << 8 | _rank_value(rank)
    return packed


def write_pieces(packed: int) -> str:
    """The first field of a FEN, from a packed board."""
    return "/".join([_rank_text(packed >> shift & _RANK_MASK) for shift in range(56, -8, -8)])


@lru_cache(maxsize=_RANKS_CACHED)
def _rank_value(text: str) -> int:
    """The lanes of one rank. Raises Rejected for an invalid rank, which is not cached."""
    if len(text) > _RANK_CHARS_MAX:
        raise bad_position("fen.board", say("rules.fen_rank_too_long", rank=quoted(text)))
    value = file = position = 0
    previous_count = False
    while match := _RANK_TOKEN.match(text, position):
        count, letter, mark = match.groups()
        position = match.end()
        if count:
            if previous_count:
                raise bad_position("fen.board", say("rules.fen_rank_numbers", rank=quoted(text)))
            file += int(count)
        else:
            if mark and letter in "pPkK":
                piece = "pawn" if letter in "pP" else "king"
                raise bad_position("fen.board", say("rules.fen_rank_mark", rank=quoted(text), piece=piece))
            side = _WHITE_LANE if letter.isupper() else _BLACK_LANE
            lanes = [_LANES.index(letter.lower()), side, *([_PROMOTED_LANE] if mark else [])]
            value |= sum(1 << (_LANE_BITS * lane + file) for lane in lanes)
            file += 1
        if file > 8:
            raise bad_position("fen.board", say("rules.fen_rank_too_long", rank=quoted(text)))
        previous_count = bool(count)
    if position < len(text) or not text:
        raise bad_position("fen.board", say("rules.fen_rank_character", rank=quoted(text)))
    if file < 8:
        raise bad_position("fen.board", say("rules.fen_rank_too_short", rank=quoted(text)))
    return value


@lru_cache(maxsize=_RANKS_CACHED)
def _rank_text(value: int) -> str:
    text, gap = "", 0
    for file in range(8):
        pieces = [letter for lane, letter in enumerate(_LANES) if value >> (_LANE_BITS * lane + file) & 1]
        if not pieces:
            gap += 1
            continue
        white = value >> (_LANE_BITS * _WHITE_LANE + file) & 1
        text += (str(gap) if gap else "") + (pieces[0].upper() if white else pieces[0])
        text += "~" if value >> (_LANE_BITS * _PROMOTED_LANE + file) & 1 else ""
        gap = 0
    return text + (str(gap) if gap else "")
