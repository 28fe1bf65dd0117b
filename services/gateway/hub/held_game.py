"""A game in this gateway's memory: the newest state, the moves, and the latest events for resuming clients."""

from collections import deque
from collections.abc import Sequence

import orjson

from services.gateway.protocol import shapes
from services.gateway.protocol.shapes import EventFrame
from services.gateway.public_api import public_json
from services.pb.flagfall.v1 import common_pb2, events_pb2, game_pb2


class HeldGame:
    """One held game. Only the hub changes it. The work per event does not grow with the length of the game."""

    def __init__(self, snapshot: game_pb2.Snapshot, events_kept: int) -> None:
        self.info: events_pb2.GameInfo = snapshot.info
        self.state: events_pb2.GameState = snapshot.state
        self.moves: list[game_pb2.PlayedMove] = list(snapshot.moves)
        """One for each ply played."""
        self.rematch_id = snapshot.rematch_id
        """The id of the rematch, if one existed when the game was read; else empty."""
        self.mode = snapshot.info.time_control.WhichOneof("kind") or "unlimited"
        """The kind of time control: clock, per_move, correspondence or unlimited."""
        self.timed = self.mode != "unlimited"
        self._changes: deque[EventFrame] = deque(maxlen=events_kept)
        self._moves_json: list[bytes] = [orjson.dumps(shapes.move(move)) for move in self.moves]
        self._full: dict[common_pb2.Color, bytes] = {}

    @property
    def version(self) -> int:
        """The version of `state`."""
        return self.state.version

    @property
    def running(self) -> bool:
        """Whether the game is not over."""
        return self.state.status == events_pb2.GAME_STATUS_STARTED

    def colour_of(self, player_id: str) -> common_pb2.Color:
        """The side that a player has here; UNSPECIFIED for spectators and for an empty id."""
        return public_json.colour_of(self.info, player_id)

    def change(self, event: events_pb2.GameEvent) -> EventFrame:
        """Wrap an event of this game, so that its JSON is made only once."""
        return EventFrame(event, self.mode)

    def apply(self, change: EventFrame) -> bool:
        """Apply the event of the next version. False when the moves no longer fit: then fetch the whole game."""
        event, state = change.event, change.event.state
        self.state = state
        self._full.clear()
        self._changes.append(change)
        if event.kind == events_pb2.GAME_EVENT_KIND_MOVE:
            self._played(event)
        elif event.kind == events_pb2.GAME_EVENT_KIND_TAKEN_BACK:
            del self.moves[state.ply :], self._moves_json[state.ply :]
        elif event.kind == events_pb2.GAME_EVENT_KIND_LEVEL_CHANGED and event.HasField("info"):
            self.info = event.info
        return len(self.moves) == state.ply

    def _played(self, event: events_pb2.GameEvent) -> None:
        state = event.state
        move = game_pb2.PlayedMove(
            uci=state.last_uci, san=state.last_san, at_ms=state.at_ms, by_computer=event.by_computer
        )
        if self.mode == "clock":
            move.clock_ms = state.white_ms if event.by == common_pb2.COLOR_WHITE else state.black_ms
        self.moves.append(move)
        self._moves_json.append(orjson.dumps(shapes.move(move)))

    def changes_after(self, version: int) -> list[EventFrame] | None:
        """The events after `version`, oldest first; None when some are not kept here."""
        missing = self.version - version
        if missing == 1 and self._changes:
            return [self._changes[-1]]
        if missing < 0 or missing > len(self._changes):
            return None
        return list(self._changes)[len(self._changes) - missing :]

    def remember(self, changes: Sequence[EventFrame]) -> None:
        """Keep older events too: those directly before the kept ones, as long as there is room."""
        for change in reversed(changes):
            first = self._changes[0].version if self._changes else self.version + 1
            if change.version == first - 1 and len(self._changes) < (self._changes.maxlen or 0):
                self._changes.appendleft(change)

    def full(self, you: common_pb2.Color) -> bytes:
        """The frame `full` for one side or, with UNSPECIFIED, for a spectator."""
        frame = self._full.get(you)
        if frame is None:
            moves_json = b"[" + b",".join(self._moves_json) + b"]"
            frame = self._full[you] = shapes.full(self.info, self.state, moves_json, you, self.timed)
        return frame
