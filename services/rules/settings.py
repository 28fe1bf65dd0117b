"""Settings of the rules service, beside those that every process has."""

from pydantic import Field

from services.rules.limits import LIMITS, AdjudicationBounds, Limits
from services.runtime.settings import Settings


class RulesSettings(Settings):
    """What the rules service needs to know. It dials nobody."""

    questions_max: int = Field(256, ge=1, le=4096, description="Questions in one call; more are refused as a whole.")
    positions_kept_max: int = Field(
        10_000, ge=0, description="Positions judged lately that are kept, some 2 kB each, so that they need no reading."
    )
    fen_chars_max: int = Field(LIMITS.fen_chars_max, ge=90, le=4096, description="Characters of a FEN.")
    move_chars_max: int = Field(LIMITS.move_chars_max, ge=8, le=256, description="Characters of a move.")
    history_keys_max: int = Field(
        LIMITS.keys_max, ge=151, le=65_536, description="Positions since the last irreversible move in a question."
    )
    adjudication_nodes_max: int = Field(
        20_000, ge=1, le=1_000_000, description="Positions that the search for a possible mate looks at, per question."
    )
    adjudication_ms_max: int = Field(
        3_000, ge=10, le=60_000, description="Time of waiting and that search; then the answer is that nobody knows."
    )
    adjudication_queue_max: int = Field(
        64, ge=1, le=4096, description="Questions of possible mates under way and waiting; more are not looked at."
    )

    def adjudication(self) -> AdjudicationBounds:
        """The bounds of the search for possible mates."""
        return AdjudicationBounds(self.adjudication_nodes_max, self.adjudication_ms_max, self.adjudication_queue_max)

    def limits(self) -> Limits:
        """The bounds of one question."""
        return Limits(self.fen_chars_max, self.move_chars_max, self.history_keys_max)
