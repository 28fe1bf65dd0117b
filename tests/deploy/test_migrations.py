"""Every step of the schema since the last release leaves that release's replicas working, and holds nobody up."""

import importlib
import subprocess
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import pytest
import sqlalchemy as sa
from alembic import op

from deploy.laptop.node import ROOT
from services.game.store.schema_step import STEP_FILE, STEPS
from tests.deploy.migration_rules import Step, problems

RELEASED = (ROOT / "deploy" / "released").read_text().strip()


def modules() -> list[str]:
    """The steps' modules, in order."""
    return sorted(file.stem for file in STEPS.iterdir() if STEP_FILE.fullmatch(file.name))


def released_files() -> dict[str, str]:
    """Each step's file in the last release, by module."""
    listed = subprocess.run(
        ["git", "ls-tree", "-r", "--name-only", RELEASED, "services/game/"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    files = {}
    for path in listed:
        folder, _, name = path.rpartition("/")
        if folder.endswith("migrations/versions") and STEP_FILE.fullmatch(name):
            show = ["git", "show", f"{RELEASED}:{path}"]
            files[name.removesuffix(".py")] = subprocess.run(
                show, cwd=ROOT, capture_output=True, text=True, check=True
            ).stdout
    return files


def test_a_released_step_never_changes() -> None:
    kept = released_files()
    assert kept
    for name, text in kept.items():
        assert (STEPS / f"{name}.py").read_text() == text, f"{name} was released: add another step"


@pytest.mark.parametrize("name", sorted({*modules()} - {*released_files()}) or ["none"])
def test_a_new_step_leaves_the_last_release_working(name: str) -> None:
    if name != "none":
        step = Step(importlib.import_module(f"services.game.store.migrations.versions.{name}"))
        assert list(problems(step)) == []
        assert step.statements()  # it was read at all


def made(*doing: Any, **constants: Any) -> Step:
    """A step that does this."""

    def upgrade() -> None:
        for do in doing:
            do() if callable(do) else op.execute(do)

    return Step(cast(ModuleType, SimpleNamespace(upgrade=upgrade, **constants)))


def column(*arguments: Any, **more: Any) -> Any:
    return lambda: op.add_column("game", sa.Column("more", *arguments, **more))


GOOD = {
    "a column without a value": made(column(sa.Text)),
    "a column with a fixed default": made(column(sa.Integer, server_default="0", nullable=False)),
    "a table of its own, with all that belongs to it": made(
        lambda: op.create_table("more", sa.Column("id", sa.Text, sa.ForeignKey("player.id"), primary_key=True)),
        lambda: op.create_index("more_idx", "more", ["id"], unique=True),
        "INSERT INTO more SELECT id FROM player LIMIT 0",
    ),
    "without a foreign key": made(lambda: op.drop_constraint("chat_line_game_id_fkey", "chat_line")),
    "an index of a small table": made(lambda: op.create_index("i", "outage", ["end_ms"]), SMALL={"outage": "few"}),
    "an index that large servers have made before": made(
        lambda: op.create_index("game_i", "game", ["fen"], if_not_exists=True),
        BEFOREHAND=("CREATE INDEX CONCURRENTLY IF NOT EXISTS game_i ON game (fen)",),
    ),
    "a drop that nobody needs any more": made(
        lambda: op.drop_column("game", "last_san"), CONTRACT={"game.last_san": "0.2.0 reads it from the events"}
    ),
    "other room on pages": made("ALTER TABLE game SET (fillfactor = 80)"),
}
BAD = {
    "drops what the release before may use": (
        made(lambda: op.drop_column("game", "last_san")),
        made(lambda: op.drop_table("seek")),
        made(lambda: op.drop_index("game_look_idx", "game")),
        made(lambda: op.drop_constraint("game_pkey", "game")),
    ),
    "renames what": (
        made(lambda: op.rename_table("seek", "look")),
        made(lambda: op.alter_column("game", "fen", new_column_name="position")),
    ),
    "inserts rows without it": (made(column(sa.Text, nullable=False)),),
    "rewrites the table": (
        made(column(sa.DateTime, server_default=sa.text("now()"))),
        made(column(sa.Text, server_default=sa.text("gen_random_uuid()"))),
        made(column(sa.BigInteger, sa.Identity())),
        made(lambda: op.alter_column("game", "ply", type_=sa.BigInteger)),
    ),
    "tightens": (
        made(lambda: op.alter_column("game", "deadline_ms", nullable=False)),
        made(lambda: op.alter_column("game", "look_ms", server_default=None)),
        made(lambda: op.create_check_constraint("positive", "game", "ply >= 0")),
        made(lambda: op.create_unique_constraint("once", "seek", ["player_id"])),
        made(lambda: op.create_index("once", "seek", ["player_id"], unique=True), SMALL={"seek": "few"}),
    ),
    "under its lock": (
        made(lambda: op.create_check_constraint("positive", "game", "ply >= 0"), CONTRACT={"game": "0.2.0"}),
        made(lambda: op.alter_column("game", "fen", nullable=False), CONTRACT={"game.fen": "0.2.0"}),
    ),
    "nobody writes the table while it is built": (
        made(lambda: op.create_index("game_i", "game", ["fen"])),
        made(lambda: op.create_index("game_i", "game", ["fen"], if_not_exists=True)),
    ),
    "cannot be done in the transaction": (
        made(lambda: op.create_index("game_i", "game", ["fen"], postgresql_concurrently=True)),
    ),
    "goes through rows": (made("UPDATE game SET extra = ''"), made("DELETE FROM game_event WHERE version = 1")),
    "nobody has thought about": (
        made("LOCK TABLE game"),
        made("TRUNCATE seek"),
        made("ALTER TABLE game SET UNLOGGED"),
        made("CLUSTER game USING game_pkey"),
    ),
}


@pytest.mark.parametrize("name", GOOD)
def test_what_holds_nobody_up_is_let_through(name: str) -> None:
    assert list(problems(GOOD[name])) == []


@pytest.mark.parametrize(("says", "step"), [(says, step) for says, steps in BAD.items() for step in steps])
def test_what_would_break_or_stop_the_last_release_is_found(says: str, step: Step) -> None:
    assert any(says in problem for problem in problems(step)), (step.statements(), list(problems(step)))


def test_the_released_steps_themselves_would_not_all_pass() -> None:
    """They were taken before there was anything to break: 0002 and 0004 show that the rules see real steps."""
    second = Step(importlib.import_module("services.game.store.migrations.versions.r0002_moves_in_place"))
    assert any("drops what" in problem for problem in problems(second))
    fourth = Step(importlib.import_module("services.game.store.migrations.versions.r0004_whole_life"))
    assert any("goes through rows" in problem for problem in problems(fourth))
