"""The games of a PGN file as python-chess reads them: the expected results for bench.replay."""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TextIO, cast

import chess
import chess.pgn

ENDS = {
    chess.Termination.CHECKMATE: "checkmate",
    chess.Termination.STALEMATE: "stalemate",
    chess.Termination.INSUFFICIENT_MATERIAL: "deadPosition",
    chess.Termination.SEVENTYFIVE_MOVES: "moveCount",
    chess.Termination.FIVEFOLD_REPETITION: "repetition",
}


@dataclass(slots=True)
class Expected:
    """A game of the file: what was played, and the position after each move."""

    name: str
    """With its place in the file."""
    moves: list[chess.Move]
    sans: list[str]
    fens: list[str]
    result: str
    initial_fen: str | None = None
    errors: list[str] = field(default_factory=list)
    """What could not be read of it. The moves may stop before the file's."""

    @classmethod
    def of(cls, name: str, moves: Iterable[chess.Move], result: str, board: chess.Board) -> "Expected":
        """The game of these moves from `board` on, which is played with."""
        fen = board.fen()
        expected = cls(name, [], [], [], result, None if fen == chess.STARTING_FEN else fen)
        for move in moves:
            expected.sans.append(board.san(move))
            board.push(move)
            expected.moves.append(move)
            expected.fens.append(board.fen())
        return expected

    def where(self, ply: int) -> str:
        """A place for people: the game and, from ply 1 on, the move."""
        if not 1 <= ply <= len(self.moves):
            return self.name
        before = self.fens[ply - 2] if ply > 1 else self.initial_fen or chess.STARTING_FEN
        _, turn, _, _, _, number = before.split()
        return f"{self.name}, {number}{'.' if turn == 'w' else '...'} {self.sans[ply - 1]} (ply {ply})"

    def end(self) -> str | None:
        """How the rules end the game after its last move, in the protocol's word; None: they do not."""
        board = chess.Board(self.initial_fen or chess.STARTING_FEN)
        for move in self.moves:
            board.push(move)
        outcome = board.outcome()
        return None if outcome is None else ENDS[outcome.termination]


class _Lines:
    """A text file that counts the lines that were read of it."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self.read = 0

    def readline(self) -> str:
        line = self._file.readline()
        self.read += bool(line)
        return line


def read_games(file: TextIO, most: int | None = None) -> Iterator[Expected]:
    """The main lines of standard games, and every game that cannot be read."""
    lines = _Lines(file)
    for number in itertools.count(1):
        first_line = lines.read + 1
        game = chess.pgn.read_game(cast(TextIO, lines))
        if game is None or (most is not None and number > most):
            return
        result = game.headers.get("Result", "*")
        players = f"{game.headers.get('White', '?')} - {game.headers.get('Black', '?')}"
        name = f"game {number} (line {first_line}: {players})"
        errors = [str(error) or repr(error) for error in game.errors]
        try:
            board = game.board()
        except ValueError:  # a position or a variant that is none; `errors` says so
            yield Expected(name, [], [], [], result, errors=errors)
            continue
        if type(board) is not chess.Board or board.chess960:
            continue
        expected = Expected.of(name, game.mainline_moves(), result, board)
        expected.errors = errors
        if expected.moves or errors:
            yield expected
