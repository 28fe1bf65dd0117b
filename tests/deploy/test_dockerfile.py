"""deploy/Dockerfile by hadolint and by meaning; each check has a file that breaks it."""

import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.checks.tools import program
from deploy.images.__main__ import SERVICES
from deploy.laptop.node import ROOT, engine_command

FILE = ROOT / "deploy" / "Dockerfile"
IGNORED = ROOT / ".dockerignore"
BASE = "debian:trixie-slim"
USER = "10001:10001"


def instructions(text: str) -> list[tuple[str, str]]:
    """The instructions, with continued lines joined and comments left out."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [(line.split(None, 1)[0], line.split(None, 1)[1].strip()) for line in joined.splitlines()]


def stages(text: str) -> dict[str, list[tuple[str, str]]]:
    """For each stage its instructions, FROM first; the last one's name is empty."""
    found: dict[str, list[tuple[str, str]]] = {}
    name = "before"
    for word, rest in instructions(text):
        if word == "FROM":
            name = rest.partition(" AS ")[2]
            found[name] = []
        found.setdefault(name, []).append((word, rest))
    return found


def finished(text: str, service: str) -> list[tuple[str, str]]:
    """What the image of a service is made by, from the base on."""
    all_of = stages(text)
    chain: list[tuple[str, str]] = []
    name = ""
    while name in all_of:
        chain = all_of[name][1:] + chain
        name = all_of[name][0][1].partition(" AS ")[0].replace("${SERVICE}", service)
    return [("FROM", name), *chain]


def faults(text: str) -> Iterator[str]:
    """Every way in which the file is not what it should be."""
    for service in SERVICES:
        made = finished(text, service)
        if made[0] != ("FROM", BASE):
            yield f"{service} stands on {made[0][1]}"
        users = [rest for word, rest in made if word == "USER"]
        if not users or users[-1] != USER:
            yield f"{service} does not run as {USER}"
        entries = [place for place, (word, _) in enumerate(made) if word == "ENTRYPOINT"]
        commands = [place for place, (word, _) in enumerate(made) if word == "CMD"]
        if not entries or made[entries[-1]][1] != '["python", "-m"]':
            yield f"{service} does not start python -m"
        elif not commands or commands[-1] < entries[-1] or f'"services.{service}"' not in made[commands[-1]][1]:
            yield f"{service} does not start itself"
        for word, rest in made:
            if word == "RUN" and re.search(r"\b(pip|uv|npm|curl|wget|gcc|build-essential|python3-venv)\b", rest):
                yield f"{service} keeps installers: {rest[:60]}"
            if word == "ENV" and re.search(r"PASSWORD|SECRET|TOKEN", rest):
                yield f"{service} holds a secret"
            if word == "HEALTHCHECK":
                yield f"{service} has a health check of its own, that Kubernetes does not read"
    labels = " ".join(rest for word, rest in finished(text, "game") if word == "LABEL")
    for label, value in (
        ("licenses", '"GPL-3.0-or-later"'),
        ("version", '"${VERSION}"'),
        ("revision", '"${REVISION}"'),
    ):
        if f"org.opencontainers.image.{label}={value}" not in labels:
            yield f"the label {label} is missing"
    for word, rest in instructions(text):
        if word != "RUN":
            continue
        for step in rest.split("&&"):
            if re.search(r"\bpip install\b", step) and "--require-hashes" not in step:
                yield f"packages without hashes: {step.strip()}"
            if re.search(r"\bnpm (install|i|update)\b", step):
                yield f"npm beside its lock: {step.strip()}"
            if "compileall" in step and "unchecked-hash" not in step:
                yield f"bytecode that depends on the time of files: {step.strip()}"
            if "apt-get install" in step and "--no-install-recommends" not in step:
                yield f"more packages than asked for: {step.strip()}"
            if "<<" in step:
                yield f"buildah knows no here-documents: {step.strip()}"


def test_the_file_is_as_it_should_be() -> None:
    assert list(faults(FILE.read_text())) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("FROM debian:trixie-slim AS python", "FROM python:3 AS python", "rules stands on python:3"),
        ("USER 10001:10001", "USER 0", "game does not run as 10001:10001"),
        ('ENTRYPOINT ["python", "-m"]', 'ENTRYPOINT ["sh"]', "clock does not start python -m"),
        ('CMD ["services.clock", "serve"]', 'CMD ["services.game", "serve"]', "clock does not start itself"),
        ("FROM python AS service", "FROM tools AS service", "game keeps installers"),
        ("PYTHONUNBUFFERED=1", "DATABASE_PASSWORD=1", "gateway holds a secret"),
        ("EXPOSE 9000", "HEALTHCHECK CMD true", "rules has a health check of its own"),
        ('licenses="GPL-3.0-or-later"', 'licenses="MIT"', "the label licenses is missing"),
        ('revision="${REVISION}"', 'revision=""', "the label revision is missing"),
        ("--quiet --require-hashes", "--quiet", "packages without hashes"),
        ("npm ci", "npm install", "npm beside its lock"),
        ("--invalidation-mode unchecked-hash", "", "bytecode that depends on the time of files"),
        ("--no-install-recommends", "", "more packages than asked for"),
        ("RUN npm run --silent build", "RUN cat <<EOF", "buildah knows no here-documents"),
    ],
)
def test_a_file_that_breaks_a_rule_is_refused(old: str, new: str, said: str) -> None:
    text = FILE.read_text()
    assert old in text
    found = list(faults(text.replace(old, new)))
    assert any(fault.startswith(said) for fault in found), found


def test_hadolint(tmp_path: Path) -> None:
    def lint(file: Path) -> tuple[int, str]:
        words = [str(program("hadolint")), "--no-color", "-c", str(ROOT / "deploy/checks/hadolint.yaml"), str(file)]
        result = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
        return result.returncode, result.stdout + result.stderr

    assert lint(FILE) == (0, "")
    assert lint(ROOT / "tests/compose/standins/Dockerfile") == (0, "")
    wrong = tmp_path / "Dockerfile"
    wrong.write_text(FILE.read_text().replace("FROM debian:trixie-slim AS python", "FROM debian:latest AS python"))
    status, said = lint(wrong)
    assert status == 1
    assert "DL3007" in said


def test_every_service_is_an_extra_of_the_project() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert set(SERVICES) <= set(extras)


def test_the_engine_is_the_one_the_levels_were_tuned_with() -> None:
    """The words of the image name the same files as those of `make run`."""
    tuned = engine_command(ROOT / ".venv")
    assert tuned is not None
    (said,) = [rest for word, rest in finished(FILE.read_text(), "workers") if "FLAGFALL_ENGINE_COMMAND" in rest]
    words = said.partition('"')[2].rstrip('"').split()
    assert words[1] == tuned[1]
    assert [Path(word).name for word in words] == [Path(word).name for word in tuned]


def test_nothing_is_sent_to_the_build_that_is_not_named() -> None:
    """.dockerignore leaves all out, then takes in; what a COPY of ours names is among it."""
    lines = [line for line in IGNORED.read_text().splitlines() if line and not line.startswith("#")]
    assert lines[0] == "*"
    taken = [line[1:] for line in lines if line.startswith("!")]
    for word, rest in instructions(FILE.read_text()):
        if word == "COPY" and "--from=" not in rest:
            for source in rest.split()[:-1]:
                assert any(source.rstrip("/") == name or source.startswith(f"{name}/") for name in taken), source
