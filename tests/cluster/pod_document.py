"""What podman is handed for one pod: the template of a manifest, with names that are the pod's own.

Podman 4.3 knows ConfigMaps that come in the same file and looks up Secrets among its own, so each pod has its own of
both. It names the volume of an emptyDir by the volume alone, so that all pods would share one, fills it from the image
and knows no fsGroup; so the runner makes volumes as a kubelet makes them, and podman mounts folders.
"""

import base64
import copy
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tests.cluster.domain_names import SEARCHED
from tests.cluster.fields import PROBES
from tests.cluster.manifests import Maker, Manifests

RUNNERS_OWN = (*PROBES, "lifecycle", "ports")
"""Fields of a container that the runner itself applies; podman 4.3 would open each port on the host, too."""
RUNNERS_OWN_OF_PODS = ("terminationGracePeriodSeconds", "topologySpreadConstraints", "restartPolicy")
KEEPER = "keeper"
FILE_MODE = 0o644
"""Of a file of a ConfigMap or a Secret (Kubernetes' default)."""
_REFERENCE = re.compile(r"\$\(([A-Za-z_][A-Za-z0-9_]*)\)")


@dataclass(frozen=True, slots=True)
class Volume:
    """A folder of this machine that is mounted in a pod, as a kubelet makes it."""

    folder: Path
    files: Mapping[str, str] = field(default_factory=dict)
    mode: int = FILE_MODE
    group: int | None = None
    lasting: bool = False
    """Whether it outlives the pod."""

    def make(self) -> None:
        """Make the folder: for everybody, or for the pod's group."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.group is not None:
            os.chown(self.folder, -1, self.group)
        self.folder.chmod(0o777 if self.group is None else 0o2775 if self.lasting else 0o2777)
        for name, content in self.files.items():
            file = self.folder / name
            file.write_text(content)
            file.chmod(self.mode)
            if self.group is not None:
                os.chown(file, -1, self.group)


@dataclass(slots=True)
class PodDocument:
    """`text` goes to `podman play kube`, once secrets and volumes are there."""

    text: str = ""
    secrets: dict[str, str] = field(default_factory=dict)
    """Podman's secrets by name."""
    volumes: list[Volume] = field(default_factory=list)


