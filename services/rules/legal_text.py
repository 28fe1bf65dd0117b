"""The legal moves of a position as sorted UCI text, without making an object of each.

The list is sent with every move and is most of the work for it. While nothing is special about a position (no check, no
en passant) men that are not pinned may go wherever they can; the rest - king, castling, pinned men, all special
positions - is the library's. Half the library's time; perft and a property test hold the two against each other.
"""

import chess

from services.rules.notation_out import write_uci

_NAMES = chess.SQUARE_NAMES
_TEXTS = tuple(tuple(source + target for target in _NAMES) for source in _NAMES)
_PROMOTION_LETTERS = ("q", "r", "b", "n")


def legal_text(board: chess.Board, check: bool) -> list[str]:
    """All legal moves in UCI, sorted. `check` says whether the side to move is in check."""
    if check or board.ep_square is not None:
        return sorted(map(write_uci, board.generate_legal_moves()))
    own = board.occupied_co[board.turn]
    king = own & board.kings
    bound = king | _pinned(board, king.bit_length() - 1, own)
    texts = [write_uci(move) for move in board.generate_legal_moves(bound)]
    open_squares = ~own
    for source in chess.scan_forward(own & ~board.pawns & ~bound):
        row = _TEXTS[source]
        targets = board.attacks_mask(source) & open_squares
        while targets:
            lowest = targets & -targets
            texts.append(row[lowest.bit_length() - 1])
            targets ^= lowest
    _add_pawns(board, own & board.pawns & ~bound, texts)
    texts.sort()
    return texts


def _add_pawns(board: chess.Board, pawns: chess.Bitboard, texts: list[str]) -> None:
    others, empty = board.occupied_co[not board.turn], ~board.occupied
    if board.turn:
        one = pawns << 8 & empty
        two = (one & chess.BB_RANK_3) << 8 & empty
        west = (pawns & ~chess.BB_FILE_A) << 7 & others
        east = (pawns & ~chess.BB_FILE_H) << 9 & others
        steps = ((one, -8), (two, -16), (west, -7), (east, -9))
    else:
        one = pawns >> 8 & empty
        two = (one & chess.BB_RANK_6) >> 8 & empty
        west = (pawns & ~chess.BB_FILE_A) >> 9 & others
        east = (pawns & ~chess.BB_FILE_H) >> 7 & others
        steps = ((one, 8), (two, 16), (west, 9), (east, 7))
    for targets, back in steps:
        for target in chess.scan_forward(targets):
            text = _TEXTS[target + back][target]
            if target < 8 or target > 55:
                texts.extend([text + letter for letter in _PROMOTION_LETTERS])
            else:
                texts.append(text)


def _pinned(board: chess.Board, king: chess.Square, own: chess.Bitboard) -> chess.Bitboard:
    """Own men that alone stand between their king and a line piece of the other side."""
    straight, diagonal = board.rooks | board.queens, board.bishops | board.queens
    lines = (chess.BB_RANK_ATTACKS[king][0] | chess.BB_FILE_ATTACKS[king][0]) & straight
    snipers = (lines | chess.BB_DIAG_ATTACKS[king][0] & diagonal) & board.occupied_co[not board.turn]
    pinned = chess.BB_EMPTY
    for sniper in chess.scan_forward(snipers):
        between = chess.between(king, sniper) & board.occupied
        if between and not between & (between - 1):
            pinned |= between & own
    return pinned
