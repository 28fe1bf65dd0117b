"""Breaks rendered documents in one place, to see that a rule finds it."""

import copy
from collections.abc import Callable
from typing import Any

from deploy.checks import links
from deploy.checks.manifests import Rule
from deploy.checks.rendered import Document, named, of_kind
from tests.deploy.cluster import known, overlay

Documents = list[Document]
Break = Callable[[Documents], None]


def deployment(documents: Documents, name: str) -> Document:
    return named(documents, "Deployment", name)


def pod(documents: Documents, name: str) -> Document:
    spec: Document = deployment(documents, name)["spec"]["template"]["spec"]
    return spec


def container(documents: Documents, name: str) -> Document:
    first: Document = pod(documents, name)["containers"][0]
    return first


def job(documents: Documents) -> Document:
    return next(of_kind(documents, "Job"))


def policy(documents: Documents, name: str) -> Document:
    spec: Document = named(documents, "NetworkPolicy", name)["spec"]
    return spec


def scaler(documents: Documents, name: str) -> Document:
    return next(d for d in of_kind(documents, *links.AUTOSCALERS) if d["metadata"]["name"] == name)


def config(documents: Documents, name: str) -> Document:
    found: Document = next(d["data"] for d in of_kind(documents, "ConfigMap") if d["metadata"]["name"].startswith(name))
    return found


def put(place: Callable[[Documents], Any], key: Any, value: Any) -> Break:
    """Set one field."""

    def change(documents: Documents) -> None:
        place(documents)[key] = value

    return change


def drop(place: Callable[[Documents], Any], key: Any) -> Break:
    """Remove one field."""

    def change(documents: Documents) -> None:
        del place(documents)[key]

    return change


def add(place: Callable[[Documents], Any], value: Any) -> Break:
    """Append to a list."""

    def change(documents: Documents) -> None:
        place(documents).append(value)

    return change


def remove(kind: str, name: str) -> Break:
    """Take one object away."""
    return lambda documents: documents.remove(named(documents, kind, name))


def second_beat(documents: Documents) -> None:
    twin = copy.deepcopy(deployment(documents, "beat"))
    twin["metadata"]["name"] = "beat-2"
    documents.append(twin)


def second_autoscaler(documents: Documents) -> None:
    scaled = scaler(documents, "game")
    documents.append({**copy.deepcopy(scaled), "metadata": {"name": "game-2", "namespace": "flagfall"}})


def reads_settings(documents: Documents) -> None:
    job(documents)["spec"]["template"]["spec"]["containers"][0]["envFrom"] = container(documents, "game")["envFrom"]


def label(name: str) -> Callable[[Documents], Any]:
    return lambda documents: deployment(documents, name)["spec"]["template"]["metadata"]["labels"]


def check_found(rule: Rule, change: Break, said: str) -> None:
    """The rule is content with the overlay, and not once it is broken."""
    documents = copy.deepcopy(list(overlay("production-operators")))
    assert list(rule(documents, known(outside=True))) == []
    change(documents)
    assert [sentence for sentence in rule(documents, known(outside=True)) if said in sentence]
