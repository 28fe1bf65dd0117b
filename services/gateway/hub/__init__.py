"""What happens in games and to players, for everybody connected to this process."""
