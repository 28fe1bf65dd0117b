"""The hub: events of games and of players, for all listeners in this process."""
