"""A contract for import-linter: these modules import the standard library, what is listed, and nothing else."""

import sys

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


def is_within(module: str, package: str) -> bool:
    """Whether a dotted name is a package or lies below it."""
    return module == package or module.startswith(package + ".")


class AllowedImports(Contract):
    """Direct imports out of `modules` go to `allowed` or to the standard library without `denied_stdlib`."""

    modules = fields.ListField(subfield=fields.StringField())
    allowed = fields.ListField(subfield=fields.StringField(), required=False, default=[])
    denied_stdlib = fields.ListField(subfield=fields.StringField(), required=False, default=[])

    def names(self, field: str) -> list[str]:
        """The list of a field. On an instance the descriptor has been replaced by the list from pyproject.toml."""
        return [str(name) for name in getattr(self, field)]

    def permits(self, imported: str) -> bool:
        """Whether one import is within the contract."""
        if any(is_within(imported, name) for name in self.names("modules") + self.names("allowed")):
            return True
        top = imported.split(".")[0]
        return top in sys.stdlib_module_names and top not in self.names("denied_stdlib")

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """List the imports that are not permitted."""
        mine = [m for m in graph.modules if any(is_within(m, name) for name in self.names("modules"))]
        broken = sorted(
            (module, imported)
            for module in mine
            for imported in graph.find_modules_directly_imported_by(module)
            if not self.permits(imported)
        )
        return ContractCheck(kept=bool(mine) and not broken, metadata={"broken": broken, "empty": not mine})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Say which module imports what."""
        if check.metadata["empty"]:
            output.print_error(f"No module matches {self.names('modules')}.")
        for module, imported in check.metadata["broken"]:
            output.print_error(f"{module} may not import {imported}.")
