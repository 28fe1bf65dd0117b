"""One engine and one `up` for the folder: a minute or two."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.compose.engine import Engine
from tests.compose.images import compose_program, load_images
from tests.compose.network import Namespace
from tests.compose.project import Project


@pytest.fixture(scope="session")
def engine() -> Iterator[tuple[Engine, Namespace]]:
    """Debian's engine; its folder has a short name, since the path of a socket may not be long."""
    folder = Path(tempfile.mkdtemp(prefix=f"ffA{os.getpid()}-"))
    namespace = Namespace.open("ffA")
    try:
        running = Engine(folder, namespace)
        try:
            yield running, namespace
        finally:
            running.stop()
    finally:
        namespace.close()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def project(engine: tuple[Engine, Namespace], tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The project with its images loaded, not yet up."""
    running, namespace = engine
    folder = tmp_path_factory.mktemp("compose")
    made = Project(compose_program(), folder, running, namespace)
    load_images(running, folder, made.images())
    return made


@pytest.fixture(scope="session")
def up(project: Project) -> Iterator[Project]:
    """The project up; afterwards down, volumes and all."""
    project.up()
    try:
        yield project
    finally:
        project.compose("down", "--volumes", "--timeout", "20")
