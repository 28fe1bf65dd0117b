"""The process that searches for mates: `python -m services.rules.adjudication_child`, started by `adjudication`.

Says `ready`, then answers each line `SIDE CHESS960 NODES_MAX MS_MAX FEN` of its input with `yes`, `no` or `unknown`.
It ends when its input does, so that it never outlives the server, however that one ended.
"""

import os
import signal
import sys
import time

import chess

from services.domain.colour import Colour
from services.rules.dead_position import can_mate
from services.rules.moves import forget_idle_en_passant

NICENESS = 10
"""Moves come first where processors are few."""


def answer(line: str) -> str:
    """The answer to one question, of a position that the server has checked."""
    side, chess960, nodes_max, ms_max, fen = line.split(maxsplit=4)
    board = chess.Board(fen, chess960=chess960 == "1")
    forget_idle_en_passant(board)
    until_s = time.monotonic() + int(ms_max) / 1000
    return can_mate(board, Colour(side), int(nodes_max), lambda: time.monotonic() > until_s)


def main() -> None:
    """Answer until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to the whole group; the server ends this process
    os.nice(NICENESS)
    print("ready", flush=True)
    for line in sys.stdin:
        print(answer(line), flush=True)


if __name__ == "__main__":
    main()
