"""Whether a side can still mate. The search runs in a side process, so it never delays a move.

If there is no answer, for any reason, the result is UNKNOWN and counts as winnable. So every failure is in favour of
the side that did not run out of time.
"""

import time
from typing import Protocol

import chess

from services.domain.colour import Colour
from services.rules.dead.dead_position import can_mate
from services.rules.dead.possible_mate import CanMate
from services.rules.moves import forget_idle_en_passant
from services.rules.side_process import NoAnswer

JOB = "adjudication"


class Asked(Protocol):
    """A side process that does the job `JOB`."""

    async def ask(self, question: bytes) -> bytes:
        """The answer to a question. Raises NoAnswer."""


class Adjudicator:
    """Asks the side process whether a side can mate."""

    def __init__(self, process: Asked, nodes_max: int) -> None:
        self._process = process
        self._nodes_max = nodes_max

    async def can_mate(self, fen: str, chess960: bool, side: Colour) -> CanMate:
        """Whether `side` can mate in a checked position of Standard or Chess960. Raises only if cancelled."""
        try:
            answered = await self._process.ask(f"{side} {int(chess960)} {self._nodes_max} {fen}".encode())
        except NoAnswer:
            return CanMate.UNKNOWN
        return CanMate(answered.decode())


def answer(question: bytes, left_ms: int) -> bytes:
    """The answer to one question of an Adjudicator, in at most `left_ms`. This runs in the side process."""
    side, chess960, nodes_max, fen = question.decode().split(maxsplit=3)
    board = chess.Board(fen, chess960=chess960 == "1")
    forget_idle_en_passant(board)
    until_s = time.monotonic() + left_ms / 1000
    return can_mate(board, Colour(side), int(nodes_max), lambda: time.monotonic() > until_s).encode()
