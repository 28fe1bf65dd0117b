"""Games as they are read outside of the commit path."""
