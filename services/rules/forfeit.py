"""Who wins after a flag fall or a resignation: five tests of what the other side needs (FIDE 5.1.2, 6.9)."""

from dataclasses import dataclass
from enum import Enum

import chess

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.rule_set import Resignation, RuleSet, WinOnTime
from services.rules.dead import forced_lines
from services.rules.dead.dead_position import quick_can_mate
from services.rules.dead.possible_mate import CanMate
from services.rules.dead.structure import worth_a_look
from services.rules.families.family import Family

ORDINARY_PIECES = 28
"""With more pieces on the board, locked positions do not occur in play."""


class ForfeitKind(Enum):
    """How a side forfeits."""

    FLAG = EndReason.FLAG
    RESIGNATION = EndReason.RESIGNATION


@dataclass(frozen=True, slots=True)
class Forfeited:
    """The end of the game, and whether the other side can still win, if known.

    `undetermined`: the rule set requires a possible mate, and a search could change the outcome. Until then the other
    side wins.
    """

    outcome: Outcome
    can_mate: CanMate
    undetermined: bool = False


def forfeited(
    board: chess.Board, family: Family, rule_set: RuleSet, loser: Colour, kind: ForfeitKind, searched: CanMate | None
) -> Forfeited:
    """The end if `loser` forfeits in a checked position. `searched` is the answer of a full search, if any."""
    other = loser.other
    can_mate = searched or possible_win(board, family, other)
    loses = kind is ForfeitKind.RESIGNATION and rule_set.resignation is Resignation.LOSS
    wins = loses or wins_on_time(board, family, other, rule_set.win_on_time, can_mate)
    open_question = (
        can_mate is CanMate.UNKNOWN
        and family.exact_dead_positions
        and rule_set.win_on_time is WinOnTime.POSSIBLE_MATE
        and not loses
    )
    return Forfeited(Outcome(other if wins else None, kind.value), can_mate, open_question)


def worth_a_search(board: chess.Board, side: Colour) -> bool:
    """Whether a search may prove that `side` cannot mate. Only that proof would change the outcome.

    In an ordinary position a search takes seconds and proves nothing: there are many pieces, a free pawn, or a queen or
    rook that can move, and no forced line.
    """
    if board.occupied.bit_count() > ORDINARY_PIECES:
        return False
    forced = forced_lines.few_moves(board) <= forced_lines.MOVES_MAX
    return forced or worth_a_look(board, side is Colour.WHITE)


def possible_win(board: chess.Board, family: Family, side: Colour) -> CanMate:
    """Whether `side` can still win by any series of legal moves, without a search; in variants by material only."""
    if family.cannot_win(board, side):
        return CanMate.NO
    return quick_can_mate(board, side) if family.exact_dead_positions else CanMate.UNKNOWN


def wins_on_time(board: chess.Board, family: Family, side: Colour, needed: WinOnTime, can_mate: CanMate) -> bool:
    """Whether `side` has what the rule set requires. UNKNOWN counts as winnable."""
    if needed is WinOnTime.POSSIBLE_MATE:
        return can_mate is not CanMate.NO
    if family.bare_king_can_win:
        return True
    pieces, minors = family.count_pieces(board, side)
    match needed:
        case WinOnTime.MORE_THAN_BARE_KING_NOT_DEAD:
            return pieces > 0 and not family.dead_by_material(board)
        case WinOnTime.FORCING_MATERIAL:
            return family.can_force_mate(board, side)
        case WinOnTime.MORE_THAN_BARE_KING:
            return pieces > 0
        case WinOnTime.MORE_THAN_ONE_MINOR:
            return pieces > (1 if minors and not family.one_minor_can_win else 0)
