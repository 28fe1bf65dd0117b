"""Ratings: which games count, what they change, and their history."""
