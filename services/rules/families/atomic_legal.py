"""The legal moves of Atomic as sorted UCI text. The library plays each move to test it; this code does not.

A move without a capture is legal as in standard chess, except that there is no check while the kings touch. A capture
removes more pieces, so each capture is tested separately.
"""

from collections.abc import Iterator

import chess

from services.rules.families.legal_text import king_row, promotion_row, row
from services.rules.families.targets import KING, answers, pinned, pseudo_targets, unattacked


def atomic_legal_rows(board: chess.Board, check: bool) -> Iterator[tuple[str, ...]]:
    """Yield the legal moves of Atomic chess, as `legal_rows` does, for a board with both kings."""
    turn, occupied = board.turn, board.occupied
    own, others = board.occupied_co[turn], board.occupied_co[not turn]
    royal, touched = own & board.kings, KING[(others & board.kings).bit_length() - 1]
    king = royal.bit_length() - 1
    bound = chess.BB_EMPTY if touched & royal else pinned(board, king)
    quiet = ~occupied & answers(board, capture=False) if check else ~occupied
    passing = chess.BB_EMPTY if board.ep_square is None else chess.BB_SQUARES[board.ep_square]
    promoting = board.pawns & (chess.BB_RANK_7 if turn else chess.BB_RANK_2)
    for piece, source, there in pseudo_targets(board, own):
        if piece == royal:
            steps = there & ~occupied
            near = steps & touched
            free = near | unattacked(board, steps & ~near, others, occupied ^ piece)
            yield king_row(board, king, free, check, own_attacks=True)  # next to the other king no square is attacked
            continue
        prey = there & (others | passing if piece & board.pawns else others)
        targets = there & quiet & ~prey
        if piece & bound:
            targets &= chess.ray(king, source)
        if prey:
            targets |= _captures(board, piece, prey, check)
        yield promotion_row(source, targets) if piece & promoting else row(source, targets)


def _captures(board: chess.Board, piece: chess.Bitboard, prey: chess.Bitboard, check: bool) -> chess.Bitboard:
    """Those of the squares `prey` on which `piece` may capture."""
    turn, occupied, pawns = board.turn, board.occupied, board.pawns
    others = board.occupied_co[not turn]
    royal, enemy = board.kings & ~others, board.kings & others
    king = royal.bit_length() - 1
    touching = KING[king] & enemy
    lines = chess.BB_RANK_ATTACKS[king][0] | chess.BB_FILE_ATTACKS[king][0] | chess.BB_DIAG_ATTACKS[king][0]
    legal = chess.BB_EMPTY
    while prey:
        centre = prey & -prey
        prey ^= centre
        blast = KING[centre.bit_length() - 1]
        if blast & royal:
            continue
        if touching or (blast | centre) & enemy:
            legal |= centre
            continue
        gone = piece | centre | blast & ~pawns
        if not centre & occupied:  # en passant
            gone |= centre >> 8 if turn else centre << 8
        left = occupied & ~gone
        if (not check and not occupied & gone & lines) or unattacked(board, royal, others & left, left):
            legal |= centre
    return legal
