"""The whole of compose: people play on it, Prometheus sees it, a restart under play loses nothing, nothing is left."""

import asyncio
import json
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import orjson
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tests.compose.engine import Engine
from tests.compose.network import Namespace
from tests.compose.project import PAGE_WEBHOOK, Project, passwords

pytestmark = [pytest.mark.needs("docker", "buildah", "netns"), pytest.mark.timeout(900)]

WITHIN_S = 40.0
SCRAPED_WITHIN_S = 60.0
ENGINE_WITHIN_S = 150.0
POLL_S = 0.2
RESTARTED_WITHIN_S = 240.0
MOVES_MIN = 12
WAITING_S = 2.0
COMPONENTS = {"gateway", "game", "rules", "clock", "dispatcher", "worker", "beat"}
FOOLS_MATE = ["f3", "e5", "g4", "Qh4#"]
WHITES = [("Nf3", "g1f3"), ("Ng5", "f3g5"), ("Nh3", "g5h3"), ("Ng1", "h3g1")]
BLACKS = [("Nc6", "b8c6"), ("Nd4", "c6d4"), ("Ne6", "d4e6"), ("Nc5", "e6c5"), ("Na6", "c5a6"), ("Nb8", "a6b8")]
"""Two knights that go round, one in four moves and one in six: no position comes a fifth time before ply 96."""


class Refused(Exception):
    """A frame said no."""


@pytest.fixture
def client(up: Project) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=up.address(8000), timeout=WITHIN_S) as client:
        yield client


def guest(client: httpx.Client) -> dict[str, str]:
    """Headers of somebody new."""
    answer = client.post("/api/flagfall/guests")
    assert answer.status_code in (200, 201), answer.text
    client.cookies.clear()
    return {"Authorization": f"Bearer {answer.json()['token']}"}


@asynccontextmanager
async def socket(up: Project, who: dict[str, str]) -> AsyncIterator[ClientConnection]:
    """A connection after its welcome."""
    url = up.address(8000).replace("http", "ws") + "/api/flagfall/ws"
    async with connect(url, additional_headers=who) as opened:
        await wanted(opened, "welcome")
        yield opened


async def wanted(opened: ClientConnection, kind: str, /, **fields: object) -> dict[str, Any]:
    """The next frame of a type with these fields, the others skipped."""
    async with asyncio.timeout(WITHIN_S):
        while True:
            frame: dict[str, Any] = orjson.loads(await opened.recv())
            if frame["t"] == "nack":
                raise Refused(frame)
            if frame["t"] == kind and all(frame[name] == value for name, value in fields.items()):
                return frame


async def say(opened: ClientConnection, **frame: object) -> None:
    await opened.send(orjson.dumps(frame).decode())


def game_by_link(client: httpx.Client) -> tuple[str, list[dict[str, str]]]:
    """A game that one opens and another joins by its link; its id, and who has white and black."""
    made = client.post("/api/challenge/open", json={"clock.limit": 300, "clock.increment": 2})
    assert made.status_code in (200, 201), made.text
    game_id = made.json()["id"]
    both = [guest(client), guest(client)]
    for colour, who in zip(("white", "black"), both, strict=True):
        joined = client.post(f"/api/challenge/{game_id}/accept", params={"color": colour}, headers=who)
        assert joined.status_code == 200, joined.text
    return game_id, both


def test_the_page_is_served(client: httpx.Client) -> None:
    page = client.get("/")
    assert page.status_code == 200
    script = page.text.partition('src="')[2].partition('"')[0]
    assert client.get(f"/{script.lstrip('./')}").status_code == 200


async def test_two_people_play_by_link(up: Project, client: httpx.Client) -> None:
    game_id, both = game_by_link(client)
    async with socket(up, both[0]) as first, socket(up, both[1]) as second:
        for opened in (first, second):
            await say(opened, t="sub", game=game_id, v=0)
            version = (await wanted(opened, "full"))["v"]
        for ply, move in enumerate(FOOLS_MATE):
            await say((first, second)[ply % 2], t="move", game=game_id, id=uuid4().hex, move=move, ply=ply)
            version += 1
            for opened in (first, second):
                event = await wanted(opened, "event", v=version)
                assert event["state"]["lastMove"]["san"] == move
        assert (event["state"]["winner"], event["state"]["reason"]) == ("black", "checkmate")


