"""The gateway's clients of the game service."""
