"""`python -m services.gateway serve` runs the gateway."""

import argparse
import sys

from services.gateway.main.process import serve
from services.gateway.settings import GatewaySettings
from services.runtime import lifecycle
from services.runtime.settings import load


def main() -> int:
    """Run the command line. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m services.gateway", description=__doc__)
    parser.add_argument("command", choices=["serve"])
    parser.parse_args()
    try:
        lifecycle.run("gateway", load(GatewaySettings), serve)
    except OSError as error:
        print(f"gateway: {error.strerror or error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
