"""The HTTP API: one module for each part."""
