"""deploy/compose.yaml by its schema, by yamllint and by compose_rules.py; each has a file that breaks it."""

import copy
import re
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from deploy.checks.tools import program
from deploy.laptop.node import ROOT
from services.clock.settings import ClockSettings
from services.game.settings import GameSettings
from services.gateway.settings import GatewaySettings
from services.rules.settings import RulesSettings
from services.runtime.settings import Settings
from services.workers.settings import WorkersSettings
from tests.deploy.compose_rules import RULES, Known

FILE = ROOT / "deploy" / "compose.yaml"
SETTINGS: dict[str, type[Settings]] = {
    "rules": RulesSettings,
    "game": GameSettings,
    "clock": ClockSettings,
    "workers": WorkersSettings,
    "gateway": GatewaySettings,
}
DRAINS = ("leave_ms", "drain_ms", "socket_drain_ms")
Broken = Callable[[dict[str, Any]], object]


def variable(field: str) -> str:
    return f"FLAGFALL_{field.upper()}"


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return dict(yaml.safe_load(FILE.read_text()))


@pytest.fixture(scope="module")
def known() -> Known:
    prometheus = yaml.safe_load((ROOT / "deploy/observability/prometheus.yml").read_text())
    asked = [each for job in prometheus["scrape_configs"] for each in job.get("dns_sd_configs", [])]
    example = (ROOT / "deploy/compose.env.example").read_text()
    return Known(
        settings={name: frozenset(map(variable, kind.model_fields)) for name, kind in SETTINGS.items()},
        drains_ms={
            name: {variable(each): kind.model_fields[each].default for each in DRAINS if each in kind.model_fields}
            for name, kind in SETTINGS.items()
        },
        version=tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"],
        folder=FILE.parent,
        example=frozenset(re.findall(r"(?m)^#?([A-Z_]+)=", example)),
        scraped=frozenset((name, each["port"]) for each in asked for name in each["names"]),
    )


def faults(document: dict[str, Any], known: Known) -> list[str]:
    return [fault for rule in RULES for fault in rule(document, known)]


def check(words: list[str], file: Path) -> tuple[int, str]:
    result = subprocess.run([*words, str(file)], capture_output=True, text=True, timeout=60, check=False)
    return result.returncode, result.stdout + result.stderr


def test_the_file_keeps_every_rule(document: dict[str, Any], known: Known) -> None:
    assert faults(document, known) == []


def put(*path: str, value: Any) -> Broken:
    """Puts a value at a place of a service."""

    def change(services: dict[str, Any]) -> None:
        place = services
        for name in path[:-1]:
            place = place[name]
        place[path[-1]] = value

    return change


def take(*path: str) -> Broken:
    """Takes a place of a service away."""

    def change(services: dict[str, Any]) -> None:
        place = services
        for name in path[:-1]:
            place = place[name]
        del place[path[-1]]

    return change


