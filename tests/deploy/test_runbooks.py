"""The runbooks name what there is: alerts, settings, metrics, parts, links; and each says what a tired person needs."""

import re
from pathlib import Path

import pytest

from deploy.observability.operator_rules import ROOT
from deploy.observability.queries import Asked, problems, recorded
from deploy.observability.rule_files import INVENTORY, Inventory, alerts
from services.clock.settings import ClockSettings
from services.game.settings import GameSettings
from services.gateway.settings import GatewaySettings
from services.rules.settings import RulesSettings
from services.workers.settings import WorkersSettings

RUNBOOKS = sorted((ROOT / "docs" / "runbooks").glob("*.md"))
PARTS = frozenset(["rules", "game", "clock", "dispatcher", "worker", "beat", "gateway"])
SETTINGS = frozenset(
    f"FLAGFALL_{name.upper()}"
    for kind in (GameSettings, GatewaySettings, ClockSettings, RulesSettings, WorkersSettings)
    for name in kind.model_fields
)
SAID = ("**Confirm**", "**First**", "**Over**")

_CODE = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_SETTING = re.compile(r"FLAGFALL_[A-Z_]*[A-Z]")
_ALERT = re.compile(r"\bFlagfall[A-Z]\w+")
_PART = re.compile(r"\bdeploy/(\w+)(?=[\s`])|component=(\w+)")
STORES_AND_JOBS = frozenset(["postgres", "valkey", "migrate", "backup", "NAME"])


def anchors(page: Path) -> set[str]:
    """What may be linked to in a page."""
    titles = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}


def sections(text: str) -> dict[str, str]:
    """The sections of alerts by their headings."""
    parts = re.split(r"^## (Flagfall\w+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def wrong(page: Path, text: str) -> list[str]:
    """What is wrong with a page that says this, in sentences."""
    inventory, made = Inventory(INVENTORY.read_text()), recorded()
    names = {alert.name for alert in alerts()}
    found = [f"there is no setting {name}" for name in _SETTING.findall(text) if name not in SETTINGS]
    found += [f"there is no alert {name}" for name in _ALERT.findall(text) if name not in names]
    for code in _CODE.findall(text):
        if re.search(r"\bflagfall[_:]", code):
            found += problems(Asked(page.name, code.replace('"NAME"', '"game"')), inventory, made)
    for deployment, component in _PART.findall(text):
        if (name := deployment or component) not in PARTS | STORES_AND_JOBS | {"compose", "observability"}:
            found.append(f"there is no part {name}")
    for link in _LINK.findall(text):
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        if not target.is_file() or (anchor and anchor not in anchors(target)):
            found.append(f"{link} leads nowhere")
    said_of_all = text.partition("\n## ")[0]
    for name, section in sections(text).items():
        found += [f"{name} does not say {word}" for word in SAID if word not in section + said_of_all]
    return found


@pytest.mark.parametrize("page", RUNBOOKS, ids=lambda page: page.stem)
def test_a_runbook_names_what_there_is(page: Path) -> None:
    assert wrong(page, page.read_text()) == []


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("`FLAGFALL_DRAIN_SECONDS`", "there is no setting FLAGFALL_DRAIN_SECONDS"),
        ("FlagfallNeverHeardOf", "there is no alert FlagfallNeverHeardOf"),
        ('`sum(flagfall_moves_total{outcome="lost"})`', "no outcome is lost"),
        ("`flagfall_nothing > 3`", "there is no metric flagfall_nothing"),
        ("`kubectl -n flagfall rollout restart deploy/celery`", "there is no part celery"),
        ("[there](time.md#flagfallnoalert)", "time.md#flagfallnoalert leads nowhere"),
        ("[there](times.md)", "times.md leads nowhere"),
        ("\n## FlagfallEarlyFlag\n\n**Confirm**: look.\n", "FlagfallEarlyFlag does not say **First**"),
    ],
)
def test_a_runbook_that_names_what_there_is_not_is_told_of(more: str, told: str) -> None:
    page = ROOT / "docs" / "runbooks" / "time.md"
    assert any(told in problem for problem in wrong(page, f"{page.read_text()}\n{more}\n"))


def test_the_index_lists_every_page() -> None:
    index = (ROOT / "docs" / "runbooks" / "README.md").read_text()
    assert set(re.findall(r"^\| \[(\w+\.md)\]", index, re.MULTILINE)) == {page.name for page in RUNBOOKS} - {
        "README.md"
    }
