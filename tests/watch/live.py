"""A whole Flagfall and a real Prometheus that scrapes it each second and evaluates the repository's rules."""

import asyncio
import contextlib
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from deploy.laptop.child import Command
from deploy.laptop.node import ROOT
from deploy.laptop.output import Output
from deploy.laptop.ports import PortBlock
from deploy.laptop.stack import Stack
from deploy.laptop.watch import Watch
from deploy.observability.prometheus_api import PrometheusApi
from tests.stack.background import Background
from tests.stack.replicas import STORES, ReplicatedFlagfall

RULES = ROOT / "deploy" / "observability" / "rules"
SCRAPED_EACH_S = 1
STARTS_WITHIN_S = 30.0
SEEN_WITHIN_S = 30.0
POLLED_EACH_S = 0.2
JOBS = {"celery": "worker"}
"""Where a process of the laptop's stack has another name than the component of a deployment, which is the job."""
Targets = Mapping[str, Mapping[str, str]]
"""By job: each instance's name and its host:port."""


@dataclass(frozen=True, slots=True)
class HttpProbe:
    """Asks a page whether it answers 200."""

    port: int
    path: str

    async def __call__(self) -> bool:
        """Whether it does so within two seconds."""
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(2):
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
                try:
                    writer.write(f"GET {self.path} HTTP/1.1\r\nHost: watch\r\nConnection: close\r\n\r\n".encode())
                    return (await reader.readline()).split(b" ")[1:2] == [b"200"]
                finally:
                    writer.close()
        return False


def hurried(rules: str) -> str:
    """Rules that are evaluated as often as everything is scraped, whatever their groups say of an interval."""
    return re.sub(r"^\s+interval:.*\n", "", rules, flags=re.MULTILINE)


def rule_files(folder: Path, change: Callable[[str], str] = hurried, of: Path = RULES) -> list[Path]:
    """Copies of all rule files, changed for a test: `lambda text: hurried(text).replace("for: 5m", "for: 2s")`."""
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for file in sorted(of.glob("*.yml")):
        made.append(folder / file.name)
        made[-1].write_text(change(file.read_text()))
    return made


def configuration(targets: Targets, rules: Sequence[Path], alertmanager: str | None) -> str:
    """A prometheus.yml (YAML holds JSON, so strings are quoted by `repr` of plain ones)."""
    lines = [
        "global:",
        f"  scrape_interval: {SCRAPED_EACH_S}s",
        f"  scrape_timeout: {SCRAPED_EACH_S}s",
        f"  evaluation_interval: {SCRAPED_EACH_S}s",
        f"rule_files: [{', '.join(map(str, rules))}]",
        "scrape_configs:",
    ]
    for job, instances in targets.items():
        lines += [f"  - job_name: {job}", "    static_configs:"]
        for instance, address in instances.items():
            lines += [f"      - targets: ['{address}']", f"        labels: {{instance: {instance}}}"]
    if alertmanager:
        lines += ["alerting:", f"  alertmanagers: [{{static_configs: [{{targets: ['{alertmanager}']}}]}}]"]
    return "\n".join(lines) + "\n"


class Programs:
    """Programs beside the stack that are watched over as it is: none outlives the tests."""

    def __init__(self, background: Background) -> None:
        self.lines: list[str] = []
        self.ports = PortBlock()
        self._background = background
        self._watch = Watch()
        self._stack = Stack(Output(self.lines.append), self._watch)

    def start(self, name: str, argv: Sequence[str], folder: Path, probe: HttpProbe) -> None:
        """Start a program and wait until it answers. Its lines are in `lines`."""
        folder.mkdir(parents=True, exist_ok=True)
        command = Command(
            name=name, argv=tuple(argv), environment={"PATH": "/usr/bin:/bin"}, folder=folder, rank=2, probe=probe
        )
        self._background.call(self._stack.start([command], STARTS_WITHIN_S))

    def signal(self, name: str, number: int) -> None:
        """Signal one: SIGHUP lets Prometheus read its configuration again."""
        self._stack.children[name].signal(number)

    def stop(self) -> None:
        """End all."""
        self._background.call(self._stack.stop())
        self._watch.close()
        self.ports.close()


