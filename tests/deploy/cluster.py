"""The overlays and their combinations, rendered once a run, and what they are held against."""

import itertools
import shutil
from functools import cache
from pathlib import Path

import yaml

from deploy.checks.arrows import arrows_are_the_architectures, nothing_is_open, policies_select_pods
from deploy.checks.links import (
    autoscalers_have_targets,
    budgets_match,
    ingress_reaches_the_gateway,
    migration_is_named_by_version,
    monitors_find_pods,
    owners_select_their_pods,
    places_are_spread,
    services_have_pods,
    targets_are_services,
)
from deploy.checks.manifests import (
    Known,
    Rule,
    apply_can_keep_it,
    beat_is_single,
    commands_are_ours,
    environment_is_known,
    images_are_pinned,
    labels_are_there,
    names_are_single,
    namespace_is_restricted,
    pods_are_restricted,
    ports_are_told,
    probes_hit_ports,
    references_exist,
    resources_are_bounded,
    rollouts_lose_nobody,
    secrets_are_needed,
    volumes_exist,
)
from deploy.checks.rendered import K8S, OVERLAYS, Document, render
from deploy.laptop.node import ROOT
from services.clock.settings import ClockSettings
from services.game.settings import GameSettings
from services.gateway.settings import GatewaySettings
from services.rules.settings import RulesSettings
from services.runtime.settings import Settings
from services.workers.settings import WorkersSettings

OVERLAY_NAMES = tuple(sorted(folder.name for folder in OVERLAYS.iterdir() if folder.is_dir()))
ALWAYS_TRIED = ("production", "hpa", "keda", "ingress", "prometheus-operator", "pooled-database")
"""In the order in which they are listed: keda takes the gateway over from hpa."""
BY_THEMSELVES = ("store-certificates", "tracing", "backup")
"""Tried alone, in production, and with everything: they touch nothing that the others touch."""
COMPONENT_NAMES = (*ALWAYS_TRIED, *BY_THEMSELVES)
STANDS_ON = {"keda": "hpa"}

SETTINGS: dict[str, type[Settings]] = {
    "rules": RulesSettings,
    "game": GameSettings,
    "migrate": GameSettings,
    "clock": ClockSettings,
    "dispatcher": WorkersSettings,
    "worker": WorkersSettings,
    "beat": WorkersSettings,
    "gateway": GatewaySettings,
}

RULES: tuple[Rule, ...] = (
    names_are_single,
    apply_can_keep_it,
    namespace_is_restricted,
    labels_are_there,
    pods_are_restricted,
    images_are_pinned,
    commands_are_ours,
    beat_is_single,
    rollouts_lose_nobody,
    environment_is_known,
    secrets_are_needed,
    references_exist,
    volumes_exist,
    resources_are_bounded,
    probes_hit_ports,
    ports_are_told,
    owners_select_their_pods,
    services_have_pods,
    targets_are_services,
    budgets_match,
    autoscalers_have_targets,
    ingress_reaches_the_gateway,
    migration_is_named_by_version,
    places_are_spread,
    monitors_find_pods,
    nothing_is_open,
    policies_select_pods,
    arrows_are_the_architectures,
)


@cache
def external_secrets() -> dict[str, frozenset[str]]:
    """The Secrets that are documented as made outside, with their keys."""
    example = OVERLAYS / "production" / "secrets.example.yaml"
    return {
        document["metadata"]["name"]: frozenset(document["stringData"])
        for document in yaml.safe_load_all(example.read_text())
    }


def known(outside: bool) -> Known:
    """What documents are held against; `outside`: secrets may be made outside."""
    settings = {
        component: frozenset(f"FLAGFALL_{name.upper()}" for name in kind.model_fields)
        for component, kind in SETTINGS.items()
    }
    return Known(settings, external_secrets() if outside else {})


@cache
def overlay(name: str) -> tuple[Document, ...]:
    """An overlay, rendered."""
    return tuple(render(name))


def combinations() -> list[tuple[str, ...]]:
    """Every set of components that may stand together, and those that touch no other with some of them."""
    sets = itertools.chain.from_iterable(
        itertools.combinations(ALWAYS_TRIED, size) for size in range(len(ALWAYS_TRIED) + 1)
    )
    stand = [chosen for chosen in sets if all(STANDS_ON[name] in chosen for name in STANDS_ON if name in chosen)]
    alone = [(*others, name) for name in BY_THEMSELVES for others in ((), ("production",))]
    return [*stand, *alone, COMPONENT_NAMES]


def write_combination(folder: Path, chosen: tuple[str, ...]) -> Path:
    """A kustomization of base and some components, as an operator would write it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    to_root = "/".join(".." for _ in folder.relative_to(ROOT).parts)
    shipped = yaml.safe_load((OVERLAYS / "production" / "kustomization.yaml").read_text())
    kustomization = {
        "apiVersion": shipped["apiVersion"],
        "kind": "Kustomization",
        "namespace": "flagfall",
        "resources": [f"{to_root}/{K8S.name}/base"],
        "components": [f"{to_root}/{K8S.name}/components/{name}" for name in chosen],
        "replacements": shipped["replacements"],
    }
    (folder / "kustomization.yaml").write_text(yaml.safe_dump(kustomization))
    return folder
