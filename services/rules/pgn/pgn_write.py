"""Games as PGN in export format. Reading the text gives the same games.

Moves are made on a board, so the text contains only legal moves, in minimal SAN. The seven roster tags come first, then
the others in their order. If a tag and a field of the game have the same meaning (Result, Variant, FEN, SetUp,
Termination), the field decides; a tag that agrees with it keeps its text.
"""

from collections.abc import Sequence
from typing import NoReturn

from services.domain.outcome import Outcome
from services.domain.pgn import (
    RESULTS,
    first_move,
    movetext,
    result_of,
    roster_first,
    tag_section,
    termination,
    tidy_comment,
    wrapped,
)
from services.domain.refusal import RefusalCode
from services.domain.rule_set import RuleSet
from services.domain.text import Text, say
from services.domain.variant import Variant
from services.rules.families.variants import family_of
from services.rules.limits import InputLimits, PgnLimits
from services.rules.pgn.pgn_end import Contradiction, told_outcome, told_reason
from services.rules.pgn.pgn_lines import RawLine, RawMove, frozen, thawed
from services.rules.pgn.pgn_replay import BadMove, Beginning, begin, play_lines
from services.rules.pgn.pgn_tokens import NAG_MAX, TAG_NAME
from services.rules.pgn.pgn_tree import PgnGame
from services.rules.pgn.pgn_variants import variant_named
from services.rules.refused import Rejected, end_text, quoted

CLOCK_MS_MAX = 3_599_999_999_999
"""The highest time that h:mm:ss with six digits for hours can show."""


def write_pgn(games: Sequence[PgnGame], rule_set: RuleSet, limits: InputLimits, pgn_limits: PgnLimits) -> str:
    """The games as PGN, each with an empty line after it. Raises Rejected with game and move if one is invalid.

    A move is read from `uci`, or from `san` if `uci` is empty. Only the rule set's options of Chaturanga are used.
    """
    if len(games) > pgn_limits.games_max:
        raise Rejected(RefusalCode.MALFORMED, say("rules.pgn_games", most=pgn_limits.games_max), "games")
    writers = [_Writer(index, game, rule_set, limits) for index, game in enumerate(games)]
    plies = 0
    for writer in writers:
        plies += writer.check(pgn_limits, pgn_limits.plies_max - plies)
    text = "".join(writer.text() for writer in writers)
    if len(text.encode()) > pgn_limits.bytes_max:
        raise Rejected(RefusalCode.MALFORMED, say("rules.pgn_bytes", most=pgn_limits.bytes_max), "games")
    return text


