"""Dead positions and possible mates: can a side still mate by any series of legal moves (FIDE 5.1.2, 5.2.2, 6.9)?

YES and NO are proved; without a proof the answer is UNKNOWN, which counts as winnable. Repetition and move counts are
ignored: other articles end a game by these. For Standard and Chess960; boards are checked (`position_check`).
"""

from collections.abc import Callable

import chess

from services.domain.colour import Colour
from services.rules.dead import forced_lines, help_search
from services.rules.dead.possible_mate import CanMate
from services.rules.dead.structure import Structure, worth_a_look


def quick_can_mate(board: chess.Board, side: Colour) -> CanMate:
    """Whether `side` can still mate, without a search: by material, forced lines and structure."""
    return forced_lines.follow(board, side, Structure(board))


def quick_is_dead(board: chess.Board, legal_moves: int | None = None) -> bool:
    """Whether it is proved that neither side can mate (FIDE 5.2.2). False proves nothing. Called after every move.

    `legal_moves` is their number, if the caller knows it. Then an ordinary position takes a few microseconds, since a
    position with a free pawn, or a queen or rook that can move, is dead only by forced lines.
    """
    forced = (forced_lines.few_moves(board) if legal_moves is None else legal_moves) <= forced_lines.MOVES_MAX
    if not forced and not (worth_a_look(board, chess.WHITE) and worth_a_look(board, chess.BLACK)):
        return False
    structure = Structure(board)
    return all(forced_lines.follow(board, side, structure) is CanMate.NO for side in Colour)


def can_mate(board: chess.Board, side: Colour, nodes_max: int, expired: Callable[[], bool] = lambda: False) -> CanMate:
    """Whether `side` can still mate: by quick tests, else by a search of at most `nodes_max` positions.

    The search calls `expired` from time to time; once it returns True the answer is UNKNOWN.
    """
    quick = quick_can_mate(board, side)
    if quick is not CanMate.UNKNOWN:
        return quick
    return help_search.search(board, side, nodes_max, expired)
