"""A pod has as long to end as its drain may take: terminationGracePeriodSeconds is worked out from settings.

What is added up is what the processes do one after the other once SIGTERM has come (`lifecycle`, `process`, `server`).
"""

import pytest

from deploy.checks.manifests import SERVING
from deploy.checks.pods import told
from deploy.checks.rendered import named
from services.gateway.settings import GatewaySettings
from services.runtime.settings import Settings
from services.workers.celery_worker import REQUEUE_MS
from services.workers.settings import WorkersSettings
from tests.deploy.cluster import OVERLAY_NAMES, SETTINGS, overlay

NOT_SERVING_MS = 200
"""Between a gRPC server's NOT_SERVING and its end (services/runtime/rpc.py)."""
CLOSING_MS = 3_000
"""For connections, engines and the interpreter, on a busy machine."""
SLACK_MS = 10_000
"""Longer than needed is no use either: a node that is drained waits for it."""
DEPLOYMENTS = tuple(name for name in SETTINGS if name != "migrate")


def settings_of(name: str, component: str) -> Settings:
    """What a component's process reads in an overlay."""
    values = {n.removeprefix("FLAGFALL_").lower(): v for n, v in told(list(overlay(name)), component).items()}
    return SETTINGS[component](**values)  # type: ignore[arg-type]  # as from an environment: texts


def ending_ms(component: str, settings: Settings) -> int:
    """How long a process of this kind takes to end at the most."""
    leaving = settings.leave_ms
    closing = CLOSING_MS + settings.traces_timeout_ms  # the last spans are sent
    drain = settings.drain_ms
    match component:
        case "gateway":
            assert isinstance(settings, GatewaySettings)
            sockets = settings.socket_drain_ms + settings.socket_close_ms
            requests = max(1_000, drain // 1000 * 1000)  # uvicorn's own wait
            return leaving + sockets + drain + requests + closing
        case "game":
            calls, searches, publishing = drain, drain, drain
            return leaving + NOT_SERVING_MS + calls + searches + settings.call_timeout_ms + publishing + closing
        case "rules":
            return leaving + NOT_SERVING_MS + drain + closing
        case "dispatcher":
            return leaving + settings.redis_answer_ms + closing
        case _:
            return leaving + drain + closing


@pytest.mark.parametrize("component", DEPLOYMENTS)
@pytest.mark.parametrize("name", OVERLAY_NAMES)
def test_a_pod_has_the_time_that_its_drain_takes(name: str, component: str) -> None:
    spec = named(overlay(name), "Deployment", component)["spec"]["template"]["spec"]
    grace_ms = spec["terminationGracePeriodSeconds"] * 1000
    needed_ms = ending_ms(component, settings_of(name, component))
    assert needed_ms <= grace_ms <= needed_ms + SLACK_MS


@pytest.mark.parametrize("component", DEPLOYMENTS)
def test_who_is_connected_to_serves_on_until_everybody_knows_that_it_goes(component: str) -> None:
    """Two periods of the readiness probe, and as long as a gRPC client waits to look up addresses again."""
    settings = settings_of("production", component)
    if component not in SERVING:
        assert settings.leave_ms == 0, "nobody would hear of it"
        return
    probe = named(overlay("production"), "Deployment", component)["spec"]["template"]["spec"]["containers"][0]
    readiness = probe["readinessProbe"]
    assert settings.leave_ms >= 1000 * readiness["periodSeconds"] * readiness["failureThreshold"]
    assert settings.leave_ms >= settings.resolved_again_ms


def test_a_worker_finishes_a_computers_move_within_its_drain() -> None:
    settings = settings_of("production", "worker")
    assert isinstance(settings, WorkersSettings)
    tries = settings.submit_tries_max
    pauses_ms = settings.submit_pause_ms * (2 ** (tries - 1) - 1)
    longest_ms = settings.engine_move_ms + tries * settings.call_timeout_ms + pauses_ms
    assert longest_ms + REQUEUE_MS <= settings.drain_ms
    assert settings.drain_ms < 1000 * settings.visibility_timeout_s


def test_sockets_are_not_all_told_to_go_at_once() -> None:
    settings = settings_of("production", "gateway")
    assert isinstance(settings, GatewaySettings)
    assert settings.socket_drain_ms >= 5_000


def test_a_proxy_in_between_waits_longer_than_the_servers_signs_of_life() -> None:
    settings = settings_of("production", "gateway")
    assert isinstance(settings, GatewaySettings)
    notes = named(overlay("production"), "Ingress", "gateway")["metadata"]["annotations"]
    wait_ms = 1000 * int(notes["nginx.ingress.kubernetes.io/proxy-read-timeout"])
    assert 3 * max(settings.socket_ping_ms, settings.line_keep_alive_ms, settings.socket_silence_ms) < wait_ms


def test_a_process_that_cannot_be_helped_counts_as_dead_before_its_probe_says_so() -> None:
    """The liveness probe asks a thread; it is `loop_stuck_ms` that decides, and a check that takes long is none."""
    for component in DEPLOYMENTS:
        container = named(overlay("production"), "Deployment", component)["spec"]["template"]["spec"]["containers"][0]
        probe = container["livenessProbe"]
        assert 1000 * probe["timeoutSeconds"] <= settings_of("production", component).loop_stuck_ms
        assert probe["periodSeconds"] * probe["failureThreshold"] >= 30
