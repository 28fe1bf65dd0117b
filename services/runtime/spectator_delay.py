"""The view of spectators when watching is delayed. The game service and the gateways use the same delay."""

from services.pb.flagfall.v1.events_pb2 import GameEvent


def postponed(event: GameEvent, late_ms: int) -> GameEvent:
    """A copy of the event with its times shifted by `late_ms`, so that its clocks run for a spectator as in the game.

    It has no legal moves: they are useful in the newest state only.
    """
    later = GameEvent()
    later.CopyFrom(event)
    later.state.at_ms += late_ms
    later.state.legal = ""
    if later.state.deadline_ms:
        later.state.deadline_ms += late_ms
    return later
