"""`python -m services.clock serve`"""

import sys

from services.clock.server import serve
from services.clock.settings import ClockSettings
from services.runtime import lifecycle
from services.runtime.settings import load


def main(words: list[str]) -> None:
    """Run the only command, `serve`. `words` are the arguments of the command line."""
    if words != ["serve"]:
        sys.exit("usage: python -m services.clock serve")
    lifecycle.run("clock", load(ClockSettings), serve)


if __name__ == "__main__":
    main(sys.argv[1:])
