"""A player's own events for frames and lists: invitations, parties, and summaries of games."""

from collections.abc import Mapping
from typing import cast

from msgspec import UNSET

from services.domain.variant import Variant
from services.gateway.protocol import shapes
from services.gateway.protocol.server_frames import Party, PartyMember, PartySettings
from services.gateway.protocol.shapes import Shape
from services.pb.flagfall.v1 import events_pb2
from services.runtime.wire import colour_from_pb

_CHALLENGE_STATUS: Mapping[int, str] = {
    events_pb2.CHALLENGE_STATUS_CREATED: "created",
    events_pb2.CHALLENGE_STATUS_ACCEPTED: "accepted",
    events_pb2.CHALLENGE_STATUS_DECLINED: "declined",
    events_pb2.CHALLENGE_STATUS_CANCELED: "canceled",
    events_pb2.CHALLENGE_STATUS_OFFLINE: "offline",
}
_PLAYER_EVENTS = {
    "challenge": "challenge",
    "challenge_canceled": "challengeCanceled",
    "challenge_declined": "challengeDeclined",
    "game_start": "gameStart",
    "game_finish": "gameFinish",
    "party": "party",
    "reminder": "reminder",
}


def challenge(message: events_pb2.Challenge) -> Shape:
    """An invitation as JSON."""
    asked = colour_from_pb(message.challenger_color)
    return {
        "id": message.id,
        "status": _CHALLENGE_STATUS[message.status],
        "challenger": shapes.seated(message.challenger) if message.HasField("challenger") else None,
        "dest": shapes.seated(message.dest) if message.HasField("dest") else None,
        "variant": message.variant,
        **shapes.rules(message.rule_set),
        "timeControl": shapes.time_control(message.time_control),
        "rated": message.rated,
        "color": asked or "random",
        "finalColor": colour_from_pb(message.final_color),
        "initialFen": message.initial_fen or None,
        "createdAt": message.created_ms,
        "expiresAt": message.expires_ms or None,
        "declineReason": message.decline_reason or None,
        "open": message.open,
        "name": message.name or None,
        "rematchOf": message.rematch_of or None,
        "counterTo": message.counter_to or None,
    }


def party(message: events_pb2.Party) -> Party:
    """A party. `next` has the ids of the two who play next; it is empty with fewer than two players."""
    settings = message.settings
    rule_set, rules = shapes.shown_rules(settings.rule_set)
    line = [member.player.id for member in message.members if not member.spectator]
    return Party(
        id=message.id,
        v=message.version,
        host=message.host_id,
        settings=PartySettings(
            turn_limit=settings.turn_ms // 1000,
            legal_marks=settings.legal_marks,
            swap_colors=settings.swap_colors,
            variant=cast(Variant, settings.variant),  # a newer game service may know more of them
            rule_set=rule_set,
            rules=rules,
        ),
        members=[
            PartyMember(
                id=member.player.id,
                name=member.player.name,
                guest=member.player.guest,
                title=member.player.title or UNSET,
                level=member.player.computer_level or UNSET,
                spectator=member.spectator,
                joined_at=member.joined_ms,
            )
            for member in message.members
        ],
        next=line[:2] if len(line) > 1 else [],
        game=message.game_id or None,
        created_at=message.created_ms,
        closed=message.closed,
    )


def summary(message: events_pb2.GameSummary, to_a_player: bool = False) -> Shape:
    """A game as JSON for a list. `to_a_player`: with the fields that only its players may see (see `info`)."""
    return {
        "id": message.info.id,
        "v": message.state.version,
        "info": shapes.info(message.info, to_a_player),
        "state": shapes.state(message.state, shapes.is_timed(message.info)),
    }


def player_event(message: events_pb2.PlayerEvent) -> bytes:
    """The frame `player` for one event. Raises ValueError when the event has no content."""
    content = message.WhichOneof("content")
    if content is None:
        raise ValueError("player_event: no content is set")
    frame: Shape = {"t": "player", "kind": _PLAYER_EVENTS[content], "seq": message.seq}
    inner = getattr(message, content)
    if content.startswith("challenge"):
        frame["challenge"] = challenge(inner)
    elif content == "party":
        frame["party"] = party(inner)
    elif content == "reminder":
        frame["game"], frame["deadline"] = summary(inner.game, to_a_player=True), inner.deadline_ms
    else:
        frame["game"] = summary(inner, to_a_player=True)
    return shapes.as_frame_with_objects(frame)
