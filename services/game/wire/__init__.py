"""Converts protobuf messages to values and back, and calls the rules service."""
