"""Converts `Extra` to the bytes of a protobuf GameExtra and back. An empty `Extra` is empty bytes."""

from functools import lru_cache

from services.domain.colour import Colour
from services.game.play.game import NO_EXTRA, Both, Extra, Pause
from services.pb.flagfall.v1.stored_pb2 import GameExtra
from services.runtime.wire import colour_from_pb, colour_to_pb, outcome_from_pb, outcome_to_pb


def extra_to_bytes(extra: Extra) -> bytes:
    """The bytes to store for `extra`."""
    if extra is NO_EXTRA or extra == NO_EXTRA:  # the usual case
        return b""
    message = GameExtra(
        takeback_offer=colour_to_pb(extra.takeback_offer),
        without_clock=extra.without_clock,
        unrated=extra.unrated,
        white_held_level=extra.held.white,
        black_held_level=extra.held.black,
        level=extra.level,
        helped=extra.helped,
        takebacks=extra.takebacks,
        white_given_ms=extra.given_ms.white,
        black_given_ms=extra.given_ms.black,
        white_offered=extra.draw_offered.white,
        black_offered=extra.draw_offered.black,
        white_takeback_offered=extra.takeback_offered.white,
        black_takeback_offered=extra.takeback_offered.black,
        rest_ms=extra.rest_ms,
        rests_until_ms=extra.rests_until_ms,
        clocks_started=extra.clocks_started,
    )
    if extra.pause is not None:
        message.flagged = colour_to_pb(extra.pause.flagged)
        message.paused_ms = extra.pause.since_ms
        message.going_on_offered = extra.pause.going_on_offered
        message.pause_outcome.CopyFrom(outcome_to_pb(extra.pause.outcome))
    if extra.rating_diff is not None:
        message.white_rating_diff, message.black_rating_diff = extra.rating_diff.white, extra.rating_diff.black
    return message.SerializeToString(deterministic=True)


def extra_from_bytes(data: bytes) -> Extra:
    """The `Extra` of stored bytes. Raises ValueError or DecodeError if they cannot be read."""
    return _parsed(bytes(data)) if data else NO_EXTRA


@lru_cache(maxsize=1024)
def _parsed(data: bytes) -> Extra:
    message = GameExtra.FromString(data)
    flagged = colour_from_pb(message.flagged)
    diff = message.HasField("white_rating_diff") and message.HasField("black_rating_diff")
    return Extra(
        pause=None if flagged is None else _pause(message, flagged),
        takeback_offer=colour_from_pb(message.takeback_offer),
        without_clock=message.without_clock,
        unrated=message.unrated,
        held=Both(message.white_held_level, message.black_held_level),
        level=message.level,
        helped=message.helped,
        takebacks=message.takebacks,
        given_ms=Both(message.white_given_ms, message.black_given_ms),
        draw_offered=Both(message.white_offered, message.black_offered),
        takeback_offered=Both(message.white_takeback_offered, message.black_takeback_offered),
        rest_ms=message.rest_ms,
        rests_until_ms=message.rests_until_ms,
        clocks_started=message.clocks_started,
        rating_diff=Both(message.white_rating_diff, message.black_rating_diff) if diff else None,
    )


def _pause(message: GameExtra, flagged: Colour) -> Pause:
    return Pause(flagged, message.paused_ms, outcome_from_pb(message.pause_outcome), message.going_on_offered)
