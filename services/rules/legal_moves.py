"""Legal moves of one position in several notations, for people and programs."""

from dataclasses import dataclass

import chess

from services.domain.rule_set import RuleSet
from services.rules.families.family import Family
from services.rules.families.variants import family_of
from services.rules.judge import Position, read_position
from services.rules.keys import KEY_BYTES
from services.rules.limits import InputLimits
from services.rules.notation.notation_in import read_legal, read_move
from services.rules.standing import Standing, stand, wins
from services.rules.text.moves_out import sign, write_san, write_uci_960


@dataclass(frozen=True, slots=True)
class LegalMove:
    """A legal move: UCI as in `Standing.legal`, UCI with castling as king takes rook, SAN with + or #."""

    uci: str
    uci_960: str
    san: str
    capture: bool
    check: bool
    wins: bool


def legal_moves(position: Position, rule_set: RuleSet, limits: InputLimits) -> tuple[Standing, list[LegalMove]]:
    """The standing of a position and its legal moves, in the order of `Standing.legal`. Raises Rejected.

    Repetitions are found only in the history in `position.keys`.
    """
    family = family_of(position.variant, rule_set)
    board, keys = read_position(position, family, limits)
    standing = stand(board, family, keys[:-KEY_BYTES], rule_set)
    return standing, [describe(board, read_legal(board, uci, family), family) for uci in standing.legal]


def parse_move(position: Position, text: str, rule_set: RuleSet, limits: InputLimits) -> LegalMove:
    """The legal move that `text` names. Raises Rejected with the reason if there is none."""
    family = family_of(position.variant, rule_set)
    board, _ = read_position(position, family, limits)
    return describe(board, read_move(board, text, limits, family), family)


def describe(board: chess.Board, move: chess.Move, family: Family) -> LegalMove:
    """The notations of a legal move; `board` is the position before it."""
    after = board.copy(stack=False)
    family.apply(after, move)
    check = family.is_check(after)
    won = wins(family.ended(after, check), board.turn)
    return LegalMove(
        uci=family.write_uci(board, move),
        uci_960=write_uci_960(board, move),
        san=write_san(board, move, family.is_capture) + sign(check, won),
        capture=family.is_capture(board, move),
        check=check,
        wins=won,
    )
