"""Seeks as JSON of the HTTP API. Pure."""

from services.domain.rating import VALUE_MAX
from services.gateway.protocol.shapes import rules
from services.gateway.public_api.public_json import Shape, pace, perf, variant
from services.gateway.public_api.public_people import time_control
from services.pb.flagfall.v1.events_pb2 import Seek
from services.runtime.wire import colour_from_pb

RATING_MAX = int(VALUE_MAX)
"""The upper end of a range without an upper bound."""


def seek(message: Seek, viewer_id: str) -> Shape:
    """A seek as `viewer_id` sees it (empty: anybody). `color` is the seeker's."""
    player = message.player
    told = rules(message.rule_set)
    shape: Shape = {
        "id": message.id,
        "player": {
            "id": player.id,
            "name": player.name,
            "title": player.title or None,
            **({"rating": player.rating} if player.rating else {}),
            **({"guest": True} if player.guest else {}),
        },
        "variant": variant(message.variant, ""),
        "rated": message.rated,
        "speed": pace(message.time_control),
        "perf": perf(message.variant, message.time_control),
        "timeControl": time_control(message.time_control),
        "color": colour_from_pb(message.color) or "random",
        "ratingRange": rating_range(message.rating_min, message.rating_max),
        "ruleSet": told["ruleSet"],
        "createdAt": message.created_ms,
        "mine": player.id == viewer_id,
    }
    if "rules" in told:
        shape["ruleSetFields"] = told["rules"]
    return shape


def rating_range(least: int, most: int) -> str | None:
    """A rating range as text, like `1500-1800`; None when any rating is accepted."""
    return f"{least}-{most or RATING_MAX}" if least or most else None
