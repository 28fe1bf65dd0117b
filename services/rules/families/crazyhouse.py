"""Crazyhouse: a captured piece changes sides and may be dropped on any empty square instead of a move.

A captured promoted piece becomes a pawn again. Pawns are not dropped on the first or last rank. A drop ends a right to
capture en passant and does not restore a castling right.

No piece ever leaves the game, so a move is irreversible only if it loses a castling right. Captures and pawn moves are
reversible: a pawn may be captured, dropped by the other side, captured again and dropped on its old square. So captures
do not clear the history of keys and only its limit bounds it: repetition is found within the latest `keys_max`
positions. As in standard chess, the move count counts moves without a capture or a pawn move on the board (FIDE 9.3);
a drop counts like any other move.
"""

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import ClassVar, Self

import chess
import chess.variant

from services.domain.colour import Colour
from services.domain.variant import Variant
from services.rules.families.family import Family
from services.rules.families.legal_text import legal_rows
from services.rules.families.targets import answers, on_file
from services.rules.families.without_moves import without_moves
from services.rules.moves import apply_move

_LETTERS = ("", "P", "N", "B", "R", "Q")
_KINDS = range(chess.PAWN, chess.KING)
_KINDS_BY_LETTER = sorted(_KINDS, key=_LETTERS.__getitem__)
_PROMOTED = struct.Struct("<Q")
_POCKETS_CACHED = 1 << 12
_EMPTY = (0,) * (chess.KING + 1)


class Pocket(chess.variant.CrazyhousePocket):
    """The pieces that a side may drop, counted by kind. It is the library's class with a faster copy."""

    def __init__(self, symbols: Iterable[str] = "", counts: tuple[int, ...] = _EMPTY) -> None:
        self.counts = _counts("".join(symbols)) if symbols else counts

    def reset(self) -> None:
        """Remove all pieces."""
        self.counts = _EMPTY

    def add(self, piece_type: chess.PieceType) -> None:
        """Add one piece."""
        self._change(piece_type, 1)

    def remove(self, piece_type: chess.PieceType) -> None:
        """Remove one piece, which must be there."""
        if not self.counts[piece_type]:
            raise ValueError(f"there is no {chess.piece_name(piece_type)} to drop")
        self._change(piece_type, -1)

    def count(self, piece_type: chess.PieceType) -> int:
        """The number of pieces of a kind."""
        return self.counts[piece_type]

    def copy(self) -> "Pocket":
        """A copy with the same pieces."""
        other = object.__new__(Pocket)
        other.counts = self.counts
        return other

    def __str__(self) -> str:
        return _letters(self.counts)

    def __len__(self) -> int:
        return sum(self.counts)

    def _change(self, kind: chess.PieceType, by: int) -> None:
        self.counts = (*self.counts[:kind], self.counts[kind] + by, *self.counts[kind + 1 :])


class CrazyhouseBoard(chess.variant.CrazyhouseBoard):
    """The library's board with the faster pockets."""

    pockets: list[Pocket]  # type: ignore[assignment]  # a list of the library's class there

    def __init__(self, fen: str | None = chess.variant.CrazyhouseBoard.starting_fen, chess960: bool = False) -> None:
        super().__init__(None, chess960=chess960)
        self.pockets = [Pocket(), Pocket()]
        if fen is not None:
            self.set_fen(fen)

    def set_fen(self, fen: str) -> None:
        """Set up the position of a FEN."""
        super().set_fen(fen)
        self.pockets = [Pocket(str(pocket)) for pocket in self.pockets]

    def copy(self, *, stack: bool | int = True) -> Self:
        """A copy of the board; with `stack=False` it takes a third of the library's time."""
        if stack:
            return super().copy(stack=stack)
        other = without_moves(self)
        other._crazyhouse_stack = []
        other.pockets = [pocket.copy() for pocket in self.pockets]
        return other


_NO_PIECES = CrazyhouseBoard(None)


