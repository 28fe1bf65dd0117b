"""The process: the only place that connects the parts of the gateway."""
