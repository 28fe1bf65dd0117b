"""The secret of the services: how it is read, and which calls it lets in."""

import pytest

from services.runtime.service_secret import HEADER, accepts, parse_secrets
from services.runtime.settings import Settings, load

OLD, NEW = "the-old-secret-1234", "the-new-secret-1234"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("", ()),
        (OLD, (OLD,)),
        (f"{OLD}\n", (OLD,)),
        (f"{NEW}, {OLD}", (NEW, OLD)),
        (f"{NEW},", (NEW, "")),
    ],
)
def test_secrets_are_read(given: str, expected: tuple[str, ...]) -> None:
    assert parse_secrets(given) == expected


@pytest.mark.parametrize(
    "given",
    ["short", ",", f",{OLD}", f"{OLD},,{NEW}", f"{OLD},short", "with a space in it 123", "ümlaut-in-a-secret-1"],
)
def test_a_secret_that_cannot_be_used_is_refused_without_being_shown(
    given: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FLAGFALL_SERVICE_SECRET", given)
    with pytest.raises(SystemExit):
        load(Settings)
    said = capsys.readouterr().err
    assert said.startswith("setting FLAGFALL_SERVICE_SECRET: ")
    assert OLD not in said
    assert "short" not in said


def test_a_secret_is_not_in_the_text_of_the_settings() -> None:
    settings = Settings.model_validate({"service_secret": OLD})
    assert OLD not in f"{settings!r} {settings}"
    assert settings.service_secrets == (OLD,)


@pytest.mark.parametrize(
    ("secrets", "shown", "expected"),
    [
        ((), None, True),
        ((), "anything", True),
        ((NEW,), None, False),
        ((NEW,), "", False),
        ((NEW,), OLD, False),
        ((NEW,), NEW, True),
        ((NEW, OLD), OLD, True),
        ((NEW, ""), None, True),
        ((NEW, ""), OLD, False),
    ],
)
def test_who_is_let_in(secrets: tuple[str, ...], shown: str | None, expected: bool) -> None:
    others: list[tuple[str, str | bytes]] = [("user-agent", "grpc-python"), ("binary-bin", b"\x00")]
    metadata = others if shown is None else [*others, (HEADER, shown)]
    assert accepts(secrets, metadata) is expected
    assert accepts(secrets, None) is (not secrets or "" in secrets)
