"""A game as values, and every decision on it. Pure: time, random numbers and outside facts are arguments."""
