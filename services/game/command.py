"""What somebody asks of a game, parsed."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Move:
    """Play `text` (UCI or SAN). `ply` is the half-move it is for, or None for whatever it is now."""

    text: str
    ply: int | None = None
    offer_draw: bool = False


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
class Flag:
    """A deadline of this version is due."""

    version: int


Action = Move | Resign | Abort | OfferDraw | CloseDraw | ClaimDraw | Flag


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
