"""The process: the only place that wires the parts of the gateway together."""
