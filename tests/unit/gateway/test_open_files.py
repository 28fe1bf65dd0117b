"""The limit of open files of a gateway that starts with an ordinary user's."""

import subprocess
import sys

import pytest

from deploy.laptop.node import ROOT

PROGRAM = """
import logging, resource, sys
from services.gateway.main.open_files import allow_connections
logging.basicConfig(level="INFO", format="%(message)s", stream=sys.stdout)
resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))
print(allow_connections({count}), resource.getrlimit(resource.RLIMIT_NOFILE))
"""


@pytest.mark.parametrize(
    ("soft", "hard", "count", "limit"),
    [
        # No number above 1,024: a container may allow no more.
        (64, 900, 20, 900),  # as far as it goes
        (64, 1_024, 20, 1_020),  # no further than is needed
        (1_022, 1_024, 20, 1_022),  # never lowered
        (900, 900, 20, 900),
    ],
)
def test_connections_fit_as_far_as_the_system_allows(soft: int, hard: int, count: int, limit: int) -> None:
    program = PROGRAM.format(soft=soft, hard=hard, count=count)
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    *said, last = done.stdout.splitlines()
    assert last == f"{limit} ({limit}, {hard})"
    needed = "20 connections need 1020 open files; this system allows 900 (nofile)"
    assert said == ([] if limit >= count + 1_000 else [needed])
