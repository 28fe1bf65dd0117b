"""How a game of a PGN ended: nothing is told but what the file or the board says.

The file says the result twice, in the tag and behind the moves (PGN 8.2.6). Where one of them is missing or *, the
other is taken; two that differ are refused. Mate, stalemate and a variant's goal on the board have to agree with the
result, unless that is *; the rules of draws have no say: whether somebody claimed, the file does not tell. Of the
reasons only those are told that the tag Termination names (PGN 9.8.1, and the sentences of a site that many files come
from); all else is UNKNOWN.
"""

import re

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.pgn import RESULTS, result_of
from services.rules.refused import quoted

_SHORT = {"1/2": "1/2-1/2"}
_NOTHING_SAID = ("", "?", "*")
_WON = {
    "time forfeit": EndReason.FLAG,
    "won on time": EndReason.FLAG,
    "won by resignation": EndReason.RESIGNATION,
}
_DRAWN = {
    "time forfeit": EndReason.FLAG,
    "drawn by timeout vs insufficient material": EndReason.FLAG,
    "drawn by agreement": EndReason.AGREEMENT,
    "drawn by repetition": EndReason.REPETITION,
    "drawn by 50-move rule": EndReason.MOVE_COUNT,
    "drawn by insufficient material": EndReason.DEAD_POSITION,
}
_SENTENCE = re.compile(r"(?:^| )(won|drawn) (on|by) [^.]*$")


class Contradiction(Exception):
    """The file says two things that cannot both be so."""


def told_result(tag: str | None, marker: str | None) -> str:
    """The result of the tag and of the end of the moves; Contradiction when they differ."""
    said = {_result(text) for text in (tag, marker) if text is not None and text.strip() not in _NOTHING_SAID}
    if len(said) > 1:
        raise Contradiction(f"the tag Result says {tag}, and the moves end with {marker}")
    return said.pop() if said else "*"


def told_outcome(result: str, board_end: Outcome | None, termination: str) -> Outcome | None:
    """How the game ended, by the board before the tag; Contradiction when the board has another result."""
    if result == "*":
        return None
    if board_end is not None:
        if result_of(board_end) != result:
            raise Contradiction(
                f"the moves end with {board_end.reason} ({result_of(board_end)}), the result is {result}"
            )
        return board_end
    return Outcome(RESULTS[result], told_reason(termination, RESULTS[result]) or EndReason.UNKNOWN)


def told_reason(termination: str, winner: Colour | None) -> EndReason | None:
    """The reason that a Termination names for such a result; None when it names none."""
    words = " ".join(termination.casefold().split())
    reasons = _DRAWN if winner is None else _WON
    sentence = _SENTENCE.search(words)
    return reasons.get(sentence.group().strip() if sentence else words)


def _result(text: str) -> str:
    result = text.strip()
    result = _SHORT.get(result, result)
    if result not in RESULTS:
        raise Contradiction(f"{quoted(text)} is no result; there are {', '.join(RESULTS)}")
    return result
