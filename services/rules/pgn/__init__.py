"""Games out of PGN and into it, in stages: bytes, tokens, games with every limit, moves on boards, ends."""
