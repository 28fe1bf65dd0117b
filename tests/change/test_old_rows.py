"""What the services of older commits wrote is read by these, also what they wrote on the newest schema."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from deploy.laptop.node import ROOT
from tests.change.release import unpacked
from tests.change.upgrade import STARTED_AGAIN
from tests.chaos.run import LOUD
from tests.stack.replicas import STORES, ReplicatedFlagfall

THREE_FIELDS = "199503b"
"""The last commit whose rule sets have three fields; its schema is at step 0002."""
TERMS = {"clock.limit": 300, "clock.increment": 0, "color": "white"}
WITHIN_S = 20.0


class Person:
    """A guest, at whatever address the gateway has."""

    def __init__(self, client: httpx.AsyncClient, credential: dict[str, Any]) -> None:
        self.id: str = credential["id"]
        self._client = client
        self._headers = {"Authorization": f"Bearer {credential['token']}"}

    async def post(self, path: str, **fields: object) -> Any:
        answer = await self._client.post(path, json=fields, headers=self._headers)
        assert answer.is_success, f"{path}: {answer.text}"
        return answer.json()

    async def get(self, path: str) -> Any:
        answer = await self._client.get(path, headers=self._headers)
        assert answer.is_success, f"{path}: {answer.text}"
        return answer.json()


@pytest.fixture
async def old_stack(tmp_path: Path) -> AsyncIterator[tuple[ReplicatedFlagfall, list[str]]]:
    """The old commit's services on its own schema, and the lines of all."""
    tmp_path.chmod(0o755)
    lines: list[str] = []
    stack = ReplicatedFlagfall(lines.append, replicas=1, gateways=1)
    try:
        await stack.start(tmp_path / "state", {}, unpacked(THREE_FIELDS, tmp_path).home)
        yield stack, lines
    finally:
        await stack.stop()


async def guest(client: httpx.AsyncClient) -> Person:
    credential = (await client.post("/api/flagfall/guests")).json()
    client.cookies.clear()
    return Person(client, credential)


async def new_game(white: Person, black: Person) -> str:
    made = await white.post("/api/challenge/open", **TERMS)
    await black.post(f"/api/challenge/{made['id']}/accept")
    return str(made["id"])


@pytest.mark.timeout(200)
async def test_games_and_challenges_with_rule_sets_of_three_fields_go_on(
    old_stack: tuple[ReplicatedFlagfall, list[str]],
) -> None:
    stack, lines = old_stack
    async with httpx.AsyncClient(base_url=stack.gateways[0], timeout=WITHIN_S) as client:
        anna, bert = await guest(client), await guest(client)
        before = await new_game(anna, bert)
        await anna.post(f"/api/board/game/{before}/move/e2e4")
        await stack.migrate(ROOT)
        # Written by an old replica on the new schema, so that no step of the migration has seen it.
        during = await new_game(anna, bert)
        waiting = (await anna.post("/api/challenge/open", **TERMS))["id"]
        await stack.move([name for name in stack.names if name not in STORES], ROOT)
        for game, ply in ((before, 1), (during, 0)):
            told = await bert.get(f"/api/flagfall/games/{game}")
            assert told["info"]["ruleSet"] == "claimed"
            assert told["state"]["ply"] == ply
            for number, move in list(enumerate(("e2e4", "e7e5")))[ply:]:
                await (anna, bert)[number].post(f"/api/board/game/{game}/move/{move}")
            assert [move["uci"] for move in (await bert.get(f"/api/flagfall/games/{game}"))["moves"]] == [
                "e2e4",
                "e7e5",
            ]
        await bert.post(f"/api/challenge/{waiting}/accept")
        playing = (await bert.get("/api/account/playing"))["nowPlaying"]
        assert {game["gameId"] for game in playing} == {before, during, waiting}
    assert [line for line in lines if LOUD.match(line) or STARTED_AGAIN in line] == []
