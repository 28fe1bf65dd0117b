"""An independent engine to play against: pyffish, in a process of its own.

It is only an oracle in tests: a malformed FEN can corrupt its memory, a variant that it does not know ends its process.
As a module it answers questions, one JSON list a line; `OtherEngine` asks them.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from services.domain.variant import Variant


class OtherEngine:
    """Answers about a position, given as a FEN."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def legal(self, variant: str, fen: str) -> set[str]:
        """Legal moves in UCI."""
        return set(self._ask("legal", variant, fen))

    def after(self, variant: str, fen: str, uci: str) -> str:
        """The FEN after a move."""
        return str(self._ask("after", variant, fen, uci))

    def san(self, variant: str, fen: str, uci: str) -> str:
        """A move in SAN."""
        return str(self._ask("san", variant, fen, uci))

    def _ask(self, *question: str) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, f"the other engine died of {question}"
        return json.loads(line)


@contextmanager
def other_engine() -> Iterator[OtherEngine]:
    """Start the process, and end it afterwards."""
    command = [sys.executable, "-m", "tests.conformance.other_engine"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield OtherEngine(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait(timeout=10)


def _answer(kind: str, variant: str, fen: str, *rest: str) -> object:
    import pyffish

    chess960 = variant == "chess960"
    name = Variant(variant).uci
    if kind == "legal":
        return pyffish.legal_moves(name, fen, [], chess960)
    if kind == "after":
        return pyffish.get_fen(name, fen, list(rest), chess960)
    return pyffish.get_san(name, fen, rest[0], chess960)


def _serve() -> None:
    for line in sys.stdin:
        print(json.dumps(_answer(*json.loads(line))), flush=True)


if __name__ == "__main__":
    _serve()
