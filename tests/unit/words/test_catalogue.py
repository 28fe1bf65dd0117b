"""Texts: how arguments are filled in, how a text travels, and that the catalogue and the code know the same keys."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import Text, say
from services.runtime.wire import refusal_from_pb, refusal_to_pb
from services.words import catalogue
from services.words.catalogue import sentence

ROOT = Path(__file__).parents[3]
LANGUAGES = sorted(path.stem for path in (ROOT / "services" / "words").glob("*.json"))
NESTED = say("test.outer", inner=say("test.inner", count=2), name="Ann")


@pytest.fixture
def _two_messages(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    known = {
        "request.said": "{sentence}",
        "test.outer": "{name} has {inner}.",
        "test.inner": "{count, plural, =0 {no seek} one {# seek} other {# seeks}}",
    }
    with monkeypatch.context() as patched:
        patched.setattr(catalogue, "messages", lambda _: known)
        catalogue._format.cache_clear()
        yield
    catalogue._format.cache_clear()


@pytest.mark.usefixtures("_two_messages")
def test_arguments_are_filled_in_also_by_texts() -> None:
    assert sentence(NESTED) == "Ann has 2 seeks."
    assert sentence(say("test.inner", count=1)) == "1 seek"


@pytest.mark.usefixtures("_two_messages")
def test_a_refusal_travels_with_its_text_and_in_english_for_the_release_before() -> None:
    refusal = Refusal(RefusalCode.LIMIT_REACHED, NESTED, "id")
    message = refusal_to_pb(refusal)
    assert message.message == "Ann has 2 seeks."
    assert refusal_from_pb(message) == refusal
    message.ClearField("text")
    before = refusal_from_pb(message)
    assert (before.code, sentence(before.text), before.at) == (RefusalCode.LIMIT_REACHED, "Ann has 2 seeks.", "id")


@pytest.mark.usefixtures("_two_messages")
def test_a_text_of_the_release_after_is_told_by_its_english_sentence() -> None:
    message = refusal_to_pb(Refusal(RefusalCode.LIMIT_REACHED, NESTED))
    for change in ("key", "name of an argument", "kind of an argument"):
        later = type(message)()
        later.CopyFrom(message)
        inner = later.text.arguments["inner"].sentence
        if change == "key":
            inner.key = "test.later"
        elif change == "name of an argument":
            later.text.arguments["person"].text = "Ann"
            del later.text.arguments["name"]
        else:
            inner.arguments["count"].text = "many"
        after = refusal_from_pb(later)
        assert (after.code, sentence(after.text)) == (RefusalCode.LIMIT_REACHED, "Ann has 2 seeks."), change


def test_a_log_line_shows_key_and_arguments() -> None:
    assert str(NESTED) == "test.outer inner=test.inner count=2 name=Ann"


def test_an_unknown_key_is_shown_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    assert sentence(Text("nowhere.said", (("n", 1),))) == "nowhere.said n=1"
    assert [record.levelname for record in caplog.records] == ["ERROR"]


@pytest.mark.usefixtures("_two_messages")
def test_arguments_that_do_not_fit_are_shown_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    assert sentence(Text("test.inner", (("count", "many"),))) == "test.inner count=many"
    assert [record.levelname for record in caplog.records] == ["ERROR"]


def said() -> dict[str, set[tuple[str, ...]]]:
    """Every key that the services say, with the names of its arguments."""
    found: dict[str, set[tuple[str, ...]]] = {}
    for path in (ROOT / "services").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say":
                assert node.args, f"{path}:{node.lineno}: say() without a key"
                key = node.args[0]
                assert isinstance(key, ast.Constant), f"{path}:{node.lineno}: the key of say() is no plain string"
                assert isinstance(key.value, str), f"{path}:{node.lineno}: the key of say() is no string"
                names = tuple(sorted(keyword.arg or "**" for keyword in node.keywords))
                found.setdefault(key.value, set()).add(names)
    return found


MADE_OF_A_TEXT = {
    "Refusal": 1,
    "Rejected": 1,
    "bad_position": 1,
    "FrameError": 0,
    "HttpProblem": 2,
    "malformed": 0,
    "not_allowed": 0,
    "unauthorized": 0,
    "forbidden": 0,
}
"""What is made of a text, and the place of the text among the arguments."""


def test_no_sentence_is_written_into_the_code() -> None:
    for path in (ROOT / "services").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MADE_OF_A_TEXT:
                for argument in node.args[MADE_OF_A_TEXT[node.func.id] :][:1]:
                    assert not isinstance(argument, ast.Constant | ast.JoinedStr | ast.BinOp), f"{path}:{node.lineno}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogue_has_what_is_said_and_nothing_else(language: str) -> None:
    assert said().keys() == catalogue.messages(language).keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_filled_by_the_arguments_that_it_names(language: str) -> None:
    for key, ways in said().items():
        message = catalogue.messages(language)[key]
        for names in ways:
            filled = [(name, "other" if f"{{{name}, select," in message else 7) for name in names]
            shown = sentence(Text(key, tuple(filled)), language)
            assert "{" not in shown, (key, names, shown)
            for left_out in names:
                shown = sentence(Text(key, tuple(part for part in filled if part[0] != left_out)), language)
                assert f"{{{left_out}}}" in shown, (key, left_out, shown)


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_are_sorted_inside_an_area(language: str) -> None:
    written = json.loads((ROOT / "services" / "words" / f"{language}.json").read_text("utf-8"))
    for area, part in written.items():
        assert list(part) == sorted(part), area
