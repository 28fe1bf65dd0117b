"""Invitations: challenges to a person or by an open link, counter-offers, rematches."""
