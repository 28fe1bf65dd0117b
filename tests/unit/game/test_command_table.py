"""The table of commands is complete: against the messages, against the modules, and each command with its parts."""

from dataclasses import fields
from importlib import import_module
from inspect import getmembers, isclass
from pkgutil import iter_modules
from typing import Any, cast

import pytest

from services.domain.colour import Colour
from services.domain.refusal import Refusal
from services.game.play import commands
from services.game.play.command import Action, PlayerAction, ServerAction
from services.game.play.command_table import BY_FIELD, KINDS, WORDS
from services.game.play.commands.moving import Move
from services.game.settings import GameSettings
from services.game.wire.parsing import ACTIONS, command_of
from services.pb.flagfall.v1 import game_pb2 as pb

READABLE: dict[str, Any] = {"text": "e2e4", "move": "e2e4", "ms": 15_000, "level": 3, "side": 1}
"""Values that are read, of fields that are not read with just any."""


def test_every_action_of_a_message_but_a_beat_is_a_command() -> None:
    assert set(BY_FIELD) == set(ACTIONS) - {"beat"}


def test_every_module_has_commands_and_all_of_them_are_in_the_table() -> None:
    found: set[type] = set()
    for module_info in iter_modules(commands.__path__):
        module = import_module(f"{commands.__name__}.{module_info.name}")
        here = {
            kind
            for _, kind in getmembers(module, isclass)
            if kind.__module__ == module.__name__ and issubclass(kind, PlayerAction | ServerAction)
        }
        assert here, f"{module_info.name} has no command"
        found |= here
    assert found == set(KINDS)
    assert len(KINDS) == len(found) == len(set(WORDS.values()))


@pytest.mark.parametrize("kind", KINDS)
def test_a_command_is_a_frozen_value_that_decides(kind: type[Action]) -> None:
    parts = vars(kind)
    assert parts["__dataclass_params__"].frozen
    assert "__slots__" in parts
    assert "decide" in parts
    assert kind.__doc__


@pytest.mark.parametrize("name", sorted(BY_FIELD))
def test_a_command_is_read_from_the_fields_of_its_message(name: str) -> None:
    kind, action = BY_FIELD[name], ACTIONS[name]
    assert {field.name for field in fields(cast(Any, kind))} == set(action.fields_by_name)
    player_id = "" if issubclass(kind, ServerAction) else "anna"
    message = pb.Command(game_id="abcdEF12", player_id=player_id)
    asked = getattr(message, name)
    asked.SetInParent()
    for field in action.fields:
        setattr(asked, field.name, READABLE.get(field.name, 1))
    command = command_of(message, 5, GameSettings())
    assert not isinstance(command, Refusal), command
    assert type(command.action) is kind
    for field in action.fields:
        value = getattr(command.action, field.name)
        assert value == (Colour.WHITE if field.name == "side" else READABLE.get(field.name, 1))


def test_an_absent_optional_field_is_none() -> None:
    message = pb.Command(game_id="abcdEF12", player_id="anna", move=pb.Move(text="e4"))
    command = command_of(message, 5, GameSettings())
    assert not isinstance(command, Refusal)
    assert command.action == Move("e4", ply=None, offer_draw=False, takebacks=None)


def test_every_command_decides_by_itself() -> None:
    """The bases only say what a decision is: a class without one of its own would fail at its first command."""
    for kind in KINDS:
        assert kind.decide not in (PlayerAction.decide, ServerAction.decide), kind
