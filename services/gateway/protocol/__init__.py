"""The frames of docs/protocol.md, in both directions."""
