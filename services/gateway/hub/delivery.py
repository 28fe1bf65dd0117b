"""Measures the time from a move's commit to its delivery to the player."""

import logging
import time

from services.domain.time_control import MODES
from services.gateway.hub.metrics import MOVE_DELIVERY
from services.pb.flagfall.v1.events_pb2 import GAME_EVENT_KIND_MOVE, GameEvent
from services.runtime import tracing

log = logging.getLogger(__name__)

DELIVERY_MODES = {mode: MOVE_DELIVERY.labels(mode) for mode in MODES}
"""The delivery histogram of each mode (kind of time control)."""


def delivered(event: GameEvent, mode: str, heard_ns: int = 0) -> None:
    """Record a move's delivery time. Call it when the frame is written; other kinds of event are ignored.

    `mode` is the kind of time control; `heard_ns` is when the event arrived here, 0 for now (used by traces only).
    """
    if event.kind == GAME_EVENT_KIND_MOVE:
        # The game service's clock may be ahead of this one: a negative time counts as 0.
        took_ms = max(0.0, time.time() * 1000 - event.state.at_ms)
        DELIVERY_MODES[mode].observe(took_ms / 1000)
        if tracing.on and tracing.TRACEPARENT.fullmatch(event.traceparent):
            tracing.record("gateway.deliver", event.traceparent, heard_ns or tracing.now_ns(), game=event.state.game_id)
            with tracing.told(event.traceparent):
                log.info("version %d of game %s is delivered", event.state.version, event.state.game_id)
