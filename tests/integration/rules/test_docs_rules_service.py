"""The example in the docs of the rules service does what the page says, against the service."""

import asyncio
import os
import re
import sys
from pathlib import Path

import pytest

from tests.integration.rules.test_rules_server import rules_process

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "rules-service.md"


@pytest.mark.timeout(60)
async def test_the_example_plays_a_game_to_its_end() -> None:
    found = re.search("```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    example = found[1]
    assert example.count("50051") == 1
    async with rules_process() as running:
        process = await asyncio.create_subprocess_exec(
            *[sys.executable, "-c", example.replace("50051", str(running.grpc_port))],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=asyncio.subprocess.PIPE,
        )
        said = (await process.communicate())[0].decode().splitlines()
    assert process.returncode == 0
    assert said[0] == "Nf3 rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1"
    assert said[-2:] == [
        "Nxf7# rnbq3r/ppp1p1pp/8/3p4/8/8/PPPPPPPP/RNBQKB1R b KQ - 0 3",
        "END_REASON_EXPLOSION COLOR_WHITE",
    ]
