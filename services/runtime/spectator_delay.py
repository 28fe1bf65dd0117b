"""What those see who only watch where watching is delayed: the game service and the gateways hold back alike."""

from services.pb.flagfall.v1.events_pb2 import GameEvent


def postponed(event: GameEvent, late_ms: int) -> GameEvent:
    """The event as if it happened later by this: whoever shows its clocks sees them run as they did.

    Without legal moves, which are of use in the newest state only.
    """
    later = GameEvent()
    later.CopyFrom(event)
    later.state.at_ms += late_ms
    later.state.legal = ""
    if later.state.deadline_ms:
        later.state.deadline_ms += late_ms
    return later
