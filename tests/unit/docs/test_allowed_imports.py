"""The contract that keeps the domain pure, on graphs that keep and break it."""

import pytest
from grimp import ImportGraph

from deploy.checks.allowed_imports import AllowedImports

OPTIONS = {
    "name": "pure",
    "modules": ["services.domain"],
    "allowed": ["google.protobuf"],
    "denied_stdlib": ["time", "os"],
}


def kept(*imports: tuple[str, str]) -> bool:
    """Whether the contract is kept by a graph of these imports."""
    graph = ImportGraph()
    graph.add_module("services.domain")
    for importer, imported in imports:
        graph.add_import(importer=importer, imported=imported)
    contract = AllowedImports(name="pure", session_options={}, contract_options=OPTIONS)
    return contract.check(graph, verbose=False).kept


@pytest.mark.parametrize(
    "imported",
    ["dataclasses", "collections.abc", "services.domain.colour", "google.protobuf", "google.protobuf.message"],
)
def test_the_standard_library_and_what_is_listed_may_be_imported(imported: str) -> None:
    assert kept(("services.domain.clock", imported))


@pytest.mark.parametrize(
    "imported",
    [
        "time",
        "os",
        "os.path",
        "chess",
        "pydantic",
        "services.runtime",
        "google.cloud",
        "services.domainlike",  # a name that only begins alike
    ],
)
def test_clocks_other_packages_and_other_parts_may_not(imported: str) -> None:
    assert not kept(("services.domain.clock", imported))


def test_what_others_import_does_not_matter() -> None:
    assert kept(("services.runtime", "time"))


def test_modules_that_do_not_exist_are_no_success() -> None:
    contract = AllowedImports(name="pure", session_options={}, contract_options=OPTIONS)
    assert not contract.check(ImportGraph(), verbose=False).kept
