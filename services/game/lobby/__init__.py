"""The lobby: seeks, and their pairing."""
