"""The rules of a variant. The base class is standard chess; each variant's file overrides what differs.

A family is immutable and has no state of a game: the board has it all, a `chess.Board` of the family's class. Boards
passed to a family are checked (`position_check`) and have an en passant square only if the capture is legal.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import chess

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.variant import Variant
from services.rules.families import material
from services.rules.families.legal_text import legal_rows
from services.rules.moves import apply_move
from services.rules.text.castling import Castling
from services.rules.text.moves_out import write_uci

PAWNS_MAX = 8
PIECES_MAX = 16


@dataclass(frozen=True, slots=True)
class PiecesOfSide:
    """The pieces that a side may have on the board: how many kings, pawns and pieces in all, and where no pawn is."""

    kings: range = range(1, 2)
    pawns_max: int = PAWNS_MAX
    pieces_max: int = PIECES_MAX
    no_pawns_on: chess.Bitboard = chess.BB_BACKRANKS


class Family:
    """The rules of one variant; this base class has the rules of standard chess."""

    variant: ClassVar[Variant] = Variant.STANDARD
    board_class: ClassVar[type[chess.Board]] = chess.Board
    castling: ClassVar[Castling] = Castling.STANDARD
    double_step: ClassVar[bool] = True
    """Whether a pawn's first move may be two squares. Only then there is en passant."""
    one_move_checks: ClassVar[bool] = True
    """Whether every check was given by the last move, so that some combinations of checks are impossible."""
    has_pockets: ClassVar[bool] = False
    """Whether pieces are dropped: boards have `pockets`, and the FEN marks `promoted` pieces."""
    counts_checks: ClassVar[bool] = False
    """Whether boards have `remaining_checks`."""
    letters: ClassVar[Mapping[str, int]] = {}
    """Capital letters of pieces that are read besides the English and German ones."""
    pieces_of_side: ClassVar[Mapping[chess.Color, PiecesOfSide]] = {
        chess.WHITE: PiecesOfSide(),
        chess.BLACK: PiecesOfSide(),
    }
    """What each side may have. Only this decides whether a side may be without a king, or have several."""
    values: ClassVar[Mapping[chess.PieceType, int]] = {
        chess.PAWN: 100,
        chess.KNIGHT: 310,
        chess.BISHOP: 325,
        chess.ROOK: 500,
        chess.QUEEN: 900,
    }
    """The values of pieces for the small search, in hundredths of a pawn."""
    exact_dead_positions: ClassVar[bool] = True
    """Whether dead positions and possible mates are found exactly; otherwise only by material."""

    bare_king_can_win: ClassVar[bool] = False
    """Whether a bare king may still win, so that it passes every test after a flag fall."""
    one_minor_can_win: ClassVar[bool] = False
    """Whether one minor piece counts like any other piece in these tests."""

    king_can_be_taken: ClassVar[bool] = False
    """Whether a side may be to move while the other king is attacked: it may capture the king."""
    attacked_king_may_stand: ClassVar[bool] = False
    """Whether a position is accepted in which the side that is not to move is in check."""

    @property
    def start_fen(self) -> str:
        """The FEN of the starting position."""
        return chess.STARTING_FEN

    def empty_board(self) -> chess.Board:
        """A board without pieces, to be filled by `read_fen`."""
        return self.board_class(None, chess960=self.castling is Castling.CHESS960)

    def check_playable(self, board: chess.Board) -> None:
        """Refuse a position to which no game of this variant leads, beyond what `pieces_of_side` says."""

    def goal(self, board: chess.Board) -> Outcome | None:
        """The end by the variant's own goal (a third check, a hill, ...), or None. It counts before all legal moves."""
        return None

    def is_check(self, board: chess.Board) -> bool:
        """Whether the side to move is in check."""
        return board.is_check()

    def legal_rows(self, board: chess.Board, check: bool) -> Iterator[Sequence[str]]:
        """Yield the legal moves in UCI, sorted, as `write_uci` spells them, in groups. Call it only if `goal` is None.

        The board must not change before the iteration ends.
        """
        return legal_rows(board, check)

    def legal_text(self, board: chess.Board, check: bool, enough: int | None = None) -> list[str]:
        """The first `enough` moves of `legal_rows`, which is cheap for a few; None means all."""
        texts: list[str] = []
        for row in self.legal_rows(board, check):
            texts += row
            if enough is not None and len(texts) >= enough:
                break
        return texts[:enough]

    def stuck(self, board: chess.Board, check: bool) -> Outcome:
        """The end if the side to move has no legal move: mate (FIDE 5.1.1) or stalemate (FIDE 5.2.1)."""
        if not check:
            return Outcome(None, EndReason.STALEMATE)
        return Outcome(Colour.BLACK if board.turn else Colour.WHITE, EndReason.CHECKMATE)

    def ended(self, board: chess.Board, check: bool) -> Outcome | None:
        """The end on the board: goal, mate or stalemate; None if the game goes on. Draws by count are not checked."""
        if (goal := self.goal(board)) is not None:
            return goal
        return None if self.legal_text(board, check, 1) else self.stuck(board, check)

    def apply(self, board: chess.Board, move: chess.Move) -> bool:
        """Make a legal move. Return whether it is irreversible: no earlier position can come again."""
        return apply_move(board, move)

    def line_pieces(self, board: chess.Board) -> chess.Bitboard:
        """The pieces that attack along lines and so can give a discovered check."""
        return board.rooks | board.bishops | board.queens

    def is_capture(self, board: chess.Board, move: chess.Move) -> bool:
        """Whether a legal move captures a piece."""
        return board.is_capture(move)

    def key_state(self, board: chess.Board) -> bytes:
        """The state of a position besides pieces, castling, en passant and turn: pockets, promoted pieces, checks."""
        return b""

    def write_uci(self, board: chess.Board, move: chess.Move) -> str:
        """A legal move in UCI; `board` is the position before it."""
        return write_uci(move)

    def dead_by_material(self, board: chess.Board) -> bool:
        """Whether the material alone rules out a win for both sides."""
        return material.dead_by_material(board)

    def cannot_win(self, board: chess.Board, side: Colour) -> bool:
        """Whether the material alone rules out a win for `side` by any series of legal moves. True is proved."""
        return material.cannot_win(board, side)

    def can_force_mate(self, board: chess.Board, side: Colour) -> bool:
        """Whether `side` has more than K, K+B, K+N or K+N+N, or the equivalent in this variant."""
        return material.can_force_mate(board, side)

    def count_pieces(self, board: chess.Board, side: Colour) -> tuple[int, int]:
        """The number of pieces of `side` besides its king, including pockets, and the number of minor pieces."""
        return material.count_pieces(board, side)

    def goal_score(self, board: chess.Board, side: chess.Color) -> int:
        """What `side` has of the variant's own goal, or in hand, on the scale of `values`, for the small search."""
        return 0


STANDARD = Family()
