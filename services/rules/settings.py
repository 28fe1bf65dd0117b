"""Settings of the rules service, besides the common ones."""

from pydantic import Field

from services.rules.limits import LIMITS, PGN_LIMITS, InputLimits, PgnLimits
from services.rules.side_process import SideBounds
from services.runtime.settings import Settings


class RulesSettings(Settings):
    """The settings of the rules service. It calls no other service."""

    questions_max: int = Field(256, ge=1, le=4096, description="Questions in one call; more are refused as a whole.")
    positions_kept_max: int = Field(
        10_000, ge=0, description="Positions judged lately that are kept, some 2 kB each, so that they need no reading."
    )
    fen_chars_max: int = Field(LIMITS.fen_chars_max, ge=90, le=4096, description="Characters of a FEN.")
    move_chars_max: int = Field(LIMITS.move_chars_max, ge=8, le=256, description="Characters of a move.")
    history_keys_max: int = Field(
        LIMITS.keys_max, ge=151, le=65_536, description="Positions since the last irreversible move in a question."
    )
    replayed_max: int = Field(LIMITS.replayed_max, ge=1, description="Moves that are replayed for a takeback.")
    adjudication_nodes_max: int = Field(
        20_000, ge=1, le=1_000_000, description="Positions that the search for a possible mate looks at, per question."
    )
    judge_nodes_max: int = Field(
        4_000, ge=1, description="The same for each side of `can_mate` on the command line, where somebody is waiting."
    )
    adjudication_ms_max: int = Field(
        3_000, ge=10, le=60_000, description="Time of waiting and that search; after it the answer is `unknown`."
    )
    adjudication_queue_max: int = Field(
        64, ge=1, le=4096, description="Questions of possible mates under way and waiting; more are not looked at."
    )

    def adjudication_bounds(self) -> SideBounds:
        """The bounds of the process that searches for possible mates."""
        return SideBounds(self.adjudication_ms_max, self.adjudication_queue_max)

    def limits(self) -> InputLimits:
        """The bounds of one question."""
        return InputLimits(self.fen_chars_max, self.move_chars_max, self.history_keys_max, self.replayed_max)

    pgn_bytes_max: int = Field(
        PGN_LIMITS.bytes_max, ge=1_024, le=16_777_216, description="Bytes of a PGN that is read."
    )
    pgn_games_max: int = Field(PGN_LIMITS.games_max, ge=1, le=100_000, description="Games of one PGN.")
    pgn_plies_max: int = Field(
        PGN_LIMITS.plies_max,
        ge=100,
        le=10_000_000,
        description="Half-moves of one PGN, all games and variations together; some 60 us each.",
    )
    pgn_tokens_max: int = Field(
        PGN_LIMITS.tokens_max,
        ge=1_000,
        le=50_000_000,
        description="Moves, comments, annotations, brackets, tags and results of one PGN together; some 5 us each.",
    )
    pgn_depth_max: int = Field(PGN_LIMITS.depth_max, ge=0, le=40, description="Side lines within side lines of a PGN.")
    pgn_comment_chars_max: int = Field(
        PGN_LIMITS.comment_chars_max, ge=100, le=1_048_576, description="Characters of the comments behind one move."
    )
    pgn_tags_max: int = Field(PGN_LIMITS.tags_max, ge=16, le=10_000, description="Tags of one game of a PGN.")
    pgn_tag_chars_max: int = Field(
        PGN_LIMITS.tag_chars_max, ge=255, le=65_536, description="Characters of a tag of a PGN, name and value."
    )

    pgn_ms_max: int = Field(20_000, ge=100, le=300_000, description="Time of waiting and work for one PGN.")
    pgn_queue_max: int = Field(16, ge=1, le=1_024, description="PGNs being worked on and waiting; more are refused.")

    def pgn_bounds(self) -> SideBounds:
        """The bounds of the process that reads and writes PGN."""
        return SideBounds(self.pgn_ms_max, self.pgn_queue_max)

    def pgn_limits(self) -> PgnLimits:
        """The bounds of a PGN."""
        return PgnLimits(
            self.pgn_bytes_max,
            self.pgn_games_max,
            self.pgn_plies_max,
            self.pgn_tokens_max,
            self.pgn_depth_max,
            self.pgn_comment_chars_max,
            self.pgn_tags_max,
            self.pgn_tag_chars_max,
        )
