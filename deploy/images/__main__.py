"""`python -m deploy.images [--service NAME]... [--tag TAG]... [--from-commit COMMIT]`"""

import argparse
import contextlib
import json
import os
import sys
import time

from deploy.images.base import NAME as BASE
from deploy.images.base import TIME_S, ensure_base
from deploy.images.run import ImageError, run
from deploy.images.source import Source, of_commit, of_work_tree

SERVICES = ("rules", "game", "clock", "workers", "gateway")
PREFIX = "localhost/flagfall"
"""Images of this machine; manifests and compose name them `flagfall/gateway`, which is looked for here first."""


def say(text: str) -> None:
    """Print a line of progress."""
    print(f"flagfall: {text}", flush=True)


def build(service: str, tags: list[str], source: Source, own_base: bool, fresh: bool) -> None:
    """Build the image of one service and give it its tags."""
    first, *others = [f"{PREFIX}/{service}:{tag}" for tag in tags]
    run(
        *("buildah", "bud", "--quiet", "--layers", "--force-rm", "--isolation", "chroot"),
        *(("--no-cache",) if fresh else ()),
        *(("--pull-never", "--from", BASE) if own_base else ()),
        *("--timestamp", str(TIME_S), "--build-arg", f"SERVICE={service}"),
        *("--build-arg", f"VERSION={source.version}", "--build-arg", f"REVISION={source.revision}"),
        *("--ignorefile", source.folder / ".dockerignore", "--file", source.dockerfile, "--tag", first, source.folder),
        env={"SOURCE_DATE_EPOCH": str(TIME_S)},
    )
    for other in others:
        run("buildah", "tag", first, other)


def size_mb(service: str, tag: str) -> float:
    """Megabytes (10^6 bytes) of an image, unpacked."""
    described = json.loads(run("buildah", "images", "--json", f"{PREFIX}/{service}:{tag}"))
    text = str(described[0]["size"])
    number, unit = text.split()
    return float(number) * {"B": 1e-6, "KB": 1e-3, "MB": 1.0, "GB": 1e3}[unit]


def main(words: list[str]) -> int:
    """Build the requested images and print their sizes."""
    parser = argparse.ArgumentParser(prog="python -m deploy.images", description="Build the images with buildah.")
    parser.add_argument("--service", action="append", choices=SERVICES, help="only this one; may be repeated")
    parser.add_argument("--tag", action="append", help="tags; without any: the version, and dev")
    parser.add_argument("--from-commit", help="build another commit of this repository; needs --tag")
    parser.add_argument("--pull", action="store_true", help="take the base from a registry instead of making it")
    parser.add_argument(
        "--fresh", action="store_true", help="use no layer of an earlier build: Debian's newest packages"
    )
    given = parser.parse_args(words)
    if given.from_commit and not given.tag:
        parser.error("--from-commit needs a --tag of its own")
    if os.geteuid():
        print("flagfall: images are built by root", file=sys.stderr)
        return 1
    began = time.monotonic()
    services = given.service or SERVICES
    try:
        if not given.pull:
            ensure_base(say)
        with of_commit(given.from_commit) if given.from_commit else contextlib.nullcontext(of_work_tree()) as source:
            tags = given.tag or [source.release, "dev"]
            say(f"building {', '.join(services)}, version {source.version}")
            for service in services:
                build(service, tags, source, not given.pull, given.fresh)
        for service in services:
            say(f"{PREFIX}/{service}:{tags[0]}\t{size_mb(service, tags[0]):.0f} MB")
    except ImageError as error:
        print(f"flagfall: {error}", file=sys.stderr)
        return 1
    say(f"done in {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