def state(client: httpx.Client, game_id: str, who: dict[str, str]) -> dict[str, Any]:
    with client.stream("GET", f"/api/board/game/stream/{game_id}", headers=who) as answer:
        found: dict[str, Any] = orjson.loads(next(answer.iter_lines()))["state"]
    return found


def moves_after(client: httpx.Client, game_id: str, who: dict[str, str], number: int) -> list[str]:
    """The moves once there are so many."""
    until = time.monotonic() + WITHIN_S
    while len(moves := state(client, game_id, who)["moves"].split()) < number:
        assert time.monotonic() < until, f"only {moves}"
        time.sleep(POLL_S)
    return list(moves)


def test_the_computer_plays_over_the_api(client: httpx.Client) -> None:
    who = guest(client)
    made = client.post("/api/challenge/ai", json={"level": 3, "color": "white"}, headers=who)
    assert made.status_code == 201, made.text
    game_id = made.json()["id"]
    for number, move in ((2, "a2a3"), (4, "h2h3")):
        played = client.post(f"/api/board/game/{game_id}/move/{move}", headers=who)
        assert played.status_code == 200, played.text
        assert len(moves_after(client, game_id, who, number)) == number


def test_the_workers_use_the_tuned_engine(up: Project, client: httpx.Client) -> None:
    """On a busy machine an engine may come too late at first; it is started again half a minute later, for a move."""
    until = time.monotonic() + ENGINE_WITHIN_S
    while True:
        said = up.compose("exec", "-T", "worker", "python", "-m", "services.runtime.probe", "/healthz")
        if "airy" in json.loads(said)["facts"]["computer"]:
            return
        assert time.monotonic() < until, said
        client.post("/api/challenge/ai", json={"level": 3, "color": "black"}, headers=guest(client))
        time.sleep(5 * POLL_S)


def asked(up: Project, port: int, path: str) -> Any:
    answer = httpx.get(up.address(port) + path, timeout=WITHIN_S)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_prometheus_scrapes_every_component(up: Project) -> None:
    until = time.monotonic() + SCRAPED_WITHIN_S
    while True:
        targets = asked(up, 9090, "/api/v1/targets")["data"]["activeTargets"]
        health: dict[str, list[str]] = {}
        for target in targets:
            health.setdefault(target["labels"]["job"], []).append(target["health"])
        if health.keys() >= COMPONENTS and all(states == ["up"] for states in health.values()):
            break
        assert time.monotonic() < until, [(t["labels"], t["health"], t["lastError"]) for t in targets]
        time.sleep(POLL_S)
    assert asked(up, 9090, "/api/v1/rules")["data"]["groups"]
    (manager,) = asked(up, 9090, "/api/v1/alertmanagers")["data"]["activeAlertmanagers"]
    assert manager["url"].startswith("http://alertmanager:9093/")


def test_grafana_finds_prometheus_and_the_boards(up: Project) -> None:
    found = asked(up, 3000, "/found")
    (source,) = found["datasources"]
    assert (source["type"], source["url"]) == ("prometheus", "http://prometheus:9090")
    assert len(found["dashboards"]) >= 10


def test_alertmanager_has_the_addresses_of_the_environment(up: Project) -> None:
    assert "receiver: page" in asked(up, 9093, "/api/v2/status")["config"]["original"]
    told = up.compose("exec", "-T", "alertmanager", "cat", "/tmp/alertmanager.yml")
    assert f'url: "{PAGE_WEBHOOK}"' in told
    assert 'url: "http://ticket.invalid/"' in told  # nobody named one


def running(engine: Engine) -> list[dict[str, Any]]:
    """What the engine says of each container of a service."""
    return [
        json.loads(engine.ask("GET", f"/containers/{each['Id']}/json"))
        for each in engine.listed("containers")
        if each["Labels"]["com.docker.compose.service"] != "migrate"
    ]


