"""Dead positions and possible mates: how many are found, and the cost.

    python -m bench.dead_positions [--every 10] [--nodes 20000]

Over the public positions of FLAGFALL_CONFORMANCE (or ../shared/conformance); the full search over every tenth of them
unless told otherwise. The last line is one JSON object. Times are processor time, so that a busy machine matters less.
"""

import argparse
import json
import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

import chess
import chess.pgn

from services.domain.colour import Colour
from services.rules.dead.dead_position import can_mate, quick_can_mate, quick_is_dead
from services.rules.dead.possible_mate import CanMate
from services.rules.moves import forget_idle_en_passant

T = TypeVar("T")
Figures = dict[str, float | int]
ANSWERS_AT_ONCE = 5
"""A quick answer is timed as the fastest of so many: other processes of the machine are not what is measured."""
GAMES = ("uzchesscup", "kasparov-deep-blue-1997")


def conformance_folder() -> Path | None:
    """The public data, if it is there."""
    folder = Path(os.environ.get("FLAGFALL_CONFORMANCE", "../shared/conformance"))
    return folder if (folder / "unwinnable").is_dir() else None


def measure(folder: Path, every: int = 10, nodes_max: int = 20_000) -> Figures:
    """All figures; `every` is the share of the positions that are searched in full."""
    return _quick(folder) | _games(folder) | _full(folder, every, nodes_max) | _timeouts(folder, every, nodes_max)


def _board(fen: str) -> chess.Board:
    board = chess.Board(fen)
    forget_idle_en_passant(board)
    return board


def _queries(folder: Path) -> Iterator[tuple[str, Colour, bool]]:
    """FEN, side, whether the side can mate."""
    for line in (folder / "unwinnable" / "vectors.txt").read_text().splitlines():
        code, fen = line.split(maxsplit=1)
        for side, letter in zip(Colour, code, strict=True):
            yield fen, side, letter != "-"


def _timed(ask: Callable[[], T], times: int = 1) -> tuple[T, float]:
    """The answer and the microseconds of the fastest time."""
    spent_ns = []
    for _ in range(times):
        started_ns = time.thread_time_ns()
        answer = ask()
        spent_ns.append(time.thread_time_ns() - started_ns)
    return answer, min(spent_ns) / 1000


def _spread(prefix: str, spent_us: list[float]) -> Figures:
    spent_us = sorted(spent_us)
    at = {"p50": 0.5, "p99": 0.99}
    return {f"{prefix}_{name}_us": round(spent_us[int(len(spent_us) * share)], 1) for name, share in at.items()}


def _quick(folder: Path) -> Figures:
    """The quick stage on all vectors: a side's possible mate, and the dead positions."""
    spent_us, unwinnable, found, wrong = [], 0, 0, 0
    for fen, side, winnable in _queries(folder):
        board = _board(fen)
        answer, us = _timed(partial(quick_can_mate, board, side), ANSWERS_AT_ONCE)
        spent_us.append(us)
        unwinnable += not winnable
        found += answer is CanMate.NO
        wrong += answer is (CanMate.NO if winnable else CanMate.YES)
    return {"quick_recall": round(found / unwinnable, 4), "quick_wrong": wrong, **_spread("quick", spent_us)}


def _games(folder: Path) -> Figures:
    """The check after every move, over games of people and their last positions."""
    boards = [_board(fen) for fen in (folder / "unwinnable" / "timeouts.txt").read_text().splitlines()]
    for name in GAMES:
        with (folder / "pgn" / f"{name}.pgn").open() as file:
            while game := chess.pgn.read_game(file):
                boards += [_board(node.board().fen()) for node in game.mainline()]
    spent_us, dead = [], 0
    for board in boards:
        legal_moves = board.legal_moves.count()
        claimed, us = _timed(partial(quick_is_dead, board, legal_moves), ANSWERS_AT_ONCE)
        spent_us.append(us)
        dead += claimed
    mean_us = round(sum(spent_us) / len(spent_us), 1)
    return {"game_positions": len(boards), "game_dead": dead, "game_mean_us": mean_us, **_spread("game", spent_us)}


def _full(folder: Path, every: int, nodes_max: int) -> Figures:
    asked = list(_queries(folder))[::every]
    spent_us, decided, wrong = [], 0, 0
    for fen, side, winnable in asked:
        board = _board(fen)
        answer, us = _timed(partial(can_mate, board, side, nodes_max))
        spent_us.append(us)
        decided += answer is not CanMate.UNKNOWN
        wrong += answer is (CanMate.NO if winnable else CanMate.YES)
    mean_ms = round(sum(spent_us) / len(spent_us) / 1000, 1)
    return {
        "full_asked": len(asked),
        "full_decided": round(decided / len(asked), 4),
        "full_wrong": wrong,
        "full_mean_ms": mean_ms,
        **_spread("full", spent_us),
    }


def _timeouts(folder: Path, every: int, nodes_max: int) -> Figures:
    """Real games lost on time: the winner is the side not to move."""
    boards = [_board(fen) for fen in (folder / "unwinnable" / "timeouts.txt").read_text().splitlines()][::every]
    spent_us, proved = [], 0
    for board in boards:
        side = Colour.BLACK if board.turn else Colour.WHITE
        answer, us = _timed(partial(can_mate, board, side, nodes_max))
        spent_us.append(us)
        proved += answer is CanMate.YES
    share = round(proved / len(boards), 4)
    return {"timeouts_asked": len(boards), "timeouts_proved": share, **_spread("timeouts", spent_us)}


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python -m bench.dead_positions", description=__doc__)
    parser.add_argument("--every", type=int, default=10)
    parser.add_argument("--nodes", type=int, default=20_000)
    chosen = parser.parse_args()
    folder = conformance_folder()
    if folder is None:
        print("the public positions are not here: FLAGFALL_CONFORMANCE names their folder")
        print(json.dumps({}))
        return
    figures = measure(folder, chosen.every, chosen.nodes)
    for name, value in figures.items():
        print(f"{name:>18}  {value}")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
