"""Every overlay and every combination of components, by meaning."""

import base64

import pytest
import yaml

from deploy.checks.pods import told
from deploy.checks.rendered import K8S, Document, RenderError, named, of_kind, render
from deploy.laptop.node import ROOT
from tests.deploy.cluster import (
    COMPONENT_NAMES,
    OVERLAY_NAMES,
    RULES,
    SETTINGS,
    combinations,
    known,
    overlay,
    write_combination,
)

SCRATCH = ROOT / "build" / "deploy-check"


def complaints(documents: list[Document] | tuple[Document, ...], outside: bool) -> list[str]:
    return [f"{rule.__name__}: {said}" for rule in RULES for said in rule(documents, known(outside))]


@pytest.mark.parametrize("name", OVERLAY_NAMES)
def test_an_overlay_means_what_it_should(name: str) -> None:
    assert complaints(overlay(name), outside=name != "local") == []


@pytest.mark.parametrize("chosen", combinations(), ids=lambda chosen: "+".join(chosen) or "base")
def test_components_stand_together(chosen: tuple[str, ...]) -> None:
    folder = write_combination(SCRATCH / ("+".join(chosen) or "base"), chosen)
    documents = render(folder)
    problems = complaints(documents, outside=True)
    if "production" not in chosen:  # the stores' ends of the arrows come with it
        problems = [said for said in problems if not said.startswith("arrows_are") or "network:" not in said]
    assert problems == []


def test_all_components_are_combined() -> None:
    assert set(COMPONENT_NAMES) == {folder.name for folder in (K8S / "components").iterdir() if folder.is_dir()}
    assert set(OVERLAY_NAMES) == {"local", "production", "production-operators"}


def test_a_component_that_lacks_what_it_stands_on_is_refused() -> None:
    with pytest.raises(RenderError, match="HorizontalPodAutoscaler"):
        render(write_combination(SCRATCH / "keda-alone", ("keda",)))


@pytest.mark.parametrize("name", OVERLAY_NAMES)
def test_the_settings_of_a_configmap_can_be_read_by_the_service(name: str) -> None:
    for component, kind in SETTINGS.items():
        values = {n.removeprefix("FLAGFALL_").lower(): v for n, v in told(overlay(name), component).items()}
        settings = kind(**values)  # type: ignore[arg-type]  # as from an environment: texts
        assert values.keys() <= settings.model_fields_set


@pytest.mark.parametrize("tag", ["0.2.0", "0.2.0-rc1", "dev"])
@pytest.mark.parametrize("stands_on", ["production", "production-operators", "local"])
def test_a_new_version_has_a_migration_of_its_own(stands_on: str, tag: str) -> None:
    """As `kustomize edit set image` in a folder of the operator's own would do it."""
    folder = SCRATCH / f"upgrade-{stands_on}-{tag}"
    write_combination(folder, ())
    kustomization = yaml.safe_load((folder / "kustomization.yaml").read_text())
    kustomization["resources"] = [f"../../../k8s/overlays/{stands_on}"]
    kustomization["images"] = [
        {"name": f"flagfall/{image}", "newTag": tag} for image in ("rules", "game", "clock", "workers", "gateway")
    ]
    (folder / "kustomization.yaml").write_text(yaml.safe_dump(kustomization))
    documents = render(folder)
    assert named(documents, "Job", f"migrate-{tag}")["metadata"]["name"] != "migrate-0.1.0"
    assert complaints(documents, outside=stands_on != "local") == []
    for document in of_kind(documents, "Deployment"):
        for container in document["spec"]["template"]["spec"]["containers"]:
            assert container["image"].endswith(f":{tag}")


def test_a_registry_with_a_port_needs_the_other_part_of_the_images_name() -> None:
    """As docs/kubernetes.md says: kustomize cannot count from the end. Else linter and cluster refuse the Job."""
    folder = write_combination(SCRATCH / "registry-with-a-port", ("production",))
    kustomization = yaml.safe_load((folder / "kustomization.yaml").read_text())
    kustomization["images"] = [
        {"name": f"flagfall/{image}", "newName": f"registry.example:5000/{image}", "newTag": "0.2.0"}
        for image in ("rules", "game", "clock", "workers", "gateway")
    ]
    (folder / "kustomization.yaml").write_text(yaml.safe_dump(kustomization))
    assert [said for said in complaints(render(folder), outside=True) if "no Job may have" in said]
    kustomization["replacements"][0]["source"]["options"]["index"] = 2
    (folder / "kustomization.yaml").write_text(yaml.safe_dump(kustomization))
    documents = render(folder)
    assert complaints(documents, outside=True) == []
    assert named(documents, "Job", "migrate-0.2.0")


def test_a_changed_setting_rolls_the_pods_that_read_it() -> None:
    folder = write_combination(SCRATCH / "changed-setting", ("production",))
    before = render(folder)
    kustomization = yaml.safe_load((folder / "kustomization.yaml").read_text())
    kustomization["configMapGenerator"] = [
        {"name": "game-settings", "behavior": "merge", "literals": ["FLAGFALL_POOL_CONNECTIONS=9"]}
    ]
    (folder / "kustomization.yaml").write_text(yaml.safe_dump(kustomization))
    after = render(folder)
    changed = {
        document["metadata"]["name"]
        for document in of_kind(after, "Deployment", "Job")
        if document != named(before, document["kind"], document["metadata"]["name"])
    }
    assert changed == {"game"}


def test_the_roles_of_the_local_database_are_those_of_all() -> None:
    """kustomize reads nothing outside its folder, so the file is there twice."""
    ours = (K8S / "overlays" / "local" / "roles.sql").read_text()
    assert ours == (ROOT / "deploy" / "postgres" / "roles.sql").read_text()


def test_each_store_of_the_local_cluster_is_reached_with_the_password_that_it_has() -> None:
    documents = overlay("local")

    def secret(name: str) -> dict[str, str]:
        [found] = [d for d in of_kind(documents, "Secret") if d["metadata"]["name"].startswith(name)]
        return {key: base64.b64decode(value).decode() for key, value in found["data"].items()}

    postgres, valkey = secret("postgres"), secret("valkey")
    assert secret("flagfall-database") == {
        "url": f"postgresql+asyncpg://flagfall_app:{postgres['app-password']}@postgres:5432/flagfall",
        "owner-url": f"postgresql+asyncpg://flagfall_owner:{postgres['owner-password']}@postgres:5432/flagfall",
    }
    assert secret("flagfall-redis") == {
        "url": f"redis://:{valkey['password']}@valkey:6379/0",
        "broker-url": f"redis://:{valkey['password']}@valkey:6379/1",
    }
