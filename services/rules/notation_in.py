"""A move as people and programs write it, to a legal move.

Coordinates (`e2e4`, `e7e8q`, `e7e8Q`, castling as the king's two squares or as king takes own rook) and SAN with or
without `x`, `+`, `#`: English letters or German ones (K D T L S), castling as `O-O` or `0-0`, promotion as `e8=Q`,
`e8Q`, `e8(Q)` or, for a queen, `e8`. More may be named than needed (`Ng1f3`, `Ng1-f3`). Null moves are no moves.
"""

import re

import chess

from services.domain.refusal import RefusalCode
from services.rules.limits import Limits
from services.rules.notation_out import write_san
from services.rules.refused import Refused, quoted

_COORDINATES = re.compile("([a-h][1-8])([a-h][1-8])([a-zA-Z])?")
_CASTLING = re.compile("([Oo0]-[Oo0])(-[Oo0])?[+#]?")
_SAN = re.compile(
    "(?P<piece>[KQRBNDTLS])?(?P<file>[a-h])?(?P<rank>[1-8])?[-x:]?(?P<to>[a-h][1-8])"
    "(?P<promotion>=?[a-zA-Z]|\\([a-zA-Z]\\))?[+#]?"
)
_NULL_MOVES = frozenset(["0000", "--", "Z0", "@@@@"])
_PIECES = {
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
_UCI_PROMOTIONS = {"q": chess.QUEEN, "r": chess.ROOK, "b": chess.BISHOP, "n": chess.KNIGHT}
_SQUARES = {name: square for square, name in enumerate(chess.SQUARE_NAMES)}
_AMBIGUOUS_SHOWN_MAX = 6


def read_move(board: chess.Board, text: str, limits: Limits) -> chess.Move:
    """The legal move that `text` names in this position; castling comes back as the king's two squares."""
    if len(text) > limits.move_chars_max:
        raise _malformed(f"a move has at most {limits.move_chars_max} characters, this has {len(text)}")
    text = text.strip()
    if match := _COORDINATES.fullmatch(text):
        return _by_coordinates(board, text, *match.groups())
    if match := _CASTLING.fullmatch(text):
        return _castling(board, text, match.group(2) is None)
    if match := _SAN.fullmatch(text):
        return _by_san(board, text, match)
    if text in _NULL_MOVES:
        raise _malformed(f"{text} is a null move, and passing is no move")
    raise _malformed(f"{quoted(text)} is no move" if text else "the move is empty")


def read_legal(text: str) -> chess.Move:
    """A move in UCI that is known to be legal."""
    return chess.Move(_SQUARES[text[:2]], _SQUARES[text[2:4]], _UCI_PROMOTIONS[text[4]] if len(text) > 4 else None)


def _by_coordinates(board: chess.Board, text: str, source: str, target: str, letter: str | None) -> chess.Move:
    promotion = _UCI_PROMOTIONS.get(letter.lower()) if letter else None
    if letter and promotion is None:
        raise _illegal(f"{text}: a pawn becomes a queen, rook, bishop or knight")
    move = chess.Move(_SQUARES[source], _SQUARES[target], promotion)
    if board.is_legal(move):
        return _king_two_squares(board, move)
    if promotion is None and board.is_legal(chess.Move(move.from_square, move.to_square, chess.QUEEN)):
        raise _illegal(f"{text} does not say what the pawn becomes; for a queen write {text}q")
    raise _illegal(_why_not(board, text, move))


def _king_two_squares(board: chess.Board, move: chess.Move) -> chess.Move:
    """King takes own rook, as some programs write castling, in the usual form."""
    if not (board.kings & chess.BB_SQUARES[move.from_square] and board.rooks & chess.BB_SQUARES[move.to_square]):
        return move
    if not board.occupied_co[board.turn] & chess.BB_SQUARES[move.to_square]:
        return move
    step = 2 if move.to_square > move.from_square else -2
    return chess.Move(move.from_square, move.from_square + step)


def _castling(board: chess.Board, text: str, short: bool) -> chess.Move:
    for move in board.generate_castling_moves():
        if board.is_kingside_castling(move) is short:
            return move
    raise _illegal(f"{text}: castling on this side is not legal now")


def _by_san(board: chess.Board, text: str, match: re.Match[str]) -> chess.Move:
    piece = _PIECES.get(match["piece"] or "", chess.PAWN)
    target = _SQUARES[match["to"]]
    promotion = _san_promotion(text, piece, target, match["promotion"])
    sources = board.pieces_mask(piece, board.turn)
    if match["file"]:
        sources &= chess.BB_FILES["abcdefgh".index(match["file"])]
    elif piece == chess.PAWN:
        sources &= chess.BB_FILES[chess.square_file(target)]  # without a file a pawn moves straight on
    if match["rank"]:
        sources &= chess.BB_RANKS[int(match["rank"]) - 1]
    found = [
        move
        for move in board.generate_legal_moves(sources, chess.BB_SQUARES[target])
        if move.promotion == promotion and not board.is_castling(move)
    ]
    if len(found) == 1:
        return found[0]
    if found:
        names = sorted(write_san(board, move) for move in found[:_AMBIGUOUS_SHOWN_MAX])
        raise _illegal(f"{text} is ambiguous: {' or '.join(names)}")
    raise _illegal(f"{text} is not legal in this position")


def _san_promotion(text: str, piece: int, target: int, written: str | None) -> int | None:
    last_rank = bool(chess.BB_SQUARES[target] & chess.BB_BACKRANKS)
    if written is None:
        return chess.QUEEN if piece == chess.PAWN and last_rank else None
    promotion = _PIECES.get(written.strip("=()").upper())
    if promotion is None or promotion == chess.KING:
        raise _illegal(f"{text}: a pawn becomes a queen, rook, bishop or knight")
    if piece != chess.PAWN or not last_rank:
        raise _illegal(f"{text}: only a pawn that reaches the last rank is promoted")
    return promotion


def _why_not(board: chess.Board, text: str, move: chess.Move) -> str:
    man = board.piece_at(move.from_square)
    if man is None:
        return f"{text}: there is nothing on {text[:2]}"
    if man.color is not board.turn:
        return f"{text}: the man on {text[:2]} is not of the side to move"
    if board.is_pseudo_legal(move):
        return f"{text} would leave the king in check"
    return f"{text} is not legal in this position"


def _illegal(message: str) -> Refused:
    return Refused(RefusalCode.ILLEGAL_MOVE, message, "move")


def _malformed(message: str) -> Refused:
    return Refused(RefusalCode.MALFORMED, message, "move")
