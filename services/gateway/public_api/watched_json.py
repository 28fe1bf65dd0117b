"""Games as JSON in spectators' streams of the public API. Pure."""

from collections.abc import Iterable, Iterator

from services.gateway.public_api import public_json
from services.gateway.public_api.public_json import Shape
from services.pb.flagfall.v1 import events_pb2
from services.runtime.wire import colour_from_pb, rule_set_from_pb

ARRAY = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


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
        "player": colour_from_pb(state.turn),
        "turns": state.ply,
        "startedAtTurn": 0,
        "source": public_json.source(info),
        "status": public_json.status_object(state),
        "createdAt": info.created_ms,
        "ruleSet": rule_set_from_pb(info.rule_set).name,
        "players": {"white": public_json.shown_side(info.white), "black": public_json.shown_side(info.black)},
    }
    if state.last_uci:
        shape["lastMove"] = state.last_uci
    if (won := public_json.winner(state)) is not None:
        shape["winner"] = won
    return shape


def first_position(info: events_pb2.GameInfo) -> Shape:
    """The position before any move, as a line."""
    return {"fen": info.initial_fen or ARRAY}


def position(info: events_pb2.GameInfo, state: events_pb2.GameState) -> Shape:
    """The position after a move: `lm` in UCI; `wc` and `bc` are seconds left, if there is a clock."""
    shape: Shape = {"fen": state.fen}
    if state.last_uci:
        shape["lm"] = state.last_uci
    if public_json.has_clock(info.time_control, state):
        shape |= {"wc": state.white_ms // 1000, "bc": state.black_ms // 1000}
    return shape


def past_positions(info: events_pb2.GameInfo, events: Iterable[events_pb2.GameEvent]) -> Iterator[Shape]:
    """The positions up to the newest of these events. Moves that were taken back are left out."""
    found: list[Shape] = []
    for event in events:
        del found[max(0, event.state.ply - (event.kind == events_pb2.GAME_EVENT_KIND_MOVE)) :]
        if event.kind == events_pb2.GAME_EVENT_KIND_MOVE:
            found.append(position(info, event.state))
    yield first_position(info)
    yield from found


def among(info: events_pb2.GameInfo, state: events_pb2.GameState) -> Shape:
    """A game that has begun or ended, as a line in the stream of games among people."""
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
    shape |= public_json.shown_time(info.time_control)
    if (won := public_json.winner(state)) is not None:
        shape["winner"] = won
    return shape


def _named(player: events_pb2.Player) -> Shape:
    if player.computer_level:
        return {"aiLevel": player.computer_level}
    return {"userId": player.id, **public_json.standing(player)}
