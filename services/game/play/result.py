"""The result of one command: a version was committed, or none was."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from services.domain.refusal import Refusal
from services.game.play.game import Game

Event = TypeVar("Event")


@dataclass(frozen=True, slots=True)
class Committed(Generic[Event]):
    """The command has made a version.

    `event` is what others hear of that version; its form is the caller's. `repeated`: the command was committed before,
    by an earlier request with the same id. `game` may then be newer than `event`.
    """

    game: Game
    event: Event
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class NotCommitted:
    """The command changed nothing. `searching`: it waits for a search and is decided afterwards (`adjudication`)."""

    refusal: Refusal
    searching: bool = False
