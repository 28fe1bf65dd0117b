"""Lists of games, and search for games."""
