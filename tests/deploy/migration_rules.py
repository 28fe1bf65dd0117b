"""What a step of the database's schema may do while the release before it plays on beside it (docs/upgrading.md).

A step is run without a database and its statements are read. It may say of itself, as constants of its module:

CONTRACT = {"table or table.column or index": "since which release nobody needs it"}   for what it drops or tightens
SMALL = {"table": "why it has few rows"}                        for what takes a lock as long as the table is large
BEFOREHAND = ("CREATE INDEX CONCURRENTLY IF NOT EXISTS ...",)   what large servers run before, by hand; then the step
                                                                itself creates the index IF NOT EXISTS
"""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType

from alembic.migration import MigrationContext
from alembic.operations import Operations

VOLATILE = re.compile(r"\b(now|random|gen_random_uuid|clock_timestamp|nextval|timeofday|uuid_generate_v4)\s*\(", re.I)
GROWS = re.compile(r"GENERATED (ALWAYS|BY DEFAULT) AS|\bSERIAL\b|\bBIGSERIAL\b", re.I)
NAME = r'"?(?P<name>\w+)"?'


@dataclass(frozen=True, slots=True)
class Step:
    """A module of services/game/store/migrations/versions."""

    module: ModuleType

    def statements(self) -> list[str]:
        """What it would send to PostgreSQL. Raises when it asks the database something: then nobody can read it."""
        out = io.StringIO()
        context = MigrationContext.configure(
            dialect_name="postgresql", opts={"as_sql": True, "output_buffer": out, "literal_binds": True}
        )
        with Operations.context(context):
            self.module.upgrade()
        return [" ".join(part.split()) for part in out.getvalue().split(";\n") if part.strip()]

    def says(self, constant: str) -> dict[str, str]:
        """One of the constants above."""
        given: dict[str, str] = getattr(self.module, constant, {})
        return given

    @property
    def beforehand(self) -> tuple[str, ...]:
        """What large servers run before."""
        given: tuple[str, ...] = getattr(self.module, "BEFOREHAND", ())
        return given


def problems(step: Step) -> Iterator[str]:
    """What is wrong with a step; each begins with the statement."""
    made: set[str] = set()
    for statement in step.statements():
        if found := re.match(rf"CREATE TABLE (IF NOT EXISTS )?{NAME}", statement, re.I):
            made.add(found["name"])
            continue
        for problem in _problems_of(statement, step, made):
            yield f"{statement[:100]}: {problem}"


def _problems_of(statement: str, step: Step, made: set[str]) -> Iterator[str]:
    contract, small = step.says("CONTRACT"), step.says("SMALL")
    if found := re.match(rf"ALTER TABLE (ONLY )?{NAME} (?P<does>.*)", statement, re.I):
        if found["name"] not in made:
            yield from _of_table(found["name"], found["does"], contract, small)
    elif found := re.match(rf"CREATE (?P<unique>UNIQUE )?INDEX (?P<rest>.*?) ON {NAME}", statement, re.I):
        if found["name"] not in made:
            yield from _of_index(found, step, contract, small)
    elif found := re.match(rf"DROP (TABLE|INDEX|SEQUENCE|VIEW|TYPE) (IF EXISTS )?{NAME}", statement, re.I):
        if found["name"] not in contract:
            yield "drops what the release before may use: name it in CONTRACT"
    elif found := re.match(rf"(UPDATE|DELETE FROM|INSERT INTO) {NAME}", statement, re.I):
        if found["name"] not in made | {*small}:
            yield "goes through rows while they are locked: name the table in SMALL, or do it after the rollout"
    elif not re.match(r"COMMENT ON ", statement, re.I):
        yield "is a statement that nobody has thought about"


def _of_table(table: str, does: str, contract: dict[str, str], small: dict[str, str]) -> Iterator[str]:
    if found := re.match(rf"ADD COLUMN (IF NOT EXISTS )?{NAME} (?P<kind>.*)", does, re.I):
        kind = found["kind"]
        if "NOT NULL" in kind.upper() and "DEFAULT" not in kind.upper():
            yield "the release before inserts rows without it: give it a default"
        if (VOLATILE.search(kind) or GROWS.search(kind)) and table not in small:
            yield "rewrites the table: a default that differs from row to row"
        if re.search(r"\b(UNIQUE|REFERENCES|CHECK|PRIMARY KEY)\b", kind, re.I):
            yield "tightens: a constraint that the release before does not know"
    elif found := re.match(rf"DROP COLUMN (IF EXISTS )?{NAME}", does, re.I):
        if f"{table}.{found['name']}" not in contract:
            yield "drops what the release before may use: name it in CONTRACT"
    elif found := re.match(rf"DROP CONSTRAINT (IF EXISTS )?{NAME}", does, re.I):
        # Without a foreign key or a check more is allowed than before; a unique one is what ON CONFLICT stands on.
        if not found["name"].endswith(("_fkey", "_check")) and found["name"] not in contract:
            yield "drops what the release before may use: name it in CONTRACT"
    elif found := re.match(rf"ALTER COLUMN {NAME} (?P<how>.*)", does, re.I):
        how, column = found["how"].upper(), f"{table}.{found['name']}"
        if re.match(r"(SET DATA )?TYPE ", how):
            yield "rewrites the table and changes what the release before reads: add another column"
        elif how.startswith(("SET NOT NULL", "DROP DEFAULT")) and column not in contract:
            yield "tightens what the release before writes: name it in CONTRACT"
        elif how.startswith("SET NOT NULL") and table not in small:
            yield "reads the whole table under its lock: name it in SMALL"
    elif re.match(r"ADD CONSTRAINT .* NOT VALID$", does, re.I) or re.match(r"ADD ", does, re.I):
        if table not in contract:
            yield "tightens: a constraint that the release before does not know; name the table in CONTRACT"
        if not does.upper().endswith("NOT VALID") and table not in small:
            yield "reads the whole table under its lock: NOT VALID, or name it in SMALL"
    elif re.match(r"RENAME ", does, re.I):
        yield "renames what the release before uses: add another and drop this in a later release"
    elif not re.match(r"(SET \(|RESET \(|ALTER COLUMN \w+ SET (DEFAULT|STATISTICS))", does, re.I):
        yield "is a change that nobody has thought about"


def _of_index(found: re.Match[str], step: Step, contract: dict[str, str], small: dict[str, str]) -> Iterator[str]:
    table, rest = found["name"], found["rest"].upper()
    index = re.sub(r"^(CONCURRENTLY |IF NOT EXISTS )*", "", found["rest"], flags=re.I).strip('" ')
    if found["unique"] and index not in contract:
        yield "tightens: the release before may write rows that it refuses; name it in CONTRACT"
    if "CONCURRENTLY" in rest:
        yield "cannot be done in the transaction of the steps: see BEFOREHAND"
    by_hand = any(re.search(rf"INDEX CONCURRENTLY IF NOT EXISTS {index}\b", each, re.I) for each in step.beforehand)
    if table not in small and not (by_hand and "IF NOT EXISTS" in rest):
        yield "nobody writes the table while it is built: name it in SMALL, or see BEFOREHAND"
