"""The commands of a game, one module a family. A command is one class: its value, and all of its rules."""
