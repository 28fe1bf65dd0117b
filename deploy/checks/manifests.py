"""Rules that a schema cannot check: whether rendered documents have the right meaning. Each rule returns sentences;
none means no problem.

A rule is a function of the documents and of `Known`, the data that they are checked against. tests/deploy has documents
that break each rule.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from deploy.checks.pods import Pod, environment, pods, quantity, references
from deploy.checks.rendered import COMPONENT, Document, of_kind

PART_OF = "app.kubernetes.io/part-of"
STORES = ("postgres", "valkey")
TOOLS = ("backup",)
"""Parts that are not of our code."""

SERVICE_SECRET = {"FLAGFALL_SERVICE_SECRET": "secret"}
SECRETS = {
    "rules": SERVICE_SECRET,
    "game": SERVICE_SECRET | {"FLAGFALL_DATABASE_URL": "url", "FLAGFALL_REDIS_URL": "url"},
    "clock": SERVICE_SECRET | {"FLAGFALL_REDIS_URL": "url"},
    "dispatcher": SERVICE_SECRET | {"FLAGFALL_REDIS_URL": "url", "FLAGFALL_BROKER_URL": "broker-url"},
    "worker": SERVICE_SECRET | {"FLAGFALL_REDIS_URL": "url", "FLAGFALL_BROKER_URL": "broker-url"},
    "beat": {"FLAGFALL_BROKER_URL": "broker-url"},
    "gateway": SERVICE_SECRET | {"FLAGFALL_REDIS_URL": "url"},
    "migrate": {"FLAGFALL_DATABASE_URL": "owner-url"},
}
"""For each part the secrets that it needs, with their keys: no part may have another one."""

COMMANDS = {
    "rules": ["services.rules", "serve"],
    "game": ["services.game", "serve"],
    "clock": ["services.clock", "serve"],
    "dispatcher": ["services.workers", "dispatcher"],
    "worker": ["services.workers", "celery"],
    "beat": ["services.workers", "beat"],
    "gateway": ["services.gateway", "serve"],
    "migrate": ["services.game", "migrate"],
}
SERVING = ("rules", "game", "gateway")
"""The parts that other parts connect to."""
AT_ONCE = ("gateway", "game", "rules", "clock")
"""The parts that never have too few replicas during a rollout."""


@dataclass(frozen=True, slots=True)
class Known:
    """The data that documents are checked against."""

    settings: Mapping[str, frozenset[str]]
    """Of each component the variables that its service reads."""
    external: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Secrets that are made outside, and their keys."""


Rule = Callable[[Sequence[Document], Known], Iterator[str]]


def names_are_single(documents: Sequence[Document], known: Known) -> Iterator[str]:
    """No object is defined twice."""
    seen: set[tuple[str, str]] = set()
    for document in documents:
        key = (document["kind"], document["metadata"]["name"])
        if key in seen:
            yield f"{key[0]} {key[1]} is there twice"
        seen.add(key)
        if document["kind"] != "Namespace" and document["metadata"].get("namespace") != "flagfall":
            yield f"{key[0]} {key[1]} is in no namespace"


APPLIED_BYTES_MAX = 262_144
"""What an object's annotations may hold; `kubectl apply` keeps there what it has sent."""


def apply_can_keep_it(documents: Sequence[Document], known: Known) -> Iterator[str]:
    """Each object is small enough for `kubectl apply`."""
    for document in documents:
        size = len(json.dumps(document).encode())
        if size > APPLIED_BYTES_MAX - 4_096:
            yield f"{document['kind']} {document['metadata']['name']} has {size} bytes: too large for kubectl apply"


def namespace_is_restricted(documents: Sequence[Document], known: Known) -> Iterator[str]:
    """The namespace enforces the Pod Security Standard "restricted"."""
    for document in of_kind(documents, "Namespace"):
        if document["metadata"].get("labels", {}).get("pod-security.kubernetes.io/enforce") != "restricted":
            yield f"Namespace {document['metadata']['name']} does not enforce `restricted`"


def pods_are_restricted(documents: Sequence[Document], known: Known) -> Iterator[str]:
    """Not root, nothing writable but volumes, no capability, no token of the API."""
    for pod in pods(documents):
        security = pod.spec.get("securityContext", {})
        if security.get("runAsNonRoot") is not True or not security.get("runAsUser"):
            yield f"{pod.name} may run as root"
        if security.get("seccompProfile", {}).get("type") != "RuntimeDefault":
            yield f"{pod.name} has no seccomp profile"
        if pod.spec.get("automountServiceAccountToken") is not False:
            yield f"{pod.name} is given a token of the cluster's API"
        for name in ("hostNetwork", "hostPID", "hostIPC"):
            if pod.spec.get(name):
                yield f"{pod.name} has {name}"
        for container in pod.containers:
            own = container.get("securityContext", {})
            if own.get("allowPrivilegeEscalation") is not False or own.get("privileged"):
                yield f"{pod.name}: {container['name']} may gain privileges"
            if own.get("readOnlyRootFilesystem") is not True:
                yield f"{pod.name}: {container['name']} can write to its root"
            if own.get("capabilities") != {"drop": ["ALL"]}:
                yield f"{pod.name}: {container['name']} keeps capabilities"


