"""`make run`: everything on this machine until Ctrl-C, SIGTERM or the end of the terminal."""

import argparse
import asyncio
import contextlib
import os
import select
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping

from deploy.laptop import state as states
from deploy.laptop.child import Command, StackError
from deploy.laptop.node import ROOT
from deploy.laptop.output import Output, Terminal
from deploy.laptop.plan import Place, Plan, base_environment, make_plan
from deploy.laptop.ports import NoPortsError, PortBlock, is_free
from deploy.laptop.stack import Stack
from deploy.laptop.stores import Tuning, postgres, valkey
from deploy.laptop.watch import Watch

LOOKED_AFTER_S = 0.5


def check_port(host: str, port: int) -> None:
    """Raise an error with a clear message if the gateway could not listen on this port."""
    try:
        free = is_free(host, port)
    except PermissionError as error:
        raise StackError(f"port {port} needs root. Choose another: PORT=9000 make run") from error
    except OSError as error:
        raise StackError(f"nothing can listen on {host}, port {port}: {error}") from error
    if not free:
        raise StackError(f"port {port} is taken by another program. Choose another: PORT=9000 make run")


def database_url(given: str) -> str:
    """A PostgreSQL URL as the game service's driver wants it."""
    scheme, separator, rest = given.partition("://")
    if not separator or scheme.split("+")[0] not in ("postgres", "postgresql"):
        raise StackError(f"DATABASE_URL is no postgresql:// address: {given!r}")
    return f"postgresql+asyncpg://{rest}"


def terminal_watch() -> Callable[[], bool]:
    """A function to call periodically: whether the terminal of this foreground process was closed. The kernel informs
    only the session leader, and `make` as the leader (`ssh -t host make run`) does not pass it on.
    """
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return lambda: False
    poll = select.poll()
    poll.register(terminal, 0)
    foreground = False

    def gone() -> bool:
        nonlocal foreground
        if any(events & select.POLLHUP for _, events in poll.poll(0)):
            return foreground
        with contextlib.suppress(OSError):
            foreground = os.tcgetpgrp(terminal) == os.getpgrp()
        return False

    return gone


@contextlib.asynccontextmanager
async def asked_to_stop(stack: Stack, output: Output, end_with_parent: bool) -> AsyncIterator[asyncio.Event]:
    """An event that becomes set by a signal (a second one hurries) or, if wished, when the parent has gone."""
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()

    def ask(why: str) -> None:
        if asked.is_set():
            output.say(f"{why} again: ending at once")
            stack.hurry()
            return
        output.say(f"{why}: ending")
        asked.set()

    async def watch(gone: Callable[[], bool], why: str) -> None:
        while not gone():
            await asyncio.sleep(LOOKED_AFTER_S)
        ask(why)

    handled = [signal.SIGINT, signal.SIGTERM]
    watchers = []
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # under nohup it is to be ignored
        handled.append(signal.SIGHUP)
        watchers.append(asyncio.create_task(watch(terminal_watch(), "the terminal was closed")))
    for number in handled:
        loop.add_signal_handler(number, ask, number.name)
    if end_with_parent:
        parent = os.getppid()
        watchers.append(asyncio.create_task(watch(lambda: os.getppid() != parent, "whoever started this has gone")))
    try:
        yield asked
    finally:
        for watcher in watchers:
            watcher.cancel()


async def start(stack: Stack, stores: list[Command], plan: Plan, place: Place, output: Output) -> None:
    """Start everything and print the address."""
    began = time.monotonic()
    if stores:
        output.say(f"starting {' and '.join(command.notes.split(',')[0] for command in stores)}")
        await stack.start(stores)
    await stack.migrate(plan)
    output.say(f"starting {', '.join(command.name for command in plan.commands)}")
    await stack.start_services(plan)
    output.say("")
    for command in [*stores, *plan.commands]:
        output.say(f"  {command.name:<10} ready   {command.notes}")
    output.say("")
    output.say(f"Flagfall is ready after {time.monotonic() - began:.1f} s: open {place.address} in a browser.")
    output.say(f"Games are kept in {place.state}. Ctrl-C ends it.")


async def run(environment: Mapping[str, str], output: Output, end_with_parent: bool) -> None:
    """Run until asked to stop. Raises StackError when that is not possible."""
    port = states.port_of(environment)
    host = environment.get("FLAGFALL_HOST") or "127.0.0.1"
    state = states.folder_of(environment)
    held = states.lock(state, output)
    watch = Watch([held])
    stack = Stack(output, watch)
    try:
        async with asked_to_stop(stack, output, end_with_parent) as asked:
            with PortBlock() as ports:
                check_port(host, port)
                base = base_environment(environment)
                stores: list[Command] = []
                if given := environment.get("DATABASE_URL"):
                    database = database_url(given)
                else:
                    store = await asyncio.to_thread(postgres, state, ports.take(), Tuning(), base)
                    stores.append(store.command)
                    database = store.url
                if given := environment.get("REDIS_URL"):
                    redis = broker = given
                else:
                    store = valkey(state, ports.take(), Tuning(), base)
                    stores.append(store.command)
                    redis, broker = store.url, store.url.removesuffix("/0") + "/1"
                place = Place(state, host, port, database, redis, broker)
                plan = make_plan(place, ports, environment)
                waiting = asyncio.create_task(asked.wait())
                work = asyncio.create_task(keep_running(stack, stores, plan, place, output))
                await asyncio.wait({waiting, work}, return_when=asyncio.FIRST_COMPLETED)
                try:
                    if work.done():
                        work.result()
                finally:
                    states.mark_ending(held)
                    for task in (waiting, work):
                        task.cancel()
                    await asyncio.gather(waiting, work, return_exceptions=True)
                    await stack.stop()
    finally:
        watch.close()
        os.close(held)


async def keep_running(stack: Stack, stores: list[Command], plan: Plan, place: Place, output: Output) -> None:
    """Start, then supervise; never returns; raises StackError if a process cannot be kept running."""
    failure = asyncio.create_task(stack.failure())
    starting = asyncio.create_task(start(stack, stores, plan, place, output))
    try:
        await asyncio.wait({failure, starting}, return_when=asyncio.FIRST_COMPLETED)
        if starting.done():
            starting.result()
        await failure
    finally:
        for task in (failure, starting):
            task.cancel()
        await asyncio.gather(failure, starting, return_exceptions=True)


def main() -> int:
    """Run, and return the exit code: 0 after a requested stop, 1 if something is missing or failed."""
    parser = argparse.ArgumentParser(prog="python -m deploy.laptop", description=__doc__)
    parser.add_argument("--end-with-parent", action="store_true", help="end too when the parent process has gone")
    arguments = parser.parse_args()
    if sys.version_info < (3, 11):  # noqa: UP036 - whoever calls this by hand may have an older one
        print("flagfall: Python 3.11 or newer is needed", file=sys.stderr)
        return 1
    os.chdir(ROOT)
    environment = dict(os.environ)
    terminal = Terminal()
    output = Output(terminal, colour=sys.stdout.isatty(), bare=environment.get("FLAGFALL_LOG_FORMAT") == "json")
    began = time.monotonic()
    try:
        asyncio.run(run(environment, output, arguments.end_with_parent))
    except (StackError, NoPortsError) as error:
        for line in str(error).splitlines():
            output.say(line)
        return 1
    else:
        output.say(f"ended after {time.monotonic() - began:.0f} s; the games are kept")
        return 0
    finally:
        terminal.close()


if __name__ == "__main__":
    sys.exit(main())
