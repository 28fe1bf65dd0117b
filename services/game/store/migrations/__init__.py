"""The steps that bring a database to the tables of `schema`, oldest first in `versions/`. Run by `migration`."""
