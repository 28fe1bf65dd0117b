"""Parses requests for challenges and seeks, once. Unreadable input is a refusal that names the field."""

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.domain.time_control import problem
from services.domain.variant import Variant
from services.game.invitations.challenge import Wish
from services.game.play.person import is_player_id
from services.game.play.refusals import unset
from services.game.settings import GameSettings
from services.game.wire.fields import is_game_id, plain_text, refuse_player_id
from services.pb.flagfall.v1 import game_pb2 as pb
from services.runtime.wire import colour_from_pb, rule_set_from_pb, time_control_from_pb

NO_CHALLENGE = Refusal(RefusalCode.NOT_FOUND, say("invitations.no_challenge"), "id")


def wish_of(request: pb.CreateChallengeRequest | pb.CreateSeekRequest, settings: GameSettings) -> Wish | Refusal:
    """The game that a challenge or a seek asks for, or a refusal. A seek cannot name a first position."""
    try:
        variant = Variant(request.variant)
    except ValueError:
        return Refusal(RefusalCode.UNSUPPORTED_VARIANT, say("request.variant"), "variant")
    try:
        rule_set = rule_set_from_pb(request.rule_set)
        control = time_control_from_pb(request.time_control)
    except ValueError as error:
        return unset(error)
    if (wrong := problem(control)) is not None:
        return Refusal(RefusalCode.MALFORMED, wrong, "time_control")
    position = request.initial_fen if isinstance(request, pb.CreateChallengeRequest) else ""
    initial_fen = plain_text(position, settings.fen_chars_max, "initial_fen")
    if isinstance(initial_fen, Refusal):
        return initial_fen
    if initial_fen and request.rated:
        return Refusal(RefusalCode.NOT_ALLOWED, say("invitations.rated_position"), "rated")
    return Wish(variant.value, rule_set, control, request.rated, colour_from_pb(request.color), initial_fen)


def refuse_sides(request: pb.CreateChallengeRequest) -> Refusal | None:
    """A refusal if a challenge cannot have these two sides, or None."""
    if request.open and request.dest_id:
        return Refusal(RefusalCode.MALFORMED, say("invitations.open_has_no_dest"), "dest_id")
    if not request.open and not request.challenger_id:
        return Refusal(RefusalCode.MALFORMED, say("invitations.no_challenger"), "challenger_id")
    if request.user_ids:
        if not request.open or request.challenger_id:
            return Refusal(RefusalCode.MALFORMED, say("invitations.users_of_open"), "user_ids")
        if len(set(request.user_ids)) != 2 or not all(map(is_player_id, request.user_ids)):
            return Refusal(RefusalCode.MALFORMED, say("invitations.two_users"), "user_ids")
    if request.expires_ms and not request.open:
        return Refusal(RefusalCode.MALFORMED, say("invitations.end_of_open"), "expires_ms")
    if request.counter_to and not is_game_id(request.counter_to):
        return NO_CHALLENGE
    refusal = refuse_player_id(request.challenger_id, "challenger_id") if request.challenger_id else None
    return refusal or (None if request.open else refuse_player_id(request.dest_id, "dest_id"))
