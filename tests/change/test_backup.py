"""A dump under play, everything killed, restored into a new database, played on with an empty Redis.

The stack runs as the role flagfall_app throughout; the dump is made as flagfall_backup, and flagfall_owner migrates and
restores.
"""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import orjson
import pytest
from websockets.sync.client import ClientConnection, connect

from deploy.laptop.node import ROOT
from deploy.laptop.stores import find_postgres
from tests.change.conftest import MakeFlagfallOn
from tests.change.roles import as_role, as_url, libpq, make_roles
from tests.stack.background import Background
from tests.stack.databases import Databases, migrate
from tests.stack.running import RunningFlagfall

WITHIN_S = 20.0
GRACE_MS = 100
GAP_MS = 3_000
SLACK_MS = 200
"""White has used some of the 15 seconds on the first move, which takes no time from the clock, and on the second."""
QUIET = ("g1f3", "g8f6", "f3g1", "f6g8")


@dataclass(slots=True)
class Client:
    """One person, by HTTP and by a socket of the moment."""

    name: str
    token: str = ""
    id: str = ""
    seen: int = 0
    """The last number of the own affairs that was heard."""
    frames: list[dict[str, Any]] = field(default_factory=list)
    socket: ClientConnection | None = None
    _open: ExitStack = field(default_factory=ExitStack)

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def open(self, stack: RunningFlagfall) -> None:
        url = stack.address.replace("http", "ws") + f"/api/flagfall/ws?seq={self.seen}"
        self.socket = self._open.enter_context(connect(url, additional_headers=self.headers))
        self.wanted("welcome")

    def close(self) -> None:
        self._open.close()

    def say(self, **frame: object) -> None:
        assert self.socket is not None
        self.socket.send(orjson.dumps(frame).decode())

    def wanted(self, kind: str, /, **fields: object) -> dict[str, Any]:
        assert self.socket is not None
        deadline_s = time.monotonic() + WITHIN_S
        while True:
            frame: dict[str, Any] = orjson.loads(self.socket.recv(timeout=max(0.01, deadline_s - time.monotonic())))
            assert frame["t"] != "nack", frame
            if frame["t"] == "player":
                self.seen = max(self.seen, frame["seq"])
            if frame["t"] == kind and all(frame.get(name) == value for name, value in fields.items()):
                return frame


@pytest.fixture
def http() -> Iterator[httpx.Client]:
    with httpx.Client(timeout=WITHIN_S) as client:
        yield client


def sign_up(http: httpx.Client, stack: RunningFlagfall, name: str) -> Client:
    answer = http.post(f"{stack.address}/api/flagfall/accounts", json={"username": name, "password": "long enough 1"})
    assert answer.status_code == 201, answer.text
    return Client(name, answer.json()["token"], answer.json()["id"])


def post(http: httpx.Client, stack: RunningFlagfall, who: Client, path: str, **fields: object) -> Any:
    answer = http.post(stack.address + path, data=fields, headers=who.headers)
    assert answer.status_code in (200, 201), f"{path}: {answer.text}"
    return answer.json()


def new_game(http: httpx.Client, stack: RunningFlagfall, white: Client, black: Client, seconds: int) -> str:
    terms = {"clock.limit": seconds, "clock.increment": 0, "color": "white", "rated": "true"}
    made = post(http, stack, white, f"/api/challenge/{black.id}", **terms)
    post(http, stack, black, f"/api/challenge/{made['id']}/accept")
    return str(made["id"])


def play(
    http: httpx.Client, stack: RunningFlagfall, players: tuple[Client, Client], game_id: str, plies: range
) -> None:
    for ply in plies:
        post(http, stack, players[ply % 2], f"/api/board/game/{game_id}/move/{QUIET[ply % 4]}")


def standing(http: httpx.Client, stack: RunningFlagfall, game_id: str) -> dict[str, Any]:
    return dict(http.get(f"{stack.address}/api/flagfall/games/{game_id}").json())


def until(condition: Callable[[], bool]) -> None:
    deadline_s = time.monotonic() + WITHIN_S
    while not condition():
        assert time.monotonic() < deadline_s, "it did not come to pass"
        time.sleep(0.05)


def rows(background: Background, url: str, query: str) -> list[Any]:
    async def ask() -> list[Any]:
        connection = await asyncpg.connect(libpq(url))
        try:
            return list(await connection.fetch(query))
        finally:
            await connection.close()

    return background.call(ask())


