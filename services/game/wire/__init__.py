"""Protobuf messages to values and back, and the rules service as this service calls it."""
