"""The backup of the cluster runs the script of deploy/backup, which test_backup tries, and reaches the database."""

import shutil
from pathlib import Path

import pytest
import yaml

from deploy.checks.arrows import arrows_are_the_architectures
from deploy.checks.rendered import K8S, Document, named, render
from deploy.laptop.node import ROOT
from tests.deploy.cluster import known

COMPONENT = K8S / "components" / "backup"


def test_the_cluster_runs_the_same_script() -> None:
    assert (COMPONENT / "backup").read_bytes() == (ROOT / "deploy" / "backup" / "backup").read_bytes()


@pytest.fixture(scope="module")
def local() -> list[Document]:
    """A cluster of one's own with a backup."""
    folder = ROOT / "build" / "deploy-check" / "backup-local"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    up = Path(*(".." for _ in folder.relative_to(ROOT).parts))
    kustomization = {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "resources": [str(up / "k8s" / "overlays" / "local")],
        "components": [str(up / "k8s" / "components" / "backup")],
    }
    (folder / "kustomization.yaml").write_text(yaml.safe_dump(kustomization))
    return render(folder)


def test_it_may_reach_a_database_inside_and_nothing_else(local: list[Document]) -> None:
    assert list(arrows_are_the_architectures(local, known(outside=True))) == []
    policy = named(local, "NetworkPolicy", "postgres-arriving")
    del policy["spec"]["ingress"][0]["from"][0]["podSelector"]["matchExpressions"][0]["values"][-1]
    assert any("backup" in said for said in arrows_are_the_architectures(local, known(outside=True)))


def test_one_backup_runs_at_a_time_and_is_given_up(local: list[Document]) -> None:
    spec = named(local, "CronJob", "backup")["spec"]
    assert spec["concurrencyPolicy"] == "Forbid"
    assert spec["jobTemplate"]["spec"]["activeDeadlineSeconds"] < 24 * 3600
