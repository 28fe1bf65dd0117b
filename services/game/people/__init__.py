"""Accounts, guests, tokens, passwords, and what is kept of a person."""
