"""Rules for objects that refer to pods: Services, budgets, autoscalers, the ingress, targets in settings, the
migration."""

import re
from collections.abc import Iterator, Sequence

from deploy.checks.manifests import COMMANDS, SERVING, STORES, Known
from deploy.checks.pods import environment, matches, pods, references
from deploy.checks.rendered import Document, of_kind

AUTOSCALERS = ("HorizontalPodAutoscaler", "ScaledObject")
HEADLESS = ("rules", "game")
"""A gRPC client balances over addresses; behind one virtual address it has one connection to one pod."""


def _name(document: Document) -> str:
    return f"{document['kind']} {document['metadata']['name']}"


def owners_select_their_pods(documents: Sequence[Document], known: Known) -> Iterator[str]:
    """A Deployment's selector matches its own pods and no others."""
    every = pods(documents)
    for pod in every:
        if pod.owner["kind"] in ("Job", "CronJob"):
            continue
        selector = pod.owner["spec"]["selector"]
        if not matches(selector, pod.labels):
            yield f"{pod.name} does not select its own pods"
        others = [other.name for other in every if other is not pod and matches(selector, other.labels)]
        if others:
            yield f"{pod.name} selects the pods of {', '.join(others)} too"


def services_have_pods(documents: Sequence[Document], known: Known) -> Iterator[str]:
    """A Service selects the pods of one component, by ports that these have; those of gRPC are headless."""
    every = pods(documents)
    for service in of_kind(documents, "Service"):
        chosen = [pod for pod in every if matches({"matchLabels": service["spec"]["selector"]}, pod.labels)]
        if len(chosen) != 1:
            yield f"{_name(service)} selects the pods of {len(chosen)} components"
        for port in service["spec"]["ports"]:
            if "name" not in port:
                yield f"{_name(service)}: the port {port['port']} has no name"
            if not isinstance(port.get("targetPort"), str):
                yield f"{_name(service)}: the port {port['port']} does not name its target"
            for pod in chosen:
                if pod.port_number(port.get("targetPort", port["port"])) is None:
                    yield f"{_name(service)}: {pod.name} has no port {port.get('targetPort')}"
        if service["metadata"]["name"] in HEADLESS:
            if service["spec"].get("clusterIP") != "None":
                yield f"{_name(service)} is not headless: all calls of a connection would go to one replica"
            if service["spec"].get("publishNotReadyAddresses"):
                yield f"{_name(service)} names replicas that are not ready"
    there = {service["metadata"]["name"] for service in of_kind(documents, "Service")}
    for pod in every:
        if pod.component in (*SERVING, *STORES) and pod.component not in there:
            yield f"{pod.name} has no Service"


def targets_are_services(documents: Sequence[Document], known: Known) -> Iterator[str]:
    """For each setting with a target there is a Service with this name and port."""
    ports = {
        (service["metadata"]["name"], port["port"])
        for service in of_kind(documents, "Service")
        for port in service["spec"]["ports"]
    }
    for pod in pods(documents):
        for variable in environment(documents, pod.spec["containers"][0]):
            if variable.name.endswith("_TARGET") and variable.value is not None:
                host, _, port = variable.value.removeprefix("dns:///").rpartition(":")
                if not variable.value.startswith("dns:///") or (host, int(port)) not in ports:
                    yield f"{pod.name}: {variable.name}={variable.value} is no Service"


def budgets_match(documents: Sequence[Document], known: Known) -> Iterator[str]:
    """Each Deployment has its own disruption budget, which allows one pod to be evicted."""
    budgets = list(of_kind(documents, "PodDisruptionBudget"))
    for pod in pods(documents):
        if pod.owner["kind"] == "Deployment":
            its = [budget for budget in budgets if matches(budget["spec"]["selector"], pod.labels)]
            if len(its) != 1:
                yield f"{pod.name} has {len(its)} disruption budgets"
    for budget in budgets:
        if budget["spec"].get("maxUnavailable") != 1:
            yield f"{_name(budget)} does not let one pod go at a time"
        if sum(matches(budget["spec"]["selector"], pod.labels) for pod in pods(documents)) != 1:
            yield f"{_name(budget)} is not one component's"


def autoscalers_have_targets(documents: Sequence[Document], known: Known) -> Iterator[str]:
    """At most one autoscaler for a Deployment, without `replicas`; none for beat; slow scale-down."""
    deployments = {document["metadata"]["name"]: document for document in of_kind(documents, "Deployment")}
    scaled: dict[str, str] = {}
    for scaler in of_kind(documents, *AUTOSCALERS):
        spec = scaler["spec"]
        target = spec["scaleTargetRef"]["name"]
        if target not in deployments or spec["scaleTargetRef"].get("kind", "Deployment") != "Deployment":
            yield f"{_name(scaler)} scales {target}, which is no Deployment"
            continue
        if target in scaled:
            yield f"{_name(scaler)} and {scaled[target]} both scale {target}"
        scaled[target] = _name(scaler)
        if target == "beat":
            yield f"{_name(scaler)} scales the beat"
        if "replicas" in deployments[target]["spec"]:
            yield f"Deployment {target} has replicas beside {_name(scaler)}: each apply would undo what it decided"
        least = spec.get("minReplicas", spec.get("minReplicaCount", 0))
        if not 2 <= least <= spec.get("maxReplicas", spec.get("maxReplicaCount", 0)):
            yield f"{_name(scaler)} may leave {least} replicas"
        advanced = spec.get("advanced", {}).get("horizontalPodAutoscalerConfig", {})
        down = (spec.get("behavior") or advanced.get("behavior", {})).get("scaleDown", {})
        if down.get("stabilizationWindowSeconds", 0) < (900 if target == "gateway" else 300):
            yield f"{_name(scaler)} takes replicas away too soon"
        if any(policy["type"] != "Pods" or policy["value"] > 1 for policy in down.get("policies", [{"type": ""}])):
            yield f"{_name(scaler)} takes several replicas away at once"
        names = {container["name"] for container in deployments[target]["spec"]["template"]["spec"]["containers"]}
        asked = [m["containerResource"]["container"] for m in spec.get("metrics", []) if "containerResource" in m]
        asked += [t["metadata"]["containerName"] for t in spec.get("triggers", []) if t["type"] == "cpu"]
        for name in set(asked) - names:
            yield f"{_name(scaler)} measures the container {name}, which {target} has not"
    for name, document in deployments.items():
        if name not in scaled and "replicas" not in document["spec"]:
            yield f"Deployment {name} has neither replicas nor an autoscaler"


