"""People and invitations as JSON of the public API. Pure."""

from collections.abc import Iterable

from services.domain.time_control import ClockControl, Correspondence, PerMove, Unlimited
from services.gateway.protocol.shapes import rules
from services.gateway.public_api.public_json import Shape, pace, perf, perf_name, standing, variant
from services.gateway.public_api.public_ratings import perfs
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.pb.flagfall.v1.game_pb2 import Account
from services.runtime.wire import colour_from_pb, time_control_from_pb

_FRACTIONS = {15_000: "¼", 30_000: "½", 45_000: "¾", 90_000: "1.5"}

_CHALLENGE_STATUS = {
    events_pb2.CHALLENGE_STATUS_CREATED: "created",
    events_pb2.CHALLENGE_STATUS_ACCEPTED: "accepted",
    events_pb2.CHALLENGE_STATUS_DECLINED: "declined",
    events_pb2.CHALLENGE_STATUS_CANCELED: "canceled",
    events_pb2.CHALLENGE_STATUS_OFFLINE: "offline",
}
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


def user(account: Account, url: str, online: bool) -> Shape:
    """The public JSON of an account or a guest; `url` is its page, `online` whether the player is connected."""
    player = account.player
    shape: Shape = {
        "id": player.id,
        "username": player.name,
        "perfs": perfs(account.perfs),
        "createdAt": account.created_ms,
        "seenAt": account.seen_ms,
        "playTime": {"total": 0, "tv": 0},
        "url": url,
        "count": {
            "all": account.games,
            "rated": sum(rating.games for rating in account.perfs),
            "win": account.wins,
            "loss": account.losses,
            "draw": account.draws,
            "playing": account.playing,
        },
        "online": online,
        "followable": False,
        "following": False,
        "blocking": False,
    }
    if player.title:
        shape["title"] = player.title
    if player.guest:
        shape["guest"] = True
    return shape


def user_status(account: Account, online: bool) -> Shape:
    """An entry of `users/status`. False flags are left out."""
    player = account.player
    shape: Shape = {"id": player.id, "name": player.name}
    if player.title:
        shape["title"] = player.title
    if online:
        shape["online"] = True
    if account.playing:
        shape["playing"] = True
    return shape


def time_control(message: common_pb2.TimeControl) -> Shape:
    """A challenge's time control as JSON, in seconds and days."""
    match time_control_from_pb(message):
        case ClockControl(initial_ms, increment_ms):
            minutes = _FRACTIONS.get(initial_ms, str(initial_ms // 60_000))
            return {
                "type": "clock",
                "limit": initial_ms // 1000,
                "increment": increment_ms // 1000,
                "show": f"{minutes}+{increment_ms // 1000}",
            }
        case PerMove(turn_ms):
            return {"type": "perMove", "secondsPerTurn": turn_ms // 1000, "show": f"{turn_ms // 1000} s"}
        case Correspondence(days):
            return {"type": "correspondence", "daysPerTurn": days}
        case Unlimited():
            return {"type": "unlimited"}


def challenge(message: events_pb2.Challenge, viewer_id: str, origin: str, online: Iterable[str] = ()) -> Shape:
    """An invitation as `viewer_id` sees it (empty: anybody). `online` are the ids of its players who are connected."""
    there = frozenset(online)
    url = f"{origin}/{message.id}"
    told = rules(message.rule_set)
    shape: Shape = {
        "id": message.id,
        "url": url,
        "status": _CHALLENGE_STATUS[message.status],
        "challenger": _side(message.challenger, there) if message.HasField("challenger") else None,
        "destUser": _side(message.dest, there) if message.HasField("dest") else None,
        "variant": variant(message.variant, message.initial_fen),
        "rated": message.rated,
        "speed": pace(message.time_control),
        "timeControl": time_control(message.time_control),
        "color": colour_from_pb(message.challenger_color) or "random",
        "finalColor": colour_from_pb(message.final_color) or "white",
        "perf": {"icon": "", "name": perf_name(perf(message.variant, message.time_control))},
        "ruleSet": told["ruleSet"],
        "createdAt": message.created_ms,
        "expiresAt": message.expires_ms,
    }
    if "rules" in told:
        shape["ruleSetFields"] = told["rules"]  # `rules` has another meaning in the public API
    if viewer_id:
        mine = message.HasField("challenger") and message.challenger.id == viewer_id
        shape["direction"] = "out" if mine else "in"
    if message.initial_fen:
        shape["initialFen"] = message.initial_fen
    if message.rematch_of:
        shape["rematchOf"] = message.rematch_of
    if message.counter_to:
        shape["counterTo"] = message.counter_to
    if message.status == events_pb2.CHALLENGE_STATUS_DECLINED:
        reason = message.decline_reason if message.decline_reason in DECLINE_REASONS else "generic"
        shape["declineReason"] = DECLINE_REASONS[reason]
        shape["declineReasonKey"] = reason.lower()
    if message.open:
        shape["open"] = {"userIds": list(message.user_ids)} if message.user_ids else {}
        shape["urlWhite"] = f"{url}?color=white"
        shape["urlBlack"] = f"{url}?color=black"
    if message.name:
        shape["name"] = message.name
    return shape


def _side(player: events_pb2.Player, there: frozenset[str]) -> Shape:
    return {
        "id": player.id,
        "name": player.name,
        "title": player.title or None,
        **standing(player),
        "online": player.id in there,
        **({"guest": True} if player.guest else {}),
    }