def images_are_pinned(documents: Sequence[Document], known: Known) -> Iterator[str]:
    """Every image has a tag or digest, and never `latest`; all parts of Flagfall are of one version."""
    tags: dict[str, str] = {}
    for pod in pods(documents):
        for container in pod.containers:
            image = container["image"]
            tag = image.rpartition("/")[2].partition("@")[0].partition(":")[2]
            if (not tag and "@" not in image) or tag == "latest":
                yield f"{pod.name}: {image} is whatever is newest"
            if pod.component in COMMANDS:
                tags[tag] = pod.name
    if len(tags) > 1:
        yield f"there are several versions: {', '.join(f'{tag} ({name})' for tag, name in sorted(tags.items()))}"


def commands_are_ours(documents: Sequence[Document], known: Known) -> Iterator[str]:
    """Each component runs its own command; a beat inside a worker (`-B`) would run once for each replica."""
    for pod in pods(documents):
        words = [str(word) for c in pod.containers for word in [*c.get("command", []), *c.get("args", [])]]
        if {"-B", "--beat"} & set(words):
            yield f"{pod.name} has a beat of its own in each replica (-B)"
        if pod.component in COMMANDS:
            main = pod.spec["containers"][0]
            if "command" in main or main.get("args") != COMMANDS[pod.component]:
                yield f"{pod.name} runs {main.get('command', []) + main.get('args', [])}"
        elif pod.component not in STORES + TOOLS:
            yield f"{pod.name} is no part of Flagfall: {pod.component!r}"


def beat_is_single(documents: Sequence[Document], known: Known) -> Iterator[str]:
    """There is one beat, and the old one ends before the new one starts."""
    beats = [pod for pod in pods(documents) if pod.component == "beat"]
    if len(beats) != 1:
        yield f"there are {len(beats)} beats"
    for pod in beats:
        if pod.owner["spec"].get("replicas") != 1:
            yield f"{pod.name} has {pod.owner['spec'].get('replicas')} replicas"
        if pod.owner["spec"].get("strategy", {}).get("type") != "Recreate":
            yield f"{pod.name} is not recreated: a rollout has two for a while"


def rollouts_lose_nobody(documents: Sequence[Document], known: Known) -> Iterator[str]:
    """A new replica is ready before an old one ends."""
    for pod in pods(documents):
        if pod.component in AT_ONCE:
            strategy = pod.owner["spec"].get("strategy", {})
            rolling = strategy.get("rollingUpdate", {})
            if strategy.get("type") != "RollingUpdate" or rolling.get("maxUnavailable") != 0:
                yield f"{pod.name} may have a replica less during a rollout"
            if not rolling.get("maxSurge"):
                yield f"{pod.name} cannot begin a rollout"


def environment_is_known(documents: Sequence[Document], known: Known) -> Iterator[str]:
    """Every variable is a setting of the service that gets it; a misspelt one would be ignored silently."""
    for pod in pods(documents):
        if pod.component not in known.settings:
            continue
        names: set[str] = set()
        for variable in environment(documents, pod.spec["containers"][0]):
            if variable.name not in known.settings[pod.component]:
                yield f"{pod.name}: {variable.name} is no setting of {pod.component}"
            if variable.value == "":
                yield f"{pod.name}: {variable.name} is empty"
            names.add(variable.name)
        if pod.component != "migrate" and "FLAGFALL_HOST" not in names:
            yield f"{pod.name} would serve on the loopback"


def secrets_are_needed(documents: Sequence[Document], known: Known) -> Iterator[str]:
    """Each part has the secrets that it needs and no others."""
    for pod in pods(documents):
        if pod.component in SECRETS:
            given = {
                variable.name: variable.secret[1]
                for variable in environment(documents, pod.spec["containers"][0])
                if variable.secret is not None
            }
            if given != SECRETS[pod.component]:
                yield f"{pod.name} has the secrets {given}, not {SECRETS[pod.component]}"


