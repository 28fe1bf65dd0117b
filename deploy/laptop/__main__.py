"""`python -m deploy.laptop`."""

import sys

from deploy.laptop.cli import main

sys.exit(main())
