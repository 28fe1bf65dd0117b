"""Reads and writes PGN, in stages: bytes, tokens, games within the limits, moves on boards, ends."""
