"""Games as objects in spectators' streams of the public API. Pure."""

from collections.abc import Iterable, Iterator

from msgspec import UNSET

from services.gateway.answers.answer import if_any
from services.gateway.answers.games import (
    AmongGame,
    KnownSide,
    KnownSides,
    ShownSides,
    WatchedGame,
    WatchedPosition,
)
from services.gateway.public_api import public_json
from services.pb.flagfall.v1 import events_pb2
from services.runtime.wire import colour_from_pb, rule_set_from_pb

ARRAY = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def described(info: events_pb2.GameInfo, state: events_pb2.GameState) -> WatchedGame:
    """The first and the last line of a stream of moves."""
    return WatchedGame(
        id=info.id,
        variant=public_json.variant(info.variant, info.initial_fen),
        speed=public_json.pace(info.time_control),
        perf=public_json.perf(info.variant, info.time_control),
        rated=public_json.rated(info, state),
        initial_fen=info.initial_fen or ARRAY,
        fen=state.fen,
        player=colour_from_pb(state.turn),
        turns=state.ply,
        started_at_turn=0,
        source=public_json.source(info),
        status=public_json.status_object(state),
        created_at=info.created_ms,
        rule_set=rule_set_from_pb(info.rule_set).name,
        players=ShownSides(white=public_json.shown_side(info.white), black=public_json.shown_side(info.black)),
        last_move=state.last_uci or UNSET,
        winner=if_any(public_json.winner(state)),
    )


def first_position(info: events_pb2.GameInfo) -> WatchedPosition:
    """The position before any move, as a line."""
    return WatchedPosition(fen=info.initial_fen or ARRAY)


def position(info: events_pb2.GameInfo, state: events_pb2.GameState) -> WatchedPosition:
    """The position after a move: `lm` in UCI; `wc` and `bc` are seconds left, if there is a clock."""
    has_clock = public_json.has_clock(info.time_control, state)
    return WatchedPosition(
        fen=state.fen,
        lm=state.last_uci or UNSET,
        wc=state.white_ms // 1000 if has_clock else UNSET,
        bc=state.black_ms // 1000 if has_clock else UNSET,
    )


def past_positions(info: events_pb2.GameInfo, events: Iterable[events_pb2.GameEvent]) -> Iterator[WatchedPosition]:
    """The positions up to the newest of these events. Moves that were taken back are left out."""
    found: list[WatchedPosition] = []
    for event in events:
        del found[max(0, event.state.ply - (event.kind == events_pb2.GAME_EVENT_KIND_MOVE)) :]
        if event.kind == events_pb2.GAME_EVENT_KIND_MOVE:
            found.append(position(info, event.state))
    yield first_position(info)
    yield from found


def among(info: events_pb2.GameInfo, state: events_pb2.GameState) -> AmongGame:
    """A game that has begun or ended, as a line in the stream of games among people."""
    status = public_json.status_object(state)
    clock, seconds_per_turn, days_per_turn = public_json.shown_time(info.time_control)
    return AmongGame(
        id=info.id,
        rated=public_json.rated(info, state),
        variant=public_json.variant_key(info.variant, info.initial_fen),
        speed=public_json.pace(info.time_control),
        perf=public_json.perf(info.variant, info.time_control),
        created_at=info.created_ms,
        status=status.id,
        status_name=status.name,
        players=KnownSides(white=_known(info.white), black=_known(info.black)),
        initial_fen=info.initial_fen or UNSET,
        clock=clock,
        seconds_per_turn=seconds_per_turn,
        days_per_turn=days_per_turn,
        winner=if_any(public_json.winner(state)),
    )


def _known(player: events_pb2.Player) -> KnownSide:
    if player.computer_level:
        return KnownSide(ai_level=player.computer_level)
    rating, provisional, _ = public_json.standing(player)
    return KnownSide(user_id=player.id, rating=rating, provisional=provisional)
