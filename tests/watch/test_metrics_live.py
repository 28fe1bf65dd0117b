"""What processes show after a game of each kind is what the inventory says, and what Prometheus calls well made."""

import asyncio
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, cast

import grpc
import httpx
import orjson
import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.routing import BaseRoute
from websockets.asyncio.client import ClientConnection, connect

from deploy.observability.inventory import FILE, load, problems
from services.gateway.main.app import make_app
from services.gateway.rest.quick_way import QuickWay
from services.pb.flagfall.v1 import game_pb2, rules_pb2
from tests.chaos.arranging import Person, by_link, sign_up, with_computer
from tests.stack.background import Background
from tests.stack.replicas import STORES, ReplicatedFlagfall

pytestmark = pytest.mark.needs("prometheus")

WITHIN_S = 40.0
FLAG_S = 15
Texts = Mapping[str, str]

SUMS = (
    'flagfall_moves_total{mode="clock",actor="person",outcome="accepted"}',
    'flagfall_moves_total{mode="unknown",actor="person",outcome="illegal_move"}',
    'flagfall_moves_total{mode="clock",actor="computer",outcome="accepted"}',
    "flagfall_illegal_move_repeats_total",
    'flagfall_move_delivery_seconds_count{mode="clock"}',
    'flagfall_move_stage_seconds_count{stage="publish"}',
    'flagfall_ws_resume_duration_seconds_count{result="delta"}',
    'flagfall_tasks_total{task="engine_move",outcome="played"}',
    'flagfall_tasks_total{task="find_hint",outcome="given"}',
    'flagfall_task_duration_seconds_count{task="find_hint"}',
    "flagfall_engine_reply_lateness_seconds_count",
    "flagfall_flag_lateness_seconds_count",
    'flagfall_games_started_total{mode="clock",variant="standard"}',
    'flagfall_games_finished_total{mode="clock",variant="standard",reason="flag"}',
    "flagfall_database_size_bytes",
    'flagfall_batch_size_count{hop="judge"}',
    'flagfall_rpc_total{method="Submit",code="OK"}',
    "flagfall_beat_last_run_timestamp_seconds",
    'flagfall_redis_memory_used_bytes{store="broker"}',
)
"""What a game of each kind has certainly counted, by some process."""


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory, background: Background) -> Iterator[Texts]:
    """The text of /metrics of each service, after games."""
    stack = ReplicatedFlagfall(lambda line: None, 1, 1)

    async def played() -> dict[str, str]:
        await stack.start(tmp_path_factory.mktemp("metrics"), {"FLAGFALL_SWEEP_PERIOD_S": "2"})
        async with httpx.AsyncClient(timeout=WITHIN_S, trust_env=False) as client:
            async with asyncio.timeout(2 * WITHIN_S), asyncio.TaskGroup() as group:
                for play in (_flag, _people, _computer):
                    group.create_task(play(client, stack.gateways[0]))
            deadline_s = time.monotonic() + WITHIN_S
            while True:
                texts = await _scraped(client, stack)
                if not missing(texts) or time.monotonic() > deadline_s:
                    return texts
                await asyncio.sleep(0.3)

    try:
        yield background.call(played(), within_s=180)
    finally:
        background.call(stack.stop())


async def _scraped(client: httpx.AsyncClient, stack: ReplicatedFlagfall) -> dict[str, str]:
    texts = {}
    for name in stack.names:
        if name not in STORES:
            part = name.rstrip("0123456789")
            answer = await client.get(f"http://127.0.0.1:{stack.admin_port(name)}/metrics")
            texts[{"celery": "worker"}.get(part, part)] = answer.text
    return texts


async def _post(client: httpx.AsyncClient, url: str, who: Person, status: int = 200) -> None:
    answer = await client.post(url, headers={"Authorization": f"Bearer {who.token}"})
    assert answer.status_code == status, answer.text


async def _flag(client: httpx.AsyncClient, at: str) -> None:
    """Moves over HTTP, a move that is illegal twice, and a flag that falls."""
    people = [await sign_up(client, at, None) for _ in range(2)]
    terms = {"clock.limit": FLAG_S, "clock.increment": 0, "ruleSet": "fide"}
    game = (await by_link(client, at, people, terms)).id
    for _ in range(2):
        await _post(client, f"{at}/api/board/game/{game}/move/e2e5", people[0], 400)
    await _post(client, f"{at}/api/board/game/{game}/move/e2e4", people[0])
    await _post(client, f"{at}/api/board/game/{game}/move/e7e5", people[1])
    while (await client.get(f"{at}/api/flagfall/games/{game}")).json()["state"]["status"] != "ended":
        await asyncio.sleep(0.3)


async def _people(client: httpx.AsyncClient, at: str) -> None:
    """Moves over WebSockets; one line is torn and comes back."""
    white, black = [await sign_up(client, at, None) for _ in range(2)]
    game = (await by_link(client, at, (white, black), {"clock.limit": 180, "clock.increment": 0})).id
    async with _socket(at, white) as mover, _socket(at, black) as other:
        for page in (mover, other):
            await _sent(page, t="sub", game=game, v=0)
            await _heard(page, "full")
        await _sent(mover, t="move", game=game, id="one", move="e2e4", ply=0)
        await _heard(mover, "ack")
        await _heard(other, "event")
    async with _socket(at, black) as again:
        await _sent(again, t="sub", game=game, v=1)
        await _heard(again, "events")


