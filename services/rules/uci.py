"""The small search as a UCI engine, in all variants and with every option of Chaturanga.

`python -m services.rules uci`, or `python -m services.rules.uci`, which loads nothing else. Options: `UCI_Variant` (the
names that other engines use), `UCI_Chess960`, and `Chaturanga_<field>` for each option of Chaturanga with the values of
`services/domain/chaturanga.py`. `position` takes FENs and moves as the rules read them; on an error it sends
`info string` and keeps the old position. `go` takes `nodes`, `depth`, `movetime`, `infinite`, and the clocks `wtime`,
`btime`, `winc`, `binc` and `movestogo`; `searchmoves`, `ponder` and `mate` are ignored. `go perft N` counts moves.
Every line is written whole, and `stop` and `quit` end a search or a count at once.
"""

import random
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from enum import StrEnum
from itertools import pairwise
from typing import Any, TextIO

import chess

from services.domain.chaturanga import CHATURANGA, ChaturangaRules
from services.domain.rule_set import RuleSet
from services.domain.text import Text, say
from services.domain.variant import Variant
from services.rules.families.family import Family
from services.rules.families.variants import family_of
from services.rules.limits import LIMITS
from services.rules.notation.fen import read_fen
from services.rules.notation.notation_in import read_legal, read_move
from services.rules.notation.position_check import check_position
from services.rules.refused import Rejected
from services.rules.small_search import DEPTH_MAX, best_move
from services.words.catalogue import sentence

NAME = "Flagfall small search"
AUTHOR = "the authors of Flagfall"
VARIANTS = {variant.uci: variant for variant in Variant if variant is not Variant.CHESS960}
NODES = 2_000
"""The number of positions in a search that nothing else bounds."""
MOVES_TO_GO = 30
"""The moves that the time left has to suffice for, if the other side does not say."""
RESERVE_MS = 50
OPTION_PREFIX = "Chaturanga_"


class Uci:
    """One UCI session: `hear` takes input lines, `send` gets output lines. A search runs in a thread, for `stop`."""

    def __init__(self, send: Callable[[str], None], chance: random.Random) -> None:
        self._send = send
        self._chance = chance
        self._variant = Variant.STANDARD
        self._chess960 = False
        self._options = CHATURANGA
        self._board = self._start()
        self._stop = threading.Event()
        self._search: threading.Thread | None = None
        self._endless = False

    def hear(self, line: str) -> bool:
        """Execute one input line. Return False if it ends the session."""
        words = line.split()
        match words:
            case ["uci"]:
                self._introduce()
            case ["isready"]:
                self._send("readyok")
            case ["ucinewgame"]:
                self.end_search()
            case ["setoption", "name", name, "value", value]:
                self.end_search()
                self._set(name, value)
            case ["position", *rest]:
                self.end_search()
                self._position(rest)
            case ["go", *rest]:
                self.end_search()
                self._go(rest)
            case ["stop"]:
                self.end_search()
            case ["quit"]:
                self.end_search()
                return False
        return True

    def end_search(self) -> None:
        """End the running search, if any. It sends its move before it ends."""
        self._stop.set()
        self._join()

    def finish(self) -> None:
        """Let the running search come to its end. One without an end is stopped."""
        if not self._endless:
            self._join()
        self.end_search()

    def _join(self) -> None:
        if self._search is not None:
            self._search.join()
            self._search = None

    @property
    def _family(self) -> Family:
        chess960 = self._chess960 and self._variant is Variant.STANDARD
        rule_set = RuleSet(chaturanga=self._options)
        return family_of(Variant.CHESS960 if chess960 else self._variant, rule_set)

    def _start(self) -> chess.Board:
        return read_fen(self._family.start_fen, LIMITS, self._family)

    def _introduce(self) -> None:
        self._send(f"id name {NAME}")
        self._send(f"id author {AUTHOR}")
        self._send(f"option name UCI_Variant type combo default chess {' '.join(f'var {name}' for name in VARIANTS)}")
        self._send("option name UCI_Chess960 type check default false")
        for field in fields(ChaturangaRules):
            default = getattr(CHATURANGA, field.name)
            if isinstance(default, StrEnum):
                values = " ".join(f"var {value}" for value in type(default))
                self._send(f"option name {OPTION_PREFIX}{field.name} type combo default {default} {values}")
            else:
                self._send(f"option name {OPTION_PREFIX}{field.name} type check default false")
        self._send("uciok")

    def _set(self, name: str, value: str) -> None:
        if name == "UCI_Variant" and value in VARIANTS:
            self._variant = VARIANTS[value]
        elif name == "UCI_Chess960" and value in ("true", "false"):
            self._chess960 = value == "true"
        elif (options := _changed(self._options, name, value)) is not None:
            self._options = options
        else:
            self._tell(say("rules.uci_option_unknown", option=name, given=value))
            return
        self._board = self._start()

    def _position(self, words: Sequence[str]) -> None:
        first, moves = list(words), []
        if "moves" in first:
            at = first.index("moves")
            first, moves = first[:at], first[at + 1 :]
        family = self._family
        try:
            board = self._start() if first == ["startpos"] else read_fen(" ".join(first[1:]), LIMITS, family)
            check_position(board, family)
            for text in moves:
                family.apply(board, read_move(board, text, LIMITS, family))
        except Rejected as refused:
            self._tell(say("rules.uci_problem", at=refused.refusal.at, problem=refused.text))
            return
        self._board = board

    def _tell(self, text: Text) -> None:
        self._send(f"info string {sentence(text)}")

    def _go(self, words: Sequence[str]) -> None:
        given = {name: _number(value, 0) for name, value in pairwise(words) if value.isdigit()}
        family, board = self._family, self._board
        self._stop.clear()
        if "perft" in given:
            self._endless = False
            self._start_search(lambda: self._count(family, board, given["perft"]))
            return
        self._endless = endless = "infinite" in words
        budget_ms = _budget_ms(given, board.turn)
        bounded = budget_ms is not None or "depth" in given
        nodes = given.get("nodes", sys.maxsize if endless or bounded else NODES)
        until_s = time.monotonic() + budget_ms / 1000 if budget_ms is not None and not endless else float("inf")
        depth = given.get("depth", DEPTH_MAX)

        def enough() -> bool:
            return self._stop.is_set() or time.monotonic() > until_s

        def search() -> None:
            over = family.ended(board, family.is_check(board)) is not None
            move = "(none)" if over else best_move(family, board, nodes, self._chance, enough, depth)
            if endless:
                self._stop.wait()
            self._send(f"bestmove {move}")

        self._start_search(search)

    def _start_search(self, search: Callable[[], None]) -> None:
        self._search = threading.Thread(target=search)
        self._search.start()

    def _count(self, family: Family, board: chess.Board, depth: int) -> None:
        try:
            self._send(f"Nodes searched: {leaves(family, board, depth, self._stop.is_set)}")
        except Stopped:
            self._send("info string stopped")


