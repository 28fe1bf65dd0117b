"""Generate `services/pb` from the contracts beside this file; with --check only say whether it is up to date.

The generated modules import each other, and know themselves, as `services.pb.flagfall.v1`, so that they need no
entry of their own on the import path. Stubs for mypy come from the same run: messages from protoc,
services from mypy-protobuf.
"""

import argparse
import filecmp
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = Path("flagfall") / "v1"
TARGET = ROOT / "services" / "pb" / PACKAGE
IMPORT = re.compile(r"^(from|import) flagfall\b", re.MULTILINE)
OWN_NAME = re.compile(r"(?<=')flagfall\.v1\.(?=\w+_pb2')")


def generate(into: Path) -> None:
    """Write the modules and stubs of every contract into a folder."""
    contracts = sorted(str(p.relative_to(ROOT / "proto")) for p in (ROOT / "proto" / PACKAGE).glob("*.proto"))
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run(
            [
                *(sys.executable, "-m", "grpc_tools.protoc", f"--proto_path={ROOT / 'proto'}"),
                f"--plugin=protoc-gen-mypy_grpc={Path(sys.executable).parent / 'protoc-gen-mypy_grpc'}",
                *(f"--{kind}_out={scratch}" for kind in ("python", "pyi", "grpc_python")),
                f"--mypy_grpc_out=quiet:{scratch}",
                *contracts,
            ],
            check=True,
        )
        into.mkdir(parents=True, exist_ok=True)
        for module in sorted((Path(scratch) / PACKAGE).iterdir()):
            text = IMPORT.sub(r"\1 services.pb.flagfall", module.read_text())
            (into / module.name).write_text(OWN_NAME.sub("services.pb.flagfall.v1.", text))


def differences(fresh: Path, committed: Path) -> list[str]:
    """Name the generated files that differ, are missing or are left over."""
    names = {p.name for folder in (fresh, committed) for p in folder.glob("*_pb2*.py*")}
    return sorted(
        name
        for name in names
        if not (fresh / name).is_file()
        or not (committed / name).is_file()
        or not filecmp.cmp(fresh / name, committed / name, shallow=False)
    )


def main() -> int:
    """Generate, or with --check compare a fresh generation with what is committed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 when services/pb is out of date")
    if not parser.parse_args().check:
        generate(TARGET)
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        generate(Path(scratch))
        changed = differences(Path(scratch), TARGET)
    if changed:
        print(f"services/pb is not what proto/ generates: {', '.join(changed)}. Run `make proto`.", file=sys.stderr)
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
