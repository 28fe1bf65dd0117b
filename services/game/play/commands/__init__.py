"""The commands of a game, one module per family. A command is one class with its fields and all its rules."""
