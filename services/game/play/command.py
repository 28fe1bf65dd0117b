"""What a command is: the parts that each has, and the defaults for the parts that most do not need.

The commands themselves are the classes in `commands/`, one module a family. Each class holds its value and all of its
rules together. `command_table` finds the classes; nothing lists them by hand.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, Self

from services.domain.colour import Colour
from services.domain.refusal import Refusal
from services.game.play.change import Decision
from services.game.play.game import Game
from services.game.play.moment import Moment
from services.game.play.question import Question, Verdict
from services.game.play.refusals import malformed


class Bounds(Protocol):
    """What a command may carry at the most; the settings say it."""

    @property
    def move_chars_max(self) -> int:
        """Characters of a move."""

    @property
    def given_ms_min(self) -> int:
        """Time that is given at once, at the least."""

    @property
    def given_ms_most(self) -> int:
        """Time that is given at once, at the most."""


@dataclass(frozen=True, slots=True)
class Sender:
    """The player who sends a command: a side, and whether the computer sends it."""

    side: Colour
    computer: bool = False


class Kind:
    """What commands of players and of the server have in common. It asks for no facts and is read as it came.

    The class variables belong to the kind of command, the fields of a subclass to one command.
    `needs_...` are asked before anything is refused: `player_id` may be nobody's here.
    """

    __slots__ = ()

    internal: ClassVar[bool] = False
    """Only the game service makes it: no message asks for it."""

    @classmethod
    def read(cls, fields: Mapping[str, Any], bounds: Bounds) -> Self | Refusal:
        """The command of a message's fields. An absent optional field and an unknown colour are None."""
        return cls(**fields)

    def needs_past(self, game: Game, player_id: str) -> int | None:
        """The half-move at which the game must be known as it was; None when it need not."""
        return None

    def needs_answers(self, game: Game) -> bool:
        """Whether conditional moves and a vacation of the other side matter."""
        return False

    def needs_presence(self, game: Game, player_id: str) -> bool:
        """Whether it must be known who is there."""
        return False


class PlayerAction(Kind):
    """A command of a player. Without methods of its own nothing refuses it but the rules for all commands."""

    __slots__ = ()

    for_computer: ClassVar[bool] = False
    """The computer may send it, too."""
    after_end: ClassVar[bool] = False
    """It may come after the end. Its own refusals come first then, since they know what the end means."""
    while_claimable: ClassVar[bool] = False
    """It may come late, while the opponent may still claim a passed limit."""
    in_pause: ClassVar[bool] = False
    """It may come while the game is paused after a flag."""

    def refuse(self, game: Game, by: Sender, moment: Moment) -> Refusal | None:
        """What forbids it before the rules are asked, besides the rules for all commands."""
        return None

    def question(self, game: Game, by: Sender, moment: Moment) -> Question | None:
        """What to ask the rules service when nothing forbids it."""
        return None

    def decide(self, game: Game, by: Sender, verdict: Verdict | None, moment: Moment) -> Decision:
        """What comes of it when nothing forbids it. `verdict` answers the question."""
        raise NotImplementedError


class ServerAction(Kind):
    """A command of the clock or the sweep: no rule for all commands applies to it."""

    __slots__ = ()

    def refuse(self, game: Game, moment: Moment) -> Refusal | None:
        """What forbids it before the rules are asked."""
        return None

    def question(self, game: Game, moment: Moment) -> Question | None:
        """What to ask the rules service when nothing forbids it."""
        return None

    def decide(self, game: Game, verdict: Verdict | None, moment: Moment) -> Decision:
        """What comes of it when nothing forbids it. `verdict` answers the question."""
        raise NotImplementedError


Action = PlayerAction | ServerAction


@dataclass(frozen=True, slots=True)
class Command:
    """An action on a game, with who asks and the id that makes a repetition harmless.

    `player_id` is empty for the clock and the sweep; `command_id` is empty for none; `digest` tells whether another
    command with the same id is the same command.
    """

    game_id: str
    player_id: str
    command_id: str
    action: Action
    digest: bytes
    received_ms: int
    trace: str = field(default="", compare=False)
    """The traceparent that came with it; empty for none."""


def refuse_move_text(text: str, bounds: Bounds) -> Refusal | None:
    """Why this cannot be a move in UCI or SAN, as far as its length says."""
    if 2 <= len(text) <= bounds.move_chars_max:
        return None
    return malformed(f"A move has 2 to {bounds.move_chars_max} characters.", "move")
