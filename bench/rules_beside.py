"""python-chess alone doing what a judged move takes: the yardstick that its users know.

Board from FEN, the move written in SAN and made, all legal moves in UCI, check, mate, dead material, FEN. No keys, no
repetition, no messages.
"""

from collections.abc import Callable

import chess
import chess.variant

from services.pb.flagfall.v1 import rules_pb2 as pb

Judged = tuple[str, list[str], bool, bool, str]
"""SAN, legal moves, check, whether the game is over, FEN."""

BOARDS: dict[str, type[chess.Board]] = {
    "standard": chess.Board,
    "chess960": chess.Board,
    "threeCheck": chess.variant.ThreeCheckBoard,
    "kingOfTheHill": chess.variant.KingOfTheHillBoard,
    "crazyhouse": chess.variant.CrazyhouseBoard,
    "atomic": chess.variant.AtomicBoard,
}


def from_fen_alone(question: pb.Question) -> Callable[[], Judged]:
    """The whole from FEN."""
    position, text = question.play.position, question.play.move
    chess960 = position.variant == "chess960"
    board_class = BOARDS[position.variant]
    return lambda: _judged(board_class(position.fen, chess960=chess960), text)


def live_alone(question: pb.Question) -> Callable[[], Judged]:
    """The same on a board that is there already."""
    position, text = question.play.position, question.play.move
    board = BOARDS[position.variant](position.fen, chess960=position.variant == "chess960")
    return lambda: _judged(board.copy(stack=False), text)


def _judged(board: chess.Board, text: str) -> Judged:
    move = board.parse_uci(text)
    san = board.san(move)
    board.push(move)
    legal = sorted([reply.uci() for reply in board.legal_moves])
    ends = board.is_variant_end() or not legal or board.is_insufficient_material()
    return san, legal, board.is_check(), ends, board.fen()
