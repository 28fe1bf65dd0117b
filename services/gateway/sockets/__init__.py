"""WebSockets: the door, one connection, its session and its queue of frames."""
