"""People, challenges and what they hold as protobuf messages."""

from collections.abc import Iterable

from services.game.invitations.challenge import Challenge, Status
from services.game.people.accounts import Profile
from services.game.play.person import Credential, Person
from services.game.ratings.ratings import Perf
from services.game.ratings.servicer import perf_message
from services.game.store.sql_players import Holder
from services.pb.flagfall.v1 import events_pb2 as events
from services.pb.flagfall.v1 import game_pb2 as pb
from services.runtime.wire import colour_to_pb, rule_set_to_pb, time_control_to_pb

_STATUSES = {
    Status.CREATED: events.CHALLENGE_STATUS_CREATED,
    Status.ACCEPTED: events.CHALLENGE_STATUS_ACCEPTED,
    Status.DECLINED: events.CHALLENGE_STATUS_DECLINED,
    Status.CANCELED: events.CHALLENGE_STATUS_CANCELED,
    Status.OFFLINE: events.CHALLENGE_STATUS_OFFLINE,
}


def person_message(person: Person) -> events.Player:
    """Somebody."""
    return events.Player(
        id=person.id,
        name=person.name,
        title=person.title,
        guest=person.guest,
        rating=person.rating,
        provisional=person.provisional,
    )


def credential_message(credential: Credential) -> pb.Credential:
    """A new secret and whose it is."""
    return pb.Credential(player=person_message(credential.person), token=credential.token, scopes=credential.scopes)


def holder_message(holder: Holder | None) -> pb.TokenHolder:
    """Who holds a token; empty for nobody."""
    if holder is None:
        return pb.TokenHolder()
    return pb.TokenHolder(player=person_message(holder.person), scopes=holder.scopes, created_ms=holder.created_ms)


def account_message(profile: Profile, perfs: Iterable[Perf]) -> pb.Account:
    """What everybody may know of somebody."""
    person, record = profile.person, profile.record
    return pb.Account(
        player=person_message(person),
        created_ms=person.created_ms,
        seen_ms=person.seen_ms,
        games=record.games,
        wins=record.wins,
        losses=record.losses,
        draws=record.draws,
        playing=record.playing,
        perfs=map(perf_message, perfs),
    )


def challenge_message(challenge: Challenge) -> events.Challenge:
    """A challenge."""
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
