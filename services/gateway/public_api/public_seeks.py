"""Seeks as objects of the HTTP API. Pure."""

from msgspec import UNSET

from services.domain.rating import VALUE_MAX
from services.gateway.answers.invitations import Seek, Seeker
from services.gateway.protocol.shapes import shown_rules
from services.gateway.public_api.public_json import pace, perf, variant
from services.gateway.public_api.public_people import asked_colour, time_control
from services.pb.flagfall.v1 import events_pb2

RATING_MAX = int(VALUE_MAX)
"""The upper end of a range without an upper bound."""


def seek(message: events_pb2.Seek, viewer_id: str) -> Seek:
    """A seek as `viewer_id` sees it (empty: anybody). `color` is the seeker's."""
    player = message.player
    rule_set, all_rules = shown_rules(message.rule_set)
    return Seek(
        id=message.id,
        player=Seeker(
            id=player.id,
            name=player.name,
            title=player.title or None,
            rating=player.rating or UNSET,
            guest=player.guest or UNSET,
        ),
        variant=variant(message.variant, ""),
        rated=message.rated,
        speed=pace(message.time_control),
        perf=perf(message.variant, message.time_control),
        time_control=time_control(message.time_control),
        color=asked_colour(message.color),
        rating_range=rating_range(message.rating_min, message.rating_max),
        rule_set=rule_set,
        rule_set_fields=all_rules,
        created_at=message.created_ms,
        mine=player.id == viewer_id,
    )


def rating_range(least: int, most: int) -> str | None:
    """A rating range as text, like `1500-1800`; None when any rating is accepted."""
    return f"{least}-{most or RATING_MAX}" if least or most else None
