"""ARCHITECTURE.md and docs/journeys.md name files and folders that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
PATH = re.compile(r"`([\w./*-]+/[\w./*-]+|[\w-]+\.(?:py|proto|md|toml))`")
SERVICES = ("domain", "game", "gateway", "rules", "gateway/main", "gateway/protocol", "gateway/rest")
HOMES = ("", "services/", "proto/flagfall/v1/", *(f"services/{name}/" for name in SERVICES))
EVERYWHERE = ("settings.py", "servicer.py")
"""Names of files that each service or feature has."""


def exists(name: str) -> bool:
    """Whether a page's short name is a file or folder, a module without its ending, or a pattern that finds some."""
    name = name.rstrip("/")
    for home in HOMES:
        place = ROOT / home / name
        if "*" in name and any(ROOT.glob(home + name)):
            return True
        if place.exists() or place.with_name(place.name + ".py").exists():
            return True
    return name in EVERYWHERE


def lost(page: str) -> list[str]:
    """What a page names that is nowhere."""
    return [name for name in PATH.findall(page) if not exists(name)]


def test_the_map_names_what_exists() -> None:
    for page in ("ARCHITECTURE.md", "docs/journeys.md"):
        text = re.sub(r"```.*?```", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.S)
        assert lost(text) == [], page


def test_a_lost_name_is_found() -> None:
    assert lost("`game/no.py` `domain/clock.py` `game/commit/path`") == ["game/no.py"]
