"""Nobody can take the last connection: what all replicas may hold at once fits into each overlay's stores.

Counted is the worst moment: every part at its largest, in a rollout, with replicas that were told to go and are still
draining while their successors start. A pool connects when it needs to, so it is a bound and no forecast.
"""

import math
import re
import tomllib
from pathlib import Path

import pytest

from deploy.checks.links import AUTOSCALERS
from deploy.checks.pods import told
from deploy.checks.rendered import Document, named, of_kind
from deploy.laptop.node import ROOT
from services.game.settings import GameSettings
from services.runtime.settings import DEFAULTS
from tests.deploy.cluster import OVERLAY_NAMES, overlay

STORES = tomllib.loads((ROOT / "deploy" / "checks" / "stores.toml").read_text())
STARTS_S = 5
"""A new replica is ready no sooner; with one at a time, so many seconds lie between two that are told to go."""

CLIENTS = {"rules": 0, "game": 1, "clock": 1, "gateway": 1, "dispatcher": 2, "worker": 2, "beat": 1}
"""Clients of Redis in a process, each with redis_connections_max connections: `connect` in services."""
SINGLE = {"gateway": 2}
"""Connections of their own: the hub's look at the epoch, and the subscriber."""
OF_CELERY = {"dispatcher": 3, "worker": 8, "beat": 3}
"""Connections of Celery's library: broker_pool_limit and one more; in a worker the consumer's and its channels' too."""


def most(documents: tuple[Document, ...], name: str) -> int:
    """Replicas of a part that may hold connections at once."""
    deployment = named(documents, "Deployment", name)
    scalers = {d["spec"]["scaleTargetRef"]["name"]: d["spec"] for d in of_kind(documents, *AUTOSCALERS)}
    spec = scalers.get(name, {})
    replicas = int(spec.get("maxReplicas") or spec.get("maxReplicaCount") or deployment["spec"]["replicas"])
    surge: int = deployment["spec"]["strategy"].get("rollingUpdate", {}).get("maxSurge", 0)
    if not surge:
        return replicas
    grace_s: int = deployment["spec"]["template"]["spec"]["terminationGracePeriodSeconds"]
    return replicas + surge + min(replicas, math.ceil(grace_s / STARTS_S))


def to_postgres(documents: tuple[Document, ...]) -> int:
    """Connections to PostgreSQL at once."""
    default = GameSettings.model_fields["pool_connections"].default
    pool = int(told(list(documents), "game").get("FLAGFALL_POOL_CONNECTIONS", default))
    reserve: int = sum(STORES["reserve"].values())
    return most(documents, "game") * pool + reserve


def to_redis(documents: tuple[Document, ...]) -> int:
    """Connections to Redis at once, the broker's included."""
    total = 0
    for name, clients in CLIENTS.items():
        own = told(list(documents), name)
        each = int(own.get("FLAGFALL_REDIS_CONNECTIONS_MAX", DEFAULTS.redis_connections_max))
        total += most(documents, name) * (clients * each + SINGLE.get(name, 0) + OF_CELERY.get(name, 0))
    return total


def limits(name: str) -> tuple[int, int]:
    """(max_connections, maxclients) of an overlay's stores: those that run inside, or those that are documented."""
    if name != "local":
        return STORES["production"]["postgres_max_connections"], STORES["production"]["redis_maxclients"]
    documents = overlay(name)
    words = named(documents, "StatefulSet", "postgres")["spec"]["template"]["spec"]["containers"][0]["args"]
    [connections] = [word.partition("=")[2] for word in words if word.startswith("max_connections=")]
    config = next(d for d in of_kind(documents, "ConfigMap") if d["metadata"]["name"].startswith("valkey-settings"))
    [clients] = re.findall(r"^maxclients (\d+)$", config["data"]["valkey.conf"], re.MULTILINE)
    return int(connections), int(clients)


@pytest.mark.parametrize("name", OVERLAY_NAMES)
def test_postgres_bears_all_that_may_connect(name: str) -> None:
    assert to_postgres(overlay(name)) <= limits(name)[0]


@pytest.mark.parametrize("name", OVERLAY_NAMES)
def test_redis_bears_all_that_may_connect(name: str) -> None:
    assert to_redis(overlay(name)) <= limits(name)[1]


def test_the_budget_counts_autoscaled_replicas_the_surge_and_those_that_drain() -> None:
    documents = overlay("production")
    # 12 by the autoscaler, one more in a rollout, and 30 s of grace are six that drain; 8 connections each, and 16.
    assert to_postgres(documents) == (12 + 1 + 6) * 8 + 16
    assert most(overlay("local"), "beat") == 1


def test_a_pool_or_an_autoscaler_that_grows_too_far_is_found() -> None:
    grown = [dict(document) for document in overlay("production")]
    scaler = named(grown, "HorizontalPodAutoscaler", "game")
    scaler["spec"] = {**scaler["spec"], "maxReplicas": 40}
    assert to_postgres(tuple(grown)) > limits("production")[0]


def test_every_client_of_redis_in_the_services_is_counted() -> None:
    """A new one has to be added to the budget."""

    def calls(*places: str) -> int:
        files = [file for place in places for file in sorted(Path(ROOT / "services").glob(place))]
        assert files
        return sum(len(re.findall(r"(?<![.\w])connect\((?:self\._)?settings\.", f.read_text())) for f in files)

    single = r"connections_max=1\)|subscriber_pool\("
    hub = sum(len(re.findall(single, f.read_text())) for f in sorted((ROOT / "services" / "gateway").glob("*/*.py")))
    broker = calls("workers/broker.py")
    assert {
        "rules": calls("rules/**/*.py"),
        "game": calls("game/**/*.py"),
        "clock": calls("clock/**/*.py"),
        "gateway": calls("gateway/*.py", "gateway/*/*.py") - 1,  # the hub's own, with one connection
        "dispatcher": calls("workers/dispatcher.py") + broker,
        "worker": calls("workers/celery_worker.py") + broker,
        "beat": calls("workers/celery_beat.py") + broker,
    } == CLIENTS
    assert hub == SINGLE["gateway"]
