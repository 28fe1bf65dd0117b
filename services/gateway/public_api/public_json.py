"""Games as JSON of the public API: `gameFull`, `gameState`, entries of `nowPlaying`, games in events.

Pure: the current time is an argument. docs/http-api.md describes the objects.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from services.domain.clock import both_have_moved
from services.domain.rating import perf_key
from services.domain.time_control import MOVES_ESTIMATED, ClockControl, Correspondence, PerMove, Unlimited, speed_of
from services.domain.variant import Variant
from services.gateway.protocol import rare_fields
from services.gateway.protocol.absence import Absence
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.pb.flagfall.v1.game_pb2 import PlayedMove
from services.runtime.wire import colour_from_pb, rule_set_from_pb, time_control_from_pb

Shape = dict[str, Any]

NO_CLOCK_MS = 2_147_483_647
"""The remaining time that the public API shows for a game without a clock."""
START = "startpos"

_STATUS_IDS = {
    "created": 10,
    "started": 20,
    "aborted": 25,
    "mate": 30,
    "resign": 31,
    "stalemate": 32,
    "timeout": 33,
    "draw": 34,
    "outoftime": 35,
    "unknownFinish": 38,
    "variantEnd": 60,
}
_WON: Mapping[int, str] = {
    common_pb2.END_REASON_CHECKMATE: "mate",
    common_pb2.END_REASON_RESIGNATION: "resign",
    common_pb2.END_REASON_FLAG: "outoftime",
    common_pb2.END_REASON_EXPIRY: "outoftime",
    common_pb2.END_REASON_ABSENCE: "timeout",
    common_pb2.END_REASON_UNKNOWN: "unknownFinish",
    common_pb2.END_REASON_UNSPECIFIED: "unknownFinish",
}
"""The status of a game with a winner, by the reason of its end; `variantEnd` for others."""
_NOT_WON: Mapping[int, str] = {
    common_pb2.END_REASON_STALEMATE: "stalemate",
    common_pb2.END_REASON_FLAG: "outoftime",
    common_pb2.END_REASON_EXPIRY: "outoftime",
    common_pb2.END_REASON_ABSENCE: "timeout",
    common_pb2.END_REASON_ABORT: "aborted",
    common_pb2.END_REASON_ABANDONED: "aborted",
    common_pb2.END_REASON_NO_FIRST_MOVE: "aborted",
}
"""The status of a game without a winner, by the reason of its end; `draw` for others."""
_VARIANTS = {str(each): (each.label, each.short) for each in Variant} | {"fromPosition": ("From Position", "FEN")}
_SOURCES = {"open": "friend", "rematch": "friend", "party": "friend"}
"""The public API's word for a game's source, where it differs from ours."""


def status(state: events_pb2.GameState) -> str:
    """The name of a game's status; `started` while it is running."""
    if state.status == events_pb2.GAME_STATUS_STARTED or not state.HasField("outcome"):
        return "started"
    if state.outcome.winner:
        return _WON.get(state.outcome.reason, "variantEnd")
    return _NOT_WON.get(state.outcome.reason, "draw")


def status_object(state: events_pb2.GameState) -> Shape:
    """A game's status as JSON: its number and its name."""
    name = status(state)
    return {"id": _STATUS_IDS[name], "name": name}


def winner(state: events_pb2.GameState) -> str | None:
    """The winner's colour; None for a draw, an aborted game or a running one."""
    return colour_from_pb(state.outcome.winner) if state.HasField("outcome") else None


def variant_key(key: str, initial_fen: str) -> str:
    """The variant's key. A standard game from a given position has its own key: clients set up the board by it."""
    return "fromPosition" if key == "standard" and initial_fen else key


def variant(key: str, initial_fen: str) -> Shape:
    """The variant as JSON; `name` is spelled as chess libraries know it."""
    key = variant_key(key, initial_fen)
    name, short = _VARIANTS.get(key, (key, key))
    return {"key": key, "name": name, "short": short}


def pace(control: common_pb2.TimeControl) -> str:
    """The speed: ultraBullet, bullet, blitz, rapid, classical or correspondence."""
    return speed_of(time_control_from_pb(control))


def perf(variant_key: str, control: common_pb2.TimeControl) -> str:
    """The key of a game's rating: the speed for standard chess (from any position), else the variant."""
    return perf_key(variant_key, speed_of(time_control_from_pb(control)))


def perf_name(key: str) -> str:
    """The name of such a key for people."""
    name, _ = _VARIANTS.get(key, (key[:1].upper() + key[1:], ""))
    return name


def has_clock(control: common_pb2.TimeControl, state: events_pb2.GameState) -> bool:
    """Whether there is a time limit. Some games have none, and some continue without their clock."""
    return not control.HasField("unlimited") and not state.without_clock