class Stopped(Exception):
    """A count was stopped."""


def _budget_ms(given: Mapping[str, int], turn: bool) -> int | None:
    """How long a move may take by `movetime` or by the clock; None without either."""
    if "movetime" in given:
        return given["movetime"]
    side = "w" if turn else "b"
    if f"{side}time" not in given:
        return None
    left_ms, increment_ms = given[f"{side}time"], given.get(f"{side}inc", 0)
    share_ms = left_ms // (given.get("movestogo") or MOVES_TO_GO) + increment_ms
    return max(1, min(share_ms, left_ms - RESERVE_MS))


def leaves(family: Family, board: chess.Board, depth: int, enough: Callable[[], bool] = bool) -> int:
    """The number of leaves of the tree of legal moves at `depth` (perft). The last moves are counted, not made.

    Raises Stopped once `enough` says so.
    """
    if enough():
        raise Stopped
    if family.goal(board) is not None:
        return 0
    texts = family.legal_text(board, family.is_check(board))
    if depth <= 1:
        return len(texts)
    counted = 0
    for text in texts:
        after = board.copy(stack=False)
        family.apply(after, read_legal(board, text, family))
        counted += leaves(family, after, depth - 1, enough)
    return counted


def _changed(options: ChaturangaRules, name: str, value: str) -> ChaturangaRules | None:
    """The options with one changed; None if the name or the value is unknown."""
    field = name.removeprefix(OPTION_PREFIX)
    if field == name or field not in {each.name for each in fields(ChaturangaRules)}:
        return None
    present = getattr(options, field)
    values: dict[str, Any] = {"true": True, "false": False}
    if isinstance(present, StrEnum):
        values = {str(member): member for member in type(present)}
    changed: dict[str, Any] = {field: values.get(value)}
    return replace(options, **changed) if value in values else None


def _number(text: str, default: int) -> int:
    return int(text) if text.isascii() and text.isdigit() else default


def converse(lines: TextIO, sink: TextIO) -> None:
    """Run a session until `quit` or the end of `lines`; write the output to `sink`."""

    whole = threading.Lock()  # a search has a thread of its own

    def send(line: str) -> None:
        with whole:
            sink.write(f"{line}\n")
            sink.flush()

    uci = Uci(send, random.Random())
    for line in lines:
        if not uci.hear(line):
            return
    uci.finish()


if __name__ == "__main__":
    converse(sys.stdin, sys.stdout)
