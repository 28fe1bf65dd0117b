"""Runs npm with the node that `make install` found: `python -m deploy.laptop.npm FOLDER WORD...`."""

import os
import subprocess
import sys
from pathlib import Path

from deploy.laptop.node import find_node


def main(folder: str, *words: str) -> int:
    """Run npm in a folder and return its exit code."""
    node = find_node(Path(sys.prefix))
    if node is None:
        print("flagfall: node is missing; run `make install`", file=sys.stderr)
        return 1
    path = f"{node.executable.parent}{os.pathsep}{os.environ.get('PATH', '')}"
    return subprocess.run([*node.npm, *words], cwd=folder, env=os.environ | {"PATH": path}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
