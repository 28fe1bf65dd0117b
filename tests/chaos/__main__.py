"""`make chaos`: exit status 0 if the checker found no violation, 1 otherwise, 2 for wrong options."""

import argparse
import asyncio
import json
import random
import shutil
import sys
import tempfile
import time
import traceback
from pathlib import Path

from tests.chaos.facts import Violation
from tests.chaos.faults import FAULTS
from tests.chaos.report import reproduction, summary
from tests.chaos.run import Options, Run

NEEDS_TWO_GATEWAYS = frozenset(["gateway-down"])


def options(argv: list[str]) -> Options:
    """Parsed; ends the process for wrong ones."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.chaos", description="Fault injection under play; see docs/chaos.md."
    )
    parser.add_argument("--seconds", type=float, default=300, help="minimum duration; each fault comes at least once")
    parser.add_argument("--games", type=int, default=200, help="games at once")
    parser.add_argument("--seed", type=int, default=None, help="the seed of faults and games; it is printed")
    parser.add_argument("--gateways", type=int, choices=(1, 2), default=2)
    parser.add_argument("--faults", default="all", help=f"all, none, or of: {', '.join(FAULTS)}")
    parser.add_argument("--pause", type=float, default=60, help="seconds for which Valkey is paused")
    given = parser.parse_args(argv)
    kinds = {"all": list(FAULTS), "none": []}.get(given.faults, given.faults.split(","))
    if unknown := [kind for kind in kinds if kind not in FAULTS]:
        parser.error(f"no such fault: {', '.join(unknown)}")
    if given.gateways == 1:
        kinds = [kind for kind in kinds if kind not in NEEDS_TWO_GATEWAYS]
    seed = random.SystemRandom().randrange(1_000_000) if given.seed is None else given.seed
    return Options(given.seconds, given.games, seed, given.gateways, tuple(kinds), given.pause)


def main() -> int:
    """Run, and print the JSON line."""
    chosen = options(sys.argv[1:])
    folder = Path(tempfile.mkdtemp(prefix="flagfall-chaos-"))
    folder.chmod(0o755)
    began_s = time.monotonic()
    interrupted = False

    def say(line: str) -> None:
        print(f"{time.monotonic() - began_s:6.1f} {line}", file=sys.stderr, flush=True)

    kept = tempfile.NamedTemporaryFile("w", prefix="flagfall-chaos-", suffix=".log", delete=False)  # noqa: SIM115
    say(f"seed {chosen.seed}, {chosen.games} games, {chosen.gateways} gateways; lines of all processes: {kept.name}")
    with kept as log:
        run = Run(chosen, folder, say, log)
        try:
            asyncio.run(run.whole())
        except KeyboardInterrupt:
            say("interrupted: not everything was checked")
            interrupted = True
        except Exception as error:  # whatever the error is, report what was found until then
            traceback.print_exc()
            run.ledger.note(Violation("the run broke off", detail=repr(error)))
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    result = summary(run)
    if run.ledger.violations:
        result["log"] = kept.name
        print(reproduction(run), file=sys.stderr)
        say(f"lines of all processes: {kept.name}")
    else:
        Path(kept.name).unlink()
    print(json.dumps(result), flush=True)
    return 1 if run.ledger.violations or interrupted else 0


if __name__ == "__main__":
    sys.exit(main())