class _Writer:
    """Writes one game as text."""

    def __init__(self, index: int, game: PgnGame, rule_set: RuleSet, limits: InputLimits) -> None:
        self._index = index
        self._game = game
        self._rule_set = rule_set
        self._limits = limits
        self._lines: list[RawLine] = []

    def check(self, limits: PgnLimits, plies_max: int) -> int:
        """Raise Rejected if a limit is exceeded or a value cannot be written. Return the number of half-moves."""
        tags = self._game.tags
        if len(tags) > limits.tags_max:
            self._refuse(say("rules.pgn_tags", most=limits.tags_max), "tags")
        names = [name for name, _ in tags]
        for name, value in tags:
            if not TAG_NAME.fullmatch(name):
                self._refuse(say("rules.pgn_tag_name", given=quoted(name)), "tags")
            if names.count(name) > 1:
                self._refuse(say("rules.pgn_tag_twice", tag=quoted(name)), f"tag[{name}]")
            if len(name) + len(value) > limits.tag_chars_max:
                self._refuse(say("rules.pgn_tag_too_long", tag=quoted(name), most=limits.tag_chars_max), "tags")
        if self._game.result not in RESULTS:
            text = say("rules.pgn_result", given=quoted(self._game.result), known=", ".join(RESULTS))
            self._refuse(text, "result")
        plies = 0
        for line in thawed(self._game.line):
            plies += len(line.moves)
            if plies > plies_max:
                self._refuse(say("rules.pgn_half_moves", most=limits.plies_max), "moves")
            if line.depth > limits.depth_max:
                self._refuse(say("rules.pgn_depth", most=limits.depth_max), "moves")
            self._check_words(line, limits)
            self._lines.append(line)
        return plies

    def _check_words(self, line: RawLine, limits: PgnLimits) -> None:
        if line.depth and not line.moves:
            self._refuse(say("rules.pgn_variation_empty"), "moves")
        owners: list[RawLine | RawMove] = [line, *line.moves]
        for owner in owners:
            owner.comments = [tidy_comment(comment) for comment in owner.comments if comment]
            if sum(map(len, owner.comments)) >= limits.comment_chars_max:
                self._refuse(say("rules.pgn_comment_too_long", most=limits.comment_chars_max), "moves")
        for move in line.moves:
            if not all(0 <= nag <= NAG_MAX for nag in move.nags) or len(set(move.nags)) < len(move.nags):
                self._refuse(say("rules.pgn_annotations", most=NAG_MAX), "moves")
            if move.clock_ms is not None and not 0 <= move.clock_ms <= CLOCK_MS_MAX:
                self._refuse(say("rules.pgn_clock", most=CLOCK_MS_MAX, given=move.clock_ms), "moves")

    def text(self) -> str:
        """The game in export format."""
        beginning = self._begin()
        try:
            end = play_lines(self._lines, beginning, self._limits).end
        except BadMove as bad:
            self._refuse(bad.problem, f"move[{bad.label}]", bad.code)
        try:
            tags = tag_section(self._tags(beginning, end))
        except Contradiction as contradiction:
            self._refuse(contradiction.text, "result")
        moves = movetext(frozen(self._lines), *first_move(beginning.fen))
        return f"{tags}\n\n{wrapped([*moves, self._game.result])}\n\n"

    def _begin(self) -> Beginning:
        try:
            family = family_of(self._game.variant, self._rule_set)
            return begin(family.variant, self._game.initial_fen, self._rule_set, self._limits)
        except Rejected as refused:
            self._refuse(refused.text, refused.refusal.at, refused.refusal.code)

    def _tags(self, beginning: Beginning, end: Outcome | None) -> list[tuple[str, str]]:
        tags = roster_first(dict(self._game.tags))
        tags["Result"] = self._game.result
        _set(tags, "Variant", _variant(tags.get("Variant"), beginning.family.variant))
        _set(tags, "Termination", self._termination(tags.get("Termination"), end))
        _set(tags, "FEN", beginning.fen or None)
        if beginning.fen or tags.get("SetUp") == "1":
            _set(tags, "SetUp", "1" if beginning.fen else None)
        return list(tags.items())

    def _termination(self, told: str | None, end: Outcome | None) -> str | None:
        """The tag's text if it agrees with the outcome, else the usual word; None if no tag is needed."""
        result, outcome = self._game.result, self._game.outcome
        read = told_outcome(result, end, told or "")
        if outcome is None:
            outcome = read
        elif result_of(outcome) != result:
            raise Contradiction(say("rules.pgn_outcome_and_result", outcome=result_of(outcome), result=result))
        elif end is not None and outcome != end:
            raise Contradiction(say("rules.pgn_outcome_and_end", end=end_text(end), outcome=end_text(outcome)))
        if outcome is None:
            return told
        reason = told_reason(told or "", outcome.winner)
        return told if read == outcome and reason in (None, outcome.reason) else termination(outcome)

    def _refuse(self, problem: Text, at: str, code: RefusalCode = RefusalCode.MALFORMED) -> NoReturn:
        raise Rejected(code, say("rules.pgn_game", game=self._index + 1, problem=problem), f"games[{self._index}].{at}")


def _set(tags: dict[str, str], name: str, value: str | None) -> None:
    """Set a tag to this value, in its place or at the end; None deletes it."""
    if value is None:
        tags.pop(name, None)
    else:
        tags[name] = value


def _variant(told: str | None, variant: Variant) -> str | None:
    """The tag's text if it names the variant, else the usual name; None for standard chess."""
    try:
        if variant_named(told or "") is variant:
            return told
    except Rejected:
        pass
    return Variant(variant).label
