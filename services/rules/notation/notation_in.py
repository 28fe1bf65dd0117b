"""Parses a move in the notations of people and programs.

Coordinates: `e2e4`, `e7e8q`, `e7e8Q`. SAN with or without `x`, `+`, `#`: English letters or German ones (K D T L S) or
the variant's own, promotion as `e8=Q`, `e8Q`, `e8(Q)`. More detail than needed is accepted (`Ng1f3`, `Ng1-f3`), and
both squares without the letter of the piece (`g1-f3`). `e.p.` or `ep` may stand behind an en passant capture (FIDE
Laws, Appendix C.9).

A promotion without a letter is the only possible one (Shatranj), else a queen in SAN; coordinates need the letter.
Castling: `O-O`, `0-0`, the king's squares (`e1g1`, `e1-g1`, `Ke1-g1`), or king takes own rook. In Chess960 the king's
squares mean castling only if they are at least two apart: one step is an ordinary king move. Drops: `N@f3`, `P@e4`,
`@e4`, also in lower case; B is always a bishop there. Null moves are refused.
"""

import re

import chess

from services.domain.refusal import RefusalCode
from services.domain.text import Text, say
from services.domain.variant import Variant
from services.rules.families.family import Family
from services.rules.limits import InputLimits
from services.rules.moves import castles
from services.rules.refused import Rejected, one_of, quoted
from services.rules.text.moves_out import write_san

_COORDINATES = re.compile("([a-h][1-8])([a-h][1-8])([a-zA-Z])?")
_BOTH_SQUARES = re.compile("(?P<piece>[A-Z](?=..[-x:]?[a-h][1-8]))?([a-h][1-8])[-x:]?([a-h][1-8])[+#]?")
_EN_PASSANT = re.compile("(.*?)\\s*(?:e\\.\\s?p\\.|ep)([+#]?)", re.DOTALL)
_CASTLING = re.compile("([Oo0]-[Oo0])(-[Oo0])?[+#]?")
_DROP = re.compile("([a-zA-Z])?@([a-h][1-8])[+#]?")
_SAN = re.compile(
    "(?P<piece>[A-Z])?(?P<file>[a-h])?(?P<rank>[1-8])?[-x:]?(?P<to>[a-h][1-8])"
    "(?P<promotion>=?[a-zA-Z]|\\([a-zA-Z]\\))?[+#]?"
)
_NULL_MOVES = frozenset(["0000", "--", "z0", "@@@@", "null", "pass"])
_PIECES = {
    "P": chess.PAWN,
    "K": chess.KING,
    "Q": chess.QUEEN,
    "R": chess.ROOK,
    "B": chess.BISHOP,
    "N": chess.KNIGHT,
    # the German letters that differ: Dame, Turm, Läufer, Springer
    "D": chess.QUEEN,
    "T": chess.ROOK,
    "L": chess.BISHOP,
    "S": chess.KNIGHT,
}
_UCI_PIECES = {"q": chess.QUEEN, "r": chess.ROOK, "b": chess.BISHOP, "n": chess.KNIGHT}
_WRITTEN_PROMOTIONS = _UCI_PIECES | {"k": chess.KING}
"""Of a list of legal moves. From people and programs a k is read only where `Family.letters` has it."""
_UCI_DROPS = {"P": chess.PAWN, "N": chess.KNIGHT, "B": chess.BISHOP, "R": chess.ROOK, "Q": chess.QUEEN}
_SQUARES = {name: square for square, name in enumerate(chess.SQUARE_NAMES)}
_AMBIGUOUS_SHOWN_MAX = 6


def read_move(board: chess.Board, text: str, limits: InputLimits, family: Family) -> chess.Move:
    """The legal move that `text` names, in the form of the board's move generator. Raises Rejected if there is none."""
    if len(text) > limits.move_chars_max:
        raise _malformed(say("rules.move_too_long", most=limits.move_chars_max, given=len(text)))
    text = text.strip()
    if match := _COORDINATES.fullmatch(text):
        return _by_coordinates(board, text, match[1], match[2], match[3], family)
    if match := _EN_PASSANT.fullmatch(text):
        move = read_move(board, match[1] + match[2], limits, family)
        if not board.is_en_passant(move):
            raise _illegal(say("rules.move_not_en_passant", move=quoted(text)))
        return move
    if (match := _BOTH_SQUARES.fullmatch(text)) and (found := _by_both_squares(board, text, match, family)):
        return found
    if match := _CASTLING.fullmatch(text):
        return _castling(board, text, match[2] is None)
    if match := _DROP.fullmatch(text):
        return _drop(board, text, match, family)
    if (match := _SAN.fullmatch(text)) and (match["piece"] is None or _piece(match["piece"], family)):
        return _by_san(board, text, match, family)
    if is_null_move(text):
        raise _malformed(say("rules.move_null", move=text))
    raise _malformed(say("rules.move_malformed", move=quoted(text)) if text else say("rules.move_empty"))


