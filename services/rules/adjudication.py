"""Whether a side can still mate, searched for in a side process, so that the search never delays a move.

No answer, for whatever reason, is UNKNOWN and counts as winnable, so that every failure here favours the side that did
not run out of time.
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
    """A side process with the job `JOB`."""

    async def ask(self, question: bytes) -> bytes:
        """The answer to a question. Raises NoAnswer."""


class Adjudicator:
    """Asks the side process."""

    def __init__(self, process: Asked, nodes_max: int) -> None:
        self._process = process
        self._nodes_max = nodes_max

    async def can_mate(self, fen: str, chess960: bool, side: Colour) -> CanMate:
        """Whether `side` can mate in a checked position of Standard or Chess960; never raises but when cancelled."""
        try:
            answered = await self._process.ask(f"{side} {int(chess960)} {self._nodes_max} {fen}".encode())
        except NoAnswer:
            return CanMate.UNKNOWN
        return CanMate(answered.decode())


def answer(question: bytes, left_ms: int) -> bytes:
    """The work of the side process: one question of an Adjudicator."""
    side, chess960, nodes_max, fen = question.decode().split(maxsplit=3)
    board = chess.Board(fen, chess960=chess960 == "1")
    forget_idle_en_passant(board)
    until_s = time.monotonic() + left_ms / 1000
    return can_mate(board, Colour(side), int(nodes_max), lambda: time.monotonic() > until_s).encode()
