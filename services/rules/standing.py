"""What is so about a position: legal moves, check, the end of the game, claims.

On a live board a move is applied and what arises is classified (`advance`, `classify`): a Ruling, for which nothing is
read or written. A Standing is that with the texts that a message takes: the FEN and all legal moves.

The order of ends when one move brings several: the variant's goal, checkmate or stalemate, a dead position, repetition,
move count. Checkmate by the very move that completes a count wins (FIDE 9.6.2).
"""

from typing import NamedTuple

import chess

from services.domain.colour import Colour
from services.domain.outcome import Claim, EndReason, Outcome
from services.domain.rule_set import DeadPosition, RuleSet
from services.rules.dead.dead_position import quick_is_dead
from services.rules.dead.forced_lines import MOVES_MAX
from services.rules.draws import NO_CLAIMS, claims, draw
from services.rules.families.family import Family
from services.rules.keys import KEY_BYTES, occurrences, position_key
from services.rules.limits import InputLimits
from services.rules.notation.fen import write_fen

FEW = MOVES_MAX + 1
"""Legal moves that a ruling is made by: none, so few that they are followed, or more."""


class Ruling(NamedTuple):
    """What the rules say about a position. `legal` has as many of the moves as were asked for."""

    keys: bytes
    check: bool
    legal: list[str]
    outcome: Outcome | None
    claims: frozenset[Claim]


class Standing(NamedTuple):
    """A position to move from. `legal` is in UCI, sorted, and empty when there is an outcome."""

    variant: str
    fen: str
    keys: bytes
    turn: Colour
    check: bool
    legal: tuple[str, ...]
    outcome: Outcome | None
    claims: frozenset[Claim]


def advance(
    board: chess.Board,
    move: chess.Move,
    family: Family,
    keys: bytes,
    rule_set: RuleSet,
    limits: InputLimits,
    enough: int | None = FEW,
) -> Ruling:
    """Apply a legal move and classify what arises. `keys` are those since the last irreversible move, own ones last."""
    irreversible = family.apply(board, move)
    # Where the rules do not bound the history (Crazyhouse), it is the latest positions that are kept.
    history = b"" if irreversible else keys[-KEY_BYTES * (limits.keys_max - 1) :]
    return classify(board, family, history, rule_set, enough)


def classify(
    board: chess.Board, family: Family, keys_before: bytes, rule_set: RuleSet, enough: int | None = FEW
) -> Ruling:
    """The ruling on a checked position, with the first `enough` of its legal moves, FEW or more; None is all.

    `keys_before` are those since the last irreversible move, without its own.
    """
    keys = keys_before + position_key(board, family)
    check = family.is_check(board)
    outcome = family.goal(board)
    legal = [] if outcome else family.legal_text(board, check, enough)
    times = occurrences(keys)
    if outcome is None:
        outcome = _outcome(board, family, len(legal), check, times, rule_set)
    if outcome is not None:
        return Ruling(keys, check, [], outcome, NO_CLAIMS)
    return Ruling(keys, check, legal, None, claims(board, times, rule_set))


def stand(board: chess.Board, family: Family, keys_before: bytes, rule_set: RuleSet) -> Standing:
    """The standing of a checked position; `keys_before` as in `classify`."""
    return written(board, family, classify(board, family, keys_before, rule_set, None))


def written(board: chess.Board, family: Family, ruling: Ruling) -> Standing:
    """The standing by a ruling with all legal moves."""
    keys, check, legal, outcome, claimed = ruling
    turn = Colour.WHITE if board.turn else Colour.BLACK
    return Standing(family.variant, write_fen(board, family), keys, turn, check, tuple(legal), outcome, claimed)


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

    `legal_moves` is how many there are, or FEW where there are more.
    """
    if family.dead_by_material(board):
        return True
    exact = rule_set.dead_position is DeadPosition.EXACT and family.exact_dead_positions
    return exact and quick_is_dead(board, legal_moves)
