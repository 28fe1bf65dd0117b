"""A move as Flagfall writes it: UCI, and SAN with no more than it needs (PGN 8.2.3)."""

import chess

_NAMES = chess.SQUARE_NAMES
_LETTERS = ("", "", "N", "B", "R", "Q", "K")
_UCI_LETTERS = ("", "", "n", "b", "r", "q", "")


def write_uci(move: chess.Move) -> str:
    """Coordinates, castling as the king's two squares."""
    return _NAMES[move.from_square] + _NAMES[move.to_square] + _UCI_LETTERS[move.promotion or 0]


def write_san(board: chess.Board, move: chess.Move) -> str:
    """SAN of a legal move in the position before it, without the sign of check or mate, which `sign` gives."""
    source, target = move.from_square, move.to_square
    piece = board.piece_type_at(source)
    if piece is None:
        raise ValueError(f"{move} moves nothing")
    captures = board.is_capture(move)
    if piece == chess.PAWN:
        start = f"{_NAMES[source][0]}x" if captures else ""
        return start + _NAMES[target] + (f"={_LETTERS[move.promotion]}" if move.promotion else "")
    if piece == chess.KING and abs(target - source) == 2:
        return "O-O" if target > source else "O-O-O"
    named = "" if piece == chess.KING else _distinction(board, piece, source, target)
    return _LETTERS[piece] + named + ("x" if captures else "") + _NAMES[target]


def sign(check: bool, mate: bool) -> str:
    """What SAN adds for the position after the move."""
    return "#" if mate else "+" if check else ""


def _distinction(board: chess.Board, piece: int, source: int, target: int) -> str:
    """File, else rank, else both, when another man of the kind may legally go there too."""
    twins = board.pieces_mask(piece, board.turn) & ~chess.BB_SQUARES[source]
    if not twins or not (twins := twins & board.attackers_mask(board.turn, target)):
        return ""
    others = [move.from_square for move in board.generate_legal_moves(twins, chess.BB_SQUARES[target])]
    if not others:
        return ""
    name = _NAMES[source]
    if all(chess.square_file(other) != chess.square_file(source) for other in others):
        return name[0]
    if all(chess.square_rank(other) != chess.square_rank(source) for other in others):
        return name[1]
    return name
