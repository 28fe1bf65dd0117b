"""One command is followed through all services, and in their logs; unless traces are off."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import orjson
import pytest
from websockets.asyncio.client import connect

from deploy.laptop.node import ROOT
from tests.chaos.arranging import Person, by_link, sign_up, with_computer
from tests.stack.background import Background
from tests.stack.replicas import ReplicatedFlagfall
from tests.watch.collector import Collector, Told, collecting

WITHIN_S = 40.0
FLAG_S = 15
OFFERED = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
SERVICES = ("gateway", "game", "rules", "clock", "worker")


@dataclass(frozen=True, slots=True)
class Traced:
    """What was told of games on a stack of two of each."""

    moved: str
    """The trace of a move between people, on two gateways."""
    fallen: str
    """The trace of a flag."""
    collector: Collector
    lines: list[dict[str, Any]]
    """What the processes logged."""
    offered_status: int

    def spans(self, trace_id: str) -> list[Told]:
        """Those of one trace."""
        return [span for span in self.collector.spans if span.trace_id == trace_id]

    def logged(self, trace_id: str) -> set[str]:
        """The services whose lines name this trace, and one of its spans."""
        ids = {span.span_id for span in self.spans(trace_id)}
        return {
            line["service"] for line in self.lines if line.get("trace_id") == trace_id and line.get("span_id") in ids
        }


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory, background: Background) -> Iterator[Traced]:
    """Games, of which every command is traced."""
    lines: list[str] = []
    stack = ReplicatedFlagfall(lines.append, 2, 2)
    with collecting() as (collector, url):
        settings = {
            "FLAGFALL_TRACES_URL": url,
            "FLAGFALL_TRACES_RATIO": "1",
            "FLAGFALL_TRACES_PERIOD_MS": "200",
            "FLAGFALL_LOG_FORMAT": "json",
        }
        try:
            background.call(stack.start(tmp_path_factory.mktemp("traces"), settings), within_s=150)
            moved, fallen, status = background.call(_played(stack, collector), within_s=150)
            yield Traced(moved, fallen, collector, _parsed(lines), status)
        finally:
            background.call(stack.stop())


async def _played(stack: ReplicatedFlagfall, collector: Collector) -> tuple[str, str, int]:
    one, two = stack.gateways
    async with httpx.AsyncClient(timeout=WITHIN_S, trust_env=False) as client:
        white, black = [await sign_up(client, one, None) for _ in range(2)]
        game = (await by_link(client, one, (white, black), {"clock.limit": FLAG_S, "clock.increment": 0})).id
        async with _page(two, black) as page:
            await page.send(orjson.dumps({"t": "sub", "game": game, "v": 0}).decode())
            await _until(lambda: _has(collector, "gateway.deliver", game), client, one, white, game, "e2e4")
            move = _first(collector, "gateway.deliver", game)
            reply = await client.post(f"{two}/api/board/game/{game}/move/e7e5", headers=_bearer(black, OFFERED))
            await _until(lambda: _has(collector, "game.command", game, "flag"))
        who = await sign_up(client, one, None)
        against = (await with_computer(client, one, who, {"level": 1})).id
        await client.post(f"{one}/api/board/game/{against}/move/e2e4", headers=_bearer(who))
        await _until(lambda: _has(collector, "worker.engine_move", against))
        await _until(lambda: _all_here(collector, against))
    return move, _first(collector, "clock.flag", game), reply.status_code


@asynccontextmanager
async def _page(at: str, who: Person) -> Any:
    url = at.replace("http", "ws", 1) + "/api/flagfall/ws"
    async with connect(url, additional_headers=_bearer(who)) as page:
        yield page


def _bearer(who: Person, traceparent: str = "") -> dict[str, str]:
    return {"Authorization": f"Bearer {who.token}"} | ({"traceparent": traceparent} if traceparent else {})


async def _until(condition: Callable[[], bool], *move: Any) -> None:
    """Wait for it; a move is made once before (client, gateway, player, game, UCI)."""
    if move:
        client, at, who, game, uci = move
        answer = await client.post(f"{at}/api/board/game/{game}/move/{uci}", headers=_bearer(who))
        assert answer.status_code == 200, answer.text
    deadline_s = time.monotonic() + WITHIN_S
    while not condition():
        assert time.monotonic() < deadline_s, "the spans have not come"
        await asyncio.sleep(0.1)


def _has(collector: Collector, name: str, game: str, action: str = "") -> bool:
    return any(
        span.name == name and span.attributes.get("game") == game and action in span.attributes.get("action", "")
        for span in collector.spans
    )


def _first(collector: Collector, name: str, game: str) -> str:
    return next(span.trace_id for span in collector.spans if span.name == name and span.attributes.get("game") == game)


def _all_here(collector: Collector, game: str) -> bool:
    """Whether the computer's move has come back to the game service, and its parents are told."""
    spans = {span.span_id: span for span in collector.spans}
    return any(
        span.name == "game.command"
        and span.attributes.get("game") == game
        and span.parent_id in spans
        and spans[span.parent_id].name == "worker.engine_move"
        for span in spans.values()
    )