def is_null_move(text: str) -> bool:
    """Whether `text` is a null move (a pass) in the notation of any program."""
    return text.strip().lower() in _NULL_MOVES


def read_legal(board: chess.Board, text: str, family: Family) -> chess.Move:
    """The move for a text that `Family.write_uci` has written in this position."""
    target = _SQUARES[text[2:4]]
    if text[1] == "@":
        return chess.Move(target, target, drop=_UCI_DROPS[text[0]])
    return chess.Move(_SQUARES[text[:2]], target, _WRITTEN_PROMOTIONS[text[4]] if len(text) > 4 else None)


def _piece(letter: str, family: Family) -> int | None:
    return _PIECES.get(letter) or family.letters.get(letter)


def _by_both_squares(board: chess.Board, text: str, match: re.Match[str], family: Family) -> chess.Move | None:
    """The move between two squares written like SAN: castling, or a piece without its letter; None for other moves."""
    piece = board.piece_type_at(_SQUARES[match[2]])
    if piece is None or piece == chess.PAWN:
        return None
    if match["piece"] is None:
        return _by_coordinates(board, text, match[2], match[3], None, family)
    if piece == chess.KING and _piece(match["piece"], family) == chess.KING:
        return _castling_to(board, _SQUARES[match[2]], _SQUARES[match[3]])
    return None


def _by_coordinates(
    board: chess.Board, text: str, from_name: str, to_name: str, letter: str | None, family: Family
) -> chess.Move:
    source, target = _SQUARES[from_name], _SQUARES[to_name]
    if not letter and (castling := _castling_to(board, source, target)):
        return castling
    promotion = (_UCI_PIECES.get(letter.lower()) or family.letters.get(letter.upper())) if letter else None
    if board.is_legal(move := chess.Move(source, target, promotion)):
        return move
    found = _from_to(board, chess.BB_SQUARES[source], target)
    if not found:
        raise _illegal(_why_not(board, text, source, target, family))
    if letter is None:
        if len(found) > 1:
            raise _illegal(say("rules.promotion_missing", move=text))
        return found[0]
    if found[0].promotion is None:
        raise _illegal(say("rules.promotion_none", move=text))
    raise _becomes(text, found)


def _from_to(board: chess.Board, sources: chess.Bitboard, target: chess.Square) -> list[chess.Move]:
    """Legal moves of pieces from `sources` to `target`, without castling and drops."""
    return [
        move
        for move in board.generate_legal_moves(sources, chess.BB_SQUARES[target])
        if move.drop is None and not castles(board, move)
    ]


def _castlings(board: chess.Board) -> list[chess.Move]:
    king = board.kings & board.occupied_co[board.turn]
    return [move for move in board.generate_legal_moves(king) if castles(board, move)]


def _castling_to(board: chess.Board, source: chess.Square, target: chess.Square) -> chess.Move | None:
    """The castling for these squares: king takes own rook, or the king goes two or more squares to its final square."""
    own = board.occupied_co[board.turn]
    if not board.kings & own & chess.BB_SQUARES[source] or (source ^ target) & 0o70:
        return None
    takes = bool(board.rooks & own & chess.BB_SQUARES[target])
    if not takes and abs(target - source) < 2:
        return None
    for move in _castlings(board):
        if target in _castling_squares(board, move):
            return move
    return None


def _castling_squares(board: chess.Board, move: chess.Move) -> tuple[chess.Square, chess.Square]:
    """The square of the rook, and the king's square after castling."""
    short = move.to_square > move.from_square
    if board.chess960:
        first = move.from_square & 0o70
        return move.to_square, first + (chess.G1 if short else chess.C1)
    return move.to_square + (1 if short else -2), move.to_square


