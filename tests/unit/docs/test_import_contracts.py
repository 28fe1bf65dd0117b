"""Each import contract of pyproject.toml is kept by today's code and broken by one import more."""

import tomllib
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import grimp
import pytest
from importlinter import configuration
from importlinter.contracts.acyclic_siblings import AcyclicSiblingsContract
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.layers import LayersContract
from importlinter.domain.contract import Contract

from deploy.checks.allowed_imports import AllowedImports

configuration.configure()

ROOT = Path(__file__).parents[3]
OPTIONS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
CONTRACTS: dict[str, dict[str, Any]] = {contract["name"].split(":")[0]: contract for contract in OPTIONS["contracts"]}
KINDS: dict[str, type[Contract]] = {
    "layers": LayersContract,
    "forbidden": ForbiddenContract,
    "acyclic_siblings": AcyclicSiblingsContract,
    "allowed": AllowedImports,
}
BREACHES = {
    "A service never imports another; all may use runtime, domain and pb; those never look back": (
        "services.runtime.rpc",
        "services.game.settings",
    ),
    "The domain is pure": ("services.domain.clock", "time"),
    "Generated code needs protobuf and grpc only": ("services.pb.flagfall.v1.game_pb2", "services.domain.colour"),
    "chess": ("services.game.play.game", "chess"),
    "sqlalchemy, alembic and asyncpg": ("services.gateway.hub.hub", "sqlalchemy"),
    "celery": ("services.clock.timer", "celery"),
    "fastapi, starlette and msgspec": ("services.workers.turn", "starlette"),
    "ICU": ("services.gateway.errors", "icu4py"),
    "OpenTelemetry": ("services.game.commit.trace", "opentelemetry"),
    "The laptop starts services as processes, it imports none": ("deploy.laptop.plan", "services.domain.clock"),
    "gateway": ("services.gateway.hub.hub", "services.gateway.rest.parts"),
    "game": ("services.game.play.game", "services.game.store.schema"),
    "commit and play import no protobuf and no gRPC": (
        "services.game.commit.path",
        "services.pb.flagfall.v1.game_pb2",
    ),
    "No circle of imports, between packages or between files": (
        "services.gateway.hub.topics",
        "services.gateway.hub.hub",
    ),
}
"""By the beginning of a contract's name: who imports what it may not."""


@cache
def today() -> grimp.ImportGraph:
    """All imports of the code as it stands."""
    return grimp.build_graph(*OPTIONS["root_packages"], include_external_packages=True, cache_dir=None)


def kept(name: str, *imports: tuple[str, str]) -> bool:
    """Whether a contract is kept by today's code with these imports besides."""
    graph = deepcopy(today())
    for importer, imported in imports:
        if imported not in graph.modules:
            graph.add_module(imported, is_squashed="." not in imported and not imported.startswith("services"))
        graph.add_import(importer=importer, imported=imported)
    # The linter reads numbers and truth values as text.
    options = {key: str(value) if isinstance(value, bool) else value for key, value in CONTRACTS[name].items()}
    session = {key: value for key, value in OPTIONS.items() if key not in ("contracts", "contract_types")}
    contract = KINDS[options["type"]](name=name, session_options=session, contract_options=options)
    return contract.check(graph, verbose=False).kept


def test_every_contract_has_a_breach() -> None:
    assert BREACHES.keys() == CONTRACTS.keys()


@pytest.mark.parametrize("name", CONTRACTS)
def test_a_contract_is_kept_today_and_bites(name: str) -> None:
    assert kept(name)
    assert not kept(name, BREACHES[name])
