"""Streams of JSON lines: a player's events, a game, games that are watched."""
