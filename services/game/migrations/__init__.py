"""The steps that bring a database to `services/game/schema.py`, oldest first in `versions/`. Run by `migration`."""
