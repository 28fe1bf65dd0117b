"""Reading, writing and making up PGNs for the tests of the rules service."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import strategies as st

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.pgn import ROSTER, PgnLine, plain, result_of
from services.domain.refusal import Refusal
from services.domain.rule_set import FIDE, RuleSet
from services.domain.variant import Variant
from services.rules.families.chess960 import start_fen_of
from services.rules.families.family import Family
from services.rules.limits import LIMITS, PGN_LIMITS, PgnLimits
from services.rules.pgn.pgn_comments import read_comment
from services.rules.pgn.pgn_lines import RawLine, RawMove, frozen
from services.rules.pgn.pgn_read import read_pgn
from services.rules.pgn.pgn_replay import Replay, begin
from services.rules.pgn.pgn_tree import PgnGame, PgnOptions
from services.rules.pgn.pgn_write import write_pgn
from services.rules.refused import Rejected

ALL = PgnOptions(with_variations=True, with_comments=True)
TEXTS = st.lists(
    st.text(
        st.characters(max_codepoint=0x2FFF, exclude_categories=["Cs"]) | st.sampled_from('{};%[]\\" '), max_size=120
    ),
    min_size=1,
    max_size=8,
)
"""What people may write into tags and comments."""


def read(
    text: str | bytes, options: PgnOptions = ALL, limits: PgnLimits = PGN_LIMITS, rule_set: RuleSet = FIDE
) -> list[PgnGame]:
    """The games of a text."""
    return read_pgn(text.encode() if isinstance(text, str) else text, rule_set, options, LIMITS, limits)


def read_one(text: str | bytes, options: PgnOptions = ALL) -> PgnGame:
    """The only game of a text."""
    (game,) = read(text, options)
    return game


def refusal(text: str | bytes, options: PgnOptions = ALL, limits: PgnLimits = PGN_LIMITS) -> Refusal:
    """Why a text is not read."""
    with pytest.raises(Rejected) as raised:
        read(text, options, limits)
    return raised.value.refusal


def write(games: Sequence[PgnGame], limits: PgnLimits = PGN_LIMITS, rule_set: RuleSet = FIDE) -> str:
    """The text of games."""
    return write_pgn(games, rule_set, LIMITS, limits)


def sans(line: PgnLine | PgnGame) -> str:
    """The moves of a line."""
    return " ".join(move.san for move in (line.line if isinstance(line, PgnGame) else line).moves)


def random_game(seed: int, variant: Variant, texts: Sequence[str] = ("",), plies_max: int = 60) -> PgnGame:
    """A game of random moves with side lines, comments, annotations and clocks, in the form that an import has."""
    chance = random.Random(seed)
    fen = start_fen_of(chance.randrange(960)) if variant is Variant.CHESS960 else ""
    beginning = begin(variant, fen, FIDE, LIMITS)
    comments = [read_comment(text)[1] for text in texts]
    main = RawLine(comments=[chance.choice(comments)], board=beginning.board)
    lines = [main]
    ends = [
        _random_moves(
            chance, beginning.family, lines, line, comments, chance.randrange(plies_max) // (1 + 4 * line.depth)
        )
        for line in lines
    ]
    outcome = ends[0]
    if outcome is None and chance.random() < 0.8:
        outcome = Outcome(chance.choice([None, *Colour]), chance.choice([EndReason.UNKNOWN, EndReason.FLAG]))
    result = result_of(outcome)
    tags = {name: plain(chance.choice(texts)) for name in ROSTER} | {"Result": result}
    if variant is not Variant.STANDARD:
        tags["Variant"] = variant.label
    if outcome is not None and outcome.reason is EndReason.FLAG:
        tags["Termination"] = "Time forfeit"
    if beginning.fen:
        tags |= {"FEN": beginning.fen, "SetUp": "1"}
    return PgnGame(tuple(tags.items()), variant, beginning.fen, frozen(lines), result, outcome)


def _random_moves(
    chance: random.Random, family: Family, lines: list[RawLine], line: RawLine, comments: list[str], plies: int
) -> Outcome | None:
    """Random moves into a line, and side lines that are still to be filled behind it; how it ended."""
    assert line.board is not None
    replay = Replay(family, line.board.copy(stack=False), LIMITS)
    for _ in range(max(1, plies) if line.depth else plies):
        if replay.end is not None:
            break
        before = replay.board.copy(stack=False)
        move = RawMove(text=chance.choice(family.legal_text(before, family.is_check(before))))
        move.uci, move.san = replay.play(move.text)
        if chance.random() < 0.3:
            move.clock_ms = chance.choice([None, chance.randrange(10**8), 1000 * chance.randrange(10**5)])
            move.nags = chance.sample(range(256), chance.randrange(3))
            move.comments = [chance.choice(comments)]
        if line.depth < 3 and chance.random() < 0.1:
            move.lines = [RawLine([chance.choice(comments)], board=before, depth=line.depth + 1)]
            lines += move.lines
        line.moves.append(move)
    return replay.end
