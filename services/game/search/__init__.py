"""Lists of games and the search for them."""
