"""The process: the only place that wires the parts of the game service together."""
