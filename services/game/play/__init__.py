"""A game as values, and every decision on it. Pure: time, chance and facts from outside are arguments."""
