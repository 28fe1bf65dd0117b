"""Comments of a PGN: their words and their clock.

Programs put commands into comments, `[%clk 0:04:59.5]`. The clock is read; all other commands (`%emt`, `%eval`,
`%csl`, ...) are dropped, and so is a clock without a valid time.
"""

import re

from services.domain.pgn import tidy_comment

_COMMAND = re.compile(r"\[%[A-Za-z][^\]]*\]")
_CLOCK = re.compile(r"\[%clk ([0-9]{1,6}):([0-5]?[0-9]):([0-5]?[0-9])(?:[.,]([0-9]{1,9}))? ?\]")


def read_comment(text: str) -> tuple[int | None, str]:
    """The first clock in the comment, in ms (None if missing), and its words without commands, with single blanks."""
    text = tidy_comment(text)
    if "[%" not in text:
        return None, text
    # No command ends after the last bracket. Without this limit, each open bracket is searched to the end of the text.
    last = text.rfind("]") + 1
    clocks = (_CLOCK.fullmatch(command) for command in _COMMAND.findall(text, 0, last))
    clock = next(filter(None, clocks), None)
    words = tidy_comment(_COMMAND.sub(" ", text[:last]) + text[last:])
    return None if clock is None else _milliseconds(clock), words


def _milliseconds(clock: re.Match[str]) -> int:
    hours, minutes, seconds, fraction = clock.groups()
    whole_s = (int(hours) * 60 + int(minutes)) * 60 + int(seconds)
    return whole_s * 1000 + int((fraction or "0")[:3].ljust(3, "0"))
