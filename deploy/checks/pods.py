"""Rendered documents as a cluster sees them: pods with their labels, ports, environment, and what refers to them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deploy.checks.rendered import POD_MAKERS, Document, component_of, of_kind, template_of


@dataclass(frozen=True, slots=True)
class Pod:
    """The pods that one Deployment, StatefulSet, Job or CronJob makes."""

    owner: Document
    component: str
    """Its label app.kubernetes.io/component; empty when it has none."""

    @property
    def name(self) -> str:
        """Its name for messages."""
        return f"{self.owner['kind']} {self.owner['metadata']['name']}"

    @property
    def labels(self) -> Mapping[str, str]:
        """The pods' labels."""
        labels: Mapping[str, str] = template_of(self.owner)["metadata"].get("labels", {})
        return labels

    @property
    def spec(self) -> Document:
        """The pods' spec."""
        spec: Document = template_of(self.owner)["spec"]
        return spec

    @property
    def containers(self) -> list[Document]:
        """All containers, init containers included."""
        return [*self.spec.get("initContainers", []), *self.spec["containers"]]

    def ports(self) -> dict[str, int]:
        """The named ports."""
        return {
            port["name"]: port["containerPort"]
            for container in self.containers
            for port in container.get("ports", [])
            if "name" in port
        }

    def port_number(self, port: int | str) -> int | None:
        """A port by its number or name; None when the pod has no such name."""
        return port if isinstance(port, int) else self.ports().get(port)


def pods(documents: Sequence[Document]) -> list[Pod]:
    """All objects that create pods."""
    return [Pod(document, component_of(document)) for document in of_kind(documents, *POD_MAKERS)]


def matches(selector: Document, labels: Mapping[str, str]) -> bool:
    """Whether a label selector matches these labels. An empty one matches all. Raises KeyError for an unknown
    operator."""
    if any(labels.get(key) != value for key, value in selector.get("matchLabels", {}).items()):
        return False
    for expression in selector.get("matchExpressions", []):
        value, values = labels.get(expression["key"]), expression.get("values", [])
        holds = {
            "In": value in values,
            "NotIn": value not in values,
            "Exists": value is not None,
            "DoesNotExist": value is None,
        }
        if not holds[expression["operator"]]:
            return False
    return True


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable of a container's environment: a value, or the key of a Secret that holds it."""

    name: str
    value: str | None
    secret: tuple[str, str] | None = None


def environment(documents: Sequence[Document], container: Document) -> Iterator[Variable]:
    """The environment of a container, with the values of ConfigMaps. Missing ones are left out; `references` finds
    them."""
    maps = {m["metadata"]["name"]: m.get("data", {}) for m in of_kind(documents, "ConfigMap")}
    for source in container.get("envFrom", []):
        if "configMapRef" in source:
            for name, value in maps.get(source["configMapRef"]["name"], {}).items():
                yield Variable(source.get("prefix", "") + name, value)
    for entry in container.get("env", []):
        origin = entry.get("valueFrom", {})
        if "secretKeyRef" in origin:
            reference = origin["secretKeyRef"]
            yield Variable(entry["name"], None, (reference["name"], reference["key"]))
        elif "configMapKeyRef" in origin:
            reference = origin["configMapKeyRef"]
            yield Variable(entry["name"], maps.get(reference["name"], {}).get(reference["key"]))
        else:
            yield Variable(entry["name"], entry.get("value"))


def told(documents: Sequence[Document], component: str) -> dict[str, str]:
    """The plain settings of a component's first container. Raises StopIteration when there is no such component."""
    pod = next(pod for pod in pods(documents) if pod.component == component)
    variables = environment(documents, pod.spec["containers"][0])
    return {variable.name: variable.value for variable in variables if variable.value is not None}


def references(container: Document, spec: Document) -> Iterator[tuple[str, str, str | None]]:
    """(kind, name, key) of every ConfigMap and Secret that a container and its volumes need."""
    for source in container.get("envFrom", []):
        for field, kind in (("configMapRef", "ConfigMap"), ("secretRef", "Secret")):
            if field in source:
                yield kind, source[field]["name"], None
    for entry in container.get("env", []):
        for field, kind in (("configMapKeyRef", "ConfigMap"), ("secretKeyRef", "Secret")):
            if field in entry.get("valueFrom", {}):
                reference = entry["valueFrom"][field]
                yield kind, reference["name"], reference["key"]
    for volume in spec.get("volumes", []):
        if "configMap" in volume:
            keys: list[Any] = [item["key"] for item in volume["configMap"].get("items", [])] or [None]
            yield from (("ConfigMap", volume["configMap"]["name"], key) for key in keys)
        if "secret" in volume:
            keys = [item["key"] for item in volume["secret"].get("items", [])] or [None]
            yield from (("Secret", volume["secret"]["secretName"], key) for key in keys)


_SUFFIXES = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "m": 1e-3}


def quantity(text: object) -> float:
    """A Kubernetes quantity as a number. Raises ValueError."""
    found = re.fullmatch(r"([0-9.]+)(m|k|M|G|Ki|Mi|Gi)?", str(text))
    if not found:
        raise ValueError(f"{text!r} is no quantity")
    return float(found.group(1)) * _SUFFIXES[found.group(2) or ""]
