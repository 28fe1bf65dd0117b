"""What somebody asks of a game, parsed."""

from dataclasses import dataclass, field

from services.domain.colour import Colour


@dataclass(frozen=True, slots=True)
class Move:
    """Play `text` (UCI or SAN). `ply` is the half-move it is for, or None for whatever it is now.

    After a takeback the same ply may be another position: `takebacks` is how many the mover knew of, or None.
    """

    text: str
    ply: int | None = None
    offer_draw: bool = False
    takebacks: int | None = None


@dataclass(frozen=True, slots=True)
class Resign:
    """Give the game up."""


@dataclass(frozen=True, slots=True)
class Abort:
    """End the game without a result, before both have moved."""


@dataclass(frozen=True, slots=True)
class OfferDraw:
    """Offer a draw, accept the opponent's offer, or claim one that is due."""


@dataclass(frozen=True, slots=True)
class CloseDraw:
    """Decline the opponent's offer or withdraw the own one."""


@dataclass(frozen=True, slots=True)
class ClaimDraw:
    """Claim a draw by repetition or move count (FIDE 9.2, 9.3).

    For the position on the board, or with `move` (UCI or SAN) for the one that this move would make: it is not played.
    """

    move: str = ""


@dataclass(frozen=True, slots=True)
class OfferTakeback:
    """Ask to take the own last move back, or accept that the opponent does."""


@dataclass(frozen=True, slots=True)
class CloseTakeback:
    """Decline the opponent's wish to take back or withdraw the own one."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Take the own last move back with the computer's answer, also after the end."""


@dataclass(frozen=True, slots=True)
class ClaimWin:
    """Take what waiting earns: after a flag, a passed limit, two idle weeks, or from an opponent who has left.

    `draw`: take a draw instead, from an opponent who has left.
    """

    draw: bool = False


@dataclass(frozen=True, slots=True)
class GoOn:
    """Offer to go on without a clock after a flag, or accept that."""


@dataclass(frozen=True, slots=True)
class GiveTime:
    """Give the opponent time."""

    ms: int


@dataclass(frozen=True, slots=True)
class StartClocks:
    """Let the clocks run before the first move, since both players have agreed."""


@dataclass(frozen=True, slots=True)
class SetLevel:
    """Play against another level of the computer."""

    level: int


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """Let a computer play for the player of `side`, who is away."""

    side: Colour


@dataclass(frozen=True, slots=True)
class ReturnSeat:
    """Take the own seat back from the computer."""


@dataclass(frozen=True, slots=True)
class TakeHint:
    """Have the computer show a move; the game keeps that it did."""


@dataclass(frozen=True, slots=True)
class Rest:
    """Be on vacation until a moment: the turn stands still. Only the server sends it, for the player who asked."""

    until_ms: int


@dataclass(frozen=True, slots=True)
class Flag:
    """A deadline of this version is due."""

    version: int


@dataclass(frozen=True, slots=True)
class Abandon:
    """Both players are away for good."""

    version: int


PlayerAction = (
    Move
    | Resign
    | Abort
    | OfferDraw
    | CloseDraw
    | ClaimDraw
    | OfferTakeback
    | CloseTakeback
    | Undo
    | ClaimWin
    | GoOn
    | GiveTime
    | StartClocks
    | SetLevel
    | TakeSeat
    | ReturnSeat
    | TakeHint
    | Rest
)
ServerAction = Flag | Abandon
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
