"""The recording rules, the alerts, their unit tests, and Alertmanager's and Prometheus's configurations."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml

from deploy.observability import operator_rules
from deploy.observability.operator_rules import ROOT, RULES, prometheus_rule
from deploy.observability.rule_files import INVENTORY, Inventory, alerts
from tests.deploy.alert_rules import Places, annotation_tests, problems

RUNBOOKS = ROOT / "docs" / "runbooks"
BOARDS = ROOT / "k8s" / "components" / "prometheus-operator" / "dashboards"
ALERTMANAGER = RULES.parent / "alertmanager.yml"
PROMETHEUS = RULES.parent / "prometheus.yml"
UNIT_TESTS = sorted((RULES / "tests").glob("*.yml"))

pytestmark = pytest.mark.timeout(300)  # promtool evaluates hours of every rule
needs_prometheus = pytest.mark.needs("prometheus")
needs_alertmanager = pytest.mark.needs("alertmanager")


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """A program's end, with all that it said in `stdout`."""
    return subprocess.run(
        [str(word) for word in words],
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=240,
    )


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """Copies of the rules, their tests and the runbooks, which a test may spoil."""
    shutil.copytree(RULES, tmp_path / "rules")
    shutil.copytree(RUNBOOKS, tmp_path / "runbooks")
    titles = [json.loads(file.read_text())["title"] for file in BOARDS.glob("*.json")]
    boards = frozenset(title.removeprefix("Flagfall / ") for title in titles)
    return Places(tmp_path / "rules", tmp_path / "runbooks", boards, Inventory(INVENTORY.read_text()))


def spoil(file: Path, old: str, new: str) -> None:
    """Replace the first `old`, which must be there."""
    text = file.read_text()
    assert old in text, f"{old!r} is not in {file.name}"
    file.write_text(text.replace(old, new, 1))


def test_every_alert_has_a_severity_words_a_board_a_runbook_tests_and_metrics_that_exist(places: Places) -> None:
    assert problems(places) == []


SPOILT: dict[str, tuple[Callable[[Places], None], str]] = {
    "severity": (
        lambda at: spoil(at.rules / "time.yml", "severity: page", "severity: urgent"),
        "FlagfallNobodyCanMove has no severity",
    ),
    "summary": (
        lambda at: spoil(at.rules / "time.yml", "summary:", "sumary:"),
        "FlagfallNobodyCanMove has no summary",
    ),
    "board": (
        lambda at: spoil(at.rules / "time.yml", "board: Overview", "board: Nowhere"),
        "names the board 'Nowhere'",
    ),
    "link to another alert's runbook": (
        lambda at: spoil(at.rules / "time.yml", "#flagfallnobodycanmove", "#flagfallearlyflag"),
        "FlagfallNobodyCanMove links no runbook of its own",
    ),
    "heading": (
        lambda at: spoil(at.runbooks / "time.md", "## FlagfallEarlyFlag\n", "## Early flags\n"),
        "FlagfallEarlyFlag has no heading in time.md",
    ),
    "page": (lambda at: (at.runbooks / "time.md").unlink(), "FlagfallEarlyFlag has no heading in time.md"),
    "metric": (
        lambda at: spoil(at.rules / "time.yml", "flagfall_beat_age_seconds", "flagfall_beat_age_second"),
        "there is no metric flagfall_beat_age_second",
    ),
    "label": (
        lambda at: spoil(at.rules / "computer.yml", "{queue=", "{que="),
        "flagfall_queue_oldest_age_seconds has no label que",
    ),
    "label's value": (
        lambda at: spoil(at.rules / "slo.yml", "accepted|unavailable", "accepted|away"),
        "flagfall_moves_total: no outcome is away",
    ),
    "bucket": (
        lambda at: spoil(at.rules / "slo.yml", 'le="0.25"', 'le="0.3"'),
        "flagfall_move_duration_seconds_bucket has no bucket 0.3",
    ),
    "series of a histogram": (
        lambda at: spoil(
            at.rules / "slo.yml", "flagfall_move_duration_seconds_count", "flagfall_move_duration_seconds"
        ),
        "flagfall_move_duration_seconds is a histogram",
    ),
    "recorded series": (
        lambda at: spoil(at.rules / "budget.yml", "record: flagfall:slo_budget:left30d", "record: flagfall:slo_left"),
        "there is no metric flagfall:slo_budget:left30d",
    ),
    "test that fires": (
        lambda at: spoil(
            at.rules / "tests" / "time.yml", "FlagfallEarlyFlag ticket fires", "FlagfallEarlyFlag ticket is silent"
        ),
        "no test in which FlagfallEarlyFlag (ticket) fires",
    ),
    "test that stays silent": (
        lambda at: spoil(
            at.rules / "tests" / "time.yml", "FlagfallEarlyFlag ticket is silent", "FlagfallEarlyFlag ticket fires"
        ),
        "no test in which FlagfallEarlyFlag (ticket) is silent",
    ),
    "test of the right alert": (
        lambda at: spoil(at.rules / "tests" / "time.yml", 'alertname="FlagfallNobodyCanMove"', 'alertname="Other"'),
        "asks for something else",
    ),
}


@pytest.mark.parametrize("what", SPOILT)
def test_without_its(what: str, places: Places) -> None:
    """Each of these is told of: a check that cannot fail would be none."""
    change, told = SPOILT[what]
    change(places)
    assert any(told in problem for problem in problems(places)), problems(places)


@needs_prometheus
def test_promtool_takes_the_rules_and_the_configuration(tmp_path: Path) -> None:
    checked = run("promtool", "check", "rules", *sorted(RULES.glob("*.yml")))
    assert checked.returncode == 0, checked.stdout
    config = tmp_path / "prometheus.yml"
    config.write_text(PROMETHEUS.read_text().replace("/etc/prometheus/rules", str(RULES)))
    checked = run("promtool", "check", "config", config)
    assert checked.returncode == 0, checked.stdout


