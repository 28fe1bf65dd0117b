"""Correspondence: conditional moves, vacations, reminders."""
