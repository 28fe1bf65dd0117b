"""The table of commands, made from the modules in `commands/`. A new command needs no entry here."""

import re
from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

from services.game.play import commands
from services.game.play.command import Action, PlayerAction, ServerAction


def _kinds() -> Iterator[type[Action]]:
    for found in iter_modules(commands.__path__):
        module = import_module(f"{commands.__name__}.{found.name}")
        for kind in vars(module).values():
            here = isinstance(kind, type) and kind.__module__ == module.__name__
            if here and issubclass(kind, PlayerAction | ServerAction):
                yield kind


def _field(kind: type[Action]) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


KINDS: tuple[type[Action], ...] = tuple(_kinds())
"""All kinds of commands."""
WORDS = {kind: kind.__name__.lower() for kind in KINDS}
"""The name of each kind in metrics and traces."""
BY_FIELD = {_field(kind): kind for kind in KINDS if not kind.internal}
"""The kinds that arrive as messages, by the name of the message's field: OfferDraw is `offer_draw`."""
