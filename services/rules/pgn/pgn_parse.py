"""Parses the tokens of a PGN into games whose moves are still text: brackets, comments, results, and all limits.

There is no board here, so the limits apply before a move costs time. Variations are kept in a list, without recursion.

What is corrected: a game without a result ends where the next one begins; a game that has only tags ends at a blank
line after which its tags start again; a variation without a move becomes its comment; results inside variations and
comments between games are dropped; equal annotations of a move count once.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn

from services.domain.refusal import RefusalCode
from services.domain.text import Text, say
from services.rules.limits import PgnLimits
from services.rules.pgn.pgn_comments import read_comment
from services.rules.pgn.pgn_lines import RawLine, RawMove
from services.rules.pgn.pgn_tokens import Fault, Kind, Token, tokens
from services.rules.pgn.pgn_tree import PgnOptions
from services.rules.refused import Rejected, quoted

_BLANK_LINE = re.compile(r"\n[ \t]*\n")


@dataclass(slots=True)
class RawGame:
    """A game as text."""

    index: int
    """The number of the game in the file, from 0."""
    line: int
    """The line in the text, from 1."""
    tags: dict[str, Token] = field(default_factory=dict)
    lines: list[RawLine] = field(default_factory=lambda: [RawLine()])
    """The main line and all variations, each after its parent."""
    result: Token | None = None

    @property
    def main(self) -> RawLine:
        """The main line: the moves that were played."""
        return self.lines[0]


class Lines:
    """Finds line numbers. Offsets must be asked in ascending order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._offset, self._line = 0, 1

    def at(self, offset: int) -> int:
        """The line number at this offset, from 1."""
        if offset < self._offset:
            self._offset, self._line = 0, 1
        self._line += self._text.count("\n", self._offset, offset)
        self._offset = offset
        return self._line


def parse(text: str, options: PgnOptions, limits: PgnLimits) -> list[RawGame]:
    """The games of a text. Raises Rejected with game and line at the first text that is not PGN."""
    parser = _Parser(text, options, limits)
    try:
        games = list(parser.games())
    except Fault as fault:
        refuse(parser.index_now, parser.lines.at(fault.offset), fault.text)
    if not games:
        raise Rejected(RefusalCode.MALFORMED, say("rules.pgn_no_game"), "pgn")
    return games


def refuse(index: int, line: int, problem: Text, code: RefusalCode = RefusalCode.MALFORMED, at: str = "") -> NoReturn:
    """Raise Rejected for a fault in the game with this index, on this line."""
    where = f"games[{index}].line[{line}]"
    text = say("rules.pgn_at", game=index + 1, line=line, problem=problem)
    raise Rejected(code, text, f"{where}.{at}" if at else where)


