"""WebSockets: the ASGI endpoint, a connection, its session and its queue of frames."""
