"""The images that the tests run, and the manifests that name them."""

import os
from collections.abc import Callable

from deploy.checks.rendered import render
from deploy.images.__main__ import SERVICES
from deploy.images.__main__ import main as build
from deploy.images.run import run
from deploy.laptop.node import ROOT
from tests.cluster.manifests import Manifests
from tests.stack.stand_ins import build_stand_ins

OVERLAY = "local"
RELEASED = "released"
"""Tag of the images of the last release (deploy/released)."""


def released_commit() -> str:
    """The commit of the last release whose replicas may still run during an upgrade."""
    return (ROOT / "deploy" / "released").read_text().split()[0]


def build_all(say: Callable[[str], None]) -> None:
    """Build what is missing: stand-ins of public images, and the images of the last release. Those of this version are
    `make images`."""
    build_stand_ins(say)
    commit = released_commit()
    if all(revision_of(f"localhost/flagfall/{service}:{RELEASED}") == commit for service in SERVICES):
        return
    say(f"building the images of the release {commit[:10]}")
    if build(["--from-commit", commit, "--tag", RELEASED]):
        raise AssertionError("the release's images were not built")


def revision_of(image: str) -> str:
    """The commit that an image was built from; empty without one, or without an image."""
    if os.path.basename(run("buildah", "images", "--quiet", "--filter", f"reference={image}")) == "":
        return ""
    label = '{{index .OCIv1.Config.Labels "org.opencontainers.image.revision"}}'
    return run("buildah", "inspect", "--type", "image", "--format", label, image)


def manifests() -> Manifests:
    """The overlay that a laptop's cluster is given."""
    return Manifests.of(render(OVERLAY))


def of_release(target: Manifests) -> Manifests:
    """The same manifests with the images of the last release."""
    images = {image for maker in target.makers.values() for image in maker.images if image.startswith("flagfall/")}
    return target.with_images({image: f"{image.partition(':')[0]}:{RELEASED}" for image in images})