def clocks(control: common_pb2.TimeControl, state: events_pb2.GameState, now_ms: int) -> tuple[int, int]:
    """White's and Black's time at `now_ms`, in ms: for the game or the turn; `NO_CLOCK_MS` without a limit."""
    if not has_clock(control, state):
        return NO_CLOCK_MS, NO_CLOCK_MS
    white_ms, black_ms = state.white_ms, state.black_ms
    if state.running:
        spent_ms = max(0, now_ms - state.at_ms)
        if state.turn == common_pb2.COLOR_WHITE:
            white_ms = max(0, white_ms - spent_ms)
        else:
            black_ms = max(0, black_ms - spent_ms)
    return min(white_ms, NO_CLOCK_MS), min(black_ms, NO_CLOCK_MS)


def increment_ms(control: common_pb2.TimeControl) -> int:
    """The increment in ms; 0 without a clock."""
    return control.clock.increment_ms if control.HasField("clock") else 0


def game_state(
    info: events_pb2.GameInfo, state: events_pb2.GameState, moves: str, turn_began_ms: int, now_ms: int
) -> Shape:
    """A `gameState`. `moves` are all moves in UCI; `turn_began_ms` is when the current turn began (Unix time)."""
    white_ms, black_ms = clocks(info.time_control, state, now_ms)
    added_ms = 0 if state.without_clock else increment_ms(info.time_control)
    shape: Shape = {
        "type": "gameState",
        "moves": moves,
        "wtime": white_ms,
        "btime": black_ms,
        "winc": added_ms,
        "binc": added_ms,
        "status": status(state),
    }
    if (won := winner(state)) is not None:
        shape["winner"] = won
    if state.draw_offer == common_pb2.COLOR_WHITE:
        shape["wdraw"] = True
    elif state.draw_offer == common_pb2.COLOR_BLACK:
        shape["bdraw"] = True
    if state.takeback_offer == common_pb2.COLOR_WHITE:
        shape["wtakeback"] = True
    elif state.takeback_offer == common_pb2.COLOR_BLACK:
        shape["btakeback"] = True
    if state.HasField("pause"):
        shape["paused"] = rare_fields.pause(state.pause)
    if state.deadline_kind == events_pb2.DEADLINE_KIND_FIRST_MOVE and shape["status"] == "started":
        shape["expiration"] = {
            "idleMillis": max(0, now_ms - turn_began_ms),
            "millisToMove": max(0, state.deadline_ms - turn_began_ms),
        }
    return shape


def rated(info: events_pb2.GameInfo, state: events_pb2.GameState) -> bool:
    """Whether a game is rated: it started as rated, and nothing has made it unrated since."""
    return info.rated and not state.unrated


def standing(player: events_pb2.Player, difference: int | None = None) -> Shape:
    """A player's rating at the start and its change by the game, as JSON fields; empty without a rating."""
    if not player.rating:
        return {}
    shape: Shape = {"rating": player.rating, "provisional": player.provisional}
    return shape if difference is None else shape | {"ratingDiff": difference}


def differences(state: events_pb2.GameState) -> tuple[int | None, int | None]:
    """The change of White's and of Black's rating; None for an unrated or running game."""
    return (
        state.white_rating_diff if state.HasField("white_rating_diff") else None,
        state.black_rating_diff if state.HasField("black_rating_diff") else None,
    )


