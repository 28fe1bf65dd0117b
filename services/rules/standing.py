"""The standing of a position: legal moves, check, the end of the game, claims.

`advance` applies a move to a board and `classify` classifies the position: a Ruling, made without reading or writing
text. A Standing is a Ruling with the texts for a message: the FEN and all legal moves.

If one move causes several ends, the first of these counts: the variant's goal, checkmate or stalemate, a dead position,
repetition, move count. A checkmate by the move that completes a count wins (FIDE 9.6.2).
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
"""A ruling counts legal moves only up to this number: none, few enough to follow them, or more."""


class Ruling(NamedTuple):
    """The ruling on a position. `legal` has as many of the legal moves as the caller requested."""

    keys: bytes
    check: bool
    legal: list[str]
    outcome: Outcome | None
    claims: frozenset[Claim]


class Standing(NamedTuple):
    """A position with its ruling. `legal` is in UCI, sorted, and empty if there is an outcome."""

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
    """Apply a legal move and classify the new position. `keys`: since the last irreversible move, its own last."""
    irreversible = family.apply(board, move)
    # If the rules do not bound the history (Crazyhouse), keep only the latest positions.
    history = b"" if irreversible else keys[-KEY_BYTES * (limits.keys_max - 1) :]
    return classify(board, family, history, rule_set, enough)


def classify(
    board: chess.Board, family: Family, keys_before: bytes, rule_set: RuleSet, enough: int | None = FEW
) -> Ruling:
    """The ruling on a checked position, with its first `enough` legal moves (at least FEW); None means all.

    `keys_before` are the keys since the last irreversible move, without the position's own.
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
    """The standing from a ruling that has all legal moves."""
    keys, check, legal, outcome, claimed = ruling
    turn = Colour.WHITE if board.turn else Colour.BLACK
    return Standing(family.variant, write_fen(board, family), keys, turn, check, tuple(legal), outcome, claimed)


def wins(outcome: Outcome | None, mover: chess.Color) -> bool:
    """Whether the side that has just moved (`mover`) has won; SAN marks this like mate."""
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
    """Whether the position is dead: neither side can win (FIDE 5.2.2), by the test of the rule set and the variant.

    `legal_moves` is the number of legal moves, or FEW if there are more.
    """
    if family.dead_by_material(board):
        return True
    exact = rule_set.dead_position is DeadPosition.EXACT and family.exact_dead_positions
    return exact and quick_is_dead(board, legal_moves)
