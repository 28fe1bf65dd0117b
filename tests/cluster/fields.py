"""Every field of a manifest, and what becomes of it here. A field that is in none of these lists fails the run: nothing
is dropped in silence."""

from collections.abc import Iterator, Mapping
from typing import Any

PODMAN = """
metadata.annotations.* metadata.labels.*
spec.hostname
spec.securityContext.runAsUser spec.securityContext.runAsGroup spec.securityContext.runAsNonRoot
C.name C.image C.command C.args C.workingDir
C.env.name C.env.value
C.env.valueFrom.secretKeyRef.name C.env.valueFrom.secretKeyRef.key
C.env.valueFrom.configMapKeyRef.name C.env.valueFrom.configMapKeyRef.key
C.env.valueFrom.fieldRef.fieldPath
C.envFrom.configMapRef.name C.envFrom.secretRef.name
C.resources.limits.cpu C.resources.limits.memory C.resources.requests.memory
C.securityContext.runAsUser C.securityContext.runAsGroup C.securityContext.runAsNonRoot
C.securityContext.allowPrivilegeEscalation C.securityContext.readOnlyRootFilesystem
C.securityContext.capabilities.drop C.securityContext.capabilities.add
C.volumeMounts.name C.volumeMounts.mountPath C.volumeMounts.readOnly C.volumeMounts.subPath
"""
"""Podman is handed these as they are. `C.` stands for containers and init containers."""

RUNNER = """
spec.terminationGracePeriodSeconds spec.restartPolicy
C.ports.name C.ports.containerPort C.ports.protocol
spec.volumes.name spec.volumes.emptyDir spec.securityContext.fsGroup
spec.volumes.configMap.name spec.volumes.configMap.items.key spec.volumes.configMap.items.path
spec.volumes.secret.secretName spec.volumes.secret.items.key spec.volumes.secret.items.path
spec.volumes.configMap.defaultMode spec.volumes.secret.defaultMode
P.httpGet.path P.httpGet.port P.httpGet.scheme P.exec.command P.tcpSocket.port
P.periodSeconds P.timeoutSeconds P.failureThreshold P.successThreshold P.initialDelaySeconds
C.lifecycle.preStop.exec.command C.lifecycle.preStop.sleep.seconds
deployment.replicas deployment.selector.matchLabels.* deployment.template
deployment.strategy.type deployment.strategy.rollingUpdate.maxSurge deployment.strategy.rollingUpdate.maxUnavailable
statefulset.replicas statefulset.selector.matchLabels.* statefulset.template statefulset.serviceName
statefulset.volumeClaimTemplates
job.template job.backoffLimit
service.selector.* service.clusterIP service.publishNotReadyAddresses service.type
"""
"""The runner does here what kubelet, controllers and DNS do in a cluster. `P.` stands for the three kinds of probes."""

UNHONOURED = {
    "spec.securityContext.seccompProfile.type": "podman applies its default profile to all, as RuntimeDefault asks",
    "C.securityContext.seccompProfile.type": "podman applies its default profile to all, as RuntimeDefault asks",
    "spec.securityContext.fsGroupChangePolicy": "every volume is new, or was the pod's before",
    "spec.volumes.emptyDir.medium": "the runner makes a folder on disk of every emptyDir",
    "spec.volumes.emptyDir.sizeLimit": "nobody measures an emptyDir: a kubelet evicts a pod that goes beyond",
    "spec.volumes.secret.optional": "the runner resolves every Secret, or fails",
    "spec.volumes.configMap.optional": "the runner resolves every ConfigMap, or fails",
    "C.env.valueFrom.secretKeyRef.optional": "the runner resolves every Secret, or fails",
    "C.imagePullPolicy": "images are built here and never pulled",
    "C.resources.requests.cpu": "a scheduler's: this machine has one node and no neighbours",
    "C.resources.requests.ephemeral-storage": "a scheduler's and a kubelet's eviction: podman does not measure it",
    "C.resources.limits.ephemeral-storage": "a kubelet's eviction: podman does not measure it",
    "C.terminationMessagePolicy": "there is no API server to tell",
    "C.terminationMessagePath": "there is no API server to tell",
    "P.httpGet.httpHeaders.name": "the runner's probes send no headers of their own",
    "spec.topologySpreadConstraints": "a scheduler's: there is one node",
    "spec.affinity": "a scheduler's: there is one node",
    "spec.nodeSelector": "a scheduler's: there is one node",
    "spec.tolerations": "a scheduler's: there is one node",
    "spec.priorityClassName": "a scheduler's: nothing is evicted here",
    "spec.schedulerName": "there is none",
    "spec.serviceAccountName": "there is no API server to be known to",
    "spec.automountServiceAccountToken": "podman mounts none",
    "spec.enableServiceLinks": "podman makes none",
    "spec.dnsPolicy": "every pod is given the cluster's DNS",
    "spec.shareProcessNamespace": "podman shares none unless asked",
    "deployment.revisionHistoryLimit": "there is no history: a roll back is a roll",
    "deployment.progressDeadlineSeconds": "the tests have deadlines of their own",
    "deployment.minReadySeconds": "the runner goes on once a pod is ready",
    "statefulset.podManagementPolicy": "there is one pod of each",
    "statefulset.updateStrategy": "stores are not rolled here",
    "statefulset.persistentVolumeClaimRetentionPolicy": "volumes live as long as the run",
    "statefulset.revisionHistoryLimit": "there is no history",
    "job.ttlSecondsAfterFinished": "the pod is removed with the run",
    "job.activeDeadlineSeconds": "the tests have deadlines of their own",
    "job.completions": "there is one",
    "job.parallelism": "there is one",
    "service.ports": "a cluster's own proxy translates ports; here a name leads to the pods themselves",
    "service.sessionAffinity": "a cluster's own proxy's",
    "service.internalTrafficPolicy": "a cluster's own proxy's",
    "service.ipFamilyPolicy": "there is IPv4",
    "kind.NetworkPolicy": "podman's networks have no policies",
    "kind.PodDisruptionBudget": "nothing drains nodes here",
    "kind.HorizontalPodAutoscaler": "there is no controller; the tests scale by hand",
    "kind.ServiceAccount": "there is no API server to be known to",
    "kind.Namespace": "there is one",
    "kind.Ingress": "people reach the gateways' pods themselves",
}
"""What nobody applies here, each with the reason."""

