"""Fixtures of all tiers. What they start is in tests/stack."""

from collections.abc import AsyncIterator, Callable, Generator, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
import pytest_asyncio
import redis

from tests.stack.background import Background
from tests.stack.components import COMPONENTS, chromium, conformance, missing, required
from tests.stack.databases import Databases
from tests.stack.running import LINES_SHOWN, RunningFlagfall
from tests.stack.stores import Stores

if TYPE_CHECKING:
    from playwright.async_api import Browser

hypothesis.settings.register_profile("flagfall", deadline=None, print_blob=True)
hypothesis.settings.load_profile("flagfall")

MakeFlagfall = Callable[..., RunningFlagfall]
RUNNING: list[RunningFlagfall] = []
PATIENT = {"FLAGFALL_ADJUDICATION_MS_MAX": "15000"}
"""A search ends by its count of positions: on a busy machine its time would be up first, and the result another."""
LEFT_OUT = pytest.StashKey[dict[str, int]]()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests whose components are missing; fail instead when all are required."""
    left_out: dict[str, int] = {}
    kept: list[pytest.Item] = []
    gone: list[pytest.Item] = []
    for item in items:
        names = [name for mark in item.iter_markers("needs") for name in mark.args]
        unknown = [name for name in names if name not in COMPONENTS]
        if unknown:
            raise pytest.UsageError(f"{item.nodeid} needs unknown components: {unknown}")
        lacking = missing(names)
        for name in lacking:
            left_out[name] = left_out.get(name, 0) + 1
        (gone if lacking else kept).append(item)
    if fatal := required(left_out):
        raise pytest.UsageError("; ".join(COMPONENTS[name][1] for name in fatal))
    config.stash[LEFT_OUT] = left_out
    if gone:
        config.hook.pytest_deselected(items=gone)
        items[:] = kept


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say what was left out (a process that only spreads the tests collects none, `make test` says it then)."""
    for name, count in config.stash.get(LEFT_OUT, {}).items():
        terminalreporter.write_line(f"ATTENTION: {count} tests left out: {COMPONENTS[name][1]}", red=True, bold=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    """Show the last lines of running stacks with a failure."""
    report = yield
    if report.failed:
        for number, flagfall in enumerate(RUNNING):
            report.sections.append((f"stack {number}", "\n".join(flagfall.lines[-LINES_SHOWN:])))
    return report


@pytest.fixture(scope="session")
def background() -> Iterator[Background]:
    """An event loop beside the tests."""
    background = Background()
    yield background
    background.close()


@pytest.fixture(scope="session")
def stores(tmp_path_factory: pytest.TempPathFactory, background: Background) -> Iterator[Stores]:
    """A real PostgreSQL and a real Valkey, for this process of pytest alone."""
    stores = Stores.start(tmp_path_factory.mktemp("stores"), background)
    yield stores
    stores.stop()


@pytest.fixture(scope="session")
def databases(stores: Stores) -> Databases:
    """Makes databases."""
    return Databases(stores.database_url)


@pytest.fixture
def database_url(databases: Databases, background: Background) -> Iterator[str]:
    """A migrated database for this test alone (postgresql+asyncpg://)."""
    url = background.call(databases.create())
    yield url
    background.call(databases.give_back(url))


@pytest.fixture
def empty_database_url(databases: Databases, background: Background) -> Iterator[str]:
    """A database without tables for this test alone."""
    url = background.call(databases.create_empty())
    yield url
    background.call(databases.drop(url))


@pytest.fixture
def redis_url(stores: Stores) -> str:
    """An empty Valkey for this test alone."""
    with redis.Redis.from_url(stores.redis_url) as client:
        client.flushall()
    return stores.redis_url


@pytest.fixture(scope="session")
def make_flagfall_for_session(
    tmp_path_factory: pytest.TempPathFactory, databases: Databases, background: Background
) -> Iterator[MakeFlagfall]:
    """Starts stacks that live as long as the session."""
    yield from _make_flagfall(tmp_path_factory, databases, background)


@pytest.fixture
def make_flagfall(
    tmp_path_factory: pytest.TempPathFactory, databases: Databases, background: Background
) -> Iterator[MakeFlagfall]:
    """Starts whole stacks for this test: `make_flagfall(settings, own_postgres=False)`. For tests that kill parts or
    need other settings; the rest share `flagfall`, since a start takes seconds."""
    yield from _make_flagfall(tmp_path_factory, databases, background)


@pytest.fixture(scope="session")
def flagfall(make_flagfall_for_session: MakeFlagfall) -> RunningFlagfall:
    """A whole stack that the tests of this process share. Who uses it leaves every part running."""
    return make_flagfall_for_session()


def _make_flagfall(
    folders: pytest.TempPathFactory, databases: Databases, background: Background
) -> Iterator[MakeFlagfall]:
    made: list[RunningFlagfall] = []
    urls: list[str] = []

    def make(settings: Mapping[str, str] | None = None, own_postgres: bool = False) -> RunningFlagfall:
        url = None
        if not own_postgres:
            url = background.call(databases.create())
            urls.append(url)
        flagfall = RunningFlagfall.start(
            folders.mktemp("flagfall"), background, url, PATIENT | dict(settings or {}), migrated=url is not None
        )
        made.append(flagfall)
        RUNNING.append(flagfall)
        return flagfall

    yield make
    for flagfall in made:
        RUNNING.remove(flagfall)
        flagfall.stop()
    for url in urls:
        background.call(databases.give_back(url))


@pytest.fixture(scope="session")
def conformance_folder() -> Path:
    """The public rules data, for tests marked `needs("conformance")`."""
    folder = conformance()
    assert folder is not None, 'mark the test with @pytest.mark.needs("conformance")'
    return folder


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium_process() -> AsyncIterator["Browser"]:
    """A headless Chromium for all tests of this process."""
    from playwright.async_api import async_playwright

    program = chromium()
    assert program is not None, 'mark the test with @pytest.mark.needs("chromium")'
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=program,
            args=[
                "--no-sandbox",  # the pages are our own, and root may not have one
                "--disable-gpu",
                "--disable-quic",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ],
        )
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def browser(chromium_process: "Browser") -> AsyncIterator["Browser"]:
    """A browser without any page, for tests marked `needs("chromium")` that run in the session's loop.

    Each page has a context of its own, with cookies, storage and a cache that no other has; none outlives its test.
    """
    assert chromium_process.is_connected(), "a test before has ended the browser"
    assert not chromium_process.contexts
    yield chromium_process
    for context in chromium_process.contexts:
        await context.close()
