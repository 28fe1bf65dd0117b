"""Builds the public API's objects (declared in `answers`), PGN, and the pages of rules."""
