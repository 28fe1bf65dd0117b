"""The supervisor, with small programs in place of the services."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import psutil
import pytest

from deploy.laptop.child import FAILURES_BEFORE_READY_MAX, Child, Command, StackError
from deploy.laptop.guardian import is_running
from deploy.laptop.node import ROOT
from deploy.laptop.output import LINE_CHARACTERS_MAX, Output
from deploy.laptop.stack import Stack
from deploy.laptop.watch import Watch

WITHIN_S = 20.0
STAYS = "import time\nprint('up', flush=True)\nwhile True: time.sleep(60)"
STUBBORN = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + STAYS
# Starts a process of its own, as Celery starts its pool, and tells its pid.
PARENT = (
    "import subprocess, sys\nchild = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
    "print('child', child.pid, flush=True)\n" + STAYS
)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(WITHIN_S):
        while not condition():
            await asyncio.sleep(0.02)


class Bench:
    """A stack, what it printed, and commands for it."""

    def __init__(self, folder: Path) -> None:
        self.lines: list[str] = []
        self.folder = folder
        self.watch = Watch()
        self.stack = Stack(Output(self.lines.append), self.watch)

    def command(self, name: str, program: str, *, rank: int = 1, quiet: bool = False) -> Command:
        async def printed() -> bool:
            return quiet or any(line.startswith(name) for line in self.lines)

        return Command(
            name, (sys.executable, "-u", "-c", program), dict(os.environ), self.folder, rank, printed, quiet=quiet
        )

    def said(self, words: str) -> bool:
        return any(words in line for line in self.lines)

    def child(self, name: str) -> Child:
        return self.stack.children[name]

    def number_after(self, words: str) -> int:
        return next(int(line.split(words)[1]) for line in self.lines if words in line)


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    bench = Bench(tmp_path)
    yield bench
    bench.stack.hurry()
    await bench.stack.stop()
    await asyncio.to_thread(bench.watch.close)


async def test_lines_carry_the_name_of_their_process(bench: Bench) -> None:
    await bench.stack.start([bench.command("one", STAYS), bench.command("two", STAYS)])
    assert sorted(bench.lines) == ["one        | up", "two        | up"]


async def test_a_process_that_is_killed_is_started_again_and_that_is_said(bench: Bench) -> None:
    await bench.stack.start([bench.command("one", STAYS)])
    first = bench.child("one").pid
    bench.child("one").signal(signal.SIGKILL)
    await until(lambda: bench.child("one").pid not in (None, first))
    assert bench.said("one was ended by SIGKILL; starting it again in 0.5 s")


async def test_a_process_that_never_becomes_ready_fails_the_start(bench: Bench) -> None:
    with pytest.raises(StackError, match=f"broken ended with exit code 7, {FAILURES_BEFORE_READY_MAX} times"):
        await bench.stack.start([bench.command("broken", "import sys; sys.exit(7)"), bench.command("one", STAYS)])


async def test_a_program_that_does_not_exist_fails_the_start(bench: Bench) -> None:
    command = Command("none", ("/no/such/program",), {}, bench.folder, 1, asyncio.Event().wait)
    with pytest.raises(StackError, match="none cannot be started"):
        await bench.stack.start([command])


async def test_a_start_that_takes_too_long_names_what_is_not_ready(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deploy.laptop.stack.STILL_WAITING_S", 0.05)
    slow = bench.command("slow", "import time; time.sleep(60)")
    with pytest.raises(StackError, match=r"not ready within 0\.1 s: slow"):
        await bench.stack.start([slow], within_s=0.1)


async def test_processes_end_by_rank_the_highest_first(bench: Bench) -> None:
    polite = "import signal, sys\nsignal.signal(signal.SIGTERM, lambda *_: (print('bye'), sys.exit()))\n" + STAYS
    await bench.stack.start([bench.command(f"rank{rank}", polite, rank=rank) for rank in (1, 3, 0, 2)])
    await bench.stack.stop()
    assert [line.split()[0] for line in bench.lines if line.endswith("bye")] == ["rank3", "rank2", "rank1", "rank0"]


async def test_a_process_that_does_not_want_to_end_is_killed_and_that_is_said(bench: Bench) -> None:
    await bench.stack.start([bench.command("stubborn", STUBBORN)])
    await bench.child("stubborn").stop(0.2)
    assert bench.child("stubborn").pid is None
    assert bench.said("stubborn did not end within 0.2 s and is killed")


async def test_a_second_request_to_end_kills_what_still_runs(bench: Bench) -> None:
    await bench.stack.start([bench.command("stubborn", STUBBORN, rank=3)])
    stopping = asyncio.create_task(bench.stack.stop())
    bench.stack.hurry()
    await asyncio.wait_for(stopping, 1.5)
    assert bench.child("stubborn").pid is None


async def test_a_killed_process_leaves_no_processes_of_its_own(bench: Bench) -> None:
    await bench.stack.start([bench.command("parent", PARENT)])
    grandchild = bench.number_after("| child ")
    assert is_running(grandchild)
    bench.child("parent").signal(signal.SIGKILL)
    await until(lambda: not is_running(grandchild))


async def test_a_stopped_process_can_be_started_again(bench: Bench) -> None:
    await bench.stack.start([bench.command("one", STAYS)])
    await bench.child("one").stop(5.0)
    assert bench.child("one").pid is None
    bench.child("one").start()
    await until(lambda: bench.child("one").pid is not None)


async def test_a_quiet_process_shows_warnings_and_its_last_words(bench: Bench) -> None:
    program = "print('LOG: fine'); print('WARNING: not fine')\n" + STAYS
    await bench.stack.start([bench.command("quiet", program, quiet=True)])
    await until(lambda: bench.said("WARNING: not fine"))
    assert not bench.said("LOG: fine")
    bench.child("quiet").signal(signal.SIGKILL)
    await until(lambda: bench.said("LOG: fine"))


async def test_endless_lines_are_cut(bench: Bench) -> None:
    size = 5 * LINE_CHARACTERS_MAX
    await bench.stack.start([bench.command("long", f"print('x' * {size})\nprint('after')\n" + STAYS)])
    await until(lambda: bench.said("after"))
    assert max(map(len, bench.lines)) < size


SUPERVISOR = """
    import asyncio, os, signal, sys
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)  # tests that a shell started in the background inherit SIG_IGN
    sys.path.insert(0, {root!r})
    from pathlib import Path
    from deploy.laptop.child import Command
    from deploy.laptop.output import Output
    from deploy.laptop.stack import Stack
    from deploy.laptop.watch import Watch

    async def yes():
        return True

    async def main():
        stack = Stack(Output(lambda line: None), Watch())
        commands = [
            Command(name, (sys.executable, "-u", "-c", program), dict(os.environ), Path("/"), rank, yes)
            for name, program, rank in {programs!r}
        ]
        await stack.start(commands)
        print(*[child.pid for child in stack.children.values()], flush=True)
        await asyncio.Event().wait()

    asyncio.run(main())
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGQUIT])
def test_a_killed_supervisor_leaves_no_process(number: signal.Signals) -> None:
    programs = [("stays", STAYS, 0), ("stubborn", STUBBORN, 1), ("parent", PARENT, 2)]
    source = textwrap.dedent(SUPERVISOR).format(root=str(ROOT), programs=programs)
    with subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, text=True, cwd="/") as supervisor:
        assert supervisor.stdout is not None
        pids = [int(word) for word in supervisor.stdout.readline().split()]
        assert len(pids) == len(programs)
        assert all(map(is_running, pids))
        supervisor.send_signal(number)
    asyncio.run(until(lambda: not any(group_lives(pid) for pid in pids)))


def group_lives(pid: int) -> bool:
    """Whether any living process is left in the group that a process led."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.NoSuchProcess, ProcessLookupError):
            if os.getpgid(process.pid) == pid and is_running(process.pid):
                found.append(process.pid)
    return bool(found)
