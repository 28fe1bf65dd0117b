"""What the rules say to people is a text of the catalogue, never a string; sentences are made by the edge alone."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.domain.outcome import EndReason, Outcome
from services.domain.text import Text, say
from services.rules.refused import end_text, one_of
from services.words.catalogue import sentence

RULES = Path(__file__).parents[3] / "services" / "rules"
PLACES = {
    "Rejected": 1,
    "Refusal": 1,
    "bad_position": 1,
    "refuse": 2,
    "BadMove": 2,
    "Fault": 0,
    "Contradiction": 0,
    "NoAnswer": 0,
    "_illegal": 0,
    "_malformed": 0,
}
"""Functions that take a text for people, and which argument it is."""
EDGES = {"cli.py", "uci.py"}
"""Command-line tools: they print sentences."""


def calls() -> Iterator[tuple[str, str, ast.expr]]:
    """Where a text for people is passed, to what, and as what."""
    for path in RULES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in PLACES:
                yield f"{path.relative_to(RULES)}:{node.lineno}", node.func.id, node.args[PLACES[node.func.id]]


def test_nothing_passes_a_plain_string() -> None:
    found = list(calls())
    assert {name for _, name, _ in found} == PLACES.keys(), "each of these is called somewhere"
    for place, name, text in found:
        made = isinstance(text, ast.Name | ast.Attribute | ast.IfExp) or (
            isinstance(text, ast.Call)
            and isinstance(text.func, ast.Name)
            and text.func.id in ("say", "_why_not", "_tag_fault")
        )
        assert made, f"{place}: {name}({ast.unparse(text)})"


def test_only_command_line_tools_make_sentences() -> None:
    imports = {str(path.relative_to(RULES)) for path in RULES.rglob("*.py") if "services.words" in path.read_text()}
    assert imports == EDGES


@pytest.mark.parametrize("reason", list(EndReason))
def test_every_end_has_words(reason: EndReason) -> None:
    words = sentence(end_text(Outcome(None, reason)))
    assert words.islower()
    assert words.replace(" ", "").isalpha()
    unknown = sentence(say("rules.end_reason", reason=f"{reason}X"))
    assert unknown == f"{reason}X", "a reason of a newer service is shown as it is"


@pytest.mark.parametrize(
    ("choices", "listed"),
    [(["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c"), (["a", "b", "c", "d"], "a, b, c or d")],
)
def test_choices_are_listed(choices: list[str], listed: str) -> None:
    made = one_of(choices)
    assert (sentence(made) if isinstance(made, Text) else made) == listed
