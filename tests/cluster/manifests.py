"""The parts of a rendered overlay."""

import base64
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from deploy.checks.rendered import COMPONENT, Document, component_of, of_kind
from tests.cluster.fields import MAKERS, unhonoured


@dataclass(frozen=True, slots=True)
class Maker:
    """A Deployment, a StatefulSet or a Job: what makes pods of a component."""

    kind: str
    component: str
    template: Document
    replicas: int
    surge: int
    """How many pods more than `replicas` a roll may have; 0: an old one ends before its successor starts."""
    claims: tuple[str, ...] = ()
    """Names of volumes that outlive a pod."""

    @property
    def labels(self) -> Mapping[str, str]:
        """Those of its pods."""
        labels: Mapping[str, str] = self.template["metadata"]["labels"]
        return labels

    @property
    def images(self) -> list[str]:
        """Of all its containers."""
        spec = self.template["spec"]
        return [each["image"] for each in (*spec.get("initContainers", ()), *spec["containers"])]


@dataclass(frozen=True, slots=True)
class Service:
    """A name, and whose addresses it has."""

    name: str
    selector: Mapping[str, str]
    unready_too: bool

    def selects(self, labels: Mapping[str, str]) -> bool:
        """Whether pods of these labels are behind it."""
        return all(labels.get(key) == value for key, value in self.selector.items())


@dataclass(frozen=True, slots=True)
class Manifests:
    """An overlay. Made by `of`."""

    makers: Mapping[str, Maker]
    """By component."""
    services: Mapping[str, Service]
    config_maps: Mapping[str, Mapping[str, str]]
    secrets: Mapping[str, Mapping[str, str]]
    """With their values in clear."""
    unhonoured: Mapping[str, str]
    """What the documents say and nobody does here, with reasons."""

    @classmethod
    def of(cls, documents: Sequence[Document]) -> Self:
        """From a rendering. Raises UnknownField."""
        left = unhonoured(list(documents))
        makers = [_maker(document) for document in of_kind(documents, *MAKERS)]
        return cls(
            makers={maker.component: maker for maker in makers},
            services={
                document["metadata"]["name"]: Service(
                    document["metadata"]["name"],
                    document["spec"]["selector"],
                    bool(document["spec"].get("publishNotReadyAddresses")),
                )
                for document in of_kind(documents, "Service")
            },
            config_maps={each["metadata"]["name"]: each.get("data", {}) for each in of_kind(documents, "ConfigMap")},
            secrets={each["metadata"]["name"]: _clear(each) for each in of_kind(documents, "Secret")},
            unhonoured=left,
        )

    def with_images(self, images: Mapping[str, str]) -> "Manifests":
        """The same with other images, by the manifests' names of them."""
        return Manifests(
            {name: _with_images(maker, images) for name, maker in self.makers.items()},
            self.services,
            self.config_maps,
            self.secrets,
            self.unhonoured,
        )


def _maker(document: Document) -> Maker:
    spec, kind = document["spec"], document["kind"]
    component = component_of(document)
    if not component:
        raise ValueError(f"{kind} {document['metadata']['name']}: its pods have no label {COMPONENT}")
    replicas = int(spec.get("replicas", 1))
    strategy = spec.get("strategy", {})
    surge = 0
    if kind == "Deployment" and strategy.get("type", "RollingUpdate") == "RollingUpdate":
        surge = _count(strategy.get("rollingUpdate", {}).get("maxSurge", "25%"), replicas)
    claims = tuple(each["metadata"]["name"] for each in spec.get("volumeClaimTemplates", ()))
    return Maker(kind, component, spec["template"], replicas, surge, claims)


def _count(value: Any, replicas: int) -> int:
    """A number, or a share of the replicas, rounded up as a cluster does for a surge."""
    text = str(value)
    return math.ceil(int(text.removesuffix("%")) * replicas / 100) if text.endswith("%") else int(text)


def _clear(document: Document) -> dict[str, str]:
    data = {key: base64.b64decode(value).decode() for key, value in document.get("data", {}).items()}
    return data | dict(document.get("stringData", {}))


def _with_images(maker: Maker, images: Mapping[str, str]) -> Maker:
    spec = dict(maker.template["spec"])
    for key in ("containers", "initContainers"):
        if key in spec:
            spec[key] = [{**each, "image": images.get(each["image"], each["image"])} for each in spec[key]]
    template = {**maker.template, "spec": spec}
    return Maker(maker.kind, maker.component, template, maker.replicas, maker.surge, maker.claims)
