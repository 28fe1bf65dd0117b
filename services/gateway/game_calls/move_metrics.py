"""Metrics of the moves that pass through this gateway. Labels are looked up once, not for each move."""

from collections import OrderedDict
from functools import cache

from prometheus_client import Counter, Histogram

from services.domain.time_control import MODES
from services.runtime.metrics import MOVE_OUTCOMES, MOVES, SECONDS, UNKNOWN_MODE, from_zero

MOVE_SECONDS = Histogram(
    "flagfall_move_duration_seconds",
    "From a move's receipt to its answer, accepted or refused.",
    ["mode"],
    buckets=SECONDS,
)
ILLEGAL_REPEATS = Counter(
    "flagfall_illegal_move_repeats_total",
    "Illegal moves that the same player had sent in the same game just before.",
)
SUBMIT_RETRIES = Counter(
    "flagfall_submit_retries_total", "Commands that were retried because the game service was unavailable."
)

from_zero(MOVES, (*MODES, UNKNOWN_MODE), ("person", "bot"), MOVE_OUTCOMES)
from_zero(MOVE_SECONDS, (*MODES, UNKNOWN_MODE))

move_counted = cache(MOVES.labels)
move_seconds = cache(MOVE_SECONDS.labels)


class IllegalRepeats:
    """Keeps each player's last illegal move, to count repeats.

    A client that repeats one is stuck, or shows a wrong position.
    """

    def __init__(self, kept_max: int) -> None:
        self._kept_max = kept_max
        self._last: OrderedDict[tuple[str, str], str] = OrderedDict()

    def accepted(self, game_id: str, player_id: str) -> None:
        """A command of this player was accepted: forget the illegal move."""
        self._last.pop((game_id, player_id), None)

    def refused(self, game_id: str, player_id: str, move: str) -> None:
        """A move was refused as illegal. Counts it if it was refused just before."""
        key = (game_id, player_id)
        if self._last.get(key) == move:
            ILLEGAL_REPEATS.inc()
        self._last[key] = move
        self._last.move_to_end(key)
        if len(self._last) > self._kept_max:
            self._last.popitem(last=False)
