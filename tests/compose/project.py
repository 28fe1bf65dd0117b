"""deploy/compose.yaml as an operator uses it: with the passwords of deploy/compose-secrets, by the compose program."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from deploy.laptop.node import ROOT
from tests.compose.engine import Engine
from tests.compose.network import Namespace

COMPOSE_FILE = ROOT / "deploy" / "compose.yaml"
PAGE_WEBHOOK = "http://pager.example/flagfall?of=club&how=loud"
"""An address with a character that `sed` takes for something of its own."""

UP_WITHIN_S = 400.0
COMMAND_WITHIN_S = 120.0


def passwords(folder: Path) -> Path:
    """Run deploy/compose-secrets on a copy, since it writes beside itself; the file that it made."""
    for name in ("compose-secrets", "compose.env.example"):
        shutil.copy(ROOT / "deploy" / name, folder / name)
    subprocess.run([str(folder / "compose-secrets")], check=True, capture_output=True, timeout=20)
    return folder / ".env"


class Project:
    """The compose file in an engine. `settings` are added to the file of passwords."""

    def __init__(self, program: Path, folder: Path, engine: Engine, namespace: Namespace) -> None:
        self._program = program
        self._engine = engine
        self.settings = passwords(folder)
        with self.settings.open("a") as file:
            file.write(f"LISTEN={namespace.address}\nWATCH_LISTEN={namespace.address}\nPAGE_WEBHOOK={PAGE_WEBHOOK}\n")
        self.namespace = namespace

    def compose(self, *words: str, within_s: float = COMMAND_WITHIN_S) -> str:
        """Run compose and return what it printed; its failure raises with what it said."""
        given = {name: value for name, value in os.environ.items() if not name.startswith(("FLAGFALL_", "COMPOSE_"))}
        result = subprocess.run(
            [str(self._program), "-f", str(COMPOSE_FILE), "--env-file", str(self.settings), *words],
            env=given | {"DOCKER_HOST": self._engine.url},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=within_s,
            check=False,
        )
        assert result.returncode == 0, f"compose {' '.join(words)}:\n{result.stdout}\n{result.stderr}"
        return result.stdout

    def described(self) -> dict[str, Any]:
        """The file as compose understands it."""
        return dict(json.loads(self.compose("config", "--format", "json")))

    def images(self) -> set[str]:
        """Every image that it names."""
        return {service["image"] for service in self.described()["services"].values()}

    def up(self) -> None:
        """The one command of an operator; what the services said comes with a failure."""
        try:
            self.compose("up", "-d", "--wait", within_s=UP_WITHIN_S)
        except (AssertionError, subprocess.TimeoutExpired) as error:
            raise AssertionError(f"{error}\n{self.logs()}") from None

    def logs(self) -> str:
        """The last lines of everybody, and how they stand."""
        return self.compose("ps", "--all") + self.compose("logs", "--no-color", "--tail", "15")

    def address(self, port: int) -> str:
        """Where this machine reaches a published port."""
        return f"http://{self.namespace.address}:{port}"
