"""The objects of the public API, PGN, and the OpenAPI description."""
