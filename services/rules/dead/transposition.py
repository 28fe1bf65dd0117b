"""Names of positions inside one search. They are cheaper than the keys of `keys`, which other processes use."""

import chess

Name = tuple[int, int, int, int, int, int, int, bool, int, int | None]


def name(board: chess.Board) -> Name:
    """A value that is equal exactly for equal positions, without counters. The board's en passant capture is legal."""
    return (
        board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings,
        board.occupied_co[chess.WHITE], board.turn, board.castling_rights, board.ep_square,
    )  # fmt: skip
