"""Draws by repetition and by move count: when the game is over, and when a player may claim a draw.

`keys` defines what is the same position (FIDE 9.2.3). The move count is the half-move clock of the position.
"""

import chess

from services.domain.outcome import Claim, EndReason
from services.domain.rule_set import MoveCount, Repetition, RuleSet

REPETITIONS_AUTOMATIC = {Repetition.CLAIM_THREE_AUTOMATIC_FIVE: 5, Repetition.AUTOMATIC_THREE: 3}
"""At which occurrence of a position the game is over (FIDE 9.6.1; the third is a rule of some sites)."""
HALF_MOVES_AUTOMATIC = {MoveCount.CLAIM_FIFTY_AUTOMATIC_SEVENTY_FIVE: 150, MoveCount.AUTOMATIC_FIFTY: 100}
"""At which half-move without a capture or a pawn move the game is over (FIDE 9.6.2)."""
REPETITIONS_CLAIM = 3
"""FIDE 9.2.2."""
HALF_MOVES_CLAIM = 100
"""FIDE 9.3.2."""
NO_CLAIMS: frozenset[Claim] = frozenset()


def draw(board: chess.Board, times: int, rule_set: RuleSet) -> EndReason | None:
    """The reason of a draw without a claim, or None. `times` is how often the position has occurred, including now."""
    if times >= REPETITIONS_AUTOMATIC[rule_set.repetition]:
        return EndReason.REPETITION
    if board.halfmove_clock >= HALF_MOVES_AUTOMATIC[rule_set.move_count]:
        return EndReason.MOVE_COUNT
    return None


def claims(board: chess.Board, times: int, rule_set: RuleSet) -> frozenset[Claim]:
    """The draws that the side to move, or the side that just moved, may claim (FIDE 9.2, 9.3)."""
    found = NO_CLAIMS
    if times >= REPETITIONS_CLAIM and rule_set.repetition is Repetition.CLAIM_THREE_AUTOMATIC_FIVE:
        found |= {Claim.THREEFOLD}
    fifty = rule_set.move_count is MoveCount.CLAIM_FIFTY_AUTOMATIC_SEVENTY_FIVE
    if fifty and board.halfmove_clock >= HALF_MOVES_CLAIM:
        found |= {Claim.FIFTY}
    return found
