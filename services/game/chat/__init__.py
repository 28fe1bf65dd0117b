"""Chat beside a game."""
