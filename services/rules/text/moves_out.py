"""A move as Flagfall writes it: UCI, and SAN with no more than it needs (PGN 8.2.3)."""

from collections.abc import Callable

import chess

from services.rules.moves import castles

_NAMES = chess.SQUARE_NAMES
_LETTERS = ("P", "N", "B", "R", "Q", "K")
_UCI_LETTERS = ("", "", "n", "b", "r", "q", "k")


def write_uci(move: chess.Move) -> str:
    """A move in UCI; a drop as `P@e4`.

    Castling is written as on the board: the king's two squares, or in Chess960 king takes rook.
    """
    if move.drop is not None:
        return f"{_LETTERS[move.drop - 1]}@{_NAMES[move.to_square]}"
    return _NAMES[move.from_square] + _NAMES[move.to_square] + _UCI_LETTERS[move.promotion or 0]


def write_uci_960(board: chess.Board, move: chess.Move) -> str:
    """A legal move in UCI, with castling as king takes rook in every variant. `board` is the position before it."""
    if castles(board, move) and not board.chess960:
        rook = move.to_square + 1 if move.to_square > move.from_square else move.to_square - 2
        return _NAMES[move.from_square] + _NAMES[rook]
    return write_uci(move)


def write_san(board: chess.Board, move: chess.Move, is_capture: Callable[[chess.Board, chess.Move], bool]) -> str:
    """SAN of a legal move, without the sign of check or mate (see `sign`). `board` is the position before the move.

    `is_capture` is the family's: variants differ in what is a capture.

    Drops are `P@e4` and `N@f3`. Pieces have the letters of the FEN: in Shatranj Q is a firz and B an elephant.
    """
    if move.drop is not None:
        return write_uci(move)
    source, target = move.from_square, move.to_square
    piece = board.piece_type_at(source)
    if piece is None:
        raise ValueError(f"{move} moves nothing")
    if piece == chess.KING and castles(board, move):
        return "O-O" if target > source else "O-O-O"
    if piece == chess.PAWN:
        start = f"{_NAMES[source][0]}x" if is_capture(board, move) else ""
        return start + _NAMES[target] + (f"={_LETTERS[move.promotion - 1]}" if move.promotion else "")
    named = _distinction(board, piece, source, target)
    return _LETTERS[piece - 1] + named + ("x" if is_capture(board, move) else "") + _NAMES[target]


def sign(check: bool, wins: bool) -> str:
    """The sign of SAN after a move: `#` if the move wins (mate or the variant's goal), `+` for a check, else empty."""
    return "#" if wins else "+" if check else ""


def _distinction(board: chess.Board, piece: int, source: int, target: int) -> str:
    """File, else rank, else both, if another piece of the same kind may legally move there too."""
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
