"""python-chess alone doing what a judged move takes: the yardstick that its users know.

From FEN: board from FEN, the move read and written in SAN and made, all legal moves in UCI, check, end, FEN. The whole
on a live board: the same without the FEN to read. Live: the move made; whether there is a legal move, check, the end by
the variant's goal or by material. Nowhere keys, repetition, claims, dead positions beyond material, or messages.
"""

from collections.abc import Callable

import chess
import chess.variant

from services.domain.variant import Variant
from services.pb.flagfall.v1 import rules_pb2 as pb

Judged = tuple[str, list[str], bool, bool, str]
"""SAN, legal moves, check, whether the game is over, FEN."""
Ruled = tuple[bool, bool, bool]
"""Whether there is a legal move, check, whether the game is over otherwise."""

UNKNOWN_TO_IT = (Variant.SHATRANJ, Variant.CHATURANGA)
BOARDS: dict[str, type[chess.Board]] = {
    variant: chess.variant.find_variant(variant.uci) for variant in Variant if variant not in UNKNOWN_TO_IT
}


def from_fen_alone(question: pb.Question) -> Callable[[], Judged]:
    """The whole work from a FEN, by python-chess."""
    text = question.play.move
    return lambda: _judged(_board(question), text)


def live_whole_alone(question: pb.Question) -> Callable[[], Callable[[], Judged]]:
    """The same on an existing board, of which it makes a copy, as the service does for the next question."""
    text, before = question.play.move, _board(question)
    return lambda: lambda: _judged(before.copy(stack=False), text)


def live_alone(question: pb.Question) -> Callable[[], Callable[[], Ruled]]:
    """Only making the move, on a board that is prepared before."""
    before = _board(question)
    move = before.parse_uci(question.play.move)

    def ready() -> Callable[[], Ruled]:
        board = before.copy(stack=False)
        return lambda: _ruled(board, move)

    return ready


def _board(question: pb.Question) -> chess.Board:
    position = question.play.position
    return BOARDS[position.variant](position.fen, chess960=position.variant == "chess960")


def _ruled(board: chess.Board, move: chess.Move) -> Ruled:
    board.push(move)
    return any(board.legal_moves), board.is_check(), board.is_variant_end() or board.is_insufficient_material()


def _judged(board: chess.Board, text: str) -> Judged:
    move = board.parse_uci(text)
    san = board.san(move)
    board.push(move)
    legal = sorted([reply.uci() for reply in board.legal_moves])
    ends = board.is_variant_end() or not legal or board.is_insufficient_material()
    return san, legal, board.is_check(), ends, board.fen()
