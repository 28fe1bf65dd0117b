"""A page of rules for players as data: the fields that its file in `rules_pages` must have, and what clients get.

The files contain the texts, each of at least one sentence. Facts that the code already has (the presets' values, the
sources of Chaturanga's options) are added by `rules_library` and never written twice.
"""

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from services.gateway.answers.answer import Answer

ARTICLE = r"^(\d{1,2}(\.\d{1,2}){0,3}|Guidelines [IV]+)(, \d{1,2}(\.\d{1,2}){0,3})*$"
"""One or more article numbers of the FIDE Laws."""


Kind = Literal["variant", "ruleSets"]
Text = Annotated[str, Meta(min_length=1)]
Article = Annotated[str, Meta(pattern=ARTICLE, description="Of the FIDE Laws.")]


class Data(Answer, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Part of a page; unknown fields are errors."""


class Said(Data, frozen=True, kw_only=True):
    """A rule in words, with its article of the FIDE Laws and its works among the page's sources."""

    name: Text
    text: Text
    article: Article | None = None
    sources: tuple[Text, ...] = ()


class Ending(Said, frozen=True, kw_only=True):
    """A way in which games end; `reasons` are values of `EndReason`."""

    reasons: Annotated[tuple[Text, ...], Meta(min_length=1)]


class OtherStart(Data, frozen=True, kw_only=True):
    """A starting position that an option gives, with the other options at their defaults."""

    fen: Text
    when: dict[str, Text]
    text: Text


class Start(Data, frozen=True, kw_only=True):
    """The starting position."""

    fen: Text
    text: Annotated[tuple[Text, ...], Meta(min_length=1)]
    others: tuple[OtherStart, ...] = ()


class VariantPiece(Data, frozen=True, kw_only=True):
    """A piece or pawn: its letter in FEN and moves, its names, its rough value in pawns for learners, and its moves."""

    letter: Annotated[str, Meta(pattern="^[KQRBNP]$")]
    name: Text
    also: tuple[Text, ...] = ()
    value: float | None = None
    moves: Text


class Duration(Data, frozen=True, kw_only=True):
    """The rough length of a game."""

    minutes: int | None = None
    text: Text


class Term(Data, frozen=True, kw_only=True):
    """An entry of the glossary."""

    term: Text
    text: Text


class Question(Data, frozen=True, kw_only=True):
    """A question that players ask, with its answer."""

    question: Text
    answer: Text


class Source(Data, frozen=True, kw_only=True):
    """A work that the page is based on. `language` is the work's language (ISO 639-1).

    Rules that are in force somewhere have a `jurisdiction`, and a `link` to their text.
    """

    id: Text
    title: Text
    author: Text
    edition: Text
    jurisdiction: Text | None = None
    link: Annotated[str, Meta(pattern="^https://")] | None = None
    language: Annotated[str, Meta(pattern="^[a-z]{2}$", description="The work's (ISO 639-1).")]
    settles: Text


class Value(Data, frozen=True, kw_only=True):
    """One choice for a field or an option."""

    value: Text
    text: Text
    source: Text | None = None


class Option(Data, frozen=True, kw_only=True):
    """A disputed point of Chaturanga: its field of the rule set, and where the evidence ends."""

    field: Text
    question: Text
    default: Text
    values: tuple[Value, ...]
    evidence: Text


class Rule(Data, frozen=True, kw_only=True):
    """A field of the rule set. `law` has the values that follow the article; none if the Laws have no rule on it."""

    field: Text
    name: Text
    text: Text
    article: Article | None = None
    law: tuple[Text, ...] = ()
    values: tuple[Value, ...]


class Preset(Data, frozen=True, kw_only=True):
    """A named rule set: its values by field."""

    key: Text
    title: Text
    text: Text
    values: dict[str, Text]


class Departure(Data, frozen=True, kw_only=True):
    """A point where presets differ from the Laws: which of them follow the article, and what the others do."""

    field: Text
    article: Text
    law: Text
    keeps: tuple[Text, ...]
    departs: dict[str, Text]


class ListedPage(Answer, frozen=True, kw_only=True):
    """A page in the index."""

    key: str
    kind: Kind
    name: str
    summary: str
    reconstruction: bool
    updated: date


class RulesIndex(Answer, frozen=True, kw_only=True):
    """All pages."""

    updated: date
    pages: list[ListedPage]


class RulesPage(Data, frozen=True, kw_only=True):
    """A whole page. A list is empty if the page has nothing of that kind."""

    key: Text
    kind: Kind
    name: Text
    language: Literal["en"] = "en"
    updated: date
    summary: Text
    built_on: Annotated[Text | None, Meta(description="The key of the page that says what this one does not.")] = None
    reconstruction: bool = False
    idea: Annotated[tuple[Text, ...], Meta(min_length=1)]
    start: Start | None = None
    men: tuple[VariantPiece, ...] = ()
    moves: tuple[Said, ...] = ()
    wins: tuple[Ending, ...] = ()
    draws: tuple[Ending, ...] = ()
    material: tuple[Said, ...] = ()
    time: tuple[Said, ...] = ()
    decisions: Annotated[
        tuple[Said, ...], Meta(description="Where sources differ, and where Flagfall differs from the rulebook.")
    ] = ()
    options: tuple[Option, ...] = ()
    presets: tuple[Preset, ...] = ()
    rules: tuple[Rule, ...] = ()
    departures: tuple[Departure, ...] = ()
    duration: Duration
    glossary: Annotated[tuple[Term, ...], Meta(min_length=1)]
    faq: Annotated[tuple[Question, ...], Meta(min_length=1)]
    sources: Annotated[tuple[Source, ...], Meta(min_length=1)]
