"""Whether a position can be played from.

A position of a game under way is checked for what the rules rest on; one that a game is to start from, for all that can
be wrong about it.
"""

import chess

from services.domain.refusal import RefusalCode
from services.rules.fen import castling_problem
from services.rules.moves import forget_idle_en_passant
from services.rules.refused import Refused

FULL_MOVES_MAX = 99_999
"""The highest move number that a game may start at: far above any that the move count lets live."""

_PROBLEMS = (
    (chess.STATUS_NO_WHITE_KING, "fen.board", "there is no white king"),
    (chess.STATUS_NO_BLACK_KING, "fen.board", "there is no black king"),
    (chess.STATUS_TOO_MANY_KINGS, "fen.board", "a side has more than one king"),
    (chess.STATUS_PAWNS_ON_BACKRANK, "fen.board", "a pawn stands on the first or last rank"),
    (chess.STATUS_BAD_CASTLING_RIGHTS, "fen.castling", "a castling right without its king or rook"),
    (chess.STATUS_INVALID_EP_SQUARE, "fen.enPassant", "no pawn has just passed this square by a double step"),
    (chess.STATUS_OPPOSITE_CHECK, "fen.turn", "the side that is not to move is in check"),
)
_PROBLEMS_AT_START = (
    (chess.STATUS_TOO_MANY_WHITE_PAWNS, "fen.board", "White has more than eight pawns"),
    (chess.STATUS_TOO_MANY_BLACK_PAWNS, "fen.board", "Black has more than eight pawns"),
    (chess.STATUS_TOO_MANY_WHITE_PIECES, "fen.board", "White has more than sixteen men"),
    (chess.STATUS_TOO_MANY_BLACK_PIECES, "fen.board", "Black has more than sixteen men"),
    (chess.STATUS_TOO_MANY_CHECKERS, "fen.board", "more than two men give check"),
    (chess.STATUS_IMPOSSIBLE_CHECK, "fen.board", "no last move can have given this check"),
)


def check_position(board: chess.Board) -> None:
    """Refuse what legal moves cannot be told of, then forget an en passant square that nobody may use (FIDE 9.2.3)."""
    if status := board.status():
        _refuse_any(board, status, _PROBLEMS)
    forget_idle_en_passant(board)


def check_start(board: chess.Board) -> None:
    """Refuse what no game should start from, beyond `check_position` and before it."""
    status = board.status()
    _refuse_any(board, status, _PROBLEMS)
    _refuse_any(board, status, _PROBLEMS_AT_START)
    if board.fullmove_number > FULL_MOVES_MAX:
        raise Refused(
            RefusalCode.BAD_POSITION,
            f"a game starts at move {FULL_MOVES_MAX} at the latest, not at {board.fullmove_number}",
            "fen.fullMoves",
        )
    # Each half-move of the clock was played in this game, so the move number bounds it (PGN 16.1.3.5).
    played = 2 * (board.fullmove_number - 1) + (board.turn == chess.BLACK)
    if board.halfmove_clock > played:
        raise Refused(
            RefusalCode.BAD_POSITION,
            f"{board.halfmove_clock} half-moves without a capture do not fit into the {played} played so far",
            "fen.halfMoves",
        )


def _refuse_any(board: chess.Board, status: chess.Status, problems: tuple[tuple[chess.Status, str, str], ...]) -> None:
    for flag, at, message in problems:
        if status & flag:
            plain = castling_problem(board) if flag == chess.STATUS_BAD_CASTLING_RIGHTS else message
            raise Refused(RefusalCode.BAD_POSITION, plain, at)
