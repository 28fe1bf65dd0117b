"""The computer as an opponent: hints, progress and badges."""
