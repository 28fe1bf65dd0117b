"""The lobby over HTTP: the public API's seek, and Flagfall's own list of waiting seeks."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from services.domain.text import say
from services.gateway.answers.answer import Ok
from services.gateway.answers.games import OwnGame
from services.gateway.answers.invitations import Seeking, SeekLine, Seeks
from services.gateway.errors import Refused
from services.gateway.game_calls.tokens import Signed
from services.gateway.presence.keeping import Keeping, KeptSeek
from services.gateway.public_api import public_json, public_seeks
from services.gateway.rest.answered import answered
from services.gateway.rest.auth import maybe_signed, signed
from services.gateway.rest.described import takes
from services.gateway.rest.openapi import Token, answers, json, lines
from services.gateway.rest.parts import Parts, parts
from services.gateway.rest.requests import checked_id, read_fields
from services.gateway.rest.terms import SEEK_FIELDS, wanted_seek
from services.gateway.streams.line_stream import EMPTY, Lines, LineStream
from services.gateway.streams.streams import now_ms
from services.pb.flagfall.v1 import game_pb2 as pb

log = logging.getLogger(__name__)

router = APIRouter(tags=["Lobby"], default_response_class=Response)

BOARD = "board:play"
_OWN = "/api/flagfall/seeks"


@router.post(
    "/api/board/seek",
    summary="Seek an opponent",
    openapi_extra=takes("rated", *SEEK_FIELDS)
    | answers(json(Seeking) | lines(SeekLine), token=Token.NEEDED, scopes=(BOARD,)),
)
async def look(request: Request) -> Response:
    """Fields `rated`, `time` (minutes) and `increment` (s), `variant`, `color`, `ratingRange` (1500-1800, or empty),
    `ruleSet`; `perMove` (30 or 60 s for each turn) instead of a clock. The opponent is the one who has waited longest
    for the same game; `gameStart` follows on the event stream. The answer is a stream of empty lines; it ends when a
    game has begun, and closing the connection cancels the seek. With `days` or `untimed` the seek waits without a
    connection, and the answer has its id, or that of the game if an opponent was waiting."""
    made = parts(request)
    who = await signed(request, BOARD)
    fields = await read_fields(request)
    fields.only(["rated", *SEEK_FIELDS])
    wanted = wanted_seek(fields)
    made.limits.spend("seeks", who.player.id, made.settings.seeks_per_minute, 60)
    wish = pb.CreateSeekRequest(
        player_id=who.player.id,
        variant=wanted.variant,
        rule_set=wanted.rule_set,
        time_control=wanted.time_control,
        rated=fields.boolean("rated"),
        color=wanted.color,
        rating_min=wanted.rating_min,
        rating_max=wanted.rating_max,
    )
    if wanted.live:
        return LineStream(lambda: _looking(made, who, wish), made.settings.line_unread_ms)
    answer = await made.seeks.create(wish)
    if answer.HasField("game"):
        return answered(Seeking(id=answer.game.info.id, game=answer.game.info.id))
    return answered(Seeking(id=answer.seek.id))


@asynccontextmanager
async def _looking(made: Parts, who: Signed, wish: pb.CreateSeekRequest) -> AsyncIterator[Lines]:
    """Wait for an opponent until there is one or the reader disconnects."""
    answer = await made.seeks.create(wish)
    if answer.HasField("game"):
        yield _at_once()
        return
    seek = KeptSeek(answer.seek.id)
    try:
        with made.keeping.seek(seek), made.presence.of(who.player.id):
            await made.hub.join_player(who.player.id, seek)
            # A game may have begun before the seek listened.
            seek.doubted = True
            try:
                yield _waiting(made.keeping, seek, made.settings.line_keep_alive_ms / 1000)
            finally:
                made.hub.leave_player(who.player.id, seek)
    finally:
        if not seek.gone:
            await asyncio.shield(_cancel(made, seek.id, who.player.id))


async def _at_once() -> Lines:
    yield EMPTY


async def _waiting(keeping: Keeping, seek: KeptSeek, keep_alive_s: float) -> Lines:
    yield EMPTY
    while not seek.gone:
        if seek.doubted:
            await keeping.look(seek)
            continue
        try:
            async with asyncio.timeout(keep_alive_s):
                await seek.stirred()
        except TimeoutError:
            yield EMPTY


async def _cancel(made: Parts, seek_id: str, player_id: str) -> None:
    try:
        await made.seeks.cancel(seek_id, player_id)
    except Refused as refused:
        log.debug("seek %s: %s", seek_id, refused.refusal.text)


@router.get(_OWN, summary="Open seeks", openapi_extra=answers(json(Seeks), token=Token.WELCOME))
async def lobby(request: Request) -> Response:
    """Newest first. With a token only seeks that its player made or may accept; without one all."""
    who = await maybe_signed(request)
    viewer_id = who.player.id if who else ""
    found = await parts(request).seeks.listed(viewer_id)
    return answered(Seeks(seeks=[public_seeks.seek(entry, viewer_id) for entry in found]))


@router.post(
    _OWN + "/{seek_id}/accept",
    summary="Accept a seek",
    openapi_extra=answers(json(OwnGame), token=Token.NEEDED, scopes=(BOARD,)),
)
async def accept(request: Request, seek_id: str) -> Response:
    """The answer is the game. If several players try at once, one gets it; the others are answered 404."""
    made = parts(request)
    who = await signed(request, BOARD)
    summary = await made.seeks.accept(checked_id(seek_id, say("lobby.no_seek")), who.player.id)
    return answered(public_json.game_info(summary, who.player.id, now_ms()))


@router.delete(
    _OWN + "/{seek_id}",
    summary="Cancel a seek",
    openapi_extra=answers(json(Ok), token=Token.NEEDED, scopes=(BOARD,)),
)
async def stop(request: Request, seek_id: str) -> Response:
    """Cancels one of the caller's seeks; its stream ends."""
    who = await signed(request, BOARD)
    await parts(request).seeks.cancel(checked_id(seek_id, say("lobby.no_seek")), who.player.id)
    return answered(Ok())
