"""`make test`: every tier, and an exit code that is 0 only when each has passed.

The tiers that share nothing with the outside run together; whole stacks come after them, so that a test which measures
a clock does not compete with a thousand others. Half of their time tests wait, for a process that starts or a flag
that falls, so there are more workers than cores. Tests marked `thorough` are a step of the CI's own. For
one test call pytest itself.
"""

import os
import subprocess
import sys
import time
from dataclasses import dataclass

from tests.stack.components import COMPONENTS, OF_MAKE_TEST, missing, required

NOTHING_COLLECTED = 5

LONGEST = tuple(f"tests/e2e/test_{name}.py" for name in ("make_run", "page_variants", "replay", "page", "time"))
"""A long file that begins last would leave the other workers idle."""


@dataclass(frozen=True, slots=True)
class Phase:
    """Folders that run as one pytest. With `loadfile` the files begin in the order given, the longest first."""

    name: str
    folders: tuple[str, ...]
    workers: int
    spread: tuple[str, ...]


def phases(cores: int) -> tuple[Phase, ...]:
    """The phases, in their order."""
    return (
        Phase(
            "unit, conformance and integration",
            ("tests/unit", "tests/conformance", "tests/integration"),
            min(2 * cores, 4),
            ("worksteal",),
        ),
        Phase("whole stacks", (*LONGEST, "tests/e2e"), min(cores + 1, 3), ("loadfile", "--no-loadscope-reorder")),
    )


def environment() -> dict[str, str]:
    """Compiled code is kept: the tests start many processes, each of which would compile the services anew."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def main() -> int:
    """Run the phases one after the other, all of them whatever fails."""
    lacking = missing(sorted(OF_MAKE_TEST))
    fatal = required(lacking)
    for name in lacking:
        print(f"{'ERROR' if name in fatal else 'ATTENTION'}: {COMPONENTS[name][1]}.", flush=True)
    if fatal:
        return 1
    failed = []
    for phase in phases(os.cpu_count() or 1):
        print(f"\n== {phase.name} ==", flush=True)
        began = time.monotonic()
        code = subprocess.run(
            [
                *(
                    sys.executable,
                    "-m",
                    "pytest",
                    "-q",
                    "--durations=8",
                    "-m",
                    "not thorough",
                    "-n",
                    str(phase.workers),
                    "--dist",
                    *phase.spread,
                ),
                *phase.folders,
            ],
            env=environment(),
            check=False,
        ).returncode
        if code == NOTHING_COLLECTED:
            print(f"{phase.name}: not a single test was found", flush=True)
        if code:
            failed.append(phase.name)
        print(f"{phase.name}: {'failed' if code else 'passed'} in {time.monotonic() - began:.0f} s", flush=True)
    for name in lacking:
        print(f"\nATTENTION: {COMPONENTS[name][1]}: its tests were left out.", flush=True)
    if failed:
        print(f"\nFAILED: {', '.join(failed)}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