def pod_document(maker: Maker, manifests: Manifests, name: str, resolver: str, folder: Path) -> PodDocument:
    """One pod of a maker. `folder` is for volumes; `resolver` is the DNS server."""
    made = PodDocument()
    spec: dict[str, Any] = copy.deepcopy(maker.template["spec"])
    documents: list[dict[str, Any]] = []

    def config_map(given: str) -> str:
        own = f"{name}-{given}"
        if all(each["metadata"]["name"] != own for each in documents):
            data = dict(manifests.config_maps[given])
            documents.append({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": own}, "data": data})
        return own

    def secret(given: str) -> str:
        own = f"{name}-{given}"
        coded = {key: base64.b64encode(value.encode()).decode() for key, value in manifests.secrets[given].items()}
        made.secrets[own] = json.dumps(coded)
        return own

    spec["volumes"] = [_mounted(volume, made, maker, manifests, folder / name) for volume in _volumes(maker, folder)]
    for key in RUNNERS_OWN_OF_PODS:
        spec.pop(key, None)
    spec["restartPolicy"] = "Never"
    spec.setdefault("hostname", name)
    spec["dnsPolicy"] = "None"
    spec["dnsConfig"] = {
        "nameservers": [resolver],
        "searches": list(SEARCHED),
        "options": [{"name": "ndots", "value": "5"}],
    }
    for container in (*spec.get("initContainers", ()), *spec["containers"]):
        _expand(container, manifests)
        for key in RUNNERS_OWN:
            container.pop(key, None)
        container["imagePullPolicy"] = "Never"
        for source in (
            *(each.get("valueFrom", {}) for each in container.get("env", ())),
            *container.get("envFrom", ()),
        ):
            for key in ("configMapKeyRef", "configMapRef"):
                if key in source:
                    source[key]["name"] = config_map(source[key]["name"])
            for key in ("secretKeyRef", "secretRef"):
                if key in source:
                    source[key]["name"] = secret(source[key]["name"])
    spec["containers"].append(_keeper(spec["containers"][0]))
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {**copy.deepcopy(maker.template["metadata"]), "name": name},
        "spec": spec,
    }
    made.text = yaml.safe_dump_all([*documents, pod])
    return made


def _keeper(container: Mapping[str, Any]) -> dict[str, Any]:
    """A container that sleeps beside the others. Podman 4.3 takes a pod's network away when all its containers have
    ended, so that one that is started anew would have another address; a kubelet's pod keeps it."""
    return {
        "name": KEEPER,
        "image": container["image"],
        "command": ["/bin/sleep", "infinity"],
        "imagePullPolicy": "Never",
        "securityContext": copy.deepcopy(container.get("securityContext", {})),
    }


def _volumes(maker: Maker, folder: Path) -> list[dict[str, Any]]:
    """The template's volumes, and its claims as what they become."""
    claims = [{"name": claim, "claim": folder / f"{maker.component}-{claim}"} for claim in maker.claims]
    return [*copy.deepcopy(maker.template["spec"].get("volumes", [])), *claims]


def _mounted(
    volume: dict[str, Any], made: PodDocument, maker: Maker, manifests: Manifests, folder: Path
) -> dict[str, Any]:
    """A volume as podman is told of it, a folder of this machine."""
    group = maker.template["spec"].get("securityContext", {}).get("fsGroup")
    own = folder / volume["name"]
    if "emptyDir" in volume:
        made.volumes.append(Volume(own, group=group))
    elif "claim" in volume:
        own = volume["claim"]
        made.volumes.append(Volume(own, group=group, lasting=True))
    elif "configMap" in volume:
        given = volume["configMap"]
        files = _files(manifests.config_maps[given["name"]], given)
        made.volumes.append(Volume(own, files, int(given.get("defaultMode", FILE_MODE)), group))
    elif "secret" in volume:
        given = volume["secret"]
        files = _files(manifests.secrets[given["secretName"]], given)
        made.volumes.append(Volume(own, files, int(given.get("defaultMode", FILE_MODE)), group))
    else:
        raise ValueError(f"{maker.component}: a volume of unknown kind: {volume}")
    return {"name": volume["name"], "hostPath": {"path": str(own), "type": "Directory"}}


def _files(values: Mapping[str, str], given: Mapping[str, Any]) -> dict[str, str]:
    if "items" not in given:
        return dict(values)
    return {item["path"]: values[item["key"]] for item in given["items"]}


def environment(container: Mapping[str, Any], manifests: Manifests) -> dict[str, str]:
    """The variables of a container as a kubelet works them out, without those that come from the pod's own state."""
    values: dict[str, str] = {}
    for source in container.get("envFrom", ()):
        if "configMapRef" in source:
            values |= manifests.config_maps[source["configMapRef"]["name"]]
        if "secretRef" in source:
            values |= manifests.secrets[source["secretRef"]["name"]]
    for variable in container.get("env", ()):
        source = variable.get("valueFrom", {})
        if "value" in variable:
            values[variable["name"]] = _replaced(str(variable["value"]), values)
        elif "configMapKeyRef" in source:
            values[variable["name"]] = manifests.config_maps[source["configMapKeyRef"]["name"]][
                source["configMapKeyRef"]["key"]
            ]
        elif "secretKeyRef" in source:
            values[variable["name"]] = manifests.secrets[source["secretKeyRef"]["name"]][source["secretKeyRef"]["key"]]
    return values


def _expand(container: dict[str, Any], manifests: Manifests) -> None:
    """Put values in place of `$(NAME)`, as a kubelet does and podman 4.3 does not."""
    values = environment(container, manifests)
    for key in ("command", "args"):
        if key in container:
            container[key] = [_replaced(str(word), values) for word in container[key]]
    for variable in container.get("env", ()):
        if "value" in variable:
            variable["value"] = _replaced(str(variable["value"]), values)


def _replaced(text: str, values: Mapping[str, str]) -> str:
    return _REFERENCE.sub(lambda found: values.get(found.group(1), found.group(0)), text)
