"""A side process that works, and some that do not: each question is answered or NoAnswer, in bounded time."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator

import chess
import pytest

from services.domain.colour import Colour
from services.domain.text import say
from services.rules import side_process
from services.rules.adjudication import Adjudicator
from services.rules.dead.possible_mate import CanMate
from services.rules.side_process import NoAnswer, SideBounds, SideProcess
from services.words.catalogue import sentence

pytestmark = pytest.mark.timeout(60)

HEAD = """
import sys, time
from services.rules.side_child import serve
"""
JOBS = {
    "echo": "job = lambda question, left_ms: question",
    "sleep": "job = lambda question, left_ms: time.sleep(60) or b''",
    "die": "job = lambda question, left_ms: sys.exit(3)",
    "wait": "job = lambda question, left_ms: time.sleep(float(question)) or b'done'",
    "left": "job = lambda question, left_ms: str(left_ms).encode()",
}
PATIENT = SideBounds(ms_max=30_000, queue_max=8)


def command(job: str) -> tuple[str, ...]:
    return (sys.executable, "-c", f"{HEAD}{JOBS[job]}\nserve(job, sys.stdin.buffer, sys.stdout.buffer)")


@pytest.fixture
async def echo() -> AsyncIterator[SideProcess]:
    async with SideProcess("echo", PATIENT, command("echo")) as process:
        yield process


async def test_answers_are_those_of_their_questions(echo: SideProcess) -> None:
    questions = [b"", b"a", b"\x00\xff" * 70_000, b"ready"]
    assert await asyncio.gather(*(echo.ask(question) for question in questions)) == questions


async def test_nothing_is_started_before_the_first_question(echo: SideProcess) -> None:
    assert echo.pid is None
    await echo.ask(b"x")
    assert echo.pid is not None


async def test_the_time_left_is_told_and_waiting_counts() -> None:
    async with SideProcess("left", SideBounds(5_000, 8), command("left")) as process:
        await process.ask(b"")  # started by now
        assert 4_000 < int(await process.ask(b"")) <= 5_000


async def test_more_than_may_wait_are_refused_at_once() -> None:
    async with SideProcess("wait", SideBounds(30_000, 2), command("wait")) as process:
        waiting = [asyncio.ensure_future(process.ask(b"0.3")) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(NoAnswer) as raised:
            await process.ask(b"0")
        assert sentence(raised.value.text) == "2 other questions are waiting"
        assert await asyncio.gather(*waiting) == [b"done", b"done"]
        assert await process.ask(b"0") == b"done"


async def test_a_child_that_hangs_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(side_process, "GRACE_MS", 100)
    async with SideProcess("sleep", SideBounds(2_000, 8), command("sleep")) as process:
        with pytest.raises(NoAnswer) as raised:
            await process.ask(b"")
        assert raised.value.text == say("rules.side_lost")
        assert process.pid is None
        process._command = command("echo")
        assert await process.ask(b"again") == b"again"


async def test_a_child_that_dies_of_a_question_is_replaced() -> None:
    async with SideProcess("die", PATIENT, command("die")) as process:
        with pytest.raises(NoAnswer) as raised:
            await process.ask(b"")
        assert raised.value.text == say("rules.side_lost")
        process._command = command("echo")
        assert await process.ask(b"again") == b"again"


@pytest.mark.parametrize("warm", [True, False])
async def test_the_question_of_a_child_that_was_killed_is_asked_of_another(warm: bool) -> None:
    async with SideProcess("wait", PATIENT, command("wait")) as process:
        if warm:
            await process.ask(b"0")
        asking = asyncio.ensure_future(process.ask(b"1"))
        while process.pid is None:
            await asyncio.sleep(0.01)
        killed = process.pid
        os.kill(killed, signal.SIGKILL)
        assert await asking == b"done"
        assert process.pid not in (None, killed)


async def test_one_that_cannot_be_started_is_no_answer() -> None:
    async with SideProcess("none", PATIENT, ("/nowhere/python",)) as process:
        with pytest.raises(NoAnswer):
            await process.ask(b"")


async def test_an_asker_who_gave_up_leaves_no_answer_to_the_next() -> None:
    async with SideProcess("wait", PATIENT, command("wait")) as process:
        await process.ask(b"0")
        asking = asyncio.ensure_future(process.ask(b"30"))
        await asyncio.sleep(0.1)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert await process.ask(b"0") == b"done"


async def test_an_adjudication_without_an_answer_is_unknown() -> None:
    async with SideProcess("die", PATIENT, command("die")) as process:
        assert await Adjudicator(process, 100).can_mate(chess.STARTING_FEN, False, Colour.WHITE) is CanMate.UNKNOWN


async def test_an_adjudication_by_the_real_child() -> None:
    async with SideProcess("adjudication", PATIENT) as process:
        adjudicator = Adjudicator(process, 20_000)
        locked = "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1"
        assert await adjudicator.can_mate(locked, False, Colour.WHITE) is CanMate.NO
        assert await adjudicator.can_mate("7k/8/8/8/8/8/Q7/K7 w - - 0 1", False, Colour.WHITE) is CanMate.YES
        assert await adjudicator.can_mate("8/8/8/8/8/8/8/4K1kR w H - 0 1", True, Colour.BLACK) is CanMate.NO
