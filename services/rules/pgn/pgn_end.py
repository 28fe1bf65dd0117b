"""How a game of a PGN ended: only what the file or the board says.

The file has the result twice, in the tag and after the moves (PGN 8.2.6). If one is missing or *, the other counts; if
they differ, the game is refused. Mate, stalemate and a variant's goal on the board must agree with the result, unless
it is *. The rules of draws are not applied: the file does not say whether a player claimed a draw. The reason comes
from the tag Termination (PGN 9.8.1, and the sentences of a site from which many files come); otherwise it is UNKNOWN.
"""

import re

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.pgn import RESULTS, result_of
from services.domain.text import Text, say
from services.rules.refused import end_text, quoted

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
    """Two statements in the file contradict each other. `text` says which."""

    def __init__(self, text: Text) -> None:
        super().__init__(text)
        self.text = text


def told_result(tag: str | None, marker: str | None) -> str:
    """The result from the tag and the marker after the moves. Raises Contradiction if they differ."""
    said = {_result(text) for text in (tag, marker) if text is not None and text.strip() not in _NOTHING_SAID}
    if len(said) > 1:
        raise Contradiction(say("rules.pgn_result_twice", tag=tag or "", marker=marker or ""))
    return said.pop() if said else "*"


def told_outcome(result: str, board_end: Outcome | None, termination: str) -> Outcome | None:
    """How the game ended: from the board, else from the tag. Raises Contradiction if the board has another result."""
    if result == "*":
        return None
    if board_end is not None:
        if result_of(board_end) != result:
            reason, end = end_text(board_end), result_of(board_end)
            raise Contradiction(say("rules.pgn_result_and_end", reason=reason, end=end, result=result))
        return board_end
    return Outcome(RESULTS[result], told_reason(termination, RESULTS[result]) or EndReason.UNKNOWN)


def told_reason(termination: str, winner: Colour | None) -> EndReason | None:
    """The reason in a Termination for this winner; None if it has none."""
    words = " ".join(termination.casefold().split())
    reasons = _DRAWN if winner is None else _WON
    sentence = _SENTENCE.search(words)
    return reasons.get(sentence.group().strip() if sentence else words)


def _result(text: str) -> str:
    result = text.strip()
    result = _SHORT.get(result, result)
    if result not in RESULTS:
        raise Contradiction(say("rules.pgn_result", given=quoted(text), known=", ".join(RESULTS)))
    return result
