"""Imported games, read from PGN."""
