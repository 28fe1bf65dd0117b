"""Names of positions inside one search; cheaper than the keys of `keys`, which leave the process."""

import chess

Name = tuple[int, int, int, int, int, int, int, bool, int, int | None]


def name(board: chess.Board) -> Name:
    """Equal exactly for equal positions, counters aside (the en passant square is set only if the capture is legal)."""
    return (
        board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings,
        board.occupied_co[chess.WHITE], board.turn, board.castling_rights, board.ep_square,
    )  # fmt: skip
