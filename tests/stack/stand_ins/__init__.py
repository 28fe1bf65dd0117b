"""Images that stand in for public ones: made of Debian's packages under the public names, on this machine alone
(`localhost/postgres:17` is what `postgres:17` means to buildah and podman where nothing else is stored)."""

from collections.abc import Callable
from pathlib import Path

from deploy.images.base import NAME, ensure_base
from deploy.images.run import run

FOLDER = Path(__file__).parent
IMAGES = {"postgres:17": "postgres", "valkey/valkey:8": "valkey"}
"""From the public name to the folder of what stands in for it."""


def build_stand_ins(say: Callable[[str], None]) -> None:
    """Build those that are not there yet, layer by layer. Raises ImageError."""
    ensure_base(say)
    for name, folder in IMAGES.items():
        context = FOLDER / folder
        run(
            *("buildah", "bud", "--quiet", "--layers", "--force-rm", "--isolation", "chroot"),
            *("--pull-never", "--from", NAME, "--file", context / "Dockerfile"),
            *("--tag", f"localhost/{name}", context),
        )
