"""`python -m services.game serve` runs the service; `migrate` brings the database to the newest schema.

For the server's operator, at a running service (FLAGFALL_GAME_TARGET): `close NAME` closes an account, and `password
NAME` sets its password, read from standard input.
"""

import argparse
import asyncio
import logging
import sys

from services.game.settings import GameSettings
from services.runtime import lifecycle, logs
from services.runtime.settings import load


def main() -> int:
    """Run the command; returns the exit status. Each command imports only what it needs, so it starts fast."""
    parser = argparse.ArgumentParser(
        prog="python -m services.game", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("serve", "migrate"):
        commands.add_parser(name)
    for name in ("close", "password"):
        commands.add_parser(name).add_argument("name", help="the name of the account")
    given = parser.parse_args()
    settings = load(GameSettings)
    if given.command == "serve":
        from services.game.main.process import serve
        from services.game.store.schema_step import newest_step

        lifecycle.run("game", settings, serve, schema=newest_step())
    elif given.command == "migrate":
        from services.game.store.migration import migrate

        logs.set_up("game", settings.log_format, settings.log_level)
        logging.getLogger("alembic.runtime.migration").setLevel(logging.WARNING)  # `migration` writes its own log lines
        asyncio.run(migrate(settings))
    else:
        from services.game.main import operator

        return operator.run(given.command, given.name, settings)
    return 0


if __name__ == "__main__":
    sys.exit(main())
