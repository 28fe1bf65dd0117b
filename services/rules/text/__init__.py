"""How moves and castling rights are written. The families and the notation use it."""
