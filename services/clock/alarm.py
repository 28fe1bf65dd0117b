"""What the clock service must do for a version of a game: set an alarm, or set none."""

from collections.abc import Iterable
from dataclasses import dataclass

from services.pb.flagfall.v1 import events_pb2, game_pb2

LIVE_KINDS = frozenset(
    [events_pb2.DEADLINE_KIND_FIRST_MOVE, events_pb2.DEADLINE_KIND_FLAG, events_pb2.DEADLINE_KIND_DECISION]
)
"""The deadlines that this service handles. The workers' sweep handles correspondence limits."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """The deadline of one version of a game, in UTC milliseconds, without the grace time."""

    game_id: str
    version: int
    deadline_ms: int


@dataclass(frozen=True, slots=True)
class NoAlarm:
    """From this version on the game has no deadline for this service: it ended, or its clock does not run."""

    game_id: str
    version: int


def from_state(state: events_pb2.GameState) -> Alarm | NoAlarm:
    """The alarm that a state needs."""
    live = state.status == events_pb2.GAME_STATUS_STARTED and state.deadline_kind in LIVE_KINDS
    if not live or not state.deadline_ms:
        return NoAlarm(state.game_id, state.version)
    return Alarm(state.game_id, state.version, state.deadline_ms)


def from_deadlines(deadlines: Iterable[game_pb2.Deadline]) -> list[Alarm]:
    """The alarms for a page of deadlines; kinds that this service does not handle are left out."""
    return [Alarm(entry.game_id, entry.version, entry.deadline_ms) for entry in deadlines if entry.kind in LIVE_KINDS]


def newest(wishes: Iterable[Alarm | NoAlarm]) -> list[Alarm | NoAlarm]:
    """For each game only the wish with the highest version, in any order of arrival."""
    by_game: dict[str, Alarm | NoAlarm] = {}
    for wish in wishes:
        known = by_game.get(wish.game_id)
        if known is None or wish.version > known.version:
            by_game[wish.game_id] = wish
    return list(by_game.values())
