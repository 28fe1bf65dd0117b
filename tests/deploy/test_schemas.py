"""The overlays by the schemas of Kubernetes and of the operators, by checkov's policies, and as YAML."""

import copy
import json
import os
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
import yaml

from deploy.checks.rendered import K8S, Document, named, render
from deploy.checks.tools import program
from deploy.laptop.node import ROOT
from tests.deploy.cluster import COMPONENT_NAMES, OVERLAY_NAMES, overlay, write_combination

CHECKS = ROOT / "deploy" / "checks"
OF_OPERATORS = ("keda.sh/v1alpha1", "monitoring.coreos.com/v1")
OLDEST_MINOR = 28

ACCEPTED: dict[tuple[str, str], str] = {
    (
        "CKV_K8S_15",
        "*",
    ): "IfNotPresent: tags of versions are not moved, and a pod must start while the registry is away",
    (
        "CKV_K8S_43",
        "*",
    ): "digests are known only once an operator has pushed images to a registry: `kustomize edit set image`"
    " takes them, and docs/kubernetes.md says so",
    (
        "CKV_K8S_35",
        "*",
    ): "settings, secrets too, come by the environment alone (one way from laptop to cluster); no shell, no"
    " other process and no debug page shows it",
    ("CKV_K8S_40", "StatefulSet.flagfall.postgres"): "the public image's own user is 999",
    ("CKV_K8S_40", "StatefulSet.flagfall.valkey"): "the public image's own user is 999",
}
"""checkov's findings that are as they should be, each with its reason. One that is found no more fails the test."""


def run(*words: str | Path, given: str | None = None) -> tuple[int, str]:
    """A tool's exit status and all that it said."""
    done = subprocess.run(
        list(map(str, words)),
        input=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=250,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
    )
    return done.returncode, done.stdout


def versions() -> list[str]:
    """The versions of Kubernetes whose schemas the tool brings, from the oldest that is supported."""
    script = (
        "import json, pathlib, kubernetes_validate as k;"
        "f = pathlib.Path(k.__file__).parent / 'kubernetes-json-schema';"
        "print(json.dumps(sorted(p.name for p in f.iterdir())))"
    )
    status, said = run(program("python"), "-c", script)
    assert status == 0, said
    numbers = {name.removeprefix("v").split("-")[0] for name in json.loads(said)}
    return sorted((n for n in numbers if int(n.split(".")[1]) >= OLDEST_MINOR), key=lambda n: int(n.split(".")[1]))


def validated(documents: Sequence[Document], folder: Path, version: str) -> tuple[int, str]:
    """What kubernetes-validate says of documents."""
    file = folder / "objects.yaml"
    file.write_text(yaml.dump_all(documents, Dumper=yaml.CSafeDumper))
    return run(program("kubernetes-validate"), "--strict", "--quiet", "-k", version, file)


@cache
def all_components() -> tuple[Document, ...]:
    """Base and every component."""
    return tuple(render(write_combination(ROOT / "build" / "deploy-check" / "schemas", COMPONENT_NAMES)))


def plain(documents: Sequence[Document]) -> list[Document]:
    """Those of Kubernetes itself."""
    return [document for document in documents if document["apiVersion"] not in OF_OPERATORS]


def of_operators(documents: Sequence[Document]) -> list[Document]:
    """The others."""
    return [copy.deepcopy(document) for document in documents if document["apiVersion"] in OF_OPERATORS]


def test_several_versions_of_kubernetes_are_known() -> None:
    assert {f"1.{minor}" for minor in range(OLDEST_MINOR, 37)} <= {v.rpartition(".")[0] for v in versions()}


@pytest.mark.timeout(300)
def test_every_version_of_kubernetes_takes_the_objects(tmp_path: Path) -> None:
    """Those of all overlays and of all components together, each once: many are in several."""
    everything = [*(document for name in OVERLAY_NAMES for document in overlay(name)), *all_components()]
    objects = {json.dumps(document): document for document in plain(everything)}
    assert len(objects) > 60
    for version in versions():
        assert validated(list(objects.values()), tmp_path, version) == (0, ""), version


