"""The commit path: turns a batch of commands into committed versions and published events."""
