"""The runner itself: nothing of a manifest is dropped in silence, and its DNS and probes do as a cluster's."""

import copy
import socket
import struct
from typing import Any

import pytest

from tests.cluster.addresses import Addresses
from tests.cluster.built import manifests, of_release
from tests.cluster.domain_names import answered
from tests.cluster.fields import UNHONOURED, UnknownField, unhonoured
from tests.cluster.probes import Count, Probe

DEPLOYMENT: dict[str, Any] = {
    "kind": "Deployment",
    "metadata": {"name": "game"},
    "spec": {
        "replicas": 2,
        "template": {
            "metadata": {"labels": {"app.kubernetes.io/component": "game"}},
            "spec": {"containers": [{"name": "game", "image": "flagfall/game", "args": ["services.game"]}]},
        },
    },
}


def _with(path: list[Any], value: Any) -> list[dict[str, Any]]:
    document = copy.deepcopy(DEPLOYMENT)
    at: Any = document["spec"]["template"]["spec"]
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    return [document]


def test_a_document_of_known_fields_is_taken() -> None:
    assert unhonoured([DEPLOYMENT]) == {}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["hostNetwork"], True),
        (["hostPID"], True),
        (["securityContext"], {"sysctls": [{"name": "net.core.somaxconn", "value": "1"}]}),
        (["containers", 0, "securityContext"], {"privileged": True}),
        (["containers", 0, "lifecycle"], {"postStart": {"exec": {"command": ["true"]}}}),
        (["containers", 0, "readinessProbe"], {"grpc": {"port": 1}}),
        (["containers", 0, "resources"], {"limits": {"nvidia.com/gpu": 1}}),
        (["volumes"], [{"name": "disk", "hostPath": {"path": "/"}}]),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_field_that_nobody_applies_and_nobody_excuses_fails(path: list[Any], value: Any) -> None:
    with pytest.raises(UnknownField, match=str(path[-1])):
        unhonoured(_with(path, value))


def test_a_kind_that_is_not_known_fails() -> None:
    with pytest.raises(UnknownField, match="DaemonSet"):
        unhonoured([{"kind": "DaemonSet", "metadata": {"name": "x"}, "spec": {}}])


def test_what_nobody_applies_is_told_with_a_reason() -> None:
    found = unhonoured(_with(["topologySpreadConstraints"], [{"maxSkew": 1, "topologyKey": "zone"}]))
    assert found == {"spec.topologySpreadConstraints": UNHONOURED["spec.topologySpreadConstraints"]}


def test_the_local_overlay_is_understood_to_its_last_field() -> None:
    found = manifests()
    assert {"rules", "game", "clock", "dispatcher", "worker", "beat", "gateway", "migrate"} <= set(found.makers)
    assert set(found.unhonoured) <= set(UNHONOURED)
    before = of_release(found)
    assert before.makers["game"].images == ["flagfall/game:released"]
    assert before.makers["postgres"].images == found.makers["postgres"].images


def _question(name: str, kind: int = 1) -> bytes:
    labels = b"".join(bytes([len(label)]) + label.encode() for label in name.split("."))
    return struct.pack("!HHHHHH", 7, 0x0100, 1, 0, 0, 0) + labels + b"\0" + struct.pack("!HH", kind, 1)


def _asked(name: str) -> list[str] | None:
    return {"game": ["10.0.0.2", "10.0.0.3"], "rules": []}.get(name)


@pytest.mark.parametrize(
    ("name", "kind", "code", "addresses"),
    [
        ("game.flagfall.svc.cluster.local", 1, 0, ["10.0.0.2", "10.0.0.3"]),
        ("GAME.flagfall.svc.cluster.local", 1, 0, ["10.0.0.2", "10.0.0.3"]),
        ("game.flagfall.svc.cluster.local", 28, 0, []),  # there is no IPv6
        ("rules.flagfall.svc.cluster.local", 1, 0, []),  # nobody is ready
        ("chess.flagfall.svc.cluster.local", 1, 3, []),
        ("game", 1, 3, []),  # a name is completed by whoever asks
    ],
)
def test_a_name_has_the_addresses_that_are_ready(name: str, kind: int, code: int, addresses: list[str]) -> None:
    answer = answered(_question(name, kind), _asked)
    assert answer is not None
    number, flags, _, count, _, _ = struct.unpack_from("!HHHHHH", answer)
    assert (number, flags & 0xF, count) == (7, code, len(addresses))
    assert [socket.inet_ntoa(answer[len(answer) - 16 * at - 4 :][:4]) for at in reversed(range(count))] == addresses


@pytest.mark.parametrize("data", [b"", b"short", _question("game")[:-3], _question("game")[:2] + b"\x80" + b"\0" * 30])
def test_what_is_no_question_is_not_answered(data: bytes) -> None:
    assert answered(data, _asked) is None


def test_people_are_led_to_whoever_is_ready_and_else_where_they_were() -> None:
    ready = ["a", "b"]
    gateways = Addresses(lambda: list(ready))
    assert list(gateways) == ["a", "b"]
    ready.clear()
    assert [gateways[0], gateways[5], len(gateways)] == ["a", "b", 2]
    ready.append("c")
    assert list(gateways) == ["c"]


def test_a_probe_counts_failures_in_a_row() -> None:
    count = Count()
    for passed in (False, False, True, False):
        count.add(passed)
    assert (count.passed, count.failed) == (0, 1)


def test_a_probe_of_a_port_that_is_not_there_is_refused() -> None:
    container = {"name": "game", "ports": [{"name": "admin", "containerPort": 9000}]}
    probe = Probe.of({**container, "readinessProbe": {"httpGet": {"path": "/", "port": "admin"}}}, "readinessProbe")
    assert probe is not None
    assert probe.action["httpGet"]["port"] == 9000
    with pytest.raises(ValueError, match="metrics"):
        Probe.of({**container, "readinessProbe": {"httpGet": {"path": "/", "port": "metrics"}}}, "readinessProbe")
