"""Accounts, guests, tokens and passwords."""
