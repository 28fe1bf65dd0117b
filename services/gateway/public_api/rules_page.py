"""A page of rules for players, as data: what its file in `rules_pages` must hold, and what it says to clients.

Words stand in the files, each text a sentence or more. What the code knows anyway (the values of the presets, the
sources of Chaturanga's options) is put beside them by `rules_library` and written nowhere twice.
"""

from datetime import date
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

ARTICLE = r"^(\d{1,2}(\.\d{1,2}){0,3}|Guidelines [IV]+)(, \d{1,2}(\.\d{1,2}){0,3})*$"
"""One or more numbers of the FIDE Laws."""


class Data(BaseModel):
    """Frozen, and nothing else than what is named."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_min_length=1)


class Said(Data):
    """A rule in words, with the article of the FIDE Laws behind it, and works among the page's sources."""

    name: str
    text: str
    article: str | None = Field(None, pattern=ARTICLE)
    sources: tuple[str, ...] = ()


class Ending(Said):
    """A way in which games end; `reasons` are those of `EndReason`."""

    reasons: tuple[str, ...] = Field(min_length=1)


class OtherStart(Data):
    """A first array that an option brings, the other options being as usual."""

    fen: str
    when: dict[str, str]
    text: str


class Start(Data):
    """The first array."""

    fen: str
    text: tuple[str, ...] = Field(min_length=1)
    others: tuple[OtherStart, ...] = ()


class Man(Data):
    """A man: its letter in FEN and moves, its names, what it is about worth to a learner (in pawns), how it moves."""

    letter: str = Field(pattern="^[KQRBNP]$")
    name: str
    also: tuple[str, ...] = ()
    value: float | None = None
    moves: str


class Duration(Data):
    """About how long a game takes."""

    minutes: int | None = None
    text: str


class Term(Data):
    """An entry of the glossary."""

    term: str
    text: str


class Question(Data):
    """What players ask, and the answer."""

    question: str
    answer: str


class Source(Data):
    """A work that a page leans on. `language` is the work's own (ISO 639-1)."""

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
    """A disputed point of Chaturanga: its field of the rule set, and where the evidence runs out."""

    field: str
    question: str
    default: str
    values: tuple[Value, ...]
    evidence: str


class Rule(Data):
    """A field of the rule set. `law` are the values that keep to the article; none where the Laws are silent."""

    field: str
    name: str
    text: str
    article: str | None = Field(None, pattern=ARTICLE)
    law: tuple[str, ...] = ()
    values: tuple[Value, ...]


class Preset(Data):
    """A rule set with a name: its values by field."""

    key: str
    title: str
    text: str
    values: dict[str, str]


class Departure(Data):
    """Where presets part from the Laws: which keep to the article, and what the others do."""

    field: str
    article: str
    law: str
    keeps: tuple[str, ...]
    departs: dict[str, str]


class Page(Data):
    """A whole page. Lists are empty where a page has nothing of the kind."""

    key: str
    kind: Literal["variant", "ruleSets"]
    name: str
    language: Literal["en"] = "en"
    updated: date
    summary: str
    built_on: str | None = Field(None, alias="builtOn")
    """What this page does not say is as on that one."""
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
    """What Flagfall decides where sources differ, and where it parts from the rulebook."""
    options: tuple[Option, ...] = ()
    presets: tuple[Preset, ...] = ()
    rules: tuple[Rule, ...] = ()
    departures: tuple[Departure, ...] = ()
    duration: Duration
    glossary: tuple[Term, ...] = Field(min_length=1)
    faq: tuple[Question, ...] = Field(min_length=1)
    sources: tuple[Source, ...] = Field(min_length=1)
