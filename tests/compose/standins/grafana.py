"""Stands in for Grafana: reads what is provisioned for it as Grafana would find it, and answers /api/health.

Healthy only if a datasource of kind prometheus is there and every dashboard that a provider names is JSON with panels.
What it found is on /found.
"""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import yaml

PROVISIONING = Path("/etc/grafana/provisioning")


def provisioned(kind: str) -> list[dict[str, object]]:
    """The documents of a folder of the provisioning."""
    files = sorted((PROVISIONING / kind).glob("*.y*ml"))
    return [yaml.safe_load(file.read_text()) for file in files]


def find() -> dict[str, object]:
    """Datasources and dashboards. Raises where Grafana would not start or not show them."""
    sources = [source for document in provisioned("datasources") for source in document["datasources"]]  # type: ignore[attr-defined]
    boards: dict[str, int] = {}
    for document in provisioned("dashboards"):
        for provider in document["providers"]:  # type: ignore[attr-defined]
            for file in sorted(Path(provider["options"]["path"]).rglob("*.json")):
                board = json.loads(file.read_text())
                boards[board["uid"]] = len(board["panels"])
    if not any(source["type"] == "prometheus" for source in sources):
        raise ValueError("no datasource of kind prometheus")
    if not boards or not all(boards.values()):
        raise ValueError(f"dashboards without panels: {boards}")
    Path("/var/lib/grafana/grafana.db").write_text("")
    return {"datasources": sources, "dashboards": boards}


class Handler(BaseHTTPRequestHandler):
    """Answers two paths."""

    def do_GET(self) -> None:
        """Say what was found."""
        found = {"/api/health": {"database": "ok"}, "/found": FOUND}.get(self.path)
        body = json.dumps(found).encode()
        self.send_response(404 if found is None else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


FOUND = find()
ThreadingHTTPServer(("0.0.0.0", 3000), Handler).serve_forever()
