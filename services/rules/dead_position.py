"""Dead positions and possible mates: can a side still mate by any series of legal moves (FIDE 5.1.2, 5.2.2, 6.9)?

An answer YES or NO is proved; what is not proved is UNKNOWN and counts as winnable. Repetition and move counts are left
aside: they end a game by articles of their own. For Standard and Chess960; boards are checked (`position_check`).
"""

from collections.abc import Callable

import chess

from services.domain.colour import Colour
from services.rules import forced_lines, help_search
from services.rules.possible_mate import CanMate
from services.rules.structure import Structure


def quick_can_mate(board: chess.Board, side: Colour) -> CanMate:
    """Whether `side` can still mate, by what is seen at once: material, forced lines, structure."""
    return forced_lines.follow(board, side, Structure(board))


def quick_is_dead(board: chess.Board) -> bool:
    """Whether it is proved that neither side can mate (FIDE 5.2.2). False promises nothing. Asked after every move."""
    structure = Structure(board)
    return all(forced_lines.follow(board, side, structure) is CanMate.NO for side in Colour)


def can_mate(board: chess.Board, side: Colour, nodes_max: int, expired: Callable[[], bool] = lambda: False) -> CanMate:
    """Whether `side` can still mate: at once, else by a search over `nodes_max` positions at the most.

    `expired` is asked during the search; once it says True the answer is UNKNOWN.
    """
    quick = quick_can_mate(board, side)
    if quick is not CanMate.UNKNOWN:
        return quick
    return help_search.search(board, side, nodes_max, expired)
