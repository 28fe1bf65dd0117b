"""The public API's export of a game as PGN or JSON."""

from collections.abc import Sequence

from fastapi import APIRouter
from msgspec import UNSET
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.answers.answer import if_any
from services.gateway.answers.games import PlayedGame, ShownSides
from services.gateway.public_api import public_json
from services.gateway.public_api.pgn import Wanted, pgn
from services.gateway.rest.answered import answered
from services.gateway.rest.auth import maybe_signed
from services.gateway.rest.described import asks
from services.gateway.rest.openapi import Token, answers, json, text
from services.gateway.rest.parts import parts
from services.gateway.rest.requests import checked_id, origin_of, read_fields
from services.pb.flagfall.v1 import events_pb2
from services.pb.flagfall.v1.game_pb2 import PlayedMove, Snapshot
from services.runtime.wire import rule_set_from_pb

router = APIRouter(tags=["Games"], default_response_class=Response)

PGN_TYPE = "application/x-chess-pgn"
HIDDEN_PLIES = 3
"""The number of latest half-moves of a running game that only its players see."""


@router.get(
    "/game/export/{game_id}",
    summary="A game as PGN or JSON",
    openapi_extra=asks("moves", "tags", "clocks", "pgnInJson")
    | answers(text(PGN_TYPE) | json(PlayedGame), token=Token.WELCOME),
)
async def export(request: Request, game_id: str) -> Response:
    """PGN, or JSON for `Accept: application/json`. Flags: `moves`, `tags`, `clocks` (all true), `pgnInJson` (false);
    the public API's other flags have no effect. While a game goes on, only its players get the last three
    half-moves."""
    made = parts(request)
    fields = await read_fields(request)
    wanted = Wanted(
        tags=fields.boolean("tags", True), moves=fields.boolean("moves", True), clocks=fields.boolean("clocks", True)
    )
    with_pgn = fields.boolean("pgnInJson", False)
    who = await maybe_signed(request)
    viewer_id = who.player.id if who else ""
    game = await made.onlookers.snapshot(checked_id(game_id), viewer_id)
    moves = shown_moves(game, viewer_id)
    site = f"{origin_of(request)}/{game.info.id}"
    if "application/json" not in request.headers.get("accept", ""):
        return Response(pgn(game, moves, site, wanted), media_type=PGN_TYPE)
    body = game_json(game, moves, wanted)
    if with_pgn:
        body = replace(body, pgn=pgn(game, moves, site, wanted))
    return answered(body)


def shown_moves(game: Snapshot, viewer_id: str) -> Sequence[PlayedMove]:
    """The moves that a viewer may see (empty id: not signed in)."""
    if game.state.status == events_pb2.GAME_STATUS_STARTED and not public_json.colour_of(game.info, viewer_id):
        return game.moves[: max(0, len(game.moves) - HIDDEN_PLIES)]
    return game.moves


def game_json(game: Snapshot, moves: Sequence[PlayedMove], wanted: Wanted) -> PlayedGame:
    """A game with these moves."""
    info = game.info
    of_white, of_black = public_json.differences(game.state)
    clock, seconds_per_turn, days_per_turn = public_json.shown_time(info.time_control)
    with_clocks = wanted.clocks and info.time_control.HasField("clock")
    return PlayedGame(
        id=info.id,
        rated=public_json.rated(info, game.state),
        variant=public_json.variant_key(info.variant, info.initial_fen),
        rule_set=rule_set_from_pb(info.rule_set).name,
        speed=public_json.pace(info.time_control),
        perf=public_json.perf(info.variant, info.time_control),
        created_at=info.created_ms,
        last_move_at=moves[-1].at_ms if moves else info.created_ms,
        status=public_json.status(game.state),
        source=public_json.source(info),
        players=ShownSides(
            white=public_json.shown_side(info.white, of_white), black=public_json.shown_side(info.black, of_black)
        ),
        winner=if_any(public_json.winner(game.state)),
        initial_fen=info.initial_fen or UNSET,
        moves=" ".join(move.san for move in moves) if wanted.moves else UNSET,
        clock=clock,
        clocks=[move.clock_ms // 10 for move in moves] if with_clocks else UNSET,
        seconds_per_turn=seconds_per_turn,
        days_per_turn=days_per_turn,
    )