def references_exist(documents: Sequence[Document], known: Known) -> Iterator[str]:
    """Every ConfigMap, Secret and key exists, or is documented as created by the operator."""
    there: dict[tuple[str, str], set[str]] = {}
    for document in of_kind(documents, "ConfigMap", "Secret"):
        keys = {*document.get("data", {}), *document.get("stringData", {}), *document.get("binaryData", {})}
        there[document["kind"], document["metadata"]["name"]] = keys
    for name, keys_outside in known.external.items():
        there.setdefault(("Secret", name), set()).update(keys_outside)
    for pod in pods(documents):
        for container in pod.containers:
            for kind, name, key in references(container, pod.spec):
                if (kind, name) not in there:
                    yield f"{pod.name} needs the {kind} {name}, which is nowhere"
                elif key is not None and key not in there[kind, name]:
                    yield f"{pod.name} needs {key} of the {kind} {name}"


def volumes_exist(documents: Sequence[Document], known: Known) -> Iterator[str]:
    """Every mount has its volume; every volume claim is made or asked for here; each has a bound."""
    claims = {document["metadata"]["name"] for document in of_kind(documents, "PersistentVolumeClaim")}
    for pod in pods(documents):
        made = {claim["metadata"]["name"] for claim in pod.owner["spec"].get("volumeClaimTemplates", [])}
        there = made | {volume["name"] for volume in pod.spec.get("volumes", [])}
        mounted = {mount["name"] for container in pod.containers for mount in container.get("volumeMounts", [])}
        for name in sorted(mounted - there):
            yield f"{pod.name} mounts {name}, which is no volume"
        for name in sorted(there - mounted):
            yield f"{pod.name} mounts the volume {name} nowhere"
        for volume in pod.spec.get("volumes", []):
            claim = volume.get("persistentVolumeClaim", {}).get("claimName")
            if claim is not None and claim not in claims:
                yield f"{pod.name} needs the PersistentVolumeClaim {claim}"
            if "emptyDir" in volume and "sizeLimit" not in volume["emptyDir"]:
                yield f"{pod.name}: the volume {volume['name']} has no bound"
        if "/tmp" not in {m["mountPath"] for m in pod.spec["containers"][0].get("volumeMounts", [])}:
            yield f"{pod.name} has no /tmp that can be written"


def resources_are_bounded(documents: Sequence[Document], known: Known) -> Iterator[str]:
    """Every container has requests and limits of processor and memory, and no request exceeds its limit."""
    for pod in pods(documents):
        for container in pod.containers:
            resources = container.get("resources", {})
            for name in ("cpu", "memory"):
                asked, bound = resources.get("requests", {}).get(name), resources.get("limits", {}).get(name)
                if asked is None or bound is None:
                    yield f"{pod.name}: {container['name']} has no request or limit of {name}"
                elif quantity(asked) > quantity(bound):
                    yield f"{pod.name}: {container['name']} asks for more {name} than its limit"


def probes_hit_ports(documents: Sequence[Document], known: Known) -> Iterator[str]:
    """Every long-running container has all three probes on existing ports; our services use the admin port."""
    for pod in pods(documents):
        if pod.owner["kind"] in ("Job", "CronJob"):
            continue
        for container in pod.spec["containers"]:
            for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
                if probe not in container:
                    yield f"{pod.name} has no {probe}"
                    continue
                asked = container[probe].get("httpGet") or container[probe].get("tcpSocket")
                if asked is not None and pod.port_number(asked["port"]) not in pod.ports().values():
                    yield f"{pod.name}: {probe} asks the port {asked['port']}, which it has not"
                if pod.component in COMMANDS:
                    path = "/readyz" if probe == "readinessProbe" else "/healthz"
                    if asked is None or (asked.get("port"), asked.get("path")) != ("admin", path):
                        yield f"{pod.name}: {probe} does not ask admin{path}"


def ports_are_told(documents: Sequence[Document], known: Known) -> Iterator[str]:
    """Ports have names, and their numbers agree with the settings."""
    of_setting = {"http": "FLAGFALL_PORT", "grpc": "FLAGFALL_GRPC_PORT", "admin": "FLAGFALL_ADMIN_PORT"}
    for pod in pods(documents):
        for container in pod.containers:
            for port in container.get("ports", []):
                if "name" not in port:
                    yield f"{pod.name}: the port {port['containerPort']} has no name"
        if pod.component in COMMANDS:
            variables = {v.name: v.value for v in environment(documents, pod.spec["containers"][0])}
            for name, number in pod.ports().items():
                if variables.get(of_setting.get(name, "")) != str(number):
                    yield f"{pod.name}: the port {name} is {number}, its settings say otherwise"


def labelled(pod: Pod) -> bool:
    """Whether a pod says which part of Flagfall it is."""
    return bool(pod.component) and pod.labels.get(PART_OF) == "flagfall"


def labels_are_there(documents: Sequence[Document], known: Known) -> Iterator[str]:
    """Every pod has the labels that name its part."""
    for pod in pods(documents):
        if not labelled(pod):
            yield f"{pod.name} lacks the label {COMPONENT} or {PART_OF}"
