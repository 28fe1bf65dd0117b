"""What is so about a position: legal moves, check, the end of the game, claims.

The order of ends when one move brings several: the variant's goal, checkmate or stalemate, a dead position, repetition,
move count. Checkmate by the very move that completes a count wins (FIDE 9.6.2).
"""

from dataclasses import dataclass

import chess

from services.domain.colour import Colour
from services.domain.outcome import Claim, EndReason, Outcome
from services.domain.rule_set import DeadPosition, RuleSet
from services.rules.dead.dead_position import quick_is_dead
from services.rules.draws import NO_CLAIMS, claims, draw
from services.rules.families.family import Family
from services.rules.keys import occurrences, position_key
from services.rules.notation.fen import pack_bytes, write_fen


@dataclass(frozen=True, slots=True)
class Standing:
    """A position to move from. `legal` is in UCI, sorted, and empty when there is an outcome."""

    variant: str
    fen: str
    keys: bytes
    turn: Colour
    check: bool
    legal: tuple[str, ...]
    outcome: Outcome | None
    claims: frozenset[Claim]


def classify(board: chess.Board, family: Family, keys_before: bytes, rule_set: RuleSet) -> Standing:
    """The standing of a checked position. `keys_before` are those since the last irreversible move, without its own."""
    men = pack_bytes(board)
    keys = keys_before + position_key(board, family, men)
    check = family.is_check(board)
    outcome = family.goal(board)
    legal = family.legal_text(board, check) if outcome is None else []
    times = occurrences(keys)
    if outcome is None:
        outcome = _outcome(board, family, len(legal), check, times, rule_set)
    return Standing(
        variant=family.variant,
        fen=write_fen(board, family, men),
        keys=keys,
        turn=Colour.WHITE if board.turn else Colour.BLACK,
        check=check,
        legal=() if outcome else tuple(legal),
        outcome=outcome,
        claims=NO_CLAIMS if outcome else claims(board, times, rule_set),
    )


def wins(outcome: Outcome | None, mover: chess.Color) -> bool:
    """Whether a game ended as a win for the side that has just moved, which SAN marks like mate."""
    return outcome is not None and outcome.winner is (Colour.WHITE if mover else Colour.BLACK)


def _outcome(
    board: chess.Board, family: Family, legal_moves: int, check: bool, times: int, rule_set: RuleSet
) -> Outcome | None:
    if not legal_moves:
        return family.stuck(board, check)
    if is_dead(board, family, rule_set, legal_moves):
        return Outcome(None, EndReason.DEAD_POSITION)
    reason = draw(board, times, rule_set)
    return None if reason is None else Outcome(None, reason)


def is_dead(board: chess.Board, family: Family, rule_set: RuleSet, legal_moves: int) -> bool:
    """Whether nobody can win any more (FIDE 5.2.2), as far as the rule set and the variant let it be seen.

    `legal_moves` is how many there are.
    """
    if family.dead_by_material(board):
        return True
    exact = rule_set.dead_position is DeadPosition.EXACT and family.exact_dead_positions
    return exact and quick_is_dead(board, legal_moves)
