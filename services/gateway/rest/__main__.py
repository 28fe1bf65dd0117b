"""Write the files that are generated from the HTTP API: `make schema`."""

from pathlib import Path

from services.gateway.rest.typescript import typescript

GENERATED = {Path(__file__).resolve().parents[1] / "web" / "src" / "net" / "rest.gen.ts": typescript}

if __name__ == "__main__":
    for path, text in GENERATED.items():
        path.write_text(text(), "utf-8")
