"""The lobby: seeks, and which two of them make a game."""
