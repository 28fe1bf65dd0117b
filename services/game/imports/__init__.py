"""Games that were played elsewhere, read from PGN."""
