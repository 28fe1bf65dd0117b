"""Metrics of the commit path. Labels are looked up once, not for every batch."""

from functools import cache

from prometheus_client import Counter, Histogram

from services.domain.refusal import RefusalCode
from services.game.play.command_table import WORDS
from services.game.play.result import NotCommitted
from services.game.wire.replies import CommandResult
from services.runtime.metrics import SECONDS, from_zero

COMMANDS = Counter("flagfall_commands_total", "Commands decided.", ["action", "outcome"])
RACES_LOST = Counter("flagfall_races_lost_total", "Saves that found a newer version: decided again.")
SAVES_FAILED = Counter("flagfall_saves_failed_total", "Batches that failed as a whole: their items were tried alone.")
RETRIES = Counter("flagfall_commit_retries_total", "Commands decided once more.", ["reason"])
STAGE_SECONDS = Histogram(
    "flagfall_move_stage_seconds", "Time of one stage of a batch on the commit path.", ["stage"], buckets=SECONDS
)
FINISHED = Counter("flagfall_games_finished_total", "Games that ended.", ["mode", "variant", "reason"])

LOAD, GATHER, JUDGE, DECIDE, SAVE, PUBLISH = map(
    STAGE_SECONDS.labels, ("load", "gather", "judge", "decide", "save", "publish")
)
"""`judge` includes the call of the rules service; `publish` runs after the answer to the sender."""
AFTER_RACE, AFTER_MEMORY, AFTER_FAILURE = map(RETRIES.labels, ("race", "memory", "failed"))
"""Another version was saved first; a command was refused on a cached state; the batch failed."""

from_zero(COMMANDS, WORDS.values(), ("accepted", RefusalCode.UNAVAILABLE))


def outcome_of(result: CommandResult) -> str:
    """`accepted`, or the code of the refusal."""
    return result.refusal.code if isinstance(result, NotCommitted) else "accepted"


decided = cache(COMMANDS.labels)
finished = cache(FINISHED.labels)
