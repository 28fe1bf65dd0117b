"""Parties as protobuf messages: the members' events, and the stored settings."""

from services.domain.refusal import Refusal
from services.game.parties.party import Party, PartySettings, refuse_settings
from services.game.people.people_messages import person_message
from services.game.play.refusals import unset
from services.pb.flagfall.v1 import events_pb2 as events
from services.runtime.wire import rule_set_from_pb, rule_set_to_pb


def settings_message(settings: PartySettings) -> events.PartySettings:
    """Party settings as a message."""
    return events.PartySettings(
        turn_ms=settings.turn_ms,
        legal_marks=settings.legal_marks,
        swap_colors=settings.swap_colours,
        variant=settings.variant,
        rule_set=rule_set_to_pb(settings.rule_set),
    )


def settings_of(message: events.PartySettings) -> PartySettings:
    """The settings of a message. Raises ValueError for an unknown field of the rule set."""
    return PartySettings(
        message.turn_ms,
        message.legal_marks,
        message.swap_colors,
        message.variant,
        rule_set_from_pb(message.rule_set),
    )


def wanted_settings(message: events.PartySettings) -> PartySettings | Refusal:
    """The settings of a request, or a refusal."""
    try:
        settings = settings_of(message)
    except ValueError as error:
        return unset(error)
    return refuse_settings(settings) or settings


def party_message(party: Party) -> events.Party:
    """A party as a message, for anyone who has its link."""
    return events.Party(
        id=party.id,
        host_id=party.host_id,
        settings=settings_message(party.settings),
        members=[
            events.PartyMember(
                player=person_message(member.person), joined_ms=member.joined_ms, spectator=member.spectator
            )
            for member in party.members
        ],
        game_id="" if party.on is None else party.on.game_id,
        version=party.version,
        created_ms=party.created_ms,
        closed=party.closed,
    )
