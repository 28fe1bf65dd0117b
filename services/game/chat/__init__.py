"""Chat of a game."""
