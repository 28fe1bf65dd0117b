"""The commit path: how a batch of commands becomes committed versions and published events."""