@needs_prometheus
def test_promtool_refuses_a_rule_that_cannot_be_read(places: Places) -> None:
    spoil(places.rules / "time.yml", "min(", "min((")
    assert run("promtool", "check", "rules", places.rules / "time.yml").returncode != 0


@needs_prometheus
@pytest.mark.parametrize("file", UNIT_TESTS, ids=lambda file: file.stem)
def test_alerts_fire_and_stay_silent(file: Path) -> None:
    tested = run("promtool", "test", "rules", file)
    assert tested.returncode == 0, tested.stdout


@needs_prometheus
@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("time", "flagfall_beat_age_seconds) > 5", "flagfall_beat_age_seconds) > 5000"),  # never fires
        ("time", "for: 30s", "for: 0s"),  # a blip fires
        ("gateway", "> 200", "> 2"),  # one client at night fires
        ("computer", "> 50", "> 0"),  # a handful of games that ended fires
    ],
)
def test_unit_tests_fail_when_a_threshold_is_wrong(places: Places, file: str, old: str, new: str) -> None:
    spoil(places.rules / f"{file}.yml", old, new)
    assert run("promtool", "test", "rules", places.rules / "tests" / f"{file}.yml").returncode != 0


@needs_prometheus
@pytest.mark.parametrize("file", UNIT_TESTS, ids=lambda file: file.stem)
def test_words_and_links_of_alerts_that_fire_are_whole(file: Path, tmp_path: Path) -> None:
    """promtool prints each alert with its annotations expanded when it was told to expect none."""
    asked = tmp_path / "tests.yml"
    asked.write_text(annotation_tests(file, RULES))
    said = run("promtool", "test", "rules", asked).stdout
    assert "error expanding" not in said
    assert "<no value>" not in said
    links = set(re.findall(r'runbook_url="([^"]*)"', said))
    names = set(re.findall(r'alertname="(\w+)"', said))
    assert {link.partition("#")[2] for link in links} == {name.lower() for name in names} != set()
    assert all(link.startswith("https://flagfall.example/docs/runbooks/") for link in links), links


def test_operators_copy_is_up_to_date() -> None:
    assert operator_rules.main(["--check"]) == 0
    groups = [group for file in sorted(RULES.glob("*.yml")) for group in yaml.safe_load(file.read_text())["groups"]]
    assert yaml.safe_load(prometheus_rule())["spec"]["groups"] == groups


def test_operators_copy_that_is_old_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = tmp_path / "rules.yaml"
    old.write_text(prometheus_rule().replace("> 5", "> 6", 1))
    monkeypatch.setattr(operator_rules, "MADE", old)
    monkeypatch.setattr(operator_rules, "ROOT", tmp_path)
    assert operator_rules.main(["--check"]) == 1


@needs_alertmanager
def test_amtool_takes_the_configuration_with_the_addresses_put_in(tmp_path: Path) -> None:
    config = tmp_path / "alertmanager.yml"
    text = ALERTMANAGER.read_text()
    for name in ("page", "ticket"):
        assert f'url: "http://{name}.invalid/"' in text, "what whoever starts it replaces"
        text = text.replace(f'url: "http://{name}.invalid/"', 'url: "https://duty.example/hook?key=1"')
    config.write_text(text)
    checked = run("amtool", "check-config", config)
    assert checked.returncode == 0, checked.stdout
    for severity in ("page", "ticket"):
        routed = run("amtool", "config", "routes", "test", f"--config.file={config}", f"severity={severity}")
        assert routed.stdout.splitlines()[-1] == severity
    config.write_text(text.replace("receiver: page", "receiver: nobody"))
    assert run("amtool", "check-config", config).returncode != 0


def inhibitions() -> Iterator[tuple[str, str]]:
    """Which alert silences which, by name, over all inhibition rules; labels that narrow it are left aside."""
    names = {alert.name for alert in alerts()}
    of_slos = {alert.name for alert in alerts() if "slo_burning" in alert.expression}

    def named(matchers: list[str]) -> set[str]:
        found = set(names)
        for matcher in matchers:
            label, operator, value = re.fullmatch(r'(\w+)(=~|!=|=)"([^"]*)"', matcher).groups()  # type: ignore[union-attr]
            if label == "alertname":
                assert operator != "!="
                found &= {name for name in names if re.fullmatch(value, name)}
                assert found, f"{matcher} is no alert"
            elif label == "slo":
                found &= of_slos
        return found

    for rule in yaml.safe_load(ALERTMANAGER.read_text())["inhibit_rules"]:
        if "alertname" in rule.get("equal", []):
            continue  # the same alert, another severity
        for source in named(rule["source_matchers"]):
            for target in named(rule["target_matchers"]):
                yield source, target


def silenced_by_themselves(pairs: list[tuple[str, str]]) -> set[str]:
    """Alerts that silence themselves through others: if all of them fire, nobody is told of any."""
    silences: dict[str, set[str]] = {}
    for source, target in pairs:
        silences.setdefault(source, set()).add(target)
    reached = {source: set(targets) for source, targets in silences.items()}
    for _ in reached:
        for targets in reached.values():
            targets |= {further for target in targets for further in reached.get(target, ())}
    return {source for source, targets in reached.items() if source in targets}


def test_no_alerts_silence_each_other() -> None:
    pairs = list(inhibitions())
    assert ("FlagfallServiceDown", "FlagfallMovesFail") in pairs
    assert silenced_by_themselves(pairs) == set()
    assert silenced_by_themselves([*pairs, ("FlagfallMovesFail", "FlagfallServiceDown")]) >= {"FlagfallServiceDown"}
