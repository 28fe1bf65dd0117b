"""The pages of rules: read from their files once, and kept as the bytes that clients get."""

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from services.domain.chaturanga_sources import DISPUTED_POINTS
from services.domain.rule_set import PRESETS, RuleSet
from services.domain.variant import Variant
from services.gateway.answers.answer import encoded
from services.gateway.answers.rules_page import ListedPage, RulesIndex, RulesPage
from services.gateway.names import camel
from services.gateway.protocol.rule_sets import RULES

FILES = Path(__file__).parents[1] / "rules_pages"
RULE_SETS = "ruleSets"
"""The key of the page about the rule sets, which belongs to no variant."""
KEYS = (*Variant, RULE_SETS)


@dataclass(frozen=True, slots=True)
class Document:
    """JSON as bytes, with the ETag by which clients know whether their copy is current."""

    body: bytes
    etag: str


@dataclass(frozen=True, slots=True)
class Library:
    """All pages by key, each also as a document, and their index. A preset's name gives the rule sets' page."""

    pages: Mapping[str, RulesPage]
    index: Document
    documents: Mapping[str, Document]


@cache
def library() -> Library:
    """Read all pages. Raises ValueError when a file has missing or unknown fields, which stops the start."""
    pages = {str(key): read(key) for key in KEYS}
    documents = {key: _document(page) for key, page in pages.items()}
    documents |= dict.fromkeys(PRESETS, documents[RULE_SETS])
    listed = [
        ListedPage(
            key=key,
            kind=page.kind,
            name=page.name,
            summary=page.summary,
            reconstruction=page.reconstruction,
            updated=page.updated,
        )
        for key, page in pages.items()
    ]
    index = RulesIndex(updated=max(page.updated for page in pages.values()), pages=listed)
    return Library(MappingProxyType(pages), _document(index), MappingProxyType(documents))


def read(key: str) -> RulesPage:
    """Read the page with this key. Raises ValueError as `library` does."""
    data = tomllib.loads((FILES / f"{key}.toml").read_text(encoding="utf-8"))
    data |= {"key": str(key), "kind": "ruleSets" if key == RULE_SETS else "variant"}
    if key == Variant.CHATURANGA:
        data["options"] = _options(data["options"])
    if key == RULE_SETS:
        data["rules"] = [rule | {"values": _values(rule["values"])} for rule in data["rules"]]
        data["presets"] = [_preset(preset) for preset in data["presets"]]
        data["departures"] = _departures(data["rules"])
    return msgspec.convert(data, RulesPage)


def _options(words: Mapping[str, Mapping[str, str]]) -> list[dict[str, Any]]:
    """The domain's disputed points of Chaturanga, with what each choice means for players. Raises ValueError."""
    if set(words) != {camel(point.field) for point in DISPUTED_POINTS}:
        raise ValueError("chaturanga.toml: the options are not those of the domain")
    found = []
    for point in DISPUTED_POINTS:
        name = camel(point.field)
        said = words[name]
        if set(said) != {str(answer.value) for answer in point.answers}:
            raise ValueError(f"chaturanga.toml: options.{name} has other values than the domain")
        values = [
            {"value": str(answer.value), "text": said[str(answer.value)], "source": answer.source}
            for answer in point.answers
        ]
        found.append(
            {
                "field": name,
                "question": point.question,
                "default": point.default,
                "values": values,
                "evidence": point.open,
            }
        )
    return found


def _values(words: Mapping[str, str]) -> list[dict[str, str]]:
    """The values of a field as a list."""
    return [{"value": value, "text": text} for value, text in words.items()]


def _preset(words: dict[str, Any]) -> dict[str, Any]:
    return words | {"values": {camel(field): str(getattr(PRESETS[words["key"]], field)) for field in RULES}}


def _departures(rules: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """For each field with an article of the Laws: which presets follow it, and what the others do instead."""
    names = {camel(field): field for field in RULES}
    found = []
    for rule in rules:
        if "law" not in rule:
            continue
        words = {value["value"]: value["text"] for value in rule["values"]}
        chosen = {preset: _value(PRESETS[preset], names[rule["field"]]) for preset in PRESETS}
        found.append(
            {
                "field": rule["field"],
                "article": rule["article"],
                "law": " ".join(words[value] for value in rule["law"]),
                "keeps": [preset for preset, value in chosen.items() if value in rule["law"]],
                "departs": {preset: words[value] for preset, value in chosen.items() if value not in rule["law"]},
            }
        )
    return found


def _value(rule_set: RuleSet, field: str) -> str:
    return str(getattr(rule_set, field))


def _document(value: RulesPage | RulesIndex) -> Document:
    body = encoded(value)
    return Document(body, f'"{hashlib.sha256(body).hexdigest()[:16]}"')
