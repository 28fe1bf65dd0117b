"""Positions and moves as text: FEN and moves in and out, and whether a position can be played from."""
