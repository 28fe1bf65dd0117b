"""The base classes of commands, with defaults for the parts that most commands do not need.

The commands are the classes in `commands/`, one module per family. Each class holds the command's fields and all its
rules. `command_table` finds the classes; no list is kept by hand.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, Self

from services.domain.colour import Colour
from services.domain.refusal import Refusal
from services.domain.text import say
from services.game.play.change import Decision
from services.game.play.game import Game
from services.game.play.moment import Moment
from services.game.play.question import Question, Verdict
from services.game.play.refusals import malformed


class Bounds(Protocol):
    """Limits on the fields of commands, from the settings."""

    @property
    def move_chars_max(self) -> int:
        """The longest text of a move, in characters."""

    @property
    def given_ms_min(self) -> int:
        """The least time that one command may give, in ms."""

    @property
    def given_ms_most(self) -> int:
        """The most time that one command may give, in ms."""


@dataclass(frozen=True, slots=True)
class Sender:
    """The player who sends a command: the side, and whether this player is the computer."""

    side: Colour
    computer: bool = False


class Kind:
    """What commands of players and of the server have in common. By default a command needs no facts.

    Class variables describe the kind of command; the fields of a subclass describe one command.
    The methods `needs_...` are called before any check, so `player_id` may belong to no player of the game.
    """

    __slots__ = ()

    internal: ClassVar[bool] = False
    """Only the game service makes this command: no message of the API does."""

    @classmethod
    def read(cls, fields: Mapping[str, Any], bounds: Bounds) -> Self | Refusal:
        """The command made from the fields of a message, or a refusal. Absent optional fields and colours are None."""
        return cls(**fields)

    def needs_past(self, game: Game, player_id: str) -> int | None:
        """The half-move for which the past state of the game must be loaded, or None."""
        return None

    def needs_answers(self, game: Game) -> bool:
        """Whether the conditional moves and the vacation of the other side must be loaded."""
        return False

    def needs_presence(self, game: Game, player_id: str) -> bool:
        """Whether the presence of the players must be loaded."""
        return False


class PlayerAction(Kind, ABC):
    """A command of a player. By default only the rules for all commands can refuse it."""

    __slots__ = ()

    for_computer: ClassVar[bool] = False
    """The computer may send it too."""
    after_end: ClassVar[bool] = False
    """It is allowed after the end of the game. Then its own `refuse` runs first, because it checks the end itself."""
    while_claimable: ClassVar[bool] = False
    """It is allowed after a time limit has passed, while the opponent may still claim the win."""
    in_pause: ClassVar[bool] = False
    """It is allowed while the game is paused after a flag fall."""

    def refuse(self, game: Game, by: Sender, moment: Moment) -> Refusal | None:
        """The refusal of this kind of command before the rules service is asked, or None."""
        return None

    def question(self, game: Game, by: Sender, moment: Moment) -> Question | None:
        """The question for the rules service when the command is not refused, or None."""
        return None

    @abstractmethod
    def decide(self, game: Game, by: Sender, verdict: Verdict | None, moment: Moment) -> Decision:
        """The change, or a refusal, when `refuse` returned None. `verdict` is the answer to `question`."""


class ServerAction(Kind, ABC):
    """A command of the clock or the sweep. The rules for all players' commands do not apply to it."""

    __slots__ = ()

    def refuse(self, game: Game, moment: Moment) -> Refusal | None:
        """The refusal before the rules service is asked, or None."""
        return None

    def question(self, game: Game, moment: Moment) -> Question | None:
        """The question for the rules service when the command is not refused, or None."""
        return None

    @abstractmethod
    def decide(self, game: Game, verdict: Verdict | None, moment: Moment) -> Decision:
        """The change, or a refusal, when `refuse` returned None. `verdict` is the answer to `question`."""


Action = PlayerAction | ServerAction


@dataclass(frozen=True, slots=True)
class Command:
    """An action on a game, with its sender and the id that makes a retry harmless.

    `player_id` is empty for the clock and the sweep. `command_id` is empty if there is none. Two commands with the same
    id and the same `digest` are the same command.
    """

    game_id: str
    player_id: str
    command_id: str
    action: Action
    digest: bytes
    received_ms: int
    trace: str = field(default="", compare=False)
    """The traceparent of the request; empty for none."""


def refuse_move_text(text: str, bounds: Bounds) -> Refusal | None:
    """A refusal if `text` is too short or too long for a move in UCI or SAN, or None."""
    if 2 <= len(text) <= bounds.move_chars_max:
        return None
    return malformed(say("play.move_length", most=bounds.move_chars_max), "move")