async def _computer(client: httpx.AsyncClient, at: str) -> None:
    """A move against the computer, and a hint."""
    who = await sign_up(client, at, None)
    game = (await with_computer(client, at, who, {"clock.limit": 180, "clock.increment": 1})).id
    async with _socket(at, who) as page:
        await _sent(page, t="sub", game=game, v=0)
        await _heard(page, "full")
        await _sent(page, t="move", game=game, id="one", move="e2e4", ply=0)
        while (await _heard(page, "event"))["state"]["ply"] < 2:
            pass
        await _sent(page, t="hint", game=game, id="two")
        await _heard(page, "hint")


@asynccontextmanager
async def _socket(at: str, who: Person) -> Any:
    url = at.replace("http", "ws", 1) + "/api/flagfall/ws"
    async with connect(url, additional_headers={"Authorization": f"Bearer {who.token}"}) as page:
        yield page


async def _sent(page: ClientConnection, **frame: object) -> None:
    await page.send(orjson.dumps(frame).decode())


async def _heard(page: ClientConnection, kind: str) -> dict[str, Any]:
    while (frame := orjson.loads(await page.recv()))["t"] != kind:
        assert frame["t"] not in ("nack", "error"), frame
    return cast(dict[str, Any], frame)


def missing(texts: Texts) -> list[str]:
    """Which of `SUMS` nobody has counted yet."""
    counted = {
        (sample.name, frozenset(sample.labels.items()))
        for text in texts.values()
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.value > 0
    }
    return [series for series in SUMS if _key(series) not in counted]


def _key(series: str) -> tuple[str, frozenset[tuple[str, str]]]:
    name, _, inside = series.rstrip("}").partition("{")
    pairs = (pair.split("=") for pair in inside.split(",") if pair)
    return name, frozenset((label, value.strip('"')) for label, value in pairs)


def sources() -> dict[str, frozenset[str]]:
    """The values of the inventory's open sets, from where it says that they come from."""
    quick = cast(Any, make_app(cast(Any, None), cast(Any, None)))._app._app
    assert isinstance(quick, QuickWay)
    routes = {*_paths(cast(Any, quick)._app.routes), "none"}
    methods = [
        method
        for service in (
            game_pb2.DESCRIPTOR.services_by_name["GameService"],
            rules_pb2.DESCRIPTOR.services_by_name["RulesService"],
        )
        for method in service.methods_by_name
    ]
    return {
        "http_route": frozenset(routes),
        "http_status": frozenset(map(str, (0, *range(100, 600)))),
        "rpc_method": frozenset(methods),
        "rpc_code": frozenset(code.name for code in grpc.StatusCode),
    }


def _paths(routes: list[BaseRoute]) -> Iterator[str]:
    for route in cast(list[Any], routes):
        if hasattr(route, "original_router"):
            yield from _paths(route.original_router.routes)
        else:
            yield route.path


def test_a_game_of_each_kind_is_counted_everywhere(shown: Texts) -> None:
    assert missing(shown) == []


def test_the_inventory_is_what_processes_show(shown: Texts) -> None:
    assert problems(load(), shown, sources()) == []


def checked_by_promtool(text: str) -> tuple[int, str]:
    """How it ends, and what it says."""
    checked = subprocess.run(
        ["promtool", "check", "metrics"], input=text, capture_output=True, text=True, timeout=60, check=False
    )
    return checked.returncode, checked.stdout + checked.stderr


def test_promtool_finds_nothing_to_say(shown: Texts) -> None:
    for service, text in shown.items():
        assert checked_by_promtool(text) == (0, ""), service


def test_promtool_says_something_where_there_is_something_to_say(shown: Texts) -> None:
    spoilt = shown["clock"].replace("flagfall_stale_fires_total", "flagfall_stale_fires")
    checked = subprocess.run(
        ["promtool", "check", "metrics"], input=spoilt, capture_output=True, text=True, check=False
    )
    assert "counter metrics should have" in checked.stderr


SPOILT = {
    "a metric too many": (
        'name = "flagfall_draining"',
        'name = "flagfall_leaving"',
        "shows flagfall_draining, which is not in the inventory",
    ),
    "a metric that is missing": (
        "flagfall_ws_connections",
        "flagfall_ws_connected",
        "gateway does not show flagfall_ws_connected",
    ),
    "another type": (
        'section = "clock"\ntype = "gauge"',
        'section = "clock"\ntype = "counter"',
        "flagfall_timers_outstanding is a gauge, in the inventory a counter",
    ),
    "another label": ("labels = { stage = [", "labels = { step = [", "its labels are [['stage']]"),
    "a value that is not known": ('"save", "publish"]', '"save"]', "stage says ['publish']"),
    "a value that is not there from the start": (
        'zeros = { outcome = ["accepted", "unavailable"] }',
        'zeros = { outcome = ["accepted", "name_taken"] }',
        "outcome does not say ['name_taken'] from the start",
    ),
    "another process": ('services = ["beat"]', 'services = ["worker"]', "the inventory says worker"),
    "another bucket": ("buckets = [0.1, 0.11,", "buckets = [0.1, 0.12,", "its buckets are"),
    "other words": ("Open WebSocket connections.", "Open sockets.", "says of itself: Open WebSocket connections."),
}


def test_an_id_in_a_label_is_told(shown: Texts) -> None:
    spoilt = {**shown, "gateway": shown["gateway"].replace("/api/flagfall/games/{game_id}", "/api/flagfall/games/x7")}
    assert any("route says ['/api/flagfall/games/x7" in problem for problem in problems(load(), spoilt, sources()))


@pytest.mark.parametrize("case", SPOILT)
def test_an_inventory_that_is_wrong_is_told(case: str, shown: Texts) -> None:
    old, new, told = SPOILT[case]
    text = FILE.read_text()
    assert old in text
    found = problems(load(text.replace(old, new, 1)), shown, sources())
    assert any(told in problem for problem in found), found