class Prometheus(PrometheusApi):
    """A real one; `port` is its own. Ends with `programs`."""

    @classmethod
    def start(
        cls,
        programs: Programs,
        folder: Path,
        targets: Targets,
        rules: Sequence[Path] = (),
        alertmanager: str | None = None,
    ) -> Self:
        """Start it in a folder; `alertmanager` is host:port."""
        folder.mkdir(parents=True, exist_ok=True)
        port = programs.ports.take()
        file = folder / "prometheus.yml"
        file.write_text(configuration(targets, rules, alertmanager))
        argv = (
            "prometheus",
            f"--config.file={file}",
            f"--storage.tsdb.path={folder / 'data'}",
            f"--web.listen-address=127.0.0.1:{port}",
            "--log.level=warn",
        )
        programs.start("prometheus", argv, folder, HttpProbe(port, "/-/ready"))
        return cls(f"http://127.0.0.1:{port}")

    def wait(self, expression: str, within_s: float = SEEN_WITHIN_S) -> None:
        """Return once an expression has a result (`flagfall_moves_total > 3`). Raises AssertionError."""
        deadline_s = time.monotonic() + within_s
        while not self.query(expression):
            assert time.monotonic() < deadline_s, f"{expression} had no result within {within_s:g} s"
            time.sleep(POLLED_EACH_S)


class WatchedFlagfall:
    """A stack of replicas with its own stores, and the Prometheus that watches it. Everything here may be called from
    any thread; `stack`'s coroutines run by `call`."""

    def __init__(self, background: Background, stack: ReplicatedFlagfall, lines: list[str]) -> None:
        self.stack = stack
        self.lines = lines
        self.programs = Programs(background)
        self.prometheus: Prometheus
        self._background = background

    @classmethod
    def start(
        cls,
        folder: Path,
        background: Background,
        settings: Mapping[str, str],
        *,
        replicas: int = 2,
        rules: Sequence[Path] | None = None,
        alertmanager: str | None = None,
    ) -> Self:
        """Start all and return once every process is scraped. `rules`: those of the repository, hurried."""
        lines: list[str] = []
        stack = ReplicatedFlagfall(lines.append, replicas, replicas)
        self = cls(background, stack, lines)
        try:
            background.call(stack.start(folder / "stack", settings))
            files = rule_files(folder / "rules") if rules is None else rules
            self.prometheus = Prometheus.start(
                self.programs, folder / "prometheus", self.targets(), files, alertmanager
            )
            scraped = len(stack.names) - len(STORES)
            self.prometheus.wait(f"sum(up) == {scraped}")
        except BaseException:
            self.stop()
            raise
        return self

    def targets(self) -> dict[str, dict[str, str]]:
        """What there is to scrape."""
        found: dict[str, dict[str, str]] = {}
        for name in self.stack.names:
            if name not in STORES:
                part = name.rstrip("0123456789")
                found.setdefault(JOBS.get(part, part), {})[name] = f"127.0.0.1:{self.stack.admin_port(name)}"
        return found

    def kill(self, name: str, number: int = 9) -> None:
        """Signal a process (`game1`). The supervisor starts it again."""
        self.stack.send(name, number)

    def down(self, name: str, number: int = 9) -> None:
        """End a process and leave it ended."""
        self._background.call(self.stack.down([name], number))

    def up(self, name: str) -> None:
        """Start one that is down and wait until it is ready."""

        async def begin() -> None:
            self.stack.up([name])
            await self.stack.ready([name])

        self._background.call(begin())

    def stop(self) -> None:
        """End everything."""
        self.programs.stop()
        self._background.call(self.stack.stop())
