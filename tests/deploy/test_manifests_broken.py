"""Each rule about pods finds what it is for: a rendered overlay, broken in one place, and what is said of it."""

import copy

import pytest

from deploy.checks import manifests
from deploy.checks.manifests import Rule
from deploy.checks.rendered import named
from tests.deploy.breaking import (
    Break,
    add,
    check_found,
    config,
    container,
    deployment,
    drop,
    label,
    pod,
    put,
    remove,
    second_beat,
)
from tests.deploy.cluster import known, overlay

ADMIN_ENV = {"name": "FLAGFALL_POOL_CONECTIONS", "value": "9"}
DATABASE_ENV = {
    "name": "FLAGFALL_DATABASE_URL",
    "valueFrom": {"secretKeyRef": {"name": "flagfall-database", "key": "owner-url"}},
}

BROKEN: list[tuple[Rule, Break, str]] = [
    (manifests.names_are_single, lambda d: d.append(copy.deepcopy(named(d, "Service", "game"))), "there twice"),
    (manifests.names_are_single, drop(lambda d: deployment(d, "game")["metadata"], "namespace"), "no namespace"),
    (manifests.apply_can_keep_it, put(lambda d: config(d, "flagfall-settings"), "big", "x" * 260_000), "too large"),
    (
        manifests.namespace_is_restricted,
        put(
            lambda d: named(d, "Namespace", "flagfall")["metadata"]["labels"],
            "pod-security.kubernetes.io/enforce",
            "baseline",
        ),
        "does not enforce",
    ),
    (manifests.labels_are_there, drop(label("clock"), "app.kubernetes.io/part-of"), "lacks the label"),
    (manifests.pods_are_restricted, drop(lambda d: pod(d, "game")["securityContext"], "runAsNonRoot"), "as root"),
    (manifests.pods_are_restricted, put(lambda d: pod(d, "game")["securityContext"], "runAsUser", 0), "as root"),
    (manifests.pods_are_restricted, drop(lambda d: pod(d, "game")["securityContext"], "seccompProfile"), "seccomp"),
    (manifests.pods_are_restricted, put(lambda d: pod(d, "game"), "automountServiceAccountToken", True), "token"),
    (manifests.pods_are_restricted, put(lambda d: pod(d, "game"), "hostNetwork", True), "hostNetwork"),
    (
        manifests.pods_are_restricted,
        put(lambda d: container(d, "game")["securityContext"], "allowPrivilegeEscalation", True),
        "gain privileges",
    ),
    (
        manifests.pods_are_restricted,
        put(lambda d: container(d, "game")["securityContext"], "readOnlyRootFilesystem", False),
        "write to its root",
    ),
    (
        manifests.pods_are_restricted,
        put(lambda d: container(d, "game")["securityContext"], "capabilities", {"add": ["NET_ADMIN"]}),
        "keeps capabilities",
    ),
    (manifests.images_are_pinned, put(lambda d: container(d, "game"), "image", "flagfall/game"), "whatever is newest"),
    (manifests.images_are_pinned, put(lambda d: container(d, "game"), "image", "flagfall/game:latest"), "newest"),
    (manifests.images_are_pinned, put(lambda d: container(d, "game"), "image", "flagfall/game:0.0.9"), "versions"),
    (manifests.commands_are_ours, add(lambda d: container(d, "worker")["args"], "-B"), "(-B)"),
    (manifests.commands_are_ours, put(lambda d: container(d, "clock"), "args", ["services.clock"]), "runs"),
    (manifests.commands_are_ours, put(label("clock"), "app.kubernetes.io/component", "x"), "no part of Flagfall"),
    (manifests.beat_is_single, second_beat, "2 beats"),
    (manifests.beat_is_single, remove("Deployment", "beat"), "0 beats"),
    (manifests.beat_is_single, put(lambda d: deployment(d, "beat")["spec"], "replicas", 2), "2 replicas"),
    (
        manifests.beat_is_single,
        put(lambda d: deployment(d, "beat")["spec"]["strategy"], "type", "RollingUpdate"),
        "two for a while",
    ),
    (
        manifests.rollouts_lose_nobody,
        put(lambda d: deployment(d, "gateway")["spec"]["strategy"]["rollingUpdate"], "maxUnavailable", "25%"),
        "a replica less",
    ),
    (
        manifests.rollouts_lose_nobody,
        put(lambda d: deployment(d, "gateway")["spec"]["strategy"]["rollingUpdate"], "maxSurge", 0),
        "cannot begin",
    ),
    (manifests.environment_is_known, add(lambda d: container(d, "game")["env"], ADMIN_ENV), "is no setting of game"),
    (
        manifests.environment_is_known,
        put(lambda d: config(d, "flagfall-settings"), "FLAGFALL_GAMES", "1"),
        "no setting",
    ),
    (manifests.environment_is_known, put(lambda d: config(d, "rules-settings"), "FLAGFALL_DRAIN_MS", ""), "is empty"),
    (manifests.environment_is_known, drop(lambda d: config(d, "flagfall-settings"), "FLAGFALL_HOST"), "loopback"),
    (manifests.secrets_are_needed, add(lambda d: container(d, "gateway")["env"], DATABASE_ENV), "has the secrets"),
    (manifests.secrets_are_needed, drop(lambda d: container(d, "game"), "env"), "has the secrets"),
    (
        manifests.references_exist,
        put(lambda d: container(d, "game")["env"][0]["valueFrom"]["secretKeyRef"], "name", "database"),
        "which is nowhere",
    ),
    (
        manifests.references_exist,
        put(lambda d: container(d, "game")["env"][0]["valueFrom"]["secretKeyRef"], "key", "uri"),
        "needs uri",
    ),
    (
        manifests.references_exist,
        put(lambda d: container(d, "game")["envFrom"][0]["configMapRef"], "name", "flagfall-settings"),
        "which is nowhere",
    ),
    (manifests.volumes_exist, drop(lambda d: pod(d, "game"), "volumes"), "no volume"),
    (manifests.volumes_exist, add(lambda d: pod(d, "game")["volumes"], {"name": "x"}), "nowhere"),
    (manifests.volumes_exist, drop(lambda d: pod(d, "game")["volumes"][0]["emptyDir"], "sizeLimit"), "no bound"),
    (
        manifests.volumes_exist,
        put(lambda d: pod(d, "game")["volumes"], 0, {"name": "tmp", "persistentVolumeClaim": {"claimName": "a"}}),
        "PersistentVolumeClaim a",
    ),
    (
        manifests.volumes_exist,
        put(lambda d: container(d, "game")["volumeMounts"][0], "mountPath", "/data"),
        "no /tmp",
    ),
    (
        manifests.resources_are_bounded,
        put(lambda d: container(d, "game")["resources"]["requests"], "memory", "1Gi"),
        "more memory than its limit",
    ),
    (
        manifests.resources_are_bounded,
        put(lambda d: container(d, "game")["resources"]["requests"], "cpu", "1500m"),
        "more cpu than its limit",
    ),
    (
        manifests.resources_are_bounded,
        drop(lambda d: container(d, "game")["resources"], "limits"),
        "no request or limit",
    ),
    (manifests.probes_hit_ports, drop(lambda d: container(d, "game"), "readinessProbe"), "no readinessProbe"),
    (
        manifests.probes_hit_ports,
        put(lambda d: container(d, "game")["livenessProbe"]["httpGet"], "port", "health"),
        "which it has not",
    ),
    (
        manifests.probes_hit_ports,
        put(lambda d: container(d, "game")["livenessProbe"]["httpGet"], "path", "/readyz"),
        "does not ask admin/healthz",
    ),
    (manifests.ports_are_told, drop(lambda d: container(d, "game")["ports"][0], "name"), "has no name"),
    (
        manifests.ports_are_told,
        put(lambda d: container(d, "game")["ports"][0], "containerPort", 50053),
        "settings say otherwise",
    ),
]


@pytest.mark.parametrize(
    ("rule", "change", "said"), BROKEN, ids=lambda value: getattr(value, "__name__", None) or str(value)
)
def test_a_broken_overlay_is_found(rule: Rule, change: Break, said: str) -> None:
    check_found(rule, change, said)


def test_a_secret_that_nobody_documents_is_missing() -> None:
    said = list(manifests.references_exist(overlay("production"), known(outside=False)))
    assert "Deployment game needs the Secret flagfall-database, which is nowhere" in said