NO_SETTING = put("game", "environment", "FLAGFALL_POOL_CONECTIONS", value="8")
BROKEN: list[tuple[Broken, str]] = [
    (NO_SETTING, "game: no setting is named FLAGFALL_POOL_CONECTIONS"),
    (put("clock", "environment", "FLAGFALL_PORT", value="8000"), "clock: no setting is named FLAGFALL_PORT"),
    (put("postgres", "image", value="postgres:latest"), "postgres: postgres:latest names no version"),
    (put("postgres", "image", value="postgres"), "postgres: postgres names no version"),
    (put("rules", "image", value="flagfall/rules:0.0.9"), "rules: flagfall/rules:0.0.9 is not this version"),
    (take("clock", "build", "args", "VERSION"), "clock: what is built would not say that it is"),
    (put("grafana", "read_only", value=False), "grafana lacks read_only"),
    (put("valkey", "cap_add", value=["SYS_ADMIN"]), "valkey lacks cap_drop ALL"),
    (put("game", "security_opt", value=[]), "game lacks no-new-privileges"),
    (put("game", "tmpfs", value=[]), "game lacks a tmpfs at /tmp"),
    (take("worker", "deploy", "resources", "limits", "memory"), "worker lacks limits"),
    (put("worker", "privileged", value=True), "worker lacks no privilege"),
    (put("migrate", "restart", value="always"), "migrate would be started again and again"),
    (take("beat", "healthcheck"), "beat has no health check"),
    (take("beat", "restart"), "beat does not come back"),
    (put("gateway", "stop_grace_period", value="9s"), "gateway: stop_grace_period is below"),
    (put("worker", "environment", "FLAGFALL_DRAIN_MS", value="24000"), "worker: stop_grace_period is below"),
    (put("clock", "networks", value=["services"]), "clock and valkey share no network"),
    (put("game", "environment", "FLAGFALL_REDIS_URL", value="redis://redis:6379/0"), "game names redis"),
    (take("clock", "depends_on", "valkey"), "clock does not wait for valkey"),
    (put("game", "depends_on", "migrate", "condition", value="service_started"), "game does not wait for the mig"),
    (put("game", "environment", "FLAGFALL_RULES_TARGET", value="dns:///rules:50052"), "game: FLAGFALL_RULES_TARGET"),
    (put("game", "environment", "FLAGFALL_RULES_TARGET", value="rules:50051"), "game: FLAGFALL_RULES_TARGET"),
    (put("postgres", "environment", "POSTGRES_PASSWORD", value="chess"), "postgres: POSTGRES_PASSWORD holds a"),
    (put("grafana", "environment", "GF_SECURITY_ADMIN_PASSWORD", value="${P:-admin}"), "grafana: GF_SECURITY_ADMIN"),
    (put("clock", "environment", "FLAGFALL_REDIS_URL", value="redis://:x@valkey:6379/0"), "clock: FLAGFALL_REDIS_URL"),
    (put("prometheus", "ports", value=["9090:9090"]), "prometheus: 9090:9090 is open to everybody"),
    (put("grafana", "ports", value=["${LISTEN:-127.0.0.1}:${GRAFANA_PORT:-8000}:3000"]), "both take port 8000"),
    (put("game", "environment", "FLAGFALL_LOG_LEVEL", value="${LEVEL:-INFO}"), "compose.env.example lacks LEVEL"),
    (take("alertmanager", "environment", "PAGE_WEBHOOK"), "nothing asks for PAGE_WEBHOOK"),
    (put("postgres", "volumes", value=["./sql:/docker-entrypoint-initdb.d:ro"]), "postgres: ./sql is missing"),
    (put("prometheus", "volumes", value=["./observability:/x"]), "prometheus may write to ./observability"),
    (put("postgres", "volumes", value=["games:/var/lib/postgresql/data"]), "postgres: volume games is not declared"),
    (put("postgres", "volumes", value=[]), "postgres keeps nothing"),
    (put("valkey", "command", value=["valkey-server", "--appendonly yes"]), "valkey lacks --maxmemory-policy noev"),
    (put("gateway", "environment", "FLAGFALL_ADMIN_PORT", value="9001"), "prometheus.yml does not ask gateway on"),
    (put("prometheus", "networks", value=["services", "stores"]), "prometheus and game do not share exactly one"),
]


@pytest.mark.parametrize(("broken", "said"), BROKEN, ids=[said for _, said in BROKEN])
def test_a_file_that_breaks_a_rule_is_refused(
    document: dict[str, Any], known: Known, broken: Broken, said: str
) -> None:
    changed = {**document, "services": {name: copy.deepcopy(each) for name, each in document["services"].items()}}
    broken(changed["services"])
    found = faults(changed, known)
    assert any(said in fault for fault in found), found


def test_every_rule_has_a_file_that_breaks_it(document: dict[str, Any], known: Known) -> None:
    seen = set()
    for broken, _ in BROKEN:
        changed = {**document, "services": {name: copy.deepcopy(each) for name, each in document["services"].items()}}
        broken(changed["services"])
        seen |= {rule.__name__ for rule in RULES if any(rule(changed, known))}
    assert seen == {rule.__name__ for rule in RULES}


SCHEMA = [str(program("check-jsonschema")), "--builtin-schema", "vendor.compose-spec"]
STYLE = [str(program("yamllint")), "--strict", "-c", str(ROOT / "deploy/checks/yamllint.yaml")]


def test_the_schema_of_compose(tmp_path: Path) -> None:
    assert check(SCHEMA, FILE) == (0, "ok -- validation done\n")
    wrong = tmp_path / "compose.yaml"
    wrong.write_text(FILE.read_text().replace("read_only: true", "readonly: true"))
    status, said = check(SCHEMA, wrong)
    assert status == 1
    assert "readonly" in said


def test_the_style(tmp_path: Path) -> None:
    assert check(STYLE, FILE) == (0, "")
    twice = tmp_path / "compose.yaml"
    twice.write_text(FILE.read_text() + "name: other\n")
    status, said = check(STYLE, twice)
    assert status == 1
    assert "duplication of key" in said
