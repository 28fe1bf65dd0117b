"""Fields of `state` and `info` that only few games have. Each is present only when it applies."""

from typing import Any

from services.pb.flagfall.v1 import events_pb2
from services.runtime.wire import colour_from_pb

Shape = dict[str, Any]


def of_state(message: events_pb2.GameState) -> Shape:
    """A state's rare fields as JSON: offers, a pause, seats, and what happened to the game."""
    shape: Shape = {}
    if message.takeback_offer:
        shape["takebackOffer"] = colour_from_pb(message.takeback_offer)
    if message.HasField("pause"):
        shape["paused"] = pause(message.pause)
    if message.unrated:
        shape["unrated"] = True
    if message.white_held_level or message.black_held_level:
        shape["seats"] = {"white": message.white_held_level or None, "black": message.black_held_level or None}
    if message.without_clock:
        shape["withoutClock"] = True
    if message.helped:
        shape["helped"] = True
    if message.takebacks:
        shape["takebacks"] = message.takebacks
    if message.claimable:
        shape["claimable"] = True
    if message.HasField("white_rating_diff") or message.HasField("black_rating_diff"):
        shape["ratingDiff"] = {
            "white": message.white_rating_diff if message.HasField("white_rating_diff") else None,
            "black": message.black_rating_diff if message.HasField("black_rating_diff") else None,
        }
    return shape


def pause(message: events_pb2.Pause) -> Shape:
    """A pause after a flag fall. `winner` is who wins if the other side claims the result; null for a draw."""
    return {
        "flagged": colour_from_pb(message.flagged),
        "since": message.since_ms,
        "goingOnOffered": message.going_on_offered,
        "winner": colour_from_pb(message.outcome.winner),
    }


def of_info(message: events_pb2.GameInfo, to_a_player: bool) -> Shape:
    """The rare fields of `info`: the game before a rematch, and the party.

    Anybody who knows a party's id may join it, and anybody can watch a game. So only the game's players get the id.
    """
    shape: Shape = {}
    if message.rematch_of:
        shape["rematchOf"] = message.rematch_of
    if message.party_id and to_a_player:
        shape["party"] = message.party_id
    return shape
