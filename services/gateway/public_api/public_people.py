"""People and invitations as objects of the public API. Pure."""

from collections.abc import Iterable, Mapping

from msgspec import UNSET

from services.domain.colour import Colour
from services.domain.time_control import ClockControl, Correspondence, PerMove, Unlimited
from services.gateway.answers.answer import Sides
from services.gateway.answers.invitations import (
    AskedClock,
    AskedDays,
    AskedPerMove,
    AskedTime,
    AskedUnlimited,
    Challenge,
    ChallengeStatus,
    Invited,
    OpenTo,
    PerfIcon,
)
from services.gateway.answers.people import Counts, PlayTime, User, UserStatus
from services.gateway.protocol.shapes import shown_rules
from services.gateway.public_api.public_json import pace, perf, perf_name, standing, variant
from services.gateway.public_api.public_ratings import perfs
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.pb.flagfall.v1.game_pb2 import Account
from services.runtime.wire import colour_from_pb, time_control_from_pb

_FRACTIONS = {15_000: "¼", 30_000: "½", 45_000: "¾", 90_000: "1.5"}

_CHALLENGE_STATUS: Mapping[int, ChallengeStatus] = {
    events_pb2.CHALLENGE_STATUS_CREATED: "created",
    events_pb2.CHALLENGE_STATUS_ACCEPTED: "accepted",
    events_pb2.CHALLENGE_STATUS_DECLINED: "declined",
    events_pb2.CHALLENGE_STATUS_CANCELED: "canceled",
    events_pb2.CHALLENGE_STATUS_OFFLINE: "offline",
}
_SIDES: Mapping[int, Sides] = {common_pb2.COLOR_WHITE: "white", common_pb2.COLOR_BLACK: "black"}
DECLINE_REASONS = {
    "generic": "Not this time, thank you.",
    "later": "Not now; please ask again later.",
    "tooFast": "This is too fast for me.",
    "tooSlow": "This is too slow for me.",
    "timeControl": "I do not play with this time control.",
    "rated": "I play rated games only.",
    "casual": "I play casual games only.",
    "standard": "I play standard chess only.",
    "variant": "I do not play this variant.",
    "noBot": "I do not play against bots.",
    "onlyBot": "I play against bots only.",
}
"""The public API's reasons to decline a challenge, with the text for the challenger."""


def user(account: Account, url: str, online: bool) -> User:
    """What everybody may know of an account or a guest; `url` is its page, `online` whether the player is connected."""
    player = account.player
    return User(
        id=player.id,
        username=player.name,
        perfs=perfs(account.perfs),
        created_at=account.created_ms,
        seen_at=account.seen_ms,
        play_time=PlayTime(total=0, tv=0),
        url=url,
        count=Counts(
            all=account.games,
            rated=sum(rating.games for rating in account.perfs),
            win=account.wins,
            loss=account.losses,
            draw=account.draws,
            playing=account.playing,
        ),
        online=online,
        followable=False,
        following=False,
        blocking=False,
        title=player.title or UNSET,
        guest=player.guest or UNSET,
    )


def user_status(account: Account, online: bool) -> UserStatus:
    """An entry of `users/status`. False flags are left out."""
    player = account.player
    return UserStatus(
        id=player.id,
        name=player.name,
        title=player.title or UNSET,
        online=online or UNSET,
        playing=account.playing > 0 or UNSET,
    )


def asked_colour(message: common_pb2.Color) -> Sides:
    """The colour that somebody asks for."""
    return _SIDES.get(message, "random")


def time_control(message: common_pb2.TimeControl) -> AskedTime:
    """A challenge's time control, in seconds and days."""
    match time_control_from_pb(message):
        case ClockControl(initial_ms, increment_ms):
            minutes = _FRACTIONS.get(initial_ms, str(initial_ms // 60_000))
            increment_s = increment_ms // 1000
            return AskedClock(limit=initial_ms // 1000, increment=increment_s, show=f"{minutes}+{increment_s}")
        case PerMove(turn_ms):
            return AskedPerMove(seconds_per_turn=turn_ms // 1000, show=f"{turn_ms // 1000} s")
        case Correspondence(days):
            return AskedDays(days_per_turn=days)
        case Unlimited():
            return AskedUnlimited()


def challenge(message: events_pb2.Challenge, viewer_id: str, origin: str, online: Iterable[str] = ()) -> Challenge:
    """An invitation as `viewer_id` sees it (empty: anybody). `online` are the ids of its players who are connected."""
    there = frozenset(online)
    url = f"{origin}/{message.id}"
    rule_set, all_rules = shown_rules(message.rule_set)
    mine = message.HasField("challenger") and message.challenger.id == viewer_id
    declined = message.status == events_pb2.CHALLENGE_STATUS_DECLINED
    reason = message.decline_reason if message.decline_reason in DECLINE_REASONS else "generic"
    open_to = OpenTo(user_ids=list(message.user_ids) or UNSET)
    return Challenge(
        id=message.id,
        url=url,
        status=_CHALLENGE_STATUS[message.status],
        challenger=_side(message.challenger, there) if message.HasField("challenger") else None,
        dest_user=_side(message.dest, there) if message.HasField("dest") else None,
        variant=variant(message.variant, message.initial_fen),
        rated=message.rated,
        speed=pace(message.time_control),
        time_control=time_control(message.time_control),
        color=asked_colour(message.challenger_color),
        final_color=colour_from_pb(message.final_color) or Colour.WHITE,
        perf=PerfIcon(icon="", name=perf_name(perf(message.variant, message.time_control))),
        rule_set=rule_set,
        rule_set_fields=all_rules,  # `rules` has another meaning in the public API
        created_at=message.created_ms,
        expires_at=message.expires_ms,
        direction=("out" if mine else "in") if viewer_id else UNSET,
        initial_fen=message.initial_fen or UNSET,
        rematch_of=message.rematch_of or UNSET,
        counter_to=message.counter_to or UNSET,
        decline_reason=DECLINE_REASONS[reason] if declined else UNSET,
        decline_reason_key=reason.lower() if declined else UNSET,
        open=open_to if message.open else UNSET,
        url_white=f"{url}?color=white" if message.open else UNSET,
        url_black=f"{url}?color=black" if message.open else UNSET,
        name=message.name or UNSET,
    )


def _side(player: events_pb2.Player, there: frozenset[str]) -> Invited:
    rating, provisional, _ = standing(player)
    return Invited(
        id=player.id,
        name=player.name,
        title=player.title or None,
        rating=rating,
        provisional=provisional,
        online=player.id in there,
        guest=player.guest or UNSET,
    )
