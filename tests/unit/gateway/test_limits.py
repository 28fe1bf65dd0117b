"""Allowances of costly things: how many, for whom, and when the next may come."""

import re
from pathlib import Path

import pytest

from services.domain.refusal import RefusalCode
from services.domain.text import Text
from services.gateway.errors import Refused, answer_refusal
from services.gateway.rest.limits import RateLimits
from services.words.catalogue import sentence


class _Clock:
    now_ms = 5_000

    def __call__(self) -> int:
        return self.now_ms


def refused(limits: RateLimits, who: str, most: int, span_s: int) -> Refused:
    """The refusal of one more."""
    with pytest.raises(Refused) as caught:
        limits.spend("guests", who, most, span_s)
    return caught.value


@pytest.mark.parametrize(
    ("most", "span_s", "wait_s"), [(60, 3_600, 60), (120, 60, 1), (30, 60, 2), (7, 60, 9), (1, 3_600, 3_600)]
)
def test_retry_after_is_when_the_next_one_is_there(most: int, span_s: int, wait_s: int) -> None:
    clock = _Clock()
    limits = RateLimits(10, clock)
    for _ in range(most):
        limits.spend("guests", "a", most, span_s)
    error = refused(limits, "a", most, span_s)
    assert error.refusal.code is RefusalCode.LIMIT_REACHED
    assert f" {wait_s:,} second" in sentence(error.refusal.text)
    assert "guest accounts" in sentence(error.refusal.text)
    answer = answer_refusal(error.refusal, error.retry_after_s)
    assert (answer.status_code, answer.headers["retry-after"]) == (429, str(wait_s))
    clock.now_ms += -(-span_s * 1_000 // most) - 1
    refused(limits, "a", most, span_s)
    clock.now_ms = 5_000 + wait_s * 1_000
    limits.spend("guests", "a", most, span_s)


def test_retry_after_shrinks_as_time_passes_and_is_rounded_up() -> None:
    clock = _Clock()
    limits = RateLimits(10, clock)
    limits.spend("guests", "a", 1, 60)
    waits = []
    for passed_ms in (0, 1, 999, 1_000, 57_999):
        clock.now_ms += passed_ms
        waits.append(refused(limits, "a", 1, 60).retry_after_s)
    assert waits == [60, 60, 59, 58, 1]
    clock.now_ms += 1
    limits.spend("guests", "a", 1, 60)


def test_everybody_and_everything_has_an_allowance_of_its_own() -> None:
    limits = RateLimits(10, _Clock())
    limits.spend("guests", "a", 1, 60)
    limits.spend("guests", "b", 1, 60)
    limits.spend("log-ins", "a", 1, 60)
    refused(limits, "a", 1, 60)


def test_whoever_came_last_is_remembered() -> None:
    limits = RateLimits(2, _Clock())
    limits.spend("guests", "a", 1, 60)
    limits.spend("guests", "b", 1, 60)
    refused(limits, "a", 1, 60)
    limits.spend("guests", "c", 1, 60)  # b is forgotten, a was here since
    refused(limits, "a", 1, 60)
    limits.spend("guests", "b", 1, 60)


def test_every_limited_action_and_every_full_list_has_its_own_sentence() -> None:
    gateway = Path(__file__).parents[3] / "services" / "gateway"
    source = "".join(path.read_text() for path in gateway.rglob("*.py"))
    limited = set(re.findall(r'\.spend\("([^"]+)"', source))
    full = set(re.findall(r'^    what = "([^"]+)"$', source, re.MULTILINE)) | {"listeners"}
    assert len(limited) > 5
    assert len(full) == 4
    for key, actions in (("gateway.too_many", limited), ("gateway.full", full)):
        sentences = {sentence(Text(key, (("seconds", 7), ("what", action)))) for action in (*actions, "other")}
        assert len(sentences) == len(actions) + 1