def _castling(board: chess.Board, text: str, short: bool) -> chess.Move:
    for move in _castlings(board):
        if (move.to_square > move.from_square) is short:
            return move
    raise _illegal(say("rules.castling_not_now", move=text))


def _drop(board: chess.Board, text: str, match: re.Match[str], family: Family) -> chess.Move:
    if not family.has_pockets:
        raise _malformed(say("rules.drop_not_in_variant", move=text))
    kind = _piece(match[1].upper(), family) if match[1] else chess.PAWN
    if kind is None:
        raise _malformed(say("rules.drop_piece_unknown", move=quoted(text), letter=match[1]))
    target = _SQUARES[match[2]]
    move = chess.Move(target, target, drop=kind)
    if board.is_legal(move):
        return move
    if kind == chess.KING or not board.is_pseudo_legal(move):
        if board.occupied & chess.BB_SQUARES[target]:
            raise _illegal(say("rules.drop_on_piece", move=text, square=match[2]))
        if kind == chess.PAWN and chess.BB_SQUARES[target] & chess.BB_BACKRANKS:
            raise _illegal(say("rules.drop_pawn_rank", move=text))
        raise _illegal(say("rules.drop_not_in_pocket", move=text, piece=chess.piece_name(kind)))
    raise _illegal(say("rules.move_leaves_check", move=text))


def _by_san(board: chess.Board, text: str, match: re.Match[str], family: Family) -> chess.Move:
    piece = _piece(match["piece"] or "P", family) or chess.PAWN
    target = _SQUARES[match["to"]]
    sources = board.pieces_mask(piece, board.turn)
    if match["file"]:
        sources &= chess.BB_FILES["abcdefgh".index(match["file"])]
    elif piece == chess.PAWN:
        sources &= chess.BB_FILES[chess.square_file(target)]  # without a file, a pawn moves straight ahead
    if match["rank"]:
        sources &= chess.BB_RANKS[int(match["rank"]) - 1]
    found = _from_to(board, sources, target)
    if written := match["promotion"]:
        if piece != chess.PAWN or not chess.BB_SQUARES[target] & chess.BB_BACKRANKS:
            raise _illegal(say("rules.promotion_rank", move=text))
        promotion = _piece(written.strip("=()").upper(), family)
        fitting = [move for move in found if move.promotion == promotion]
        if not fitting and (found or promotion in (None, chess.KING, chess.PAWN)):
            raise _becomes(text, found)
        found = fitting
    if len({move.promotion for move in found}) > 1:
        found = [move for move in found if move.promotion == chess.QUEEN]
    if len(found) == 1:
        return found[0]
    if found:
        names = sorted(write_san(board, move, family.is_capture) for move in found[:_AMBIGUOUS_SHOWN_MAX])
        raise _illegal(say("rules.move_ambiguous", move=text, moves=one_of(names)))
    raise _illegal(say("rules.move_illegal", move=text))


def _becomes(text: str, found: list[chess.Move]) -> Rejected:
    kinds = sorted({move.promotion for move in found if move.promotion}, reverse=True)
    names = [chess.piece_name(kind) for kind in kinds or (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT)]
    pieces = one_of([say("rules.promotion_piece", piece=name) for name in names])
    return _illegal(say("rules.promotion_to", move=text, pieces=pieces))


def _why_not(board: chess.Board, text: str, source: chess.Square, target: chess.Square, family: Family) -> Text:
    piece = board.piece_at(source)
    if piece is None:
        return say("rules.move_from_empty_square", move=text, square=chess.SQUARE_NAMES[source])
    if piece.color is not board.turn:
        return say("rules.move_of_opponent", move=text, square=chess.SQUARE_NAMES[source])
    if any(board.generate_pseudo_legal_moves(chess.BB_SQUARES[source], chess.BB_SQUARES[target])):
        if family.variant is Variant.ATOMIC:
            return say("rules.move_loses_king", move=text)
        return say("rules.move_leaves_check", move=text)
    return say("rules.move_illegal", move=text)


def _illegal(text: Text) -> Rejected:
    return Rejected(RefusalCode.ILLEGAL_MOVE, text, "move")


def _malformed(text: Text) -> Rejected:
    return Rejected(RefusalCode.MALFORMED, text, "move")
