"""One question, one verdict. Pure: a question's answer depends on nothing but the question."""

from dataclasses import dataclass

import chess

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import RuleSet
from services.domain.variant import Variant
from services.rules.fen import read_fen
from services.rules.keys import KEY_BYTES, position_key
from services.rules.limits import Limits
from services.rules.material import wins_on_time
from services.rules.moves import apply_move
from services.rules.notation_in import read_legal, read_move
from services.rules.notation_out import sign, write_san, write_uci
from services.rules.position_check import check_position, check_start
from services.rules.refused import Refused, quoted
from services.rules.seen import Seen
from services.rules.standing import Standing, classify


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a game under way: FEN, and the keys since the last irreversible move, its own included, last.

    Without keys the history counts as unknown and begins here.
    """

    variant: str
    fen: str
    keys: bytes = b""


@dataclass(frozen=True, slots=True)
class Play:
    """Apply a move (UCI or SAN) and say what arises."""

    position: Position
    move: str


@dataclass(frozen=True, slots=True)
class Start:
    """May a game start here? `fen` empty is the variant's own array."""

    variant: str
    fen: str = ""


@dataclass(frozen=True, slots=True)
class TimeForfeit:
    """`flagged` has run out of time: who wins?"""

    position: Position
    flagged: Colour


@dataclass(frozen=True, slots=True)
class Played:
    """The move in both notations and what it led to."""

    uci: str
    san: str
    standing: Standing


Question = Play | Start | TimeForfeit
Verdict = Played | Standing | Outcome | Refusal


def judge(question: Question, rule_set: RuleSet, limits: Limits, seen: Seen | None = None) -> Verdict:
    """The verdict on one question; what cannot be answered is a Refusal, never an exception. `seen` only saves work."""
    try:
        match question:
            case Play():
                return play(question, rule_set, limits, seen)
            case Start():
                return start(question, rule_set, limits)
            case TimeForfeit():
                return time_forfeit(question, rule_set, limits)
    except Refused as refused:
        return refused.refusal


def play(question: Play, rule_set: RuleSet, limits: Limits, seen: Seen | None = None) -> Played:
    """Apply the move and classify what arises; Refused when it cannot be."""
    position = question.position
    known = seen.find(position.variant, position.fen) if seen is not None else None
    if known is not None and question.move in known[1]:
        board, keys = known[0], _keys(position, known[0], limits)
        move = read_legal(question.move)
    else:
        board, keys = _position(position, limits)
        move = read_move(board, question.move, limits)
    san = write_san(board, move)
    irreversible = apply_move(board, move)
    standing = classify(board, question.position.variant, b"" if irreversible else keys, rule_set)
    if seen is not None and standing.outcome is None:
        seen.keep(standing.variant, standing.fen, board, standing.legal)
    mate = standing.outcome is not None and standing.outcome.reason is EndReason.CHECKMATE
    return Played(write_uci(move), san + sign(standing.check, mate), standing)


def start(question: Start, rule_set: RuleSet, limits: Limits) -> Standing:
    """The standing of a start position; Refused when no game can start from it, or it would be over at once."""
    standing = inspect(question, rule_set, limits)
    if standing.outcome is not None:
        raise Refused(
            RefusalCode.BAD_POSITION, f"the game would be over before it starts ({standing.outcome.reason})", "fen"
        )
    return standing


def inspect(question: Start, rule_set: RuleSet, limits: Limits) -> Standing:
    """The standing of any position that can stand on a board, also one in which the game is over."""
    check_variant(question.variant)
    board = read_fen(question.fen, limits) if question.fen else chess.Board()
    check_start(board)
    check_position(board)
    return classify(board, question.variant, b"", rule_set)


def time_forfeit(question: TimeForfeit, rule_set: RuleSet, limits: Limits) -> Outcome:
    """The opponent's win by the flag, or a draw if the rule set asks for more than the opponent has."""
    board, _ = _position(question.position, limits)
    opponent = question.flagged.other
    wins = wins_on_time(board, opponent, rule_set.win_on_time)
    return Outcome(opponent if wins else None, EndReason.FLAG)


def check_variant(key: str) -> None:
    """Refuse a variant that is not played here."""
    if key == Variant.STANDARD:
        return
    known = key in set(Variant)
    message = f"{key} is not played here yet" if known else f"there is no variant {quoted(key)}"
    raise Refused(RefusalCode.UNSUPPORTED_VARIANT, message, "variant")


def _position(position: Position, limits: Limits) -> tuple[chess.Board, bytes]:
    check_variant(position.variant)
    board = read_fen(position.fen, limits)
    check_position(board)
    return board, _keys(position, board, limits)


def _keys(position: Position, board: chess.Board, limits: Limits) -> bytes:
    if len(position.keys) % KEY_BYTES or len(position.keys) > KEY_BYTES * limits.keys_max:
        raise Refused(
            RefusalCode.MALFORMED, f"keys are {KEY_BYTES} bytes each, at most {limits.keys_max} of them", "keys"
        )
    return position.keys or position_key(board)
