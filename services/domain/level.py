"""The levels of the computer player."""

LEVELS = range(1, 11)
"""From the weakest to the strongest. The workers define what each level means."""
