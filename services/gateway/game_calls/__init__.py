"""The game service as the gateway calls it."""
