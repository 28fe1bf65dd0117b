"""The text of a PGN as tokens (PGN 7), each with its place, in one pass of linear time.

Skipped are blanks, byte order marks between joined files, lines that begin with a percent sign (PGN 6), and the numbers
and dots before moves, in any usual form (PGN 8.2.2.1 allows this at import).
"""

import re
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from services.domain.pgn import plain
from services.domain.text import Text, say
from services.rules.refused import quoted


class Kind(Enum):
    """The kind of a token, and the content of its text."""

    TAG = "tag"
    """The value of the tag; `name` is its name."""
    COMMENT = "comment"
    """The text between the braces, or from the semicolon to the end of its line."""
    OPEN = "("
    CLOSE = ")"
    NAG = "nag"
    """The number; for `!?` and similar signs the number of PGN 10."""
    RESULT = "result"
    MOVE = "move"
    """Any text at a place where a move may be."""


class Token(NamedTuple):
    """A token. `offset` is its start in the text."""

    kind: Kind
    text: str
    offset: int
    name: str = ""


class Fault(Exception):
    """The text at this offset is not a token."""

    def __init__(self, text: Text, offset: int) -> None:
        super().__init__(text)
        self.text, self.offset = text, offset


_TOKEN = re.compile(
    r"""
      (?P<skip> [\s\ufeff]+ | ^%[^\n]* | (?!0000(?![0-9]))[0-9]+(?=[\s.…(){};$]|\Z) | [.…]+ )
    | (?P<result> (?:1-0|0-1|1/2-1/2|1/2)(?=[\s(){};\[$]|\Z) | \* )
    | (?P<move> [a-h][1-8]?[x:]?[a-h][36][ \t\n]*(?:e\.[ \t]?p\.|ep(?![A-Za-z0-9]))[+\#]*
        | [^\s\ufeff(){}\[\]<>"%;$!?*.…]+ (?:(?<=[18])\([A-Za-z]\)[+\#]*)? )
    | (?P<nag> \$[0-9]{0,4} | [!?]+ )
    | (?P<comment> \{ | ;[^\n]* )
    | (?P<open> \( )
    | (?P<close> \) )
    | (?P<tag> \[ )
    """,
    re.VERBOSE | re.MULTILINE,
)
_TAG = re.compile(
    r"""\[[ \t]* ([A-Za-z0-9][A-Za-z0-9_+\#=:-]*) [ \t]* "([^"\\\n]*(?:\\[^\n][^"\\\n]*)*)" [ \t]*\]""", re.VERBOSE
)
_UNCLOSED_VALUE = re.compile(r'\[[ \t]*[A-Za-z0-9_]+[ \t]*"[^"\n]*$', re.MULTILINE)
_ESCAPE = re.compile(r'\\(["\\])')
_NEXT_GAME = re.compile(r'\n[ \t]*\n[ \t]*\[[A-Za-z0-9]+[ \t]+"')
_SUFFIXES = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
NAG_MAX = 255
"""The highest annotation (PGN 10)."""
TAG_NAME = re.compile("[A-Za-z0-9][A-Za-z0-9_+#=:-]*")


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a text with \\n as line end. Raises Fault at invalid text."""
    offset, end = 0, len(text)
    while offset < end:
        match = _TOKEN.match(text, offset)
        if match is None:
            raise Fault(say("rules.pgn_character", given=quoted(text[offset])), offset)
        kind, start, offset = match.lastgroup, offset, match.end()
        if kind == "skip":
            continue
        if kind == "move":
            yield Token(Kind.MOVE, match.group(), start)
        elif kind == "nag":
            yield Token(Kind.NAG, _nag(match.group(), start), start)
        elif kind == "comment":
            if text[start] == "{":
                offset = _comment_end(text, start)
                yield Token(Kind.COMMENT, text[start + 1 : offset - 1], start)
            else:
                yield Token(Kind.COMMENT, text[start + 1 : offset], start)
        elif kind == "tag":
            tag = _TAG.match(text, start)
            if tag is None:
                raise Fault(_tag_fault(text, start), start)
            offset = tag.end()
            yield Token(Kind.TAG, plain(_ESCAPE.sub(r"\1", tag[2])), start, tag[1])
        elif kind == "result":
            yield Token(Kind.RESULT, match.group(), start)
        else:
            yield Token(Kind.OPEN if kind == "open" else Kind.CLOSE, match.group(), start)


def _nag(text: str, offset: int) -> str:
    """The number of a glyph (PGN 10)."""
    if text in _SUFFIXES:
        return str(_SUFFIXES[text])
    if not text.startswith("$"):
        raise Fault(say("rules.pgn_suffix", given=quoted(text), known=" ".join(_SUFFIXES)), offset)
    if text == "$" or int(text[1:]) > NAG_MAX:
        raise Fault(say("rules.pgn_annotation", most=NAG_MAX, given=quoted(text)), offset)
    return text[1:]


def _comment_end(text: str, start: int) -> int:
    """The end of the comment with its brace at `start`; inside it no other sign has a meaning (PGN 5)."""
    closed = text.find("}", start)
    if closed < 0:
        raise Fault(say("rules.pgn_comment_unclosed"), start)
    if _NEXT_GAME.search(text, start, closed):
        raise Fault(say("rules.pgn_comment_with_tags"), start)
    return closed + 1


def _tag_fault(text: str, start: int) -> Text:
    if _UNCLOSED_VALUE.match(text, start):
        return say("rules.pgn_tag_unclosed")
    return say("rules.pgn_tag")
