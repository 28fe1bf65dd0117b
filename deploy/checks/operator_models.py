"""Checks objects of KEDA and the Prometheus operator with the models of their definitions.

    build/deploy-tools/bin/python deploy/checks/operator_models.py < objects.json

Reads a list of objects and prints a line for each that is not as its definition says; runs in the environment of the
checking tools, so it imports nothing of Flagfall. The models take fields that they do not know and forget them, so each
object is read and written again: what does not come back is not known.
"""

import json
import sys
from typing import Any

from cloudcoil.models.keda.v1alpha1 import ScaledObject  # type: ignore[import-not-found]
from cloudcoil.models.prometheus_operator.v1 import PodMonitor, PrometheusRule  # type: ignore[import-not-found]
from pydantic import BaseModel, ValidationError

MODELS: dict[tuple[str, str], type[BaseModel]] = {
    ("keda.sh/v1alpha1", "ScaledObject"): ScaledObject,
    ("monitoring.coreos.com/v1", "PodMonitor"): PodMonitor,
    ("monitoring.coreos.com/v1", "PrometheusRule"): PrometheusRule,
}


def lost(given: Any, kept: Any, place: str = "") -> list[str]:
    """The fields that differ after parsing and writing."""
    if isinstance(given, dict) and isinstance(kept, dict):
        return [
            sentence for key in {**given, **kept} for sentence in lost(given.get(key), kept.get(key), f"{place}.{key}")
        ]
    if isinstance(given, list) and isinstance(kept, list) and len(given) == len(kept):
        pairs = enumerate(zip(given, kept, strict=True))
        return [sentence for index, (one, other) in pairs for sentence in lost(one, other, f"{place}[{index}]")]
    return [] if given == kept else [f"{place}: {given!r} is not known"]


def problems(document: dict[str, Any]) -> list[str]:
    """The problems of one object."""
    model = MODELS.get((document["apiVersion"], document["kind"]))
    if model is None:
        return [": there is no model of this kind"]
    try:
        read = model.model_validate(document)
    except ValidationError as error:
        return [f": {'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors()]
    return lost(document, json.loads(read.model_dump_json(by_alias=True, exclude_unset=True)))


def main() -> int:
    """The exit status: 1 when something is wrong."""
    wrong = 0
    for document in json.load(sys.stdin):
        for sentence in problems(document):
            wrong = 1
            print(f"{document['kind']} {document['metadata']['name']}{sentence}")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