def tool(name: str, url: str, role: str, *arguments: str | Path) -> str:
    """Run a script of deploy/backup with PostgreSQL's own programs. Returns what it says."""
    path = f"{find_postgres()}:{os.environ['PATH']}"
    where = as_role(url, role)
    result = subprocess.run(
        [ROOT / "deploy" / "backup" / name, *arguments],
        env={"PATH": path, **where},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture
def restored_url(databases: Databases, background: Background) -> Iterator[str]:
    """Another empty database with the roles' rights."""
    url = background.call(databases.create_empty())
    make_roles(url)
    yield url
    background.call(databases.drop(url))


@pytest.mark.timeout(200)
def test_games_go_on_from_a_dump_and_nobody_is_charged_for_the_gap(
    empty_database_url: str,
    restored_url: str,
    make_flagfall_on: MakeFlagfallOn,
    background: Background,
    http: httpx.Client,
    tmp_path: Path,
) -> None:
    first_url = empty_database_url
    make_roles(first_url)
    migrate(as_url(first_url, "flagfall_owner"))
    before = make_flagfall_on(as_url(first_url, "flagfall_app"))
    anna, bert = sign_up(http, before, "anna"), sign_up(http, before, "bert")
    players = (anna, bert)
    for who in players:
        who.open(before)

    rated = new_game(http, before, anna, bert, 60)
    play(http, before, players, rated, range(2))
    post(http, before, bert, f"/api/board/game/{rated}/resign")
    long = new_game(http, before, anna, bert, 180)
    play(http, before, players, long, range(5))
    short = new_game(http, before, anna, bert, 15)
    play(http, before, players, short, range(2))
    turn_began_ms = rows(background, first_url, f"SELECT turn_started_ms FROM game WHERE id = '{short}'")[0][0]
    before.down("celery", signal.SIGKILL)
    computer = post(http, before, anna, "/api/challenge/ai", level=1, color="white")["id"]
    post(http, before, anna, f"/api/board/game/{computer}/move/e2e4")
    post(http, before, anna, f"/api/board/game/{long}/chat", room="player", text="before")

    dumped = tool("backup", first_url, "flagfall_backup", tmp_path)
    dump = next(tmp_path.glob("flagfall-*.dump"))
    assert str(dump) in dumped
    at_dump = rows(background, first_url, "SELECT last_ms FROM heartbeat")[0]["last_ms"]

    # What came after the dump is lost; those who saw it must not be stuck with it.
    play(http, before, players, long, range(5, 9))
    lost = new_game(http, before, bert, anna, 180)
    late = sign_up(http, before, "late")
    for who in players:
        who.wanted(
            "player",
            kind="gameStart",
        )
        who.say(t="sub", game=long, v=0)
    newest = anna.wanted("full", game=long)
    bert.wanted("full", game=long)
    ratings = {who.id: http.get(f"{before.address}/api/user/{who.id}").json()["perfs"] for who in players}
    for part in ("gateway", "game", "rules", "clock", "dispatcher", "beat", "valkey"):
        before.kill(part)
    before.stop()
    for who in players:
        who.close()

    tool("restore", restored_url, "flagfall_owner", dump)
    after = make_flagfall_on(as_url(restored_url, "flagfall_app"))

    # Guarantee 6: the gap is one outage, from the last beat in the dump to the first after it.
    outages = rows(background, restored_url, "SELECT start_ms, end_ms FROM outage ORDER BY start_ms")
    assert len(outages) == 1
    assert at_dump - 2_000 <= outages[0]["start_ms"] <= at_dump
    assert outages[0]["end_ms"] - outages[0]["start_ms"] > GAP_MS

    # The short game has what it had: it must not have fallen, and falls when its time is really up.
    game = standing(http, after, short)
    assert game["state"]["status"] == "started"
    deadline_ms = game["state"]["deadline"]
    left_ms = 15_000 - max(0, outages[0]["start_ms"] - turn_began_ms)
    assert abs(deadline_ms - (outages[0]["end_ms"] + left_ms)) <= SLACK_MS

    # Whoever has seen versions that are gone is told the whole game, under a number that is newer.
    for who in players:
        who.open(after)
        who.say(t="sub", game=long, v=newest["v"])
        full = who.wanted("full", game=long)
        assert newest["v"] < full["v"]
        assert len(full["moves"]) == 5
        who.say(t="sub", game=lost, v=3)
        assert who.wanted("gone", game=lost)["code"] == "not_found"
    state = full["state"]
    assert state["turn"] == "black"
    assert state["deadline"] > time.time_ns() // 1_000_000 + 150_000
    seen = {who.id: who.seen for who in players}
    for ply in range(5, 9):
        players[ply % 2].say(t="move", game=long, id=f"c{ply}", move=QUIET[ply % 4], ply=ply)
        for who in players:
            assert who.wanted("event", game=long)["v"] == full["v"] + ply - 4
    for who in players:
        assert who.seen == seen[who.id]

    # The computer's turn is found again.
    until(lambda: len(standing(http, after, computer)["moves"]) == 2)

    # People, their tokens and ratings.
    for who in players:
        answer = http.post(
            f"{after.address}/api/flagfall/login", json={"username": who.name, "password": "long enough 1"}
        )
        assert answer.status_code == 200, answer.text
        assert http.get(f"{after.address}/api/user/{who.id}").json()["perfs"] == ratings[who.id]
    assert http.get(f"{after.address}/api/account", headers=late.headers).status_code == 401

    # New things get new numbers.
    for who in players:
        post(http, after, who, f"/api/board/game/{long}/chat", room="player", text="after")
    again = new_game(http, after, bert, anna, 180)
    for who in players:
        assert who.wanted("player", kind="gameStart")["game"]["id"] == again
        assert who.seen > seen[who.id] + 1
        who.close()

    until(lambda: standing(http, after, short)["state"]["status"] == "ended")
    ended = standing(http, after, short)["state"]
    assert ended["reason"] == "flag"
    at_ms = rows(background, restored_url, f"SELECT ended_ms FROM game WHERE id = '{short}'")[0]["ended_ms"]
    assert at_ms >= deadline_ms + GRACE_MS
    assert at_ms < deadline_ms + 5_000