def test_every_container_is_confined(up: Project, engine: tuple[Engine, Namespace]) -> None:
    for container in running(engine[0]):
        host, name = container["HostConfig"], container["Name"]
        assert host["ReadonlyRootfs"], name
        assert host["CapDrop"] == ["ALL"], name
        assert not host["CapAdd"], name
        assert "no-new-privileges:true" in host["SecurityOpt"], name
        assert host["Memory"] > 0, name
        assert host["NanoCpus"] > 0, name
        assert host["PidsLimit"] > 0, name
        assert container["Config"]["User"] not in ("", "0", "root"), name
        assert container["State"]["Health"]["Status"] == "healthy", name


def test_the_service_has_no_rights_of_an_owner(up: Project) -> None:
    words = ["exec", "-T", "postgres", "psql", "-h", "127.0.0.1", "-U", "flagfall_app", "-d", "flagfall"]
    with pytest.raises(AssertionError, match="must be owner of table token"):
        up.compose(*words[:2], "-e", f"PGPASSWORD={password(up, 'APP_PASSWORD')}", *words[2:], "-c", "DROP TABLE token")


def password(up: Project, name: str) -> str:
    lines = up.settings.read_text().splitlines()
    return next(line.partition("=")[2] for line in lines if line.startswith(f"{name}="))


def quiet(ply: int) -> tuple[str, str]:
    """The move at a ply as it is written and as it is kept."""
    return BLACKS[ply // 2 % 6] if ply % 2 else WHITES[ply // 2 % 4]


def restart(up: Project, service: str) -> None:
    """As an operator does it: restart one, wait until all is well."""
    up.compose("restart", service)
    up.up()


def began(up: Project, service: str) -> int:
    """When a service's process began, in ticks since the machine did."""
    return int(up.compose("exec", "-T", service, "cat", "/proc/1/stat").rpartition(")")[2].split()[19])


@pytest.mark.parametrize("service", ["gateway", "game", "valkey", "postgres"])
async def test_restart_under_play_loses_nothing(up: Project, client: httpx.Client, service: str) -> None:
    game_id, both = game_by_link(client)
    before = began(up, service)
    restarted = asyncio.create_task(asyncio.to_thread(restart, up, service))
    played, cut_off = 0, 0
    async with asyncio.timeout(RESTARTED_WITHIN_S):
        while not (restarted.done() and played >= MOVES_MIN):
            try:
                async with socket(up, both[0]) as first, socket(up, both[1]) as second:
                    for opened in (first, second):
                        await say(opened, t="sub", game=game_id, v=0)
                        state = (await wanted(opened, "full"))["state"]
                    assert (state["status"], state["ply"] - played) in (("started", 0), ("started", 1))
                    played = state["ply"]  # the answer to the last one may have been lost, not the move
                    while not (restarted.done() and played >= MOVES_MIN):
                        mover, move = (first, second)[played % 2], quiet(played)[0]
                        await say(mover, t="move", game=game_id, id=f"{game_id}-{played}", move=move, ply=played)
                        await wanted(mover, "ack")
                        played += 1
                        await asyncio.sleep(POLL_S if played < MOVES_MIN else WAITING_S)  # a person's pace
            except (WebSocketException, OSError, Refused):
                cut_off += 1
                await asyncio.sleep(POLL_S)
    await restarted
    found = moves_after(client, game_id, both[0], played)
    assert found == [quiet(ply)[1] for ply in range(played)]
    assert began(up, service) > before
    if service == "gateway":  # the rest may be back before anybody has to be told
        assert cut_off


def test_passwords_are_made_once_and_for_the_owner_alone(tmp_path: Path) -> None:
    made = passwords(tmp_path)
    first = made.read_text()
    values = [line.partition("=")[2] for line in first.splitlines() if "PASSWORD=" in line]
    assert len(values) == len(set(values)) == 5
    assert all(len(value) == 48 and value.isalnum() for value in values)
    assert made.stat().st_mode & 0o777 == 0o600
    again = subprocess.run([str(tmp_path / "compose-secrets")], check=True, capture_output=True, text=True, timeout=20)
    assert "there already" in again.stdout
    assert made.read_text() == first


def test_down_leaves_nothing(up: Project, engine: tuple[Engine, Namespace]) -> None:
    up.compose("down", "--volumes", "--timeout", "30")
    left = engine[0].listed("networks")
    assert {network["Name"] for network in left} == {"bridge", "host", "none"}
    assert engine[0].listed("containers") == []
    assert engine[0].listed("volumes") == []
