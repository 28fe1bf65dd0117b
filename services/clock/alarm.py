"""What the clock service is asked for: an alarm for a game's version, or none."""

from collections.abc import Iterable
from dataclasses import dataclass

from services.pb.flagfall.v1 import events_pb2, game_pb2

LIVE_KINDS = frozenset(
    [events_pb2.DEADLINE_KIND_FIRST_MOVE, events_pb2.DEADLINE_KIND_FLAG, events_pb2.DEADLINE_KIND_DECISION]
)
"""Deadlines that this service sees to. A correspondence limit is the sweep's."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """The deadline of one version of a game, in UTC milliseconds, without the grace."""

    game_id: str
    version: int
    deadline_ms: int


@dataclass(frozen=True, slots=True)
class NoAlarm:
    """From this version on the game has no deadline of ours: it ended, or its clock stands."""

    game_id: str
    version: int


def from_state(state: events_pb2.GameState) -> Alarm | NoAlarm:
    """What a state asks for."""
    live = state.status == events_pb2.GAME_STATUS_STARTED and state.deadline_kind in LIVE_KINDS
    if not live or not state.deadline_ms:
        return NoAlarm(state.game_id, state.version)
    return Alarm(state.game_id, state.version, state.deadline_ms)


def from_deadlines(deadlines: Iterable[game_pb2.Deadline]) -> list[Alarm]:
    """What a page of deadlines asks for; other kinds are left out."""
    return [Alarm(entry.game_id, entry.version, entry.deadline_ms) for entry in deadlines if entry.kind in LIVE_KINDS]


def newest(wishes: Iterable[Alarm | NoAlarm]) -> list[Alarm | NoAlarm]:
    """One wish a game, of its highest version, whatever the order of arrival."""
    by_game: dict[str, Alarm | NoAlarm] = {}
    for wish in wishes:
        known = by_game.get(wish.game_id)
        if known is None or wish.version > known.version:
            by_game[wish.game_id] = wish
    return list(by_game.values())
