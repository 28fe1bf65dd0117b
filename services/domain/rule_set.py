"""The rules of one game besides the moves of the pieces: a frozen value, and six presets.

`fide` follows the Laws exactly. The others follow five chess sites. In `claimed` players claim draws; in `everyday`
and `automatic` the server ends the game by itself; `friendly` is lenient about time; `party` is for a party.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from services.domain.chaturanga import CHATURANGA, ChaturangaRules


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


class DeadPosition(StrEnum):
    """How a position in which neither side can mate is recognised (FIDE 5.2.2)."""

    EXACT = "exact"
    BY_MATERIAL = "byMaterial"


class FallenFlag(StrEnum):
    """What happens after a flag fall."""

    DECIDES_AT_ONCE = "decidesAtOnce"
    OPPONENT_DECIDES = "opponentDecides"
    """The opponent takes the win, or offers to go on without a clock."""


class WinOnTime(StrEnum):
    """What the opponent needs to win after a flag fall; otherwise the game is a draw."""

    POSSIBLE_MATE = "possibleMate"
    """A possible mate by any series of legal moves (FIDE 6.9)."""
    MORE_THAN_BARE_KING_NOT_DEAD = "moreThanBareKingNotDead"
    """More than a bare king, in a position that is not dead by material."""
    FORCING_MATERIAL = "forcingMaterial"
    """Material that can force mate: not K, K+B, K+N, K+N+N."""
    MORE_THAN_BARE_KING = "moreThanBareKing"
    MORE_THAN_ONE_MINOR = "moreThanOneMinor"
    """More than a king with at most one bishop or knight."""


class Resignation(StrEnum):
    """The result of resigning if the opponent could not win after a flag fall (FIDE 5.1.2)."""

    DRAW_IF_CANNOT_WIN = "drawIfCannotWin"
    LOSS = "loss"


class Agreement(StrEnum):
    """When a draw may be agreed."""

    ANY_TIME = "anyTime"
    AFTER_BOTH_MOVED = "afterBothMoved"
    """FIDE 5.2.3."""


class AbsentPlayer(StrEnum):
    """What happens while a player is away."""

    CLOCK_RUNS = "clockRuns"
    OPPONENT_CLAIMS = "opponentClaims"
    COMPUTER_PLAYS = "computerPlays"


class LateCorrespondence(StrEnum):
    """What happens when a correspondence limit has passed."""

    CLOSED_AT_ONCE = "closedAtOnce"
    OPPONENT_CLAIMS = "opponentClaims"


class Takeback(StrEnum):
    """Whether people may take a move back in unrated games."""

    NEVER = "never"
    BY_CONSENT = "byConsent"


class RatedDraw(StrEnum):
    """The effect of a rated draw on ratings."""

    HALF_POINT = "halfPoint"
    LEAVES_RATINGS = "leavesRatings"


class Rematch(StrEnum):
    """Who plays White in a rematch."""

    COLOURS_SWAP = "coloursSwap"
    COLOURS_STAY = "coloursStay"
    RANDOM = "random"


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One choice for every rule that a game may choose. `chaturanga` is used in that variant only."""

    repetition: Repetition = Repetition.CLAIM_THREE_AUTOMATIC_FIVE
    move_count: MoveCount = MoveCount.CLAIM_FIFTY_AUTOMATIC_SEVENTY_FIVE
    dead_position: DeadPosition = DeadPosition.EXACT
    fallen_flag: FallenFlag = FallenFlag.DECIDES_AT_ONCE
    win_on_time: WinOnTime = WinOnTime.POSSIBLE_MATE
    resignation: Resignation = Resignation.DRAW_IF_CANNOT_WIN
    agreement: Agreement = Agreement.AFTER_BOTH_MOVED
    absent_player: AbsentPlayer = AbsentPlayer.CLOCK_RUNS
    late_correspondence: LateCorrespondence = LateCorrespondence.CLOSED_AT_ONCE
    takeback: Takeback = Takeback.NEVER
    rated_draw: RatedDraw = RatedDraw.HALF_POINT
    rematch: Rematch = Rematch.COLOURS_SWAP
    chaturanga: ChaturangaRules = CHATURANGA

    @property
    def name(self) -> str:
        """The preset's name, or `custom`. The options of Chaturanga do not matter for it."""
        plain = self if self.chaturanga == CHATURANGA else replace(self, chaturanga=CHATURANGA)
        return next((name for name, preset in PRESETS.items() if preset == plain), "custom")


FIDE = RuleSet()
CLAIMED = RuleSet(
    dead_position=DeadPosition.BY_MATERIAL,
    win_on_time=WinOnTime.MORE_THAN_BARE_KING_NOT_DEAD,
    resignation=Resignation.LOSS,
    agreement=Agreement.ANY_TIME,
)
EVERYDAY = RuleSet(
    repetition=Repetition.AUTOMATIC_THREE,
    move_count=MoveCount.AUTOMATIC_FIFTY,
    dead_position=DeadPosition.BY_MATERIAL,
    win_on_time=WinOnTime.FORCING_MATERIAL,
    resignation=Resignation.LOSS,
    agreement=Agreement.ANY_TIME,
)
AUTOMATIC = replace(
    EVERYDAY,
    win_on_time=WinOnTime.MORE_THAN_BARE_KING,
    resignation=Resignation.DRAW_IF_CANNOT_WIN,
    agreement=Agreement.AFTER_BOTH_MOVED,
)
FRIENDLY = replace(
    EVERYDAY,
    fallen_flag=FallenFlag.OPPONENT_DECIDES,
    win_on_time=WinOnTime.MORE_THAN_ONE_MINOR,
    late_correspondence=LateCorrespondence.OPPONENT_CLAIMS,
)
PARTY = replace(
    EVERYDAY,
    win_on_time=WinOnTime.MORE_THAN_BARE_KING_NOT_DEAD,
    absent_player=AbsentPlayer.COMPUTER_PLAYS,
    rated_draw=RatedDraw.LEAVES_RATINGS,
)

PRESETS = {
    "fide": FIDE,
    "claimed": CLAIMED,
    "everyday": EVERYDAY,
    "automatic": AUTOMATIC,
    "friendly": FRIENDLY,
    "party": PARTY,
}
DEFAULT_PRESET = "fide"
