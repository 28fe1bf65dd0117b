"""People, tokens and accounts as protobuf messages."""

from collections.abc import Iterable

from services.game.people.accounts import Profile
from services.game.play.person import Credential, Person
from services.game.ratings.ratings import Perf
from services.game.ratings.servicer import perf_message
from services.game.store.sql_players import Holder
from services.pb.flagfall.v1 import events_pb2 as events
from services.pb.flagfall.v1 import game_pb2 as pb


def person_message(person: Person) -> events.Player:
    """A person as a message."""
    return events.Player(
        id=person.id,
        name=person.name,
        title=person.title,
        guest=person.guest,
        rating=person.rating,
        provisional=person.provisional,
    )


def credential_message(credential: Credential) -> pb.Credential:
    """A new token and its owner as a message."""
    return pb.Credential(player=person_message(credential.person), token=credential.token, scopes=credential.scopes)


def holder_message(holder: Holder | None) -> pb.TokenHolder:
    """The owner of a token as a message; empty for None."""
    if holder is None:
        return pb.TokenHolder()
    return pb.TokenHolder(player=person_message(holder.person), scopes=holder.scopes, created_ms=holder.created_ms)


def account_message(profile: Profile, perfs: Iterable[Perf]) -> pb.Account:
    """The public data of a player as a message, with ratings."""
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
