"""Making a move on a board whose en passant square is set only if the capture is legal."""

import chess


def legal_moves(board: chess.Board) -> list[chess.Move]:
    """All legal moves; castling is the king's two squares, or in Chess960 king takes rook."""
    return list(board.generate_legal_moves())


def apply_move(board: chess.Board, move: chess.Move) -> bool:
    """Make a legal move. Return whether it is irreversible: no earlier position can come again.

    A pawn move, a capture and the loss of a castling right are irreversible.
    """
    rights = board.castling_rights
    board.push(move)
    forget_idle_en_passant(board)
    return board.halfmove_clock == 0 or board.castling_rights != rights


def forget_idle_en_passant(board: chess.Board) -> None:
    """Clear the en passant square if no legal capture uses it: it does not change the position (FIDE 9.2.3)."""
    if board.ep_square is not None and not board.has_legal_en_passant():
        board.ep_square = None


def castles(board: chess.Board, move: chess.Move) -> bool:
    """Whether a legal move is castling: a king moves onto its own rook, or two squares along its rank."""
    source, target = chess.BB_SQUARES[move.from_square], chess.BB_SQUARES[move.to_square]
    if not board.kings & source:
        return False
    return abs(move.to_square - move.from_square) == 2 or bool(board.occupied_co[board.turn] & target)
