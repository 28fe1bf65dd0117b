"""The frames of docs/protocol.md, in and out."""
