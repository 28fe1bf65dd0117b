"""What is so about a position: legal moves, check, the end of the game, claims.

The order of ends when one move brings several: checkmate, stalemate, a dead position, repetition, move count. Checkmate
by the very move that completes a count wins (FIDE 9.6.2).
"""

from dataclasses import dataclass

import chess

from services.domain.colour import Colour
from services.domain.outcome import Claim, EndReason, Outcome
from services.domain.rule_set import MoveCount, Repetition, RuleSet
from services.rules.fen import pack_bytes, write_fen
from services.rules.keys import occurrences, position_key
from services.rules.legal_text import legal_text
from services.rules.material import dead_by_material

NO_CLAIMS: frozenset[Claim] = frozenset()

REPETITIONS_AUTOMATIC = {Repetition.CLAIM_THREE_AUTOMATIC_FIVE: 5, Repetition.AUTOMATIC_THREE: 3}
"""At which occurrence the game is over (FIDE 9.6.1; the third is some sites' own rule)."""
HALF_MOVES_AUTOMATIC = {MoveCount.CLAIM_FIFTY_AUTOMATIC_SEVENTY_FIVE: 150, MoveCount.AUTOMATIC_FIFTY: 100}
"""At which half-move without a capture or a pawn move the game is over (FIDE 9.6.2)."""
REPETITIONS_CLAIM = 3
HALF_MOVES_CLAIM = 100


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


def classify(board: chess.Board, variant: str, keys_before: bytes, rule_set: RuleSet) -> Standing:
    """The standing of a checked position. `keys_before` are those since the last irreversible move, without its own."""
    men = pack_bytes(board)
    keys = keys_before + position_key(board, men)
    check = board.is_check()
    legal = legal_text(board, check)
    times = occurrences(keys)
    outcome = _outcome(board, bool(legal), check, times, rule_set)
    return Standing(
        variant=variant,
        fen=write_fen(board, int.from_bytes(men, "little")),
        keys=keys,
        turn=Colour.WHITE if board.turn else Colour.BLACK,
        check=check,
        legal=() if outcome else tuple(legal),
        outcome=outcome,
        claims=NO_CLAIMS if outcome else _claims(board, times, rule_set),
    )


def _outcome(board: chess.Board, can_move: bool, check: bool, times: int, rule_set: RuleSet) -> Outcome | None:
    if not can_move:
        if not check:
            return Outcome(None, EndReason.STALEMATE)
        return Outcome(Colour.BLACK if board.turn else Colour.WHITE, EndReason.CHECKMATE)
    if dead_by_material(board):
        return Outcome(None, EndReason.DEAD_POSITION)
    if times >= REPETITIONS_AUTOMATIC[rule_set.repetition]:
        return Outcome(None, EndReason.REPETITION)
    if board.halfmove_clock >= HALF_MOVES_AUTOMATIC[rule_set.move_count]:
        return Outcome(None, EndReason.MOVE_COUNT)
    return None


def _claims(board: chess.Board, times: int, rule_set: RuleSet) -> frozenset[Claim]:
    claims = NO_CLAIMS
    if times >= REPETITIONS_CLAIM and rule_set.repetition is Repetition.CLAIM_THREE_AUTOMATIC_FIVE:
        claims |= {Claim.THREEFOLD}
    fifty = rule_set.move_count is MoveCount.CLAIM_FIFTY_AUTOMATIC_SEVENTY_FIVE
    if fifty and board.halfmove_clock >= HALF_MOVES_CLAIM:
        claims |= {Claim.FIFTY}
    return claims
