"""The rendered manifests: the output of `kubectl kustomize` for a folder."""

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

from deploy.checks.tools import program
from deploy.laptop.node import ROOT

K8S = ROOT / "k8s"
OVERLAYS = K8S / "overlays"

Document = dict[str, Any]
"""One Kubernetes object, as parsed from YAML."""


class RenderError(Exception):
    """kubectl cannot render a folder; the message is kubectl's."""


def render_text(folder: Path) -> str:
    """The YAML of all objects of a kustomization. Raises RenderError, ToolMissing."""
    done = subprocess.run(
        [program("kubectl"), "kustomize", folder], capture_output=True, text=True, check=False, timeout=60
    )
    if done.returncode:
        raise RenderError(f"{folder}: {done.stderr.strip()}")
    if done.stderr.strip():
        raise RenderError(f"{folder}: kubectl warns: {done.stderr.strip()}")
    return done.stdout


def render(overlay: str | Path) -> list[Document]:
    """The objects of `k8s/overlays/<overlay>`, or of any folder. Raises RenderError, ToolMissing."""
    folder = overlay if isinstance(overlay, Path) else OVERLAYS / overlay
    return parse(render_text(folder))


def parse(text: str) -> list[Document]:
    """The objects of a YAML text. Uses the parser in C: the other one would need seconds for the dashboards alone."""
    return [document for document in yaml.load_all(text, Loader=yaml.CSafeLoader) if document]


def of_kind(documents: Sequence[Document], *kinds: str) -> Iterator[Document]:
    """The objects of these kinds, in their order."""
    return (document for document in documents if document["kind"] in kinds)


def named(documents: Sequence[Document], kind: str, name: str) -> Document:
    """The object with this kind and name. Raises KeyError."""
    for document in of_kind(documents, kind):
        if document["metadata"]["name"] == name:
            return document
    raise KeyError(f"{kind} {name}")


COMPONENT = "app.kubernetes.io/component"
POD_MAKERS = ("Deployment", "StatefulSet", "Job", "CronJob")


def template_of(document: Document) -> Document:
    """The pod template of an object; empty for none. A CronJob's is inside of the Job that it makes."""
    spec: Document = document.get("spec") or {}
    template: Document = spec.get("jobTemplate", {"spec": spec})["spec"].get("template", {})
    return template


def component_of(document: Document) -> str:
    """Which part of Flagfall an object's pods are; empty for none."""
    template = template_of(document)
    return str(template.get("metadata", {}).get("labels", {}).get(COMPONENT, ""))


def pod_of(documents: Sequence[Document], component: str) -> Document:
    """The pod template (metadata and spec) of a component. Raises KeyError."""
    for document in of_kind(documents, *POD_MAKERS):
        if component_of(document) == component:
            return template_of(document)
    raise KeyError(component)
