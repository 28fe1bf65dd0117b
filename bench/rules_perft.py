"""Perft: leaves of the tree of legal moves a second, here, by python-chess alone, and by the native engine."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import chess

from bench.rules_beside import BOARDS
from deploy.laptop.node import engine_command
from services.domain.rule_set import FIDE
from services.domain.variant import Variant
from services.rules.families.family import Family
from services.rules.families.variants import family_of
from services.rules.limits import LIMITS
from services.rules.notation.fen import read_fen
from services.rules.uci import leaves

DEPTH, ENGINE_DEPTH = 3, 5
ENGINE_WAIT_S = 60


def measure() -> dict[str, dict[str, int | None]]:
    """Nodes a second for each variant and counter, from the first array."""
    return {str(variant): _measure(variant) for variant in Variant}


def _measure(variant: Variant) -> dict[str, int | None]:
    family = family_of(variant, FIDE)
    alone = BOARDS.get(variant)
    figures = {
        "flagfall": nodes_per_s(lambda: leaves(family, start_board(family), DEPTH)),
        "python_chess": None if alone is None else nodes_per_s(lambda: leaves_alone(alone(), DEPTH)),
        "engine": engine_nodes_per_s(variant),
    }
    print(f"{variant:>14}  perft nodes/s: {figures}", flush=True)
    return figures


def nodes_per_s(count: Callable[[], int]) -> int:
    """Leaves counted for each second of processor time."""
    started_s = time.process_time()
    counted = count()
    return round(counted / (time.process_time() - started_s))


def start_board(family: Family) -> chess.Board:
    """The board at the variant's initial position."""
    return read_fen(family.start_fen, LIMITS, family)


def leaves_alone(board: chess.Board, depth: int) -> int:
    """The leaves of the tree, counted by python-chess."""
    if depth == 1:
        return board.legal_moves.count()
    counted = 0
    for move in board.legal_moves:
        board.push(move)
        counted += leaves_alone(board, depth - 1)
        board.pop()
    return counted


def engine_nodes_per_s(variant: Variant) -> int | None:
    """The installed engine's own perft, by wall time; None where there is no engine."""
    command = engine_command(Path(sys.prefix))
    if command is None:
        return None
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        engine.stdin.write(f"uci\nsetoption name UCI_Variant value {variant.uci}\nisready\n")
        engine.stdin.flush()
        _until(engine, "readyok")
        started_s = time.monotonic()
        engine.stdin.write(f"position startpos\ngo perft {ENGINE_DEPTH}\n")
        engine.stdin.flush()
        counted = int(_until(engine, "Nodes searched").rpartition(" ")[2])
        spent_s = time.monotonic() - started_s
        engine.stdin.write("quit\n")
        engine.stdin.flush()
        engine.wait(timeout=ENGINE_WAIT_S)
    return round(counted / spent_s)


def _until(engine: "subprocess.Popen[str]", start: str) -> str:
    assert engine.stdout is not None
    for line in engine.stdout:
        if line.startswith(start):
            return line.strip()
    raise RuntimeError(f"the engine ended before it said {start}")
