"""Measures and long checks: not tests of CI, but what they are made of is used there too."""
