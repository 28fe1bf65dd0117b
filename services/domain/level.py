"""How strong the computer may play."""

LEVELS = range(1, 11)
"""From the weakest to the strongest. What a level is, the workers know."""
