"""`python -m services.rules serve` is the service, `... judge` asks the rules on a terminal, `... uci` is an engine."""

import sys

from services.rules import cli, server, uci
from services.rules.settings import RulesSettings
from services.runtime import lifecycle
from services.runtime.settings import load

USAGE = "usage: python -m services.rules serve | uci | judge [OPTION]... MOVE... | judge --help"


def main(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    match arguments:
        case ["serve"]:
            lifecycle.run("rules", load(RulesSettings), server.serve)
            return 0
        case ["uci"]:
            uci.converse(sys.stdin, sys.stdout)
            return 0
        case ["judge", "-h" | "--help"]:
            print(cli.__doc__)
            return 0
        case ["judge", *rest]:
            return cli.judge_command(rest)
        case _:
            print(USAGE, file=sys.stderr)
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
