"""How moves and castling rights are written: what the families and the notation share."""
