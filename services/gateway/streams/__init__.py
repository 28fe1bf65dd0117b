"""Streams of JSON lines: a player's events, a game for its players, and games for spectators."""