class Crazyhouse(Family):
    """The rules of Crazyhouse: standard chess with drops of captured pieces."""

    variant = Variant.CRAZYHOUSE
    board_class = CrazyhouseBoard
    has_pockets = True
    exact_dead_positions = False
    bare_king_can_win = True
    one_minor_can_win = True
    values: ClassVar[Mapping[chess.PieceType, int]] = {
        chess.PAWN: 100,
        chess.KNIGHT: 230,
        chess.BISHOP: 240,
        chess.ROOK: 290,
        chess.QUEEN: 480,
    }

    def empty_board(self) -> chess.Board:
        """A copy of an empty board: it takes half the time of a new one."""
        return _NO_PIECES.copy(stack=False)

    @property
    def start_fen(self) -> str:
        """The starting position of standard chess, with empty pockets."""
        return CrazyhouseBoard.starting_fen

    def legal_rows(self, board: chess.Board, check: bool) -> Iterator[Sequence[str]]:
        """Drops, then moves."""
        pocket = _pockets(board)[board.turn]
        if not pocket:
            return legal_rows(board, check)
        empty = answers(board, capture=False) if check else ~board.occupied & chess.BB_ALL
        return chain(_drops(pocket, empty), legal_rows(board, check))

    def apply(self, board: chess.Board, move: chess.Move) -> bool:
        """Make a legal move. Only the loss of a castling right is irreversible."""
        rights = board.castling_rights
        apply_move(board, move)
        return board.castling_rights != rights

    def key_state(self, board: chess.Board) -> bytes:
        """The promoted pieces and the content of each pocket, in any order of arrival."""
        black, white = _pockets(board)
        return _PROMOTED.pack(board.promoted) + bytes(white.counts[1:6] + black.counts[1:6])

    def dead_by_material(self, board: chess.Board) -> bool:
        """Only kings on the board and empty pockets, which no game reaches.

        One bishop or knight could never mate either, but a position with a piece to drop or capture never is dead.
        """
        return board.occupied == board.kings and not any(_pockets(board))

    def cannot_win(self, board: chess.Board, side: Colour) -> bool:
        """Whether the position is dead: every piece may change sides, so it is the same for both sides."""
        return self.dead_by_material(board)

    def can_force_mate(self, board: chess.Board, side: Colour) -> bool:
        """True unless the position is dead, since either side may get every piece."""
        return not self.dead_by_material(board)

    def count_pieces(self, board: chess.Board, side: Colour) -> tuple[int, int]:
        """Pieces on the board and in the pocket of `side`: their number, and the number of minor pieces."""
        pocket = _pockets(board)[side is Colour.WHITE]
        pieces, minors = super().count_pieces(board, side)
        return pieces + len(pocket), minors + pocket.count(chess.BISHOP) + pocket.count(chess.KNIGHT)

    def goal_score(self, board: chess.Board, side: chess.Color) -> int:
        """The value of the pieces in the pocket of `side`."""
        pocket = _pockets(board)[side]
        return sum(value * pocket.count(kind) for kind, value in self.values.items())


@lru_cache(_POCKETS_CACHED)
def _counts(letters: str) -> tuple[int, ...]:
    """The number of pieces of each kind in these letters."""
    return tuple([letters.count(symbol) if symbol else 0 for symbol in chess.PIECE_SYMBOLS])


@lru_cache(_POCKETS_CACHED)
def _letters(counts: tuple[int, ...]) -> str:
    """The pieces of a pocket as letters, the strongest first."""
    return "".join([chess.piece_symbol(kind) * counts[kind] for kind in reversed(_KINDS)])


def _drops(pocket: Pocket, squares: chess.Bitboard) -> Iterator[Sequence[str]]:
    """The drops on these squares, sorted. All sort before any move, because of their capital letters."""
    for kind in _KINDS_BY_LETTER:
        if pocket.count(kind):
            free = squares & ~chess.BB_BACKRANKS if kind == chess.PAWN else squares
            texts: list[str] = []
            for file in chess.BB_FILES:
                texts += _drops_on(kind, free & file)
            yield texts


@cache
def _drops_on(kind: chess.PieceType, squares: chess.Bitboard) -> tuple[str, ...]:
    """The drops of one kind on squares of one file."""
    return tuple([f"{_LETTERS[kind]}@{chess.SQUARE_NAMES[square]}" for _, square in on_file(squares)])


def _pockets(board: chess.Board) -> list[Pocket]:
    """Both pockets, Black's first."""
    assert isinstance(board, CrazyhouseBoard)
    return board.pockets


CRAZYHOUSE = Crazyhouse()
