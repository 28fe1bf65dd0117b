"""Making a move on a board whose en passant square is set only if the capture is legal."""

import chess


def legal_moves(board: chess.Board) -> list[chess.Move]:
    """All legal moves; castling as the king's two squares, on a board of Chess960 as king takes rook."""
    return list(board.generate_legal_moves())


def apply_move(board: chess.Board, move: chess.Move) -> bool:
    """Make a legal move. True when it is irreversible: no position from before it can come back.

    That is so after a pawn move, a capture, or the loss of a castling right.
    """
    rights = board.castling_rights
    board.push(move)
    forget_idle_en_passant(board)
    return board.halfmove_clock == 0 or board.castling_rights != rights


def forget_idle_en_passant(board: chess.Board) -> None:
    """Forget an en passant square that no legal capture goes to: it makes no other position (FIDE 9.2.3)."""
    if board.ep_square is not None and not board.has_legal_en_passant():
        board.ep_square = None


def castles(board: chess.Board, move: chess.Move) -> bool:
    """Whether a legal move is castling: a king goes to its own rook, or two squares along its rank."""
    source, target = chess.BB_SQUARES[move.from_square], chess.BB_SQUARES[move.to_square]
    if not board.kings & source:
        return False
    return abs(move.to_square - move.from_square) == 2 or bool(board.occupied_co[board.turn] & target)