def _parsed(lines: list[str]) -> list[dict[str, Any]]:
    found = []
    for line in lines:
        start = line.find("{")
        try:
            found.append(orjson.loads(line[start:]) if start >= 0 else {})
        except orjson.JSONDecodeError:
            continue  # another program's line
    return found


def test_a_move_is_one_trace_from_the_gateway_to_the_opponents_socket(traced: Traced) -> None:
    spans = traced.spans(traced.moved)
    assert {span.service for span in spans} == {"flagfall-gateway", "flagfall-game", "flagfall-rules"}
    names = {span.name for span in spans}
    assert {"gateway.command", "game.command", "rules.judge", "game.publish", "gateway.deliver"} <= names
    assert {f"game.{stage}" for stage in ("load", "gather", "judge", "decide", "save")} <= names


def test_every_span_of_a_move_hangs_on_the_first(traced: Traced) -> None:
    spans = {span.span_id: span for span in traced.spans(traced.moved)}
    parents = {span.name: spans[span.parent_id].name if span.parent_id else "" for span in spans.values()}
    assert parents["gateway.command"] == ""
    assert parents["game.command"] == "gateway.command"
    assert parents["rules.judge"] == parents["game.save"] == parents["game.publish"] == "game.command"
    assert parents["gateway.deliver"] == "game.publish"
    assert all(span.end_ns >= span.start_ns for span in spans.values())


def test_batches_are_linked_to_what_they_carry(traced: Traced) -> None:
    batches = {span.name for span in traced.collector.spans if traced.moved in span.links}
    assert batches == {"gateway.batch", "game.batch"}


def test_logs_carry_the_same_ids(traced: Traced) -> None:
    assert {"gateway", "game", "rules"} <= traced.logged(traced.moved)
    assert {"clock", "game"} <= traced.logged(traced.fallen)


def test_a_flag_is_one_trace(traced: Traced) -> None:
    names = {span.name for span in traced.spans(traced.fallen)}
    assert {"clock.flag", "game.command", "game.save", "game.publish"} <= names


def test_the_computers_move_goes_on_with_the_trace_of_the_move_before(traced: Traced) -> None:
    found = [span for span in traced.collector.spans if span.name == "worker.engine_move"]
    assert found
    for span in found:
        names = [each.name for each in traced.spans(span.trace_id)]
        assert names.count("game.command") == 2, "the person's move and the computer's"
        assert "gateway.command" in names


def test_a_clients_trace_is_taken_up(traced: Traced) -> None:
    _, trace_id, span_id, _ = OFFERED.split("-")
    assert traced.offered_status == 200
    assert [span.parent_id for span in traced.spans(trace_id) if span.name == "gateway.command"] == [span_id]


_OFF = """
import sys, threading
from services.runtime import tracing
from services.runtime.settings import Settings
import services.gateway.main.process, services.game.main.process, services.clock.server, services.workers.dispatcher
tracing.set_up("game", "0", Settings({settings}))
assert tracing.root("x") is None or {on}
loaded = any(name.startswith(("opentelemetry.sdk.trace", "opentelemetry.exporter")) for name in sys.modules)
threads = [thread.name for thread in threading.enumerate() if thread is not threading.main_thread()]
print(loaded, tracing.on, len(threads))
tracing.shut_down()
"""


@pytest.mark.parametrize(
    ("settings", "on", "said"),
    [
        ("", False, "False False 0"),
        ("traces_url='http://127.0.0.1:9/v1/traces', traces_ratio=0", True, "True True 1"),
    ],
)
def test_off_means_no_sdk_and_no_thread(settings: str, on: bool, said: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", _OFF.format(settings=settings, on=on)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ran.stdout.strip(), ran.returncode) == (said, 0), ran.stderr
