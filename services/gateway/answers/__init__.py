"""The objects that the HTTP API answers, each declared once: its schema and the page's type of it come from here.

Owns names, types and absence of fields. What a field says is decided where answers are built (`public_api`, `rest`).
"""
