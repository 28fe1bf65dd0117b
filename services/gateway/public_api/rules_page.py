"""A page of rules for players as data: the fields that its file in `rules_pages` must have, and what clients get.

The files contain the texts, each of at least one sentence. Facts that the code already has (the presets' values, the
sources of Chaturanga's options) are added by `rules_library` and never written twice.
"""

from datetime import date
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

ARTICLE = r"^(\d{1,2}(\.\d{1,2}){0,3}|Guidelines [IV]+)(, \d{1,2}(\.\d{1,2}){0,3})*$"
"""One or more article numbers of the FIDE Laws."""


class Data(BaseModel):
    """Immutable; unknown fields are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_min_length=1)


class Said(Data):
    """A rule in words, with its article of the FIDE Laws and its works among the page's sources."""

    name: str
    text: str
    article: str | None = Field(None, pattern=ARTICLE)
    sources: tuple[str, ...] = ()


class Ending(Said):
    """A way in which games end; `reasons` are values of `EndReason`."""

    reasons: tuple[str, ...] = Field(min_length=1)


class OtherStart(Data):
    """A starting position that an option gives, with the other options at their defaults."""

    fen: str
    when: dict[str, str]
    text: str


class Start(Data):
    """The starting position."""

    fen: str
    text: tuple[str, ...] = Field(min_length=1)
    others: tuple[OtherStart, ...] = ()


class Man(Data):
    """A piece or pawn: its letter in FEN and moves, its names, its rough value in pawns for learners, and its moves."""

    letter: str = Field(pattern="^[KQRBNP]$")
    name: str
    also: tuple[str, ...] = ()
    value: float | None = None
    moves: str


class Duration(Data):
    """The rough length of a game."""

    minutes: int | None = None
    text: str


class Term(Data):
    """An entry of the glossary."""

    term: str
    text: str


class Question(Data):
    """A question that players ask, with its answer."""

    question: str
    answer: str


class Source(Data):
    """A work that the page is based on. `language` is the work's language (ISO 639-1)."""

    id: str
    title: str
    author: str
    edition: str
    language: str = Field(pattern="^[a-z]{2}$")
    settles: str


class Value(Data):
    """One choice for a field or an option."""

    value: str
    text: str
    source: str | None = None


class Option(Data):
    """A disputed point of Chaturanga: its field of the rule set, and where the evidence ends."""

    field: str
    question: str
    default: str
    values: tuple[Value, ...]
    evidence: str


class Rule(Data):
    """A field of the rule set. `law` has the values that follow the article; none if the Laws have no rule on it."""

    field: str
    name: str
    text: str
    article: str | None = Field(None, pattern=ARTICLE)
    law: tuple[str, ...] = ()
    values: tuple[Value, ...]


class Preset(Data):
    """A named rule set: its values by field."""

    key: str
    title: str
    text: str
    values: dict[str, str]


class Departure(Data):
    """A point where presets differ from the Laws: which of them follow the article, and what the others do."""

    field: str
    article: str
    law: str
    keeps: tuple[str, ...]
    departs: dict[str, str]


class Page(Data):
    """A whole page. A list is empty if the page has nothing of that kind."""

    key: str
    kind: Literal["variant", "ruleSets"]
    name: str
    language: Literal["en"] = "en"
    updated: date
    summary: str
    built_on: str | None = Field(None, alias="builtOn")
    """The key of another page: what this page does not describe is the same there."""
    reconstruction: bool = False
    idea: tuple[str, ...] = Field(min_length=1)
    start: Start | None = None
    men: tuple[Man, ...] = ()
    moves: tuple[Said, ...] = ()
    wins: tuple[Ending, ...] = ()
    draws: tuple[Ending, ...] = ()
    material: tuple[Said, ...] = ()
    time: tuple[Said, ...] = ()
    decisions: tuple[Said, ...] = ()
    """Flagfall's decisions where sources differ, and where it differs from the rulebook."""
    options: tuple[Option, ...] = ()
    presets: tuple[Preset, ...] = ()
    rules: tuple[Rule, ...] = ()
    departures: tuple[Departure, ...] = ()
    duration: Duration
    glossary: tuple[Term, ...] = Field(min_length=1)
    faq: tuple[Question, ...] = Field(min_length=1)
    sources: tuple[Source, ...] = Field(min_length=1)
