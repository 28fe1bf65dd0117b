"""The backup and the restore of the cluster run the scripts of deploy/backup, which test_backup tries, and reach the
database."""

import copy
import shutil
from pathlib import Path

import pytest
import yaml

from deploy.checks.arrows import arrows_are_the_architectures
from deploy.checks.rendered import K8S, Document, named, render
from deploy.laptop.node import ROOT
from tests.deploy.cluster import known

COMPONENT = K8S / "components" / "backup"


@pytest.mark.parametrize("file", ["backup/backup", "backup/restore", "backup/after_restore.sql", "postgres/roles.sql"])
def test_the_cluster_runs_the_same_scripts(file: str) -> None:
    """kustomize reads nothing outside its folder, so the files are there twice."""
    assert (COMPONENT / Path(file).name).read_bytes() == (ROOT / "deploy" / file).read_bytes()


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


def test_a_suspension_by_hand_ends_with_the_next_apply(local: list[Document]) -> None:
    """`apply` changes only what a manifest tells."""
    assert named(local, "CronJob", "backup")["spec"]["suspend"] is False


@pytest.mark.parametrize("name", ["restore", "backup-shell"])
def test_what_is_only_for_hands_never_runs_by_itself(local: list[Document], name: str) -> None:
    spec = named(local, "CronJob", name)["spec"]
    assert spec["suspend"] is True
    assert spec["schedule"].split()[2:4] == ["31", "2"]
    assert spec["jobTemplate"]["spec"]["backoffLimit"] == 0


@pytest.mark.parametrize("name", ["restore", "backup-shell"])
def test_it_differs_from_the_backup_in_what_it_runs_alone(local: list[Document], name: str) -> None:
    """The same volume, image, user, labels, so the same policies admit it; the shell is given no password."""

    def pod(of: str) -> tuple[Document, Document]:
        template = copy.deepcopy(named(local, "CronJob", of)["spec"]["jobTemplate"]["spec"]["template"])
        container = template["spec"]["containers"][0]
        own = {field: container.pop(field, None) for field in ("name", "command", "env", "envFrom")}
        for mount in container["volumeMounts"]:
            mount.pop("readOnly", None)
        return template, own

    (template, _), (ours, own) = pod("backup"), pod(name)
    assert ours == template
    secrets = [source["secretRef"]["name"] for source in own["envFrom"] or []]
    assert secrets == {"restore": ["flagfall-restore"], "backup-shell": []}[name]


def test_the_newest_dump_is_restored_unless_another_is_named(local: list[Document]) -> None:
    """By `kubectl set env cronjob/restore DUMP=...`."""
    [container] = named(local, "CronJob", "restore")["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"]
    assert container["command"] == ["/bin/sh", "/scripts/restore", "/backups", "$(DUMP)"]
    assert container["env"] == [{"name": "DUMP", "value": "newest"}]