def opponent_gone(absence: Absence) -> Shape:
    """The line `opponentGone`. With the seconds until a claim is possible, if the rule set allows claims."""
    shape: Shape = {"type": "opponentGone", "gone": absence.gone}
    if absence.claim_in_ms is not None:
        shape["claimWinInSeconds"] = -(-absence.claim_in_ms // 1000)
    return shape


def side(player: events_pb2.Player, difference: int | None = None) -> Shape:
    """A player of a running game as JSON."""
    if player.computer_level:
        return {"id": None, "name": player.name, "title": None, "aiLevel": player.computer_level}
    if not player.id:  # in an imported game
        return {"id": None, "name": player.name, "title": player.title or None}
    return {
        "id": player.id,
        "name": player.name,
        "title": player.title or None,
        **standing(player, difference),
    }


def shown_side(player: events_pb2.Player, difference: int | None = None) -> Shape:
    """A player of a game that is exported or watched, as JSON."""
    if player.computer_level:
        return {"aiLevel": player.computer_level}
    if not player.id:  # in an imported game
        return {"name": player.name}
    user = {"id": player.id, "name": player.name}
    if player.title:
        user["title"] = player.title
    return {"user": user, **standing(player, difference)}


def shown_time(control: common_pb2.TimeControl) -> Shape:
    """The time of such a game as JSON, in seconds or days. `totalTime` estimates one side's total time."""
    match time_control_from_pb(control):
        case ClockControl(initial_ms, added_ms):
            initial, increment = initial_ms // 1000, added_ms // 1000
            total = initial + MOVES_ESTIMATED * increment
            return {"clock": {"initial": initial, "increment": increment, "totalTime": total}}
        case PerMove(turn_ms):
            return {"secondsPerTurn": turn_ms // 1000}
        case Correspondence(days):
            return {"daysPerTurn": days}
        case Unlimited():
            return {}


def source(info: events_pb2.GameInfo) -> str:
    """The public API's word for a game's source."""
    return _SOURCES.get(info.source, info.source)


def game_full(
    info: events_pb2.GameInfo, state: events_pb2.GameState, moves: str, turn_began_ms: int, now_ms: int
) -> Shape:
    """A `gameFull` with its first `gameState`."""
    of_white, of_black = differences(state)
    shape: Shape = {
        "type": "gameFull",
        "id": info.id,
        "variant": variant(info.variant, info.initial_fen),
        "speed": pace(info.time_control),
        "perf": {"name": perf_name(perf(info.variant, info.time_control))},
        "rated": rated(info, state),
        "createdAt": info.created_ms,
        "white": side(info.white, of_white),
        "black": side(info.black, of_black),
        "initialFen": info.initial_fen or START,
        "ruleSet": rule_set_from_pb(info.rule_set).name,
        "state": game_state(info, state, moves, turn_began_ms, now_ms),
    }
    control = info.time_control
    if control.HasField("clock"):  # in milliseconds here
        shape["clock"] = {"initial": control.clock.initial_ms, "increment": control.clock.increment_ms}
    else:
        shape |= shown_time(control)
    return shape


def hint(message: events_pb2.Hint) -> Shape:
    """A hint as a line of the player's own stream. The public API has no such line, so only players who ask get one."""
    return {"type": "hint", "ply": message.ply, "uci": message.uci, "san": message.san}


def turn_began_ms(info: events_pb2.GameInfo, moves: Sequence[PlayedMove]) -> int:
    """When the current turn began, as Unix time in ms."""
    return moves[-1].at_ms if moves else info.created_ms


def colour_of(info: events_pb2.GameInfo, player_id: str) -> common_pb2.Color:
    """The side that a player has in a game; UNSPECIFIED for others."""
    if player_id and player_id == info.white.id:
        return common_pb2.COLOR_WHITE
    if player_id and player_id == info.black.id:
        return common_pb2.COLOR_BLACK
    return common_pb2.COLOR_UNSPECIFIED


def game_info(summary: events_pb2.GameSummary, player_id: str, now_ms: int) -> Shape:
    """A game as its player `player_id` sees it, in `nowPlaying`, `gameStart` and `gameFinish`."""
    info, state = summary.info, summary.state
    white = info.white.id == player_id
    me, opponent = (info.white, info.black) if white else (info.black, info.white)
    mine = common_pb2.COLOR_WHITE if white else common_pb2.COLOR_BLACK
    own_difference, other_difference = differences(state) if white else reversed(differences(state))
    going_on = state.status == events_pb2.GAME_STATUS_STARTED
    shape: Shape = {
        "id": info.id,
        "gameId": info.id,
        "fullId": info.id,
        "color": "white" if white else "black",
        "fen": state.fen,
        "hasMoved": _has_moved(state, mine),
        "isMyTurn": going_on and state.turn == mine,
        "lastMove": state.last_uci,
        "opponent": _opponent(opponent, other_difference),
        "perf": perf(info.variant, info.time_control),
        "rated": rated(info, state),
        "source": source(info),
        "status": status_object(state),
        "speed": pace(info.time_control),
        "variant": variant(info.variant, info.initial_fen),
        "ruleSet": rule_set_from_pb(info.rule_set).name,
        "compat": {"bot": True, "board": True},
    }
    if me.rating:
        shape["rating"] = me.rating
    if own_difference is not None:
        shape["ratingDiff"] = own_difference
    if has_clock(info.time_control, state):
        shape["secondsLeft"] = clocks(info.time_control, state, now_ms)[0 if white else 1] // 1000
    if (won := winner(state)) is not None:
        shape["winner"] = won
    return shape


def _opponent(player: events_pb2.Player, difference: int | None) -> Shape:
    if player.computer_level:
        return {"id": None, "username": player.name, "ai": player.computer_level}
    shape: Shape = {"id": player.id, "username": player.name, **standing(player, difference)}
    shape.pop("provisional", None)
    if player.title:
        shape["title"] = player.title
    return shape


def _has_moved(state: events_pb2.GameState, colour: common_pb2.Color) -> bool:
    """Whether a side has moved, whichever side began. After one ply, the side that is not to move has moved."""
    return both_have_moved(state.ply) or (state.ply == 1 and state.turn != colour)
