"""Games as their watchers' streams describe them, in the words of the public API. Pure."""

from collections.abc import Iterable, Iterator

from services.domain.time_control import ClockControl, Correspondence, PerMove, Unlimited
from services.gateway import public_json
from services.gateway.public_json import Shape
from services.pb.flagfall.v1 import events_pb2
from services.runtime.wire import rule_set_from_pb, time_control_from_pb

ARRAY = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
INCREMENTS_COUNTED = 40
"""The public API's estimate of a game's length."""


def described(info: events_pb2.GameInfo, state: events_pb2.GameState) -> Shape:
    """The first and the last line of a stream of moves."""
    shape: Shape = {
        "id": info.id,
        "variant": public_json.variant(info.variant, info.initial_fen),
        "speed": public_json.pace(info.time_control),
        "perf": public_json.perf(info.variant, info.time_control),
        "rated": public_json.rated(info, state),
        "initialFen": info.initial_fen or ARRAY,
        "fen": state.fen,
        "player": "white" if state.turn == 1 else "black",
        "turns": state.ply,
        "startedAtTurn": 0,
        "source": "friend" if info.source == "open" else info.source,
        "status": public_json.status_object(state),
        "createdAt": info.created_ms,
        "ruleSet": rule_set_from_pb(info.rule_set).name,
        "players": {"white": _side(info.white), "black": _side(info.black)},
    }
    if state.last_uci:
        shape["lastMove"] = state.last_uci
    if (won := public_json.winner(state)) is not None:
        shape["winner"] = won
    return shape


def first_position(info: events_pb2.GameInfo) -> Shape:
    """The position before any move."""
    return {"fen": info.initial_fen or ARRAY}


def position(info: events_pb2.GameInfo, state: events_pb2.GameState) -> Shape:
    """The position after a move: `lm` in UCI, `wc` and `bc` in seconds where there is a clock."""
    shape: Shape = {"fen": state.fen}
    if state.last_uci:
        shape["lm"] = state.last_uci
    if not info.time_control.HasField("unlimited"):
        shape |= {"wc": state.white_ms // 1000, "bc": state.black_ms // 1000}
    return shape


def past_positions(info: events_pb2.GameInfo, events: Iterable[events_pb2.GameEvent]) -> Iterator[Shape]:
    """The positions on the way to the newest of these events; moves that were taken back are not among them."""
    found: list[Shape] = []
    for event in events:
        del found[max(0, event.state.ply - (event.kind == events_pb2.GAME_EVENT_KIND_MOVE)) :]
        if event.kind == events_pb2.GAME_EVENT_KIND_MOVE:
            found.append(position(info, event.state))
    yield first_position(info)
    yield from found


def among(info: events_pb2.GameInfo, state: events_pb2.GameState) -> Shape:
    """A game that has begun or ended, in a stream of games among people."""
    status = public_json.status_object(state)
    shape: Shape = {
        "id": info.id,
        "rated": public_json.rated(info, state),
        "variant": public_json.variant_key(info.variant, info.initial_fen),
        "speed": public_json.pace(info.time_control),
        "perf": public_json.perf(info.variant, info.time_control),
        "createdAt": info.created_ms,
        "status": status["id"],
        "statusName": status["name"],
        "players": {"white": _named(info.white), "black": _named(info.black)},
    }
    if info.initial_fen:
        shape["initialFen"] = info.initial_fen
    match time_control_from_pb(info.time_control):
        case ClockControl(initial_ms, increment_ms):
            initial, increment = initial_ms // 1000, increment_ms // 1000
            total = initial + INCREMENTS_COUNTED * increment
            shape["clock"] = {"initial": initial, "increment": increment, "totalTime": total}
        case PerMove(turn_ms):
            shape["secondsPerTurn"] = turn_ms // 1000
        case Correspondence(days):
            shape["daysPerTurn"] = days
        case Unlimited():
            pass
    if (won := public_json.winner(state)) is not None:
        shape["winner"] = won
    return shape


def _side(player: events_pb2.Player) -> Shape:
    if player.computer_level:
        return {"aiLevel": player.computer_level}
    if not player.id:  # of an imported game
        return {"name": player.name}
    user = {"id": player.id, "name": player.name}
    if player.title:
        user["title"] = player.title
    return {"user": user, **public_json.standing(player)}


def _named(player: events_pb2.Player) -> Shape:
    if player.computer_level:
        return {"aiLevel": player.computer_level}
    return {"userId": player.id, **public_json.standing(player)}
