"""The limit of open files of a process that starts with an ordinary user's."""

import subprocess
import sys

import pytest

from deploy.laptop.node import ROOT

PROGRAM = """
import logging, resource, sys
from services.runtime.open_files import open_files, raise_limit
logging.basicConfig(level="INFO", format="%(message)s", stream=sys.stdout)
resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))
print(raise_limit(), open_files(), resource.getrlimit(resource.RLIMIT_NOFILE))
"""


@pytest.mark.parametrize(("soft", "hard"), [(64, 900), (64, 1_024), (900, 900)])
def test_the_soft_limit_becomes_the_hard_one_and_both_are_said(soft: int, hard: int) -> None:
    program = PROGRAM.format(soft=soft, hard=hard)
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    said, last = done.stdout.splitlines()
    assert last == f"{hard} {hard} ({hard}, {hard})"
    assert said == f"open files: {hard}, the system allows {hard} (nofile)"
