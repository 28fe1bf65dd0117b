"""The computer plays all variants, and Chaturanga with options that no other engine has."""

import time
from collections.abc import Iterator
from typing import Any

import httpx
import orjson
import pytest

from services.domain.variant import Variant
from tests.stack.running import RunningFlagfall

WITHIN_S = 40.0
OPTIONS: dict[str, Any] = {
    "preset": "fide",
    "chaturanga": {"elephant": "oneStep", "kings": "crossed", "kingLeap": True, "pawnBecomes": "filePiece"},
}


@pytest.fixture(scope="module")
def client(flagfall: RunningFlagfall) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=flagfall.address, timeout=15) as client:
        token = client.post("/api/flagfall/guests").json()["token"]
        client.cookies.clear()
        client.headers["Authorization"] = f"Bearer {token}"
        yield client


def state(client: httpx.Client, game_id: str) -> dict[str, Any]:
    with client.stream("GET", f"/api/board/game/stream/{game_id}") as answer:
        found: dict[str, Any] = orjson.loads(next(answer.iter_lines()))["state"]
    return found


@pytest.mark.parametrize(
    ("variant", "terms"), [*((variant, {}) for variant in Variant), (Variant.CHATURANGA, {"ruleSet": OPTIONS})]
)
def test_the_computer_answers(client: httpx.Client, variant: Variant, terms: dict[str, Any]) -> None:
    asked = {"level": 5, "variant": variant, "color": "black", **terms}
    made = client.post("/api/challenge/ai", json=asked)
    assert made.status_code == 201, made.text
    game_id = made.json()["id"]
    until_s = time.monotonic() + WITHIN_S
    while not (moves := state(client, game_id)["moves"].split()):
        assert time.monotonic() < until_s, "the computer has not moved"
        time.sleep(0.05)
    assert len(moves) == 1
