"""The public API's JSON objects, PGN, and the pages of rules."""
