"""Periodic work: ending what has expired, deleting what is too old."""
