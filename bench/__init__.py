"""Measurements and long checks. CI does not run them as tests, but uses parts of their code."""
