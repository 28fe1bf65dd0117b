"""Write the files that are generated from the frames: `make schema`."""

from pathlib import Path

from services.gateway.protocol.schema import schema
from services.gateway.protocol.typescript import typescript

ROOT = Path(__file__).resolve().parents[3]
GENERATED = {
    ROOT / "docs" / "protocol-schema.json": schema,
    ROOT / "services" / "gateway" / "web" / "src" / "net" / "wire.gen.ts": typescript,
}

if __name__ == "__main__":
    for path, text in GENERATED.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text(), "utf-8")
