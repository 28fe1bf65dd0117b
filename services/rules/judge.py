"""One question, one verdict. Pure: the answer depends only on the question."""

from dataclasses import dataclass, replace

import chess

from services.domain.colour import Colour
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import RuleSet
from services.domain.text import say
from services.domain.variant import Variant
from services.rules.dead.possible_mate import CanMate
from services.rules.families.chess960 import start_fen_of
from services.rules.families.family import Family
from services.rules.families.variants import family_of
from services.rules.forfeit import Forfeited, ForfeitKind, forfeited, worth_a_search
from services.rules.keys import KEY_BYTES, position_key
from services.rules.limits import InputLimits
from services.rules.notation.fen import read_fen, write_fen
from services.rules.notation.notation_in import read_legal, read_move
from services.rules.notation.position_check import check_game_start, check_position, check_start
from services.rules.refused import Rejected, end_text
from services.rules.seen import Seen
from services.rules.standing import Standing, advance, stand, wins, written
from services.rules.text.moves_out import sign, write_san


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a running game: FEN, and the keys since the last irreversible move; the last key is its own.

    Without keys the history is unknown and begins here.
    """

    variant: str
    fen: str
    keys: bytes = b""


@dataclass(frozen=True, slots=True)
class Play:
    """Apply a move (UCI or SAN) and classify the new position."""

    position: Position
    move: str


@dataclass(frozen=True, slots=True)
class Start:
    """May a game start here? An empty `fen` is the variant's starting position, in Chess960 the one with `number`.

    With `moves` (UCI or SAN) from there: what is the standing after them, with the whole history?
    """

    variant: str
    fen: str = ""
    number: int | None = None
    moves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Forfeit:
    """`loser` has run out of time or resigns: does the other side win?

    `thorough`: search also if the search will almost certainly change nothing.
    """

    position: Position
    loser: Colour
    kind: ForfeitKind
    thorough: bool = False


@dataclass(frozen=True, slots=True)
class Played:
    """The move in both notations and the standing after it."""

    uci: str
    san: str
    standing: Standing


Question = Play | Start | Forfeit
Verdict = Played | Standing | Forfeited | Refusal


def judge(
    question: Question,
    rule_set: RuleSet,
    limits: InputLimits,
    seen: Seen | None = None,
    searched: CanMate | None = None,
) -> Verdict:
    """The verdict on one question. If it cannot be answered, it is a Refusal, never an exception.

    `seen` only saves work; `searched` is the answer of a full search for a forfeit, if there was one.
    """
    try:
        match question:
            case Play():
                return play(question, rule_set, limits, seen)
            case Start():
                return start(question, rule_set, limits)
            case Forfeit():
                return forfeit(question, rule_set, limits, searched)
    except Rejected as refused:
        return refused.refusal


def play(question: Play, rule_set: RuleSet, limits: InputLimits, seen: Seen | None = None) -> Played:
    """Apply the move and classify the new position. Raises Rejected if the question is invalid or the move illegal."""
    position = question.position
    family = family_of(position.variant, rule_set)
    known = seen.find(family, position.fen) if seen is not None else None
    if known is not None and question.move in known[1]:
        board, keys = known[0], _keys(position, known[0], family, limits)
        move = read_legal(board, question.move, family)
    else:
        board, keys = read_position(position, family, limits)
        move = read_move(board, question.move, limits, family)
    uci, san, mover = family.write_uci(board, move), write_san(board, move, family.is_capture), board.turn
    standing = written(board, family, advance(board, move, family, keys, rule_set, limits, None))
    if seen is not None and standing.outcome is None:
        seen.keep(family, standing.fen, board, standing.legal)
    return Played(uci, san + sign(standing.check, wins(standing.outcome, mover)), standing)


def start(question: Start, rule_set: RuleSet, limits: InputLimits) -> Standing:
    """The standing of a start position. Raises Rejected if no game can start there, or it would be over at once."""
    family, board = _looked_at(question, rule_set, limits)
    check_game_start(board, family)
    standing = stand(board, family, b"", rule_set)
    if standing.outcome is not None:
        text = say("rules.position_over", reason=end_text(standing.outcome))
        raise Rejected(RefusalCode.BAD_POSITION, text, "fen")
    return _replayed(question.moves, board, family, standing.keys, rule_set, limits) if question.moves else standing


def _replayed(
    moves: tuple[str, ...], board: chess.Board, family: Family, keys: bytes, rule_set: RuleSet, limits: InputLimits
) -> Standing:
    """The standing after these moves. The rule set may end the game at an earlier move: that is ignored (takebacks)."""
    if len(moves) > limits.replayed_max:
        raise Rejected(RefusalCode.LIMIT_REACHED, say("rules.moves_too_many", most=limits.replayed_max), "moves")
    for text in moves:
        keys = advance(board, read_move(board, text, limits, family), family, keys, rule_set, limits).keys
    return stand(board, family, keys[:-KEY_BYTES], rule_set)


def inspect(question: Start, rule_set: RuleSet, limits: InputLimits) -> Standing:
    """The standing of any valid position, also if the game is over in it. Raises Rejected for an invalid one."""
    family, board = _looked_at(question, rule_set, limits)
    return stand(board, family, b"", rule_set)


def forfeit(question: Forfeit, rule_set: RuleSet, limits: InputLimits, searched: CanMate | None = None) -> Forfeited:
    """A win of the other side, or a draw if it does not have what the rule set requires. `searched`: see `judge`."""
    family = family_of(question.position.variant, rule_set)
    board, _ = read_position(question.position, family, limits)
    end = forfeited(board, family, rule_set, question.loser, question.kind, searched)
    if end.undetermined and not question.thorough and not worth_a_search(board, question.loser.other):
        return replace(end, undetermined=False)
    return end


def written_fen(position: Position, rule_set: RuleSet, limits: InputLimits) -> str:
    """The FEN of a position in Flagfall's own spelling, from any spelling that can be read."""
    family = family_of(position.variant, rule_set)
    return write_fen(read_position(position, family, limits)[0], family)


def read_position(position: Position, family: Family, limits: InputLimits) -> tuple[chess.Board, bytes]:
    """The checked board of a position and its keys, its own last. Raises Rejected if either is invalid."""
    board = read_fen(position.fen, limits, family)
    check_position(board, family)
    return board, _keys(position, board, family, limits)


def _looked_at(question: Start, rule_set: RuleSet, limits: InputLimits) -> tuple[Family, chess.Board]:
    family = family_of(question.variant, rule_set)
    board = read_fen(_start_fen(question, family), limits, family)
    check_start(board, family)
    check_position(board, family)
    return family, board


def _start_fen(question: Start, family: Family) -> str:
    if question.number is None:
        return question.fen or family.start_fen
    if question.fen:
        raise Rejected(RefusalCode.MALFORMED, say("rules.start_number_and_fen"), "number")
    if family.variant is not Variant.CHESS960:
        text = say("rules.start_number_of_variant", variant=family.variant.label)
        raise Rejected(RefusalCode.MALFORMED, text, "number")
    return start_fen_of(question.number)


def _keys(position: Position, board: chess.Board, family: Family, limits: InputLimits) -> bytes:
    if len(position.keys) % KEY_BYTES or len(position.keys) > KEY_BYTES * limits.keys_max:
        text = say("rules.keys_malformed", size=KEY_BYTES, most=limits.keys_max)
        raise Rejected(RefusalCode.MALFORMED, text, "keys")
    return position.keys or position_key(board, family)
