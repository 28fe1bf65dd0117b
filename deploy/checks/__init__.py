"""Checks of the source itself that `make lint` runs."""