def ingress_reaches_the_gateway(documents: Sequence[Document], known: Known) -> Iterator[str]:
    """The ingress has TLS, leads to a named port of the gateway's Service, does not buffer, and keeps connections for
    hours."""
    services = {service["metadata"]["name"]: service for service in of_kind(documents, "Service")}
    for ingress in of_kind(documents, "Ingress"):
        hosts = {host for entry in ingress["spec"].get("tls", []) for host in entry["hosts"]}
        for rule in ingress["spec"]["rules"]:
            if rule.get("host") not in hosts:
                yield f"{_name(ingress)}: {rule.get('host')} has no TLS"
            for path in rule["http"]["paths"]:
                backend = path["backend"]["service"]
                ports = {p["name"] for p in services.get(backend["name"], {}).get("spec", {}).get("ports", [])}
                if backend["name"] != "gateway" or backend["port"].get("name") not in ports:
                    yield f"{_name(ingress)} leads to {backend['name']}:{backend['port']}"
        notes = ingress["metadata"].get("annotations", {})
        prefix = "nginx.ingress.kubernetes.io/"
        for name in ("proxy-buffering", "proxy-request-buffering"):
            if notes.get(prefix + name) != "off":
                yield f"{_name(ingress)} does not turn {name} off"
        for name in ("proxy-read-timeout", "proxy-send-timeout"):
            if int(notes.get(prefix + name, 60)) < 3_600:
                yield f"{_name(ingress)}: a quiet socket is cut after {notes.get(prefix + name, 60)} s ({name})"


def migration_is_named_by_version(documents: Sequence[Document], known: Known) -> Iterator[str]:
    """One migration Job; its name changes with its image, and nothing else in it changes (a Job cannot be changed)."""
    jobs = [pod for pod in pods(documents) if pod.component == "migrate"]
    if len(jobs) != 1:
        yield f"there are {len(jobs)} migrations"
    generated = {
        document["metadata"]["name"]
        for document in of_kind(documents, "ConfigMap", "Secret")
        if document["metadata"]["name"].rpartition("-")[2].isalnum()
        and len(document["metadata"]["name"].rpartition("-")[2]) == 10
    }
    for pod in jobs:
        tag = pod.spec["containers"][0]["image"].rpartition(":")[2]
        if pod.owner["metadata"]["name"] != f"migrate-{tag}":
            yield f"{pod.name} does not carry the version {tag}"
        if not pod.owner["spec"].get("ttlSecondsAfterFinished"):
            yield f"{pod.name} stays for ever"
        for container in pod.containers:
            for kind, name, _ in references(container, pod.spec):
                if name in generated:
                    yield f"{pod.name} reads the {kind} {name}, whose name changes with its content"
        if pod.spec.get("restartPolicy") != "Never":
            yield f"{pod.name} is restarted in place"
        if not re.fullmatch(r"[a-z0-9][-a-z0-9.]{0,61}[a-z0-9]", pod.owner["metadata"]["name"]):
            yield f"{pod.name} has a name that no Job may have: its image needs a tag, no digest, of a few characters"


def places_are_spread(documents: Sequence[Document], known: Known) -> Iterator[str]:
    """Replicas of a part are spread over machines."""
    for pod in pods(documents):
        if pod.owner["kind"] == "Deployment" and pod.component in COMMANDS:
            constraints = pod.spec.get("topologySpreadConstraints", [])
            hosts = [c for c in constraints if c["topologyKey"] == "kubernetes.io/hostname"]
            if not any(matches(constraint["labelSelector"], pod.labels) for constraint in hosts):
                yield f"{pod.name} may have all its replicas on one machine"


def monitors_find_pods(documents: Sequence[Document], known: Known) -> Iterator[str]:
    """A PodMonitor takes every service, by a port that each has."""
    for monitor in of_kind(documents, "PodMonitor"):
        ports = [endpoint["port"] for endpoint in monitor["spec"]["podMetricsEndpoints"]]
        for pod in pods(documents):
            taken = matches(monitor["spec"]["selector"], pod.labels)
            if pod.owner["kind"] == "Deployment" and not taken:
                yield f"{_name(monitor)} leaves out {pod.name}"
            if taken and not set(ports) <= set(pod.ports()):
                yield f"{_name(monitor)}: {pod.name} has no port {ports}"