class _Parser:
    """The parser's state: the current game and its open lines."""

    def __init__(self, text: str, options: PgnOptions, limits: PgnLimits) -> None:
        self.lines = Lines(text)
        self._index = -1
        self._text = text
        self._tokens = tokens(text)
        self._options = options
        self._limits = limits
        self._games_max = min(options.games_max or limits.games_max, limits.games_max)
        self._game: RawGame | None = None
        self._open: list[tuple[RawLine, int]] = []
        """The open lines, the main line first, each with the offset of its bracket."""
        self._loose: list[Token] = []
        """Comments before a game."""
        self._plies = 0
        self._nags: list[int] = []
        """Annotations before the first move of a line, which belong to it."""
        self._nags_at = 0

    @property
    def index_now(self) -> int:
        """The index of the current or the next game, from 0."""
        return self._index + (self._game is None)

    def games(self) -> Iterator[RawGame]:
        """Yield each game when it ends."""
        for count, token in enumerate(self._tokens):
            if count >= self._limits.tokens_max:
                raise Fault(say("rules.pgn_tokens", most=self._limits.tokens_max), token.offset)
            match token.kind:
                case Kind.TAG:
                    if self._game is not None and (self._game.main.moves or self._begins_anew(token)):
                        yield self._finish()
                    self._tag(token)
                case Kind.COMMENT if self._game is None:
                    self._loose.append(token)
                case Kind.COMMENT:
                    self._comment(token)
                case Kind.MOVE:
                    self._move(token)
                case Kind.NAG:
                    self._nag(token)
                case Kind.OPEN:
                    self._open_line(token)
                case Kind.CLOSE:
                    self._close_line(token)
                case Kind.RESULT if len(self._open) > 1:
                    pass
                case Kind.RESULT:
                    if self._game is None:
                        raise Fault(say("rules.pgn_result_without_game", given=token.text), token.offset)
                    self._game.result = token
                    yield self._finish()
        if self._game is not None:
            yield self._finish()

    def _begin(self, token: Token) -> RawGame:
        if self._index + 1 >= self._games_max:
            raise Fault(say("rules.pgn_games", most=self._games_max), token.offset)
        self._index += 1
        self._game = RawGame(self._index, self.lines.at(token.offset))
        self._open = [(self._game.main, token.offset)]
        if token.kind is not Kind.TAG:
            for comment in self._loose:
                self._comment(comment)
        self._loose = []
        return self._game

    def _finish(self) -> RawGame:
        game = self._game
        assert game is not None
        if len(self._open) > 1:
            raise Fault(say("rules.pgn_variation_unclosed"), self._open[-1][1])
        if self._nags:
            raise Fault(say("rules.pgn_annotation_before_move", given=f"${self._nags[-1]}"), self._nags_at)
        self._game, self._open = None, []
        return game

    def _begins_anew(self, token: Token) -> bool:
        """Whether this tag starts another game: the current game already has it, and a blank line is between."""
        assert self._game is not None
        tags = self._game.tags
        if token.name not in tags:
            return False
        last = next(reversed(tags.values()))
        return _BLANK_LINE.search(self._text, last.offset, token.offset) is not None

    def _tag(self, token: Token) -> None:
        game = self._game or self._begin(token)
        if token.name in game.tags:
            raise Fault(say("rules.pgn_tag_twice_in_game", tag=quoted(token.name)), token.offset)
        if len(game.tags) >= self._limits.tags_max:
            raise Fault(say("rules.pgn_tags", most=self._limits.tags_max), token.offset)
        if len(token.name) + len(token.text) > self._limits.tag_chars_max:
            most = self._limits.tag_chars_max
            raise Fault(say("rules.pgn_tag_too_long", tag=quoted(token.name), most=most), token.offset)
        game.tags[token.name] = token

    def _move(self, token: Token) -> None:
        if self._game is None:
            self._begin(token)
        self._plies += 1
        if self._plies > self._limits.plies_max:
            raise Fault(say("rules.pgn_half_moves", most=self._limits.plies_max), token.offset)
        move = RawMove(token.text, token.offset)
        move.nags, self._nags = self._nags, []
        self._open[-1][0].moves.append(move)

    def _comment(self, token: Token) -> None:
        clock_ms, words = read_comment(token.text)
        line = self._open[-1][0]
        owner = line.moves[-1] if line.moves else line
        if isinstance(owner, RawMove) and owner.clock_ms is None:
            owner.clock_ms = clock_ms
        if words:
            self._say(owner, [words], len(words) + 1, token.offset)

    def _say(self, owner: RawMove | RawLine, comments: list[str], chars: int, offset: int) -> None:
        owner.comment_chars += chars
        if owner.comment_chars > self._limits.comment_chars_max:
            raise Fault(say("rules.pgn_comments_too_long", most=self._limits.comment_chars_max), offset)
        if self._options.with_comments:
            owner.comments += comments

    def _nag(self, token: Token) -> None:
        if self._game is None:
            self._begin(token)
        moves = self._open[-1][0].moves
        nags = moves[-1].nags if moves else self._nags
        self._nags_at = token.offset
        if (nag := int(token.text)) not in nags:
            nags.append(nag)

    def _open_line(self, token: Token) -> None:
        move = self._last_move(say("rules.pgn_variation_before_move"), token)
        if len(self._open) > self._limits.depth_max:
            raise Fault(say("rules.pgn_depth", most=self._limits.depth_max), token.offset)
        line = RawLine(depth=len(self._open))
        move.lines.append(line)
        assert self._game is not None
        self._game.lines.append(line)
        self._open.append((line, token.offset))

    def _close_line(self, token: Token) -> None:
        if len(self._open) < 2:
            raise Fault(say("rules.pgn_bracket"), token.offset)
        line, _ = self._open.pop()
        self._nags = []
        if line.moves and self._options.with_variations:
            return
        # The variations inside were dropped before, so this line is the game's last one.
        assert self._game is not None
        self._game.lines.pop()
        move = self._open[-1][0].moves[-1]
        move.lines.pop()
        if not line.moves:
            self._say(move, line.comments, line.comment_chars, token.offset)

    def _last_move(self, problem: Text, token: Token) -> RawMove:
        """The move before a token. Without one, `problem` is raised as a Fault."""
        if not self._open or not self._open[-1][0].moves:
            raise Fault(problem, token.offset)
        return self._open[-1][0].moves[-1]
