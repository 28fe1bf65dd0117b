"""The squares that an elephant may go to from each square: one table for each kind of elephant in old sources.

One of them is the elephant of Shatranj (`Elephant.ALFIL`); the others are options of Chaturanga.
"""

from dataclasses import dataclass
from functools import cache

import chess

from services.domain.chaturanga import Elephant

Steps = tuple[tuple[int, int], ...]
"""Steps: files to the right and ranks forward."""

DIAGONAL: Steps = ((1, 1), (1, -1), (-1, 1), (-1, -1))
_TWO_DIAGONAL: Steps = tuple((2 * files, 2 * ranks) for files, ranks in DIAGONAL)
_TWO_STRAIGHT: Steps = ((2, 0), (-2, 0), (0, 2), (0, -2))


def reached(square: chess.Square, steps: Steps, white: bool = True) -> chess.Bitboard:
    """The squares on the board that these steps lead to; Black goes forward to lower ranks."""
    mask = chess.BB_EMPTY
    for files, ranks in steps:
        file = chess.square_file(square) + files
        rank = chess.square_rank(square) + (ranks if white else -ranks)
        if 0 <= file < 8 and 0 <= rank < 8:
            mask |= chess.BB_SQUARES[chess.square(file, rank)]
    return mask


@dataclass(frozen=True, slots=True)
class ElephantMoves:
    """`reach[white][square][occupied & legs[square]]` are the squares that an elephant attacks."""

    legs: tuple[chess.Bitboard, ...]
    """The squares whose pieces block an elephant; empty for one that leaps or moves one step."""
    reach: tuple[tuple[dict[chess.Bitboard, chess.Bitboard], ...], ...]


@cache
def elephant_moves(elephant: Elephant) -> ElephantMoves:
    """The table of one kind of elephant."""
    match elephant:
        case Elephant.ALFIL:
            return _unhindered(_TWO_DIAGONAL)
        case Elephant.LAME_ALFIL:
            return _lame()
        case Elephant.ONE_STEP:
            return _unhindered((*DIAGONAL, (0, 1)))
        case Elephant.ROOKWISE_LEAP | Elephant.CORNER_ROOKWISE_LEAP:
            return _unhindered(_TWO_STRAIGHT)


def _unhindered(steps: Steps) -> ElephantMoves:
    reach = tuple(tuple({0: reached(square, steps, white)} for square in chess.SQUARES) for white in (False, True))
    return ElephantMoves((chess.BB_EMPTY,) * 64, reach)


def _lame() -> ElephantMoves:
    legs: list[chess.Bitboard] = []
    reach: list[dict[chess.Bitboard, chess.Bitboard]] = []
    for square in chess.SQUARES:
        ways = [
            (leg, target)
            for step, leap in zip(DIAGONAL, _TWO_DIAGONAL, strict=True)
            if (target := reached(square, (leap,))) and (leg := reached(square, (step,)))
        ]
        all_legs = sum(leg for leg, _ in ways)
        legs.append(all_legs)
        reach.append(
            {blocked: sum(target for leg, target in ways if not leg & blocked) for blocked in _subsets(all_legs)}
        )
    return ElephantMoves(tuple(legs), (tuple(reach), tuple(reach)))


def _subsets(mask: chess.Bitboard) -> list[chess.Bitboard]:
    subsets, subset = [0], mask
    while subset:
        subsets.append(subset)
        subset = (subset - 1) & mask
    return subsets
