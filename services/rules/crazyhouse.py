"""Crazyhouse: a captured man changes sides and may be dropped on any empty square instead of a move.

A captured promoted man comes back as a pawn. Pawns are not dropped on the first or last rank. A drop ends a right to
capture en passant and brings no castling right back.

Nothing ever leaves the game, so a move is irreversible only if it loses a castling right. No capture and no pawn move
is: a pawn may be captured, dropped by the other side, captured again and dropped where it stood. So the history of keys
grows over captures and is bounded by its limit alone: repetition is seen within the latest `keys_max` positions. The
move count asks, as in standard chess, for moves without a capture or a move of a pawn on the board (FIDE 9.3); a drop
counts like any other move.
"""

import struct
from itertools import compress

import chess
from chess.variant import CrazyhouseBoard, CrazyhousePocket

from services.domain.colour import Colour
from services.domain.variant import Variant
from services.rules.family import Family
from services.rules.legal_text import legal_text
from services.rules.moves import apply_move

_LETTERS = ("", "P", "N", "B", "R", "Q")
_KINDS = range(chess.PAWN, chess.KING)
_DROPS = [
    (kind, [f"{_LETTERS[kind]}@{square}" for square in sorted(chess.SQUARE_NAMES)])
    for kind in sorted(_KINDS, key=_LETTERS.__getitem__)
]
_BITS = bytes.maketrans(b"01", b"\0\1")
_PROMOTED = struct.Struct("<Q")


class Crazyhouse(Family):
    """Standard chess with drops."""

    variant = Variant.CRAZYHOUSE
    board_class = CrazyhouseBoard
    has_pockets = True
    exact_dead_positions = False
    bare_king_can_win = True
    one_minor_can_win = True

    @property
    def start_fen(self) -> str:
        """The array of standard chess, with empty pockets."""
        return CrazyhouseBoard.starting_fen

    def legal_text(self, board: chess.Board, check: bool) -> list[str]:
        """Moves and drops."""
        pocket = _crazyhouse(board).pockets[board.turn]
        texts = legal_text(board, check)
        if not pocket:
            return texts
        squares = _crazyhouse(board).legal_drop_squares_mask() if check else ~board.occupied & chess.BB_ALL
        return _drops(pocket, squares) + texts

    def apply(self, board: chess.Board, move: chess.Move) -> bool:
        """Irreversible: the loss of a castling right, and nothing else."""
        rights = board.castling_rights
        apply_move(board, move)
        return board.castling_rights != rights

    def key_state(self, board: chess.Board) -> bytes:
        """Which men are promoted, and what each pocket holds, in whatever order it came there."""
        white, black = _crazyhouse(board).pockets[chess.WHITE], _crazyhouse(board).pockets[chess.BLACK]
        counts = [pocket.count(kind) for pocket in (white, black) for kind in _KINDS]
        return _PROMOTED.pack(board.promoted) + bytes(counts)

    def write_uci(self, board: chess.Board, move: chess.Move) -> str:
        """A drop as `P@e4`."""
        if move.drop is None:
            return super().write_uci(board, move)
        return f"{_LETTERS[move.drop]}@{chess.SQUARE_NAMES[move.to_square]}"

    def dead_by_material(self, board: chess.Board) -> bool:
        """Kings alone, or one bishop or knight and nothing else on the board or in a pocket, that is no promoted pawn.

        Any other man can change sides and mate, or become a queen; and of two men both can be on one side.
        """
        pockets = _crazyhouse(board).pockets
        if board.pawns | board.rooks | board.queens | board.promoted:
            return False
        if any(pocket.count(kind) for pocket in pockets for kind in (chess.PAWN, chess.ROOK, chess.QUEEN)):
            return False
        return board.occupied.bit_count() + sum(map(len, pockets)) <= 3

    def cannot_win(self, board: chess.Board, side: Colour) -> bool:
        """As long as anybody can win, both can: every man may change sides."""
        return self.dead_by_material(board)

    def can_force_mate(self, board: chess.Board, side: Colour) -> bool:
        """Whatever is not dead, since every man may come into the hands of either side."""
        return not self.dead_by_material(board)

    def men(self, board: chess.Board, side: Colour) -> tuple[int, int]:
        """Those on the board and in the pocket of `side`."""
        pocket = _crazyhouse(board).pockets[side is Colour.WHITE]
        men, minors = super().men(board, side)
        return men + len(pocket), minors + pocket.count(chess.BISHOP) + pocket.count(chess.KNIGHT)


def _drops(pocket: CrazyhousePocket, squares: chess.Bitboard) -> list[str]:
    """The drops on these squares, sorted; all come before any move, for their capital letters."""
    texts: list[str] = []
    chosen = _in_order(squares)
    for kind, drops in _DROPS:
        if pocket.count(kind):
            texts += compress(drops, _in_order(squares & ~chess.BB_BACKRANKS) if kind == chess.PAWN else chosen)
    return texts


def _in_order(squares: chess.Bitboard) -> bytes:
    """A byte for each square in the order of their names, 1 if it is among these and 0 if not."""
    bits = f"{squares:064b}".encode().translate(_BITS)
    return b"".join([bits[last::-8] for last in range(63, 55, -1)])


def _crazyhouse(board: chess.Board) -> CrazyhouseBoard:
    assert isinstance(board, CrazyhouseBoard)
    return board


CRAZYHOUSE = Crazyhouse()
