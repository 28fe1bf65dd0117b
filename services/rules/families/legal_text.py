"""The legal moves of a position as sorted UCI text, without making an object of each.

The list is sent with every move and takes most of the time for it. Pieces come in the order of their squares' names,
and the texts of a piece's moves (a row) come from a cache, so no sorting is needed. Rows are made lazily, so a test for
any legal move is cheap. The library makes en passant and Chess960's castling. This code takes a third of the library's
time; perft and property tests compare the two.
"""

from collections.abc import Iterator
from functools import lru_cache

import chess

from services.rules.families.targets import answers, pinned, pseudo_targets, unattacked
from services.rules.text.moves_out import write_uci

_TEXTS = tuple(tuple(source + target for target in chess.SQUARE_NAMES) for source in chess.SQUARE_NAMES)
_PROMOTION_LETTERS = ("q", "r", "b", "n")
_ROWS_CACHED = 1 << 15
"""The number of cached rows: about 300 bytes each."""


def legal_rows(board: chess.Board, check: bool) -> Iterator[tuple[str, ...]]:
    """Yield the legal moves in UCI, sorted, piece by piece. `check`: whether the side to move is in check."""
    turn, passing = board.turn, board.ep_square
    own, others = board.occupied_co[turn], board.occupied_co[not turn]
    royal = own & board.kings
    king = royal.bit_length() - 1
    bound = pinned(board, king)
    useful = answers(board, capture=True) if check else chess.BB_ALL
    captures = legal_en_passant(board) if passing is not None else {}
    passers = chess.BB_EMPTY if passing is None else board.pawns
    promoting = board.pawns & (chess.BB_RANK_7 if turn else chess.BB_RANK_2)
    free = own & ~(royal | bound | passers | promoting)
    for piece, source, there in pseudo_targets(board, own):
        targets = there & useful
        if piece & free:
            yield row(source, targets)
        elif piece == royal:
            yield king_row(board, king, unattacked(board, there, others, board.occupied ^ piece), check)
        else:
            if piece & bound:
                targets &= chess.ray(king, source)
            if passing is not None and piece & passers:
                targets = targets & ~chess.BB_SQUARES[passing] | captures.get(source, 0)
            yield promotion_row(source, targets) if piece & promoting else row(source, targets)


@lru_cache(_ROWS_CACHED)
def row(source: chess.Square, targets: chess.Bitboard) -> tuple[str, ...]:
    """The moves of one piece, sorted."""
    texts = _TEXTS[source]
    return tuple(sorted([texts[target] for target in chess.scan_forward(targets)]))


@lru_cache(_ROWS_CACHED)
def promotion_row(
    source: chess.Square, targets: chess.Bitboard, letters: tuple[str, ...] = _PROMOTION_LETTERS
) -> tuple[str, ...]:
    """The moves of a pawn to the last rank, sorted; `letters` are what it may become."""
    return tuple(sorted(text + letter for text in row(source, targets) for letter in letters))


def king_row(
    board: chess.Board, king: chess.Square, steps: chess.Bitboard, check: bool, own_attacks: bool = False
) -> tuple[str, ...]:
    """The steps and castlings of a king, sorted. `own_attacks`: the board itself tests attacks on the king's way."""
    rights = board.castling_rights & (chess.BB_RANK_1 if board.turn else chess.BB_RANK_8)
    if not rights or check:
        return row(king, steps)
    # no piece may be between the two (FIDE 3.8.2.2, Guidelines II.3.2)
    free = [rook for rook in chess.scan_forward(rights) if not chess.between(king, rook) & board.occupied]
    if not free:
        return row(king, steps)
    if board.chess960 or own_attacks:
        return tuple(sorted((*row(king, steps), *map(write_uci, board.generate_castling_moves()))))
    others = board.occupied_co[not board.turn]
    for rook in free:
        step = 1 if rook > king else -1
        way = chess.BB_SQUARES[king + step] | chess.BB_SQUARES[king + 2 * step]
        if unattacked(board, way, others, board.occupied) == way:
            steps |= chess.BB_SQUARES[king + 2 * step]
    return row(king, steps)


def legal_en_passant(board: chess.Board) -> dict[chess.Square, chess.Bitboard]:
    """For each pawn that may legally capture en passant, the mask of the target square."""
    return {move.from_square: chess.BB_SQUARES[move.to_square] for move in board.generate_legal_ep()}
