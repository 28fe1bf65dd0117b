"""Texts for people, as values: a key of the catalogue and arguments. Text is made at the edge (`services.words`)."""

from dataclasses import dataclass
from typing import Union

Argument = Union[str, int, "Text"]


@dataclass(frozen=True, slots=True)
class Text:
    """One sentence for people. `key` names the message of the catalogue, `arguments` fill its places, by name.

    An argument may be a text itself: it is put in by the same language.
    """

    key: str
    arguments: tuple[tuple[str, Argument], ...] = ()

    def __str__(self) -> str:
        """For logs: the key and the arguments, in no language."""
        return self.key + "".join(f" {name}={value!s}" for name, value in self.arguments)


def say(key: str, /, **arguments: Argument) -> Text:
    """The text with this key of the catalogue. A test holds every call to the catalogue: key and names of arguments."""
    return Text(key, tuple(sorted(arguments.items())))
