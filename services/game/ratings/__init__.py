"""Ratings: which games count, how they change ratings, and the history."""
