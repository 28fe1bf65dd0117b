"""The images that compose asks for: our own, and stand-ins of Debian's packages for the published ones."""

import subprocess
from pathlib import Path

from deploy.images.base import CACHE, ensure_base
from deploy.images.base import NAME as BASE
from deploy.images.run import run
from tests.compose.engine import Engine

STANDINS = Path(__file__).parent / "standins"
OURS = ("rules", "game", "clock", "workers", "gateway")


def build_standin(target: str) -> str:
    """Build one of standins/Dockerfile; its name."""
    ensure_base(print)
    name = f"localhost/flagfall-standin/{target}"
    run(
        *("buildah", "bud", "--quiet", "--layers", "--force-rm", "--isolation", "chroot", "--pull-never"),
        *("--from", BASE, "--timestamp", "0", "--target", target, "--tag", name, STANDINS),
    )
    return name


def compose_program() -> Path:
    """Compose v2 of Debian 13, taken out of its package; Debian 12 has none."""
    kept = CACHE / "docker-compose"
    if not kept.is_file():
        container = run("buildah", "from", "--pull-never", build_standin("compose"))
        try:
            mounted = Path(run("buildah", "mount", container))
            (found,) = mounted.glob("usr/lib*/docker/cli-plugins/docker-compose")
            part = kept.with_suffix(".part")
            part.write_bytes(found.read_bytes())
            part.chmod(0o755)
            part.rename(kept)
        finally:
            run("buildah", "rm", container)
    return kept


def load_images(engine: Engine, folder: Path, asked: set[str]) -> None:
    """Give the engine every image that compose names, and nothing else; it can reach no registry."""
    ours = {f"flagfall/{service}" for service in OURS}
    for image in sorted(asked):
        repository = image.partition(":")[0]
        source = f"localhost/{repository}:dev" if repository in ours else build_standin(repository.rpartition("/")[2])
        archive = folder / "image.tar"
        archive.unlink(missing_ok=True)
        # Under this one name: buildah's own way adds the names that the image has here.
        subprocess.run(
            ["buildah", "push", "--quiet", source, f"docker-archive:{archive}:{image}"],
            check=True,
            capture_output=True,
            timeout=300,
        )
        engine.load(archive)
        archive.unlink()
