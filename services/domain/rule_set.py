"""The rules of one game besides the moves of the pieces.

Two presets so far: `claimed` follows a site where players claim, `automatic` one where the server ends
the game by itself.
"""

from dataclasses import dataclass
from enum import StrEnum


class Repetition(StrEnum):
    """When a repeated position ends the game."""

    CLAIM_THREE_AUTOMATIC_FIVE = "claimThreeAutomaticFive"
    """FIDE 9.2 and 9.6.1."""
    AUTOMATIC_THREE = "automaticThree"


class MoveCount(StrEnum):
    """When moves without a capture or a pawn move end the game."""

    CLAIM_FIFTY_AUTOMATIC_SEVENTY_FIVE = "claimFiftyAutomaticSeventyFive"
    """FIDE 9.3 and 9.6.2."""
    AUTOMATIC_FIFTY = "automaticFifty"


class WinOnTime(StrEnum):
    """What the opponent of a fallen flag needs to be given the win."""

    MORE_THAN_BARE_KING_NOT_DEAD = "moreThanBareKingNotDead"
    FORCING_MATERIAL = "forcingMaterial"


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A frozen choice for every field that a game may choose."""

    repetition: Repetition
    move_count: MoveCount
    win_on_time: WinOnTime

    @property
    def name(self) -> str:
        """The preset's name, or `custom`."""
        return next((name for name, preset in PRESETS.items() if preset == self), "custom")


CLAIMED = RuleSet(
    Repetition.CLAIM_THREE_AUTOMATIC_FIVE,
    MoveCount.CLAIM_FIFTY_AUTOMATIC_SEVENTY_FIVE,
    WinOnTime.MORE_THAN_BARE_KING_NOT_DEAD,
)
AUTOMATIC = RuleSet(Repetition.AUTOMATIC_THREE, MoveCount.AUTOMATIC_FIFTY, WinOnTime.FORCING_MATERIAL)

PRESETS = {"claimed": CLAIMED, "automatic": AUTOMATIC}
DEFAULT_PRESET = "claimed"