def test_a_field_that_kubernetes_does_not_know_is_found(tmp_path: Path) -> None:
    documents = copy.deepcopy(plain(overlay("production")))
    named(documents, "Deployment", "game")["spec"]["template"]["spec"]["terminationGracePeriod"] = 30
    status, said = validated(documents, tmp_path, versions()[-1])
    assert status != 0
    assert "terminationGracePeriod" in said


@pytest.mark.timeout(300)
def test_the_operators_know_every_field_and_value_of_their_objects() -> None:
    """With each kind a twin that is broken: only those are found."""
    documents = of_operators(overlay("production-operators"))
    assert {document["kind"] for document in documents} == {"ScaledObject", "PodMonitor", "PrometheusRule"}

    def twin(kind: str, name: str, field: str, value: object) -> Document:
        broken = copy.deepcopy(named(documents, kind, name))
        broken["metadata"]["name"] = f"{name}-{field}"
        broken["spec"][field] = value
        return broken

    twins = [
        twin("ScaledObject", "worker", "pollingIntervall", 1),
        twin("ScaledObject", "worker", "minReplicaCount", "few"),
        twin("PodMonitor", "flagfall", "podMetricsEndpoint", 1),
        twin("PrometheusRule", "flagfall", "group", 1),
    ]
    status, said = run(program("python"), CHECKS / "operator_models.py", given=json.dumps([*documents, *twins]))
    assert status == 1
    lines = said.splitlines()
    assert [line for line in lines if "is not known" in line] == [
        "ScaledObject worker-pollingIntervall.spec.pollingIntervall: 1 is not known",
        "PodMonitor flagfall-podMetricsEndpoint.spec.podMetricsEndpoint: 1 is not known",
        "PrometheusRule flagfall-group.spec.group: 1 is not known",
    ]
    assert [line for line in lines if "is not known" not in line] == [
        line for line in lines if line.startswith("ScaledObject worker-minReplicaCount: spec.minReplicaCount: ")
    ]


def findings(file: Path) -> set[tuple[str, str]]:
    """checkov's findings: (check, object)."""
    _, said = run(
        *(program("checkov"), "--skip-download", "--framework", "kubernetes", "--file", file),
        *("--output", "json", "--quiet", "--compact"),
    )
    report = json.loads(said[said.index("{") :])
    assert report["summary"]["parsing_errors"] == 0
    assert report["summary"]["passed"] > 100
    return {(found["check_id"], found["resource"]) for found in report["results"]["failed_checks"]}


def accepted(check: str, place: str) -> tuple[str, str] | None:
    """The entry of ACCEPTED that a finding is."""
    return next((entry for entry in ((check, place), (check, "*")) if entry in ACCEPTED), None)


@pytest.mark.timeout(300)
def test_checkov_finds_nothing_that_has_no_reason(tmp_path: Path) -> None:
    """All overlays at once: the tool takes seconds to start. One broken Deployment among them has to be found."""
    documents = [*plain(overlay("local")), *plain(all_components())]
    spoiled = copy.deepcopy(named(documents, "Deployment", "game"))
    spoiled["metadata"]["name"] = "spoiled"
    spoiled["spec"]["template"]["spec"]["containers"][0]["securityContext"]["readOnlyRootFilesystem"] = False
    file = tmp_path / "objects.yaml"
    file.write_text(yaml.dump_all([*documents, spoiled], Dumper=yaml.CSafeDumper))
    found = findings(file)
    by_reason = {finding: accepted(*finding) for finding in found if "spoiled" not in finding[1]}
    assert [finding for finding, reason in by_reason.items() if reason is None] == []
    assert set(by_reason.values()) == set(ACCEPTED)
    assert ("CKV_K8S_22", "Deployment.flagfall.spoiled") in {(c, p.removesuffix(".default")) for c, p in found}


def test_the_yaml_is_written_as_all_of_it(tmp_path: Path) -> None:
    made = K8S / "components" / "prometheus-operator" / "rules.yaml"
    files = [file for file in sorted(K8S.rglob("*.yaml")) if file != made]
    config = ("--strict", "-c", CHECKS / "yamllint.yaml")
    assert run(program("yamllint"), *config, *files) == (0, "")
    twice = tmp_path / "twice.yaml"
    twice.write_text("a: 1\na: 2\n")
    status, said = run(program("yamllint"), *config, twice)
    assert status != 0
    assert "duplication" in said
