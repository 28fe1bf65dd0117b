"""What runs in the pods is what their manifests say: seen from the outside, in /proc and in podman's cgroups."""

import json
from pathlib import Path

import pytest

from tests.cluster.conftest import FIRST_WITHIN_S
from tests.cluster.faults import STORES
from tests.cluster.play import Play
from tests.cluster.pod import Pod
from tests.cluster.pod_document import environment
from tests.stack.background import Background

pytestmark = [pytest.mark.needs("podman"), pytest.mark.needs("buildah"), pytest.mark.timeout(FIRST_WITHIN_S)]
UNITS = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30}


def _status(pid: int) -> dict[str, str]:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return {key: value.strip() for key, _, value in (line.partition(":") for line in lines)}


def _bytes(text: str) -> int:
    return int(text[:-2]) * UNITS[text[-2:]] if text[-2:] in UNITS else int(text)


def _millicores(text: str) -> int:
    return int(text.removesuffix("m")) if text.endswith("m") else int(float(text) * 1000)


def _pods(play: Play) -> list[Pod]:
    assert len(play.cluster.pods) >= 15
    return play.cluster.pods


def test_each_process_has_its_user_and_no_privileges(play: Play) -> None:
    for pod in _pods(play):
        status = _status(pod.containers[0].pid)
        context = pod.maker.template["spec"]["securityContext"]
        assert status["Uid"].split() == [str(context["runAsUser"])] * 4, pod.name
        assert status["Gid"].split() == [str(context["runAsGroup"])] * 4, pod.name
        for kind in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
            assert int(status[kind], 16) == 0, f"{pod.name}: {kind}"
        assert status["NoNewPrivs"] == "1", pod.name
        assert status["Seccomp"] == "2", f"{pod.name}: a filter"


def test_each_root_is_read_only_and_tmp_is_not(play: Play) -> None:
    for pod in _pods(play):
        mounts = Path(f"/proc/{pod.containers[0].pid}/mounts").read_text().splitlines()
        options = {line.split()[1]: line.split()[3].split(",") for line in mounts}
        assert "ro" in options["/"], pod.name
        assert "rw" in options["/tmp"], pod.name


def test_each_process_has_the_environment_of_its_manifest(play: Play, background: Background) -> None:
    for pod in _pods(play):
        if pod.component in STORES:  # they write their titles over it
            inspected = background.call(pod.node.podman.run("container", "inspect", pod.containers[0].id))
            lines = json.loads(inspected)[0]["Config"]["Env"]
        else:
            lines = Path(f"/proc/{pod.containers[0].pid}/environ").read_bytes().decode().split("\0")
        found = dict(each.partition("=")[::2] for each in lines if each)
        wanted = environment(pod.containers[0].template, pod.manifests)
        lacking = {name for name, value in wanted.items() if found.get(name) != value}
        assert not lacking, f"{pod.name}: {lacking}"


def test_each_container_has_its_limits(play: Play, background: Background) -> None:
    for pod in _pods(play):
        limits = pod.containers[0].template["resources"]["limits"]
        inspected = background.call(pod.node.podman.run("container", "inspect", pod.containers[0].id))
        host = json.loads(inspected)[0]["HostConfig"]
        assert host["Memory"] == _bytes(limits["memory"]), pod.name
        assert host["CpuQuota"] * 1000 == _millicores(limits["cpu"]) * host["CpuPeriod"], pod.name
        assert _ceiling(pod.containers[0].pid) == host["Memory"], f"{pod.name}: in the kernel"


def _ceiling(pid: int) -> int:
    """The memory that the kernel allows a process's group, by either version of cgroups."""
    paths = {line.split(":")[1]: line.split(":", 2)[2] for line in Path(f"/proc/{pid}/cgroup").read_text().splitlines()}
    if "memory" in paths:
        return int(Path(f"/sys/fs/cgroup/memory{paths['memory']}/memory.limit_in_bytes").read_text())
    return int(Path(f"/sys/fs/cgroup{paths['']}/memory.max").read_text())


def test_each_process_runs_the_command_of_its_manifest(play: Play) -> None:
    for pod in _pods(play):
        words = Path(f"/proc/{pod.containers[0].pid}/cmdline").read_bytes().decode().split("\0")
        wanted = [str(word) for word in pod.containers[0].template["args"] if "$(" not in str(word)]
        if pod.component in STORES:
            assert words[0].endswith(wanted[0].partition("-")[0]) or wanted[0] in words[0], (pod.name, words)
        else:
            assert words[-len(wanted) - 1 : -1] == wanted, (pod.name, words)
