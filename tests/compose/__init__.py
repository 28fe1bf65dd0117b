"""deploy/compose.yaml, unmodified, on Debian's Docker engine (`make compose-test`, as root)."""