READ = frozenset(["kind.ConfigMap", "kind.Secret", "kind.PersistentVolumeClaim"])
"""Kinds that pods name, and that the runner hands to podman with them."""
PROBES = ("startupProbe", "readinessProbe", "livenessProbe")
_KNOWN = frozenset(PODMAN.split()) | frozenset(RUNNER.split()) | frozenset(UNHONOURED)
MAKERS = ("Deployment", "StatefulSet", "Job")


class UnknownField(Exception):
    """A manifest says something that this runner neither applies nor has a reason not to."""


def unhonoured(documents: list[dict[str, Any]]) -> dict[str, str]:
    """The fields of these manifests that nobody applies here, with the reasons. Raises UnknownField."""
    found: dict[str, str] = {}
    unknown: list[str] = []
    for document in documents:
        name = f"{document['kind']} {document['metadata']['name']}"
        for path in _paths_of(document):
            known = next((each for each in _as_listed(path) if each in _KNOWN), None)
            if known is None:
                unknown.append(f"{name}: {path}")
            elif known in UNHONOURED:
                found[known] = UNHONOURED[known]
    if unknown:
        raise UnknownField("; ".join(sorted(set(unknown))))
    return found


def _paths_of(document: dict[str, Any]) -> Iterator[str]:
    kind = document["kind"]
    if kind in MAKERS:
        spec = {key: value for key, value in document["spec"].items() if key != "template"}
        yield from _leaves(spec, kind.lower())
        yield from _leaves(document["spec"]["template"].get("metadata", {}), "metadata")
        yield from _leaves(document["spec"]["template"]["spec"], "spec")
    elif kind == "Service":
        yield from _leaves(document["spec"], "service")
    elif f"kind.{kind}" not in READ:
        yield f"kind.{kind}"


def _leaves(value: Any, path: str) -> Iterator[str]:
    """Paths to all that is no map, without the places in lists."""
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            yield from _leaves(inner, f"{path}.{key}")
    elif isinstance(value, list) and value and isinstance(value[0], Mapping):
        for inner in value:
            yield from _leaves(inner, path)
    else:
        yield path


def _as_listed(path: str) -> Iterator[str]:
    """The forms in which a path may stand in the lists: itself, its parents, with `C.`, `P.` or `.*`."""
    path = path.replace("spec.containers.", "C.").replace("spec.initContainers.", "C.")
    for probe in PROBES:
        path = path.replace(f"C.{probe}.", "P.")
    yield path
    if path.startswith(("metadata.", "deployment.selector", "statefulset.selector", "service.selector")):
        for at in range(len(path), 0, -1):
            if path[at - 1] == ".":
                yield f"{path[: at - 1]}.*"
    parts = path.split(".")
    for length in range(len(parts) - 1, 1, -1):
        parent = ".".join(parts[:length])
        if parent in WHOLE:
            yield parent


WHOLE = frozenset(
    [
        "spec.topologySpreadConstraints",
        "spec.affinity",
        "spec.nodeSelector",
        "spec.tolerations",
        "statefulset.updateStrategy",
        "statefulset.volumeClaimTemplates",
        "statefulset.persistentVolumeClaimRetentionPolicy",
        "service.ports",
    ]
)
"""Fields that are listed once for all that is in them."""
