"""Flagfall's parts. Each folder is one process kind or one shared layer; ARCHITECTURE.md draws how they meet."""
