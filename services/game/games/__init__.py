"""Reads of games outside the commit path."""
