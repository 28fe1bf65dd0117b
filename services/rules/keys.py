"""The key of a position: eight bytes that are equal exactly if the position is the same (FIDE 9.2.3).

Same means: the same pieces on the same squares, side to move, castling rights and legal en passant capture; in variants
also the `Family.key_state`. Keys are equal in every process and version. A game has the keys since its last
irreversible move, oldest first and the current position last: earlier positions cannot come again.
"""

import hashlib
import struct

import chess

from services.rules.families.family import Family
from services.rules.notation.fen import pack_bytes

KEY_BYTES = 8
_STATE = struct.Struct("<QbB")
_PERSON = b"flagfall key std"


def position_key(board: chess.Board, family: Family) -> bytes:
    """The key of a board whose en passant square is set only if the capture is legal."""
    square = -1 if board.ep_square is None else board.ep_square
    state = _STATE.pack(board.castling_rights, square, board.turn)
    text = pack_bytes(board) + state + family.key_state(board)
    return hashlib.blake2b(text, digest_size=KEY_BYTES, person=_PERSON).digest()


def occurrences(keys: bytes) -> int:
    """How often the last of these keys occurs in `keys`."""
    numbers = memoryview(keys).cast("Q").tolist()
    return numbers.count(numbers[-1]) if numbers else 0
