"""Cases C07 and D01: what must not be in the code: keys that expire as clocks, and tasks that wait in the queue."""

import ast
from collections.abc import Iterator
from pathlib import Path

from deploy.laptop.node import ROOT
from services.workers.celery_app import QUEUES, make_app
from services.workers.settings import WorkersSettings

WAITING = {"eta", "countdown"}
EXPIRY_EVENTS = ("__keyevent", "__keyspace", "notify-keyspace-events")


def _sources() -> Iterator[tuple[Path, ast.Module]]:
    for folder in ("services", "deploy"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "node_modules" not in path.parts and "pb" not in path.parts:
                yield path.relative_to(ROOT), ast.parse(path.read_text())


def _wrong(path: Path, tree: ast.Module) -> Iterator[str]:
    docstrings = {
        node.body[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            for keyword in node.keywords:
                if keyword.arg in WAITING:
                    yield f"{path}:{node.lineno}: {keyword.arg}= in a call"
        elif isinstance(node, ast.Dict):
            for key in node.keys:
                if isinstance(key, ast.Constant) and key.value in WAITING:
                    yield f"{path}:{node.lineno}: {key.value!r} in a dict"
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docstrings:
            for name in EXPIRY_EVENTS:
                if name in node.value:
                    yield f"{path}:{node.lineno}: {name}"


def test_no_task_waits_in_the_queue_and_no_expiry_is_listened_to() -> None:
    assert [wrong for path, tree in _sources() for wrong in _wrong(path, tree)] == []


def test_the_look_for_them_finds_them() -> None:
    """The negative fixture."""
    bad = """
task.apply_async(args, countdown=1209600)
app.send_task("expire", eta=later)
options = {"eta": later}
subscribe("__keyevent@0__:expired")
def documented():
    "An eta, a countdown and __keyevent in words are no harm."
"""
    found = list(_wrong(Path("bad.py"), ast.parse(bad)))
    assert [line.split(": ", 1)[1] for line in found] == [
        "countdown= in a call",
        "eta= in a call",
        "'eta' in a dict",
        "__keyevent",
    ]


def test_no_task_is_held_longer_than_the_broker_waits_for_it() -> None:
    settings = WorkersSettings()
    app = make_app(settings)
    try:
        assert app.conf.task_acks_late
        assert app.conf.task_reject_on_worker_lost
        assert app.conf.worker_prefetch_multiplier == 1
        # Longer than the slowest task that is not stuck: a redelivered one is harmless and a waste.
        assert app.conf.broker_transport_options["visibility_timeout"] == settings.visibility_timeout_s
        assert {entry["options"]["queue"] for entry in app.conf.beat_schedule.values()} <= set(QUEUES)
        assert all(entry["schedule"].total_seconds() <= 60 for entry in app.conf.beat_schedule.values())
    finally:
        app.close()


def test_one_beat_and_it_is_no_part_of_a_worker() -> None:
    """Case D05: on a laptop as in the cluster."""
    plan = (ROOT / "deploy" / "laptop" / "plan.py").read_text()
    verbs = [
        [part.value for part in node.elts if isinstance(part, ast.Constant)]
        for node in ast.walk(ast.parse(plan))
        if isinstance(node, ast.List | ast.Tuple)
    ]
    words = [word for line in verbs for word in line]
    assert "-B" not in words
    assert "--beat" not in words
