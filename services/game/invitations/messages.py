"""Challenges as protobuf messages."""

from services.game.invitations.challenge import Challenge, Status
from services.game.people.people_messages import person_message
from services.pb.flagfall.v1 import events_pb2 as events
from services.runtime.wire import colour_to_pb, rule_set_to_pb, time_control_to_pb

_STATUSES = {
    Status.CREATED: events.CHALLENGE_STATUS_CREATED,
    Status.ACCEPTED: events.CHALLENGE_STATUS_ACCEPTED,
    Status.DECLINED: events.CHALLENGE_STATUS_DECLINED,
    Status.CANCELED: events.CHALLENGE_STATUS_CANCELED,
    Status.OFFLINE: events.CHALLENGE_STATUS_OFFLINE,
}


def challenge_message(challenge: Challenge) -> events.Challenge:
    """A challenge as a message."""
    wish = challenge.wish
    return events.Challenge(
        id=challenge.id,
        status=_STATUSES[challenge.status],
        challenger=None if challenge.challenger is None else person_message(challenge.challenger),
        dest=None if challenge.dest is None else person_message(challenge.dest),
        variant=wish.variant,
        rule_set=rule_set_to_pb(wish.rule_set),
        time_control=time_control_to_pb(wish.control),
        rated=wish.rated,
        challenger_color=colour_to_pb(wish.colour),
        final_color=colour_to_pb(challenge.final_colour),
        initial_fen=wish.initial_fen,
        created_ms=challenge.created_ms,
        expires_ms=challenge.expires_ms,
        decline_reason=challenge.decline_reason,
        open=challenge.open,
        name=challenge.name,
        rematch_of=challenge.rematch_of,
        counter_to=challenge.counter_to,
        user_ids=challenge.user_ids,
    )
