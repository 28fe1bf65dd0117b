"""`python -m services.game serve` runs the service; `migrate` brings the database to the newest schema."""

import argparse
import asyncio
import logging

from services.game.settings import GameSettings
from services.runtime import lifecycle, logs
from services.runtime.settings import load


def main() -> None:
    """The command line. Each command imports what it needs, so that a migration does not wait for a server's parts."""
    parser = argparse.ArgumentParser(prog="python -m services.game", description=__doc__)
    parser.add_argument("command", choices=["serve", "migrate"])
    command = parser.parse_args().command
    settings = load(GameSettings)
    if command == "migrate":
        from services.game.migration import migrate

        logs.set_up("game", settings.log_format, settings.log_level)
        logging.getLogger("alembic.runtime.migration").setLevel(logging.WARNING)  # the migration tells it in our words
        asyncio.run(migrate(settings))
    else:
        from services.game.process import serve
        from services.game.schema_step import newest_step

        lifecycle.run("game", settings, serve, schema=newest_step())


if __name__ == "__main__":
    main()
