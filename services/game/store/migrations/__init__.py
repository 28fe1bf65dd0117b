"""The steps that update a database to the tables of `schema`, in `versions/`. `migration` runs them."""
