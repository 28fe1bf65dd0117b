"""Parties: private gatherings by link, and their next games."""
