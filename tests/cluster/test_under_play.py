"""The manifests' pods under play. Games are judged from what clients were told (tests/chaos/ledger.py): no acknowledged
move is lost or doubled, no flag falls early or for the wrong side, nobody gets stuck.

The order matters: first the last release is rolled away part by part, then pods end one after the other, and at last
all games of the whole time are checked."""

import signal
from dataclasses import replace
from typing import Any

import pytest

from tests.cluster.conftest import FIRST_WITHIN_S
from tests.cluster.faults import PARTS, STORES
from tests.cluster.play import CODE_GOING, Deed, Farewell, Play
from tests.stack.background import Background

pytestmark = [pytest.mark.needs("podman"), pytest.mark.needs("buildah"), pytest.mark.timeout(FIRST_WITHIN_S)]

DEED_WITHIN_S = 240.0
SPREAD_SHARE = 0.5
"""Of the time over which a gateway spreads its farewells: ten sockets do not fill it to the last moment."""
SOCKETS_MIN = 6
LEFT_BY_THEMSELVES = 1000
BACK_MEDIAN_S = 5.0
KILLED = 128 + signal.SIGKILL


def _unharmed(deed: Deed) -> None:
    assert not deed.violations, deed.violations
    assert deed.moves, f"nothing was played while {deed.name} was done"


def _ended_in_order(play: Play, deed: Deed) -> None:
    for end in deed.ends:
        assert (end.code, end.asked) == (0, signal.SIGTERM), f"{deed.name}: {end}"
        grace_s = play.cluster.manifests.makers[end.component].template["spec"]["terminationGracePeriodSeconds"]
        assert end.took_s < grace_s, f"{deed.name}: {end}"


def _settings_of(play: Play, part: str) -> str:
    """The name of a part's own ConfigMap."""
    container = play.cluster.manifests.makers[part].template["spec"]["containers"][0]
    return str(container["envFrom"][-1]["configMapRef"]["name"])


@pytest.mark.parametrize("part", PARTS)
def test_a_release_is_rolled_away_under_play(play: Play, part: str) -> None:
    deed = next(each for each in play.rolled if each.name == f"roll {part}")
    _unharmed(deed)
    _ended_in_order(play, deed)
    assert [end.component for end in deed.ends] == [part] * len(play.cluster.of(part)), "each pod was replaced, once"
    assert all(end.image.endswith(":released") for end in deed.ends), "it was the release's pods that went"


def test_clients_are_sent_away_one_after_the_other_and_resume_on_the_other_gateway(play: Play) -> None:
    deed = next(each for each in play.rolled if each.name == "roll gateway")
    settings = play.cluster.manifests.config_maps[_settings_of(play, "gateway")]
    spread_s = int(settings["FLAGFALL_SOCKET_DRAIN_MS"]) / 1000
    assert len(deed.farewells) == 2, deed.farewells
    for farewell in deed.farewells:
        assert not rude(farewell, spread_s), farewell


def rude(farewell: Farewell, spread_s: float) -> list[str]:
    """What was wrong with how a gateway's clients were sent away."""
    codes, back_s = farewell.codes, farewell.back_s
    wrong = {
        "too few sockets to tell": len(codes) < SOCKETS_MIN,
        "another code than 1012": not set(codes) <= {CODE_GOING, LEFT_BY_THEMSELVES},
        "not one after the other": not spread_s * SPREAD_SHARE <= farewell.spread_s <= spread_s + 1,
        "not back soon": not back_s or back_s[len(back_s) // 2] >= BACK_MEDIAN_S,
    }
    return [what for what, found in wrong.items() if found]


FAREWELL = Farewell("gateway-0", (CODE_GOING,) * 9 + (LEFT_BY_THEMSELVES,), 7.0, (0.3, 0.5, 2.0))


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({}, []),
        ({"codes": (CODE_GOING,) * 2}, ["too few sockets to tell"]),
        ({"codes": (CODE_GOING,) * 9 + (1006,)}, ["another code than 1012"]),
        ({"spread_s": 0.06}, ["not one after the other"]),  # what a server does that only ends
        ({"back_s": (9.0,) * 3}, ["not back soon"]),
        ({"back_s": ()}, ["not back soon"]),
    ],
)
def test_a_rude_farewell_is_seen(change: dict[str, Any], wrong: list[str]) -> None:
    assert rude(replace(FAREWELL, **change), 8.0) == wrong


@pytest.mark.parametrize("part", PARTS)
def test_a_pod_that_is_deleted_under_play_drains(play: Play, background: Background, part: str) -> None:
    deed = background.call(play.do(f"drain {part}"), DEED_WITHIN_S)
    _unharmed(deed)
    _ended_in_order(play, deed)
    assert [end.component for end in deed.ends] == [part]


@pytest.mark.parametrize("part", [*PARTS, *STORES])
def test_a_container_that_is_killed_under_play_costs_nobody_anything(
    play: Play, background: Background, part: str
) -> None:
    deed = background.call(play.do(f"kill {part}"), DEED_WITHIN_S)
    _unharmed(deed)
    assert [(end.component, end.code, end.asked) for end in deed.ends] == [(part, KILLED, signal.SIGKILL)]


def test_all_games_of_the_whole_time_add_up(play: Play, background: Background) -> None:
    wrong = background.call(play.finish(), DEED_WITHIN_S)
    assert not wrong, wrong
    assert play.by_http.games, "no game was played by HTTP to its end"
    unhealthy = [pod.name for pod in play.cluster.pods for each in pod.containers if each.unhealthy]
    assert not unhealthy, f"liveness failed: {unhealthy}"
    unasked = [end for end in play.cluster.ends if not end.asked and end.component != "migrate"]
    assert not unasked, f"ended by themselves: {unasked}"
