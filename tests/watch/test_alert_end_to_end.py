"""A part of a real stack goes down, and somebody is told: of the cause, with its runbook, and of its end."""

import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from deploy.observability.operator_rules import ROOT
from tests.stack.background import Background
from tests.watch.alerting import Alertmanager, Duty, Told, sooner
from tests.watch.conftest import MakeWatched
from tests.watch.live import rule_files

pytestmark = [pytest.mark.needs("prometheus"), pytest.mark.needs("alertmanager")]

EFFECT_WITHIN_S = 60.0


@pytest.fixture
def duty() -> Iterator[Duty]:
    """Somebody on duty."""
    duty = Duty()
    yield duty
    duty.close()


@pytest.fixture
def alertmanager(tmp_path: Path, background: Background, duty: Duty) -> Iterator[Alertmanager]:
    """A real one that tells `duty`."""
    alertmanager = Alertmanager(background, tmp_path / "alertmanager", duty)
    yield alertmanager
    alertmanager.stop()


def is_cause(status: str, told: Told) -> bool:
    """Whether somebody is told of the worker's being down, or up again."""
    return told.status == status and told.labels["alertname"] == "FlagfallComputerDown"


def inhibited(alertmanager: Alertmanager, name: str) -> bool:
    """Whether Alertmanager knows of an alert and keeps it to itself because of another."""
    return any(
        alert["labels"]["alertname"] == name and alert["status"]["inhibitedBy"] for alert in alertmanager.alerts()
    )


@pytest.mark.timeout(240)
def test_an_operator_is_told_that_the_computer_stands_still_and_that_it_moves_again(
    make_watched: MakeWatched, tmp_path: Path, duty: Duty, alertmanager: Alertmanager
) -> None:
    rules = rule_files(tmp_path / "rules", sooner)
    watched = make_watched(replicas=1, rules=rules, alertmanager=alertmanager.address)

    watched.down("celery1")
    with httpx.Client(base_url=watched.stack.gateways[0]) as client:
        guest = client.post("/api/flagfall/guests").raise_for_status().json()
        client.cookies.clear()
        client.post(
            "/api/challenge/ai",
            json={"level": 1, "color": "black"},
            headers={"Authorization": f"Bearer {guest['token']}"},
        ).raise_for_status()

    page = duty.wait(lambda told: is_cause("firing", told))
    assert page.receiver == "page"
    assert page.labels == {"alertname": "FlagfallComputerDown", "job": "worker", "severity": "page"}
    assert page.annotations["summary"] == "No worker is running: the computer does not move"
    assert "Board: Celery and engine." in page.annotations["description"]
    address, _, anchor = page.annotations["runbook_url"].partition("#")
    runbook = ROOT / "docs" / address.removeprefix("https://flagfall.example/docs/")
    assert f"## {page.labels['alertname']}" in runbook.read_text()
    assert anchor == page.labels["alertname"].lower()

    # The effect, a queue that grows old, is seen and silenced: one fault is one message.
    watched.prometheus.wait('ALERTS{alertname="FlagfallEngineQueueOld", alertstate="firing"}', EFFECT_WITHIN_S)
    deadline_s = time.monotonic() + EFFECT_WITHIN_S
    while not inhibited(alertmanager, "FlagfallEngineQueueOld"):
        assert time.monotonic() < deadline_s, alertmanager.alerts()
        time.sleep(0.2)

    assert {told.labels["alertname"] for told in duty.told if told.receiver == "page"} == {"FlagfallComputerDown"}

    watched.up("celery1")
    over = duty.wait(lambda told: is_cause("resolved", told))
    assert over.receiver == "page"
    assert over.labels == page.labels
    watched.prometheus.wait('sum(flagfall_tasks_total{task="engine_move", outcome="played"}) > 0')
    watched.prometheus.wait('absent(ALERTS{severity="page", alertstate="firing"})')
