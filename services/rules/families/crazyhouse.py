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
    """The men that a side may drop, each kind counted; the library's, but quick to copy, as each move does."""

    def __init__(self, symbols: Iterable[str] = "", counts: tuple[int, ...] = _EMPTY) -> None:
        self.counts = _counts("".join(symbols)) if symbols else counts

    def reset(self) -> None:
        """Take everything out."""
        self.counts = _EMPTY

    def add(self, piece_type: chess.PieceType) -> None:
        """Put one in."""
        self._change(piece_type, 1)

    def remove(self, piece_type: chess.PieceType) -> None:
        """Take one out, which must be there."""
        if not self.counts[piece_type]:
            raise ValueError(f"there is no {chess.piece_name(piece_type)} to drop")
        self._change(piece_type, -1)

    def count(self, piece_type: chess.PieceType) -> int:
        """How many of a kind there are."""
        return self.counts[piece_type]

    def copy(self) -> "Pocket":
        """Another one that holds the same."""
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
    """The library's board with such pockets."""

    pockets: list[Pocket]  # type: ignore[assignment]  # a list of the library's class there

    def __init__(self, fen: str | None = chess.variant.CrazyhouseBoard.starting_fen, chess960: bool = False) -> None:
        super().__init__(None, chess960=chess960)
        self.pockets = [Pocket(), Pocket()]
        if fen is not None:
            self.set_fen(fen)

    def set_fen(self, fen: str) -> None:
        """Set up the position that a FEN describes."""
        super().set_fen(fen)
        self.pockets = [Pocket(str(pocket)) for pocket in self.pockets]

    def copy(self, *, stack: bool | int = True) -> Self:
        """A board of one's own; without the moves that led here it costs a third of the library's."""
        if stack:
            return super().copy(stack=stack)
        other = without_moves(self)
        other._crazyhouse_stack = []
        other.pockets = [pocket.copy() for pocket in self.pockets]
        return other


_NO_MEN = CrazyhouseBoard(None)


class Crazyhouse(Family):
    """Standard chess with drops."""

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
        """A copy, which costs half of a new one."""
        return _NO_MEN.copy(stack=False)

    @property
    def start_fen(self) -> str:
        """The array of standard chess, with empty pockets."""
        return CrazyhouseBoard.starting_fen

    def legal_rows(self, board: chess.Board, check: bool) -> Iterator[Sequence[str]]:
        """Drops, then moves."""
        pocket = _pockets(board)[board.turn]
        if not pocket:
            return legal_rows(board, check)
        empty = answers(board, capture=False) if check else ~board.occupied & chess.BB_ALL
        return chain(_drops(pocket, empty), legal_rows(board, check))

    def apply(self, board: chess.Board, move: chess.Move) -> bool:
        """Irreversible: the loss of a castling right, and nothing else."""
        rights = board.castling_rights
        apply_move(board, move)
        return board.castling_rights != rights

    def key_state(self, board: chess.Board) -> bytes:
        """Which men are promoted, and what each pocket holds, in whatever order it came there."""
        black, white = _pockets(board)
        return _PROMOTED.pack(board.promoted) + bytes(white.counts[1:6] + black.counts[1:6])

    def dead_by_material(self, board: chess.Board) -> bool:
        """Kings alone and nothing in a pocket, which no play leads to.

        One bishop or knight could never mate either, but what can be dropped or captured is never called dead.
        """
        return board.occupied == board.kings and not any(_pockets(board))

    def cannot_win(self, board: chess.Board, side: Colour) -> bool:
        """What goes for one side goes for both: every man may change sides."""
        return self.dead_by_material(board)

    def can_force_mate(self, board: chess.Board, side: Colour) -> bool:
        """Whatever is not dead, since every man may come into the hands of either side."""
        return not self.dead_by_material(board)

    def men(self, board: chess.Board, side: Colour) -> tuple[int, int]:
        """Those on the board and in the pocket of `side`."""
        pocket = _pockets(board)[side is Colour.WHITE]
        men, minors = super().men(board, side)
        return men + len(pocket), minors + pocket.count(chess.BISHOP) + pocket.count(chess.KNIGHT)

    def goal_score(self, board: chess.Board, side: chess.Color) -> int:
        """The men in hand."""
        pocket = _pockets(board)[side]
        return sum(value * pocket.count(kind) for kind, value in self.values.items())


@lru_cache(_POCKETS_CACHED)
def _counts(letters: str) -> tuple[int, ...]:
    """How many men of each kind these letters are."""
    return tuple([letters.count(symbol) if symbol else 0 for symbol in chess.PIECE_SYMBOLS])


@lru_cache(_POCKETS_CACHED)
def _letters(counts: tuple[int, ...]) -> str:
    """What a pocket holds, the strongest first."""
    return "".join([chess.piece_symbol(kind) * counts[kind] for kind in reversed(_KINDS)])


def _drops(pocket: Pocket, squares: chess.Bitboard) -> Iterator[Sequence[str]]:
    """The drops on these squares, sorted; all come before any move, for their capital letters."""
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
