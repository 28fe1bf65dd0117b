"""Parses incoming commands, once. Unreadable input is a refusal that names the field."""

import re
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from services.domain.refusal import Refusal
from services.domain.text import say
from services.game.play.command import Action, Command, ServerAction
from services.game.play.command_table import BY_FIELD
from services.game.play.person import is_player_id
from services.game.play.refusals import NO_GAME, malformed
from services.game.settings import GameSettings
from services.game.wire.fields import is_game_id
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.common_pb2 import Color
from services.runtime import tracing
from services.runtime.wire import colour_from_pb

_COMMAND_ID = re.compile(r"[!-~]*")


@dataclass(frozen=True, slots=True)
class _Field:
    """A field of a command's message, and how to read it."""

    name: str
    optional: bool
    colour: bool

    def of(self, message: Any) -> Any:
        """The field's value in `message`; None for an absent optional field and for no colour."""
        if self.optional and not message.HasField(self.name):
            return None
        value = getattr(message, self.name)
        return colour_from_pb(value) if self.colour else value


ACTIONS = {
    field.name: field.message_type
    for field in pb.Command.DESCRIPTOR.oneofs_by_name["action"].fields
    if field.message_type is not None
}
"""The messages of all actions, by the name of their field. The beat is among them but is no command."""
_FIELDS = {
    name: tuple(_Field(field.name, field.has_presence, field.enum_type == Color.DESCRIPTOR) for field in action.fields)
    for name, action in ACTIONS.items()
}


def command_of(message: pb.Command, received_ms: int, settings: GameSettings) -> Command | Refusal:
    """The command of a message that is not a beat, or a refusal. `received_ms` is the time of receipt."""
    name = message.WhichOneof("action") or ""
    kind = BY_FIELD.get(name)
    if not is_game_id(message.game_id):
        return NO_GAME
    if len(message.command_id) > settings.command_id_chars_max:
        return malformed(say("request.command_id_length", most=settings.command_id_chars_max), "command_id")
    if _COMMAND_ID.fullmatch(message.command_id) is None:
        return malformed(say("request.command_id_characters"), "command_id")
    if (kind is not None and issubclass(kind, ServerAction)) != (message.player_id == ""):
        return malformed(say("request.command_sender"), "player_id")
    if message.player_id and not is_player_id(message.player_id):
        return malformed(say("request.player_id_form"), "player_id")
    action = _action(message, name, kind, settings)
    if isinstance(action, Refusal):
        return action
    return Command(
        message.game_id,
        message.player_id,
        message.command_id,
        action,
        _digest(message, name),
        received_ms,
        _trace(message),
    )


def _action(message: pb.Command, name: str, kind: type[Action] | None, settings: GameSettings) -> Action | Refusal:
    if kind is None:
        return malformed(say("request.no_action"), "action")
    asked = getattr(message, name)
    return kind.read({field.name: field.of(asked) for field in _FIELDS[name]}, settings)


def _trace(message: pb.Command) -> str:
    """The traceparent of a message if it is valid and this process traces; otherwise empty."""
    if not tracing.on or not tracing.TRACEPARENT.fullmatch(message.traceparent):
        return ""
    return message.traceparent


def _digest(message: pb.Command, name: str) -> bytes:
    """Eight bytes. Two commands with the same id and the same digest are the same command."""
    action = getattr(message, name)
    if name == "move" and action.HasField("thought_ms"):
        action = pb.Move.FromString(action.SerializeToString())
        action.ClearField("thought_ms")  # another worker finds the same move in another time
    content = action.SerializeToString(deterministic=True)
    return blake2b(name.encode() + b":" + content, digest_size=8).digest()
