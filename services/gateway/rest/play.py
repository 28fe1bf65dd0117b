"""The public API for a running game: moves, ends, offers, chat and the game's stream, for boards and for bots.

Both have the same endpoints under two prefixes. They differ in the token's scope, and in the chat rooms of the stream.
"""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from services.domain.refusal import BUSY, Refusal, RefusalCode
from services.domain.text import say
from services.gateway.answers.answer import Ok, encoded
from services.gateway.answers.games import GameLine
from services.gateway.answers.listed import Schema
from services.gateway.answers.own import ChatLine
from services.gateway.errors import Refused, malformed
from services.gateway.game_calls.tokens import Signed
from services.gateway.public_api import public_json
from services.gateway.rest.answered import answered
from services.gateway.rest.auth import signed
from services.gateway.rest.described import asks, takes
from services.gateway.rest.openapi import Token, answers, json, lines
from services.gateway.rest.parts import Parts, parts
from services.gateway.rest.requests import checked_id, read_fields, read_query
from services.gateway.streams.line_stream import Lines, LineStream
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.events_pb2 import CHAT_ROOM_PLAYER, CHAT_ROOM_SPECTATOR, GameInfo
from services.runtime import logs

log = logging.getLogger(__name__)

router = APIRouter(prefix="/api", default_response_class=Response)

BOARD = "board:play"
BOT = "bot:play"
GIVE_TIME = ("challenge:write", BOARD, BOT)

_OK = encoded(Ok())
_ROOMS = {"player": CHAT_ROOM_PLAYER, "spectator": CHAT_ROOM_SPECTATOR}


_CAPITAL_PROMOTION = re.compile("([a-h][1-8]){2}[A-Z]")
"""An uppercase promotion: people may type it, but programs may not, because the public API's moves are UCI."""


def _ok() -> Response:
    return Response(_OK, media_type="application/json")


async def _command(scope: str, request: Request, game_id: str, command: pb.Command) -> Response:
    """Submit the caller's command, and answer when it is decided."""
    who = await signed(request, scope)
    await _submit(parts(request), who, game_id, command)
    return _ok()


async def _submit(made: Parts, who: Signed, game_id: str, command: pb.Command) -> pb.Accepted:
    command.game_id, command.player_id = checked_id(game_id), who.player.id
    with logs.bind(game_id=command.game_id):
        return await made.game.submit(command, actor="bot" if who.player.title == "BOT" else "person")


@asynccontextmanager
async def _in_time(made: Parts) -> AsyncIterator[None]:
    """Limits two calls of the game service to the time of one command. Raises Refused (busy) when it has passed."""
    try:
        async with asyncio.timeout(made.settings.command_timeout_ms / 1000):
            yield
    except TimeoutError as error:
        raise Refused(BUSY) from error


async def _move(scope: str, request: Request, game_id: str, uci: str) -> Response:
    """Play a move. The answer comes when it is decided: the move is in the database, or refused with the reason."""
    most = parts(request).settings.move_chars_max
    if len(uci) > most:
        raise malformed(say("play.move_length", most=most), "move")
    if _CAPITAL_PROMOTION.fullmatch(uci):
        raise malformed(say("request.small_promotion", move=uci, small=uci.lower()), "move")
    move = pb.Move(text=uci, offer_draw=read_query(request).boolean("offeringDraw"))
    return await _command(scope, request, game_id, pb.Command(move=move))


async def _draw(scope: str, request: Request, game_id: str, answer: str) -> Response:
    if _yes(answer, "draw"):
        return await _command(scope, request, game_id, pb.Command(offer_draw=pb.OfferDraw()))
    return await _command(scope, request, game_id, pb.Command(close_draw=pb.CloseDraw()))


def _yes(word: str, at: str) -> bool:
    known = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
    try:
        return known[word.lower()]
    except KeyError:
        raise malformed(say("request.yes_or_no"), at) from None


async def _takeback(scope: str, request: Request, game_id: str, answer: str) -> Response:
    """Between people a takeback needs consent. The computer agrees at once, so there the same call undoes a move."""
    made = parts(request)
    who = await signed(request, scope)
    if not _yes(answer, "takeback"):
        await _submit(made, who, game_id, pb.Command(close_takeback=pb.CloseTakeback()))
        return _ok()
    async with _in_time(made):
        info = await _as_player(made, who, game_id)
        if info.white.computer_level or info.black.computer_level:
            command = pb.Command(undo=pb.Undo())
        else:
            command = pb.Command(offer_takeback=pb.OfferTakeback())
        await _submit(made, who, game_id, command)
    return _ok()


async def _claim_victory(scope: str, request: Request, game_id: str) -> Response:
    return await _command(scope, request, game_id, pb.Command(claim_win=pb.ClaimWin()))


async def _resign(scope: str, request: Request, game_id: str) -> Response:
    return await _command(scope, request, game_id, pb.Command(resign=pb.Resign()))


async def _abort(scope: str, request: Request, game_id: str) -> Response:
    return await _command(scope, request, game_id, pb.Command(abort=pb.Abort()))


async def _as_player(made: Parts, who: Signed, game_id: str) -> GameInfo:
    """The game's info. Raises Refused unless `who` plays in it."""
    held = made.hub.held_game(game_id)
    info = held.info if held is not None else (await made.game.snapshot(checked_id(game_id))).info
    if not public_json.colour_of(info, who.player.id):
        raise Refused(Refusal(RefusalCode.NOT_A_PLAYER, say("play.players_only")))
    return info


async def _claim_draw(scope: str, request: Request, game_id: str) -> Response:
    """Claim a draw that is due by the rules, or else one against an absent opponent. A false claim changes nothing.

    Each of the two is one command. The game service decides whether it or the opponent's reply came first.
    """
    made = parts(request)
    who = await signed(request, scope)
    fields = await read_fields(request)
    fields.only(["move"])
    claim = pb.ClaimDraw(move=fields.text("move", "", chars_max=made.settings.move_chars_max))
    async with _in_time(made):
        try:
            await _submit(made, who, game_id, pb.Command(claim_draw=claim))
        except Refused as error:
            if claim.move or error.refusal.code is not RefusalCode.NOT_ALLOWED:
                raise
            await _claim_of_absent(made, who, game_id, error.refusal)
    return _ok()


async def _claim_of_absent(made: Parts, who: Signed, game_id: str, first: Refusal) -> None:
    try:
        await _submit(made, who, game_id, pb.Command(claim_win=pb.ClaimWin(draw=True)))
    except Refused as error:
        if error.refusal.code is not RefusalCode.NOT_ALLOWED:
            raise
        second = error.refusal.text
        both = first.text if first.text == second else say("gateway.both", first=first.text, second=second)
        raise Refused(Refusal(RefusalCode.NOT_ALLOWED, both)) from error


async def _say(scope: str, request: Request, game_id: str) -> Response:
    made = parts(request)
    who = await signed(request, scope)
    fields = await read_fields(request)
    room = _ROOMS[fields.choice("room", _ROOMS, "player")]
    text = fields.text("text")
    message = pb.PostChatRequest(game_id=checked_id(game_id), player_id=who.player.id, room=room, text=text)
    try:
        where = f"{who.player.id} {game_id} {room}"
        made.limits.spend("chat_lines", where, made.settings.chats_per_minute, 60)
        await made.game.post_chat(message)
    except Refused as error:
        # A client that is refused a line may stop playing for a while, so a line too many is dropped without a word.
        if error.refusal.code is not RefusalCode.LIMIT_REACHED:
            raise
        log.info("a line of chat too many was dropped")
    return _ok()


async def _read_chat(scope: str, request: Request, game_id: str) -> Response:
    made = parts(request)
    who = await signed(request, scope)
    await _as_player(made, who, game_id)
    lines = await made.game.list_chat(checked_id(game_id), CHAT_ROOM_PLAYER)
    return answered([ChatLine(text=line.text, user=line.player_name) for line in lines])


async def _stream(scope: str, request: Request, game_id: str) -> Response:
    made = parts(request)
    who = await signed(request, scope)

    def opened() -> AbstractAsyncContextManager[Lines]:
        return made.streams.of_game(checked_id(game_id), who.player.id, both_rooms=scope == BOT)

    return LineStream(opened, made.settings.line_unread_ms, until=lambda: made.auth.lost(who.token))


@dataclass(frozen=True, slots=True)
class _Endpoint:
    method: str
    path: str
    answer: Callable[..., Awaitable[Response]]
    summary: str
    description: str
    takes: Schema = field(default_factory=dict)
    says: Schema = field(default_factory=lambda: json(Ok))


_ENDPOINTS = (
    _Endpoint(
        "GET",
        "/game/stream/{game_id}",
        _stream,
        "Stream a game",
        "Lines of JSON: `gameFull` first, then `gameState` after each change and `chatLine`; an empty line every 6 s. "
        "Ends after the line with the final status. Opening it again ends the older stream. `hint` comes only to the "
        "player who asked for one.",
        says=lines(GameLine),
    ),
    _Endpoint(
        "POST",
        "/game/{game_id}/move/{uci}",
        _move,
        "Play a move",
        "The move in UCI; SAN is accepted too. `offeringDraw=true` offers a draw with it, or accepts the opponent's "
        "offer. 400 when it is illegal, too late, or not your turn.",
        asks("offeringDraw"),
    ),
    _Endpoint(
        "POST",
        "/game/{game_id}/resign",
        _resign,
        "Resign",
        "Also before the first move. A loss; or a draw, if the rule set says so and the opponent could not win. "
        "Deciding this may take some seconds; the answer comes after the decision.",
    ),
    _Endpoint("POST", "/game/{game_id}/abort", _abort, "Abort", "Before both sides have moved; 400 afterwards."),
    _Endpoint(
        "POST",
        "/game/{game_id}/draw/{answer}",
        _draw,
        "Offer, accept, claim, decline a draw",
        "`yes` claims a draw that is due, accepts an open offer, or offers; `no` declines or withdraws.",
    ),
    _Endpoint(
        "POST",
        "/game/{game_id}/claim-draw",
        _claim_draw,
        "Claim a draw",
        "Claims a third repetition or fifty moves of each side, on the board: by the side to move, or by the side that "
        "has just moved until the other replies. With `move` (UCI or SAN): for the position after this move, by "
        "the side to move; the move is not played. Without `move` also a draw when the opponent has left, if the "
        "rule set allows this claim. 400 if the claim is not true; then nothing has changed.",
        takes("move"),
    ),
    _Endpoint(
        "POST",
        "/game/{game_id}/claim-victory",
        _claim_victory,
        "Claim victory",
        "Possible when the opponent has left and the rule set allows this claim, the opponent's flag fell and the "
        "caller decides, a correspondence limit has passed, or a game without limits had no move for two weeks. "
        "A draw if the caller could not win. 400 with the reason while nothing can be claimed.",
    ),
    _Endpoint(
        "POST",
        "/game/{game_id}/takeback/{answer}",
        _takeback,
        "Propose a takeback",
        "`yes` asks to take the caller's last move back, or accepts the opponent's request; against the computer the "
        "move and its answer are removed at once, also within a day after the end. `no` declines or withdraws. 400 if "
        "the rule set does not allow takebacks.",
    ),
    _Endpoint(
        "POST",
        "/game/{game_id}/chat",
        _say,
        "Say something",
        "Fields `room` (`player`, `spectator`) and `text` (1-140 characters). A line beyond the limit of the room is "
        "dropped and answered like any other.",
        takes("room", "text", required=("text",)),
    ),
    _Endpoint(
        "GET",
        "/game/{game_id}/chat",
        _read_chat,
        "Read the chat",
        "The players' room: a JSON array of {text, user}.",
        says=json(list[ChatLine]),
    ),
)


@router.post(
    "/round/{game_id}/add-time/{seconds}",
    tags=["Board"],
    summary="Give the opponent time",
    openapi_extra=answers(json(Ok), token=Token.NEEDED, scopes=GIVE_TIME),
)
async def add_time(request: Request, game_id: str, seconds: str) -> Response:
    """5 to 60 seconds, in a game between people with a clock; at most an hour in total for one player."""
    made = parts(request)
    who = await signed(request, *GIVE_TIME)
    least, most = made.settings.given_s_min, made.settings.given_s_most
    digits = seconds.isascii() and seconds.isdigit() and len(seconds) <= 9
    if not (digits and least <= int(seconds) <= most):
        raise malformed(say("play.given_range", least=least, most=most), "seconds")
    await _submit(made, who, game_id, pb.Command(give_time=pb.GiveTime(ms=int(seconds) * 1000)))
    return _ok()


board_move = partial(_move, BOARD)
bot_move = partial(_move, BOT)


def _register() -> None:
    for scope, part, tag in ((BOARD, "board", "Board"), (BOT, "bot", "Bot")):
        for endpoint in _ENDPOINTS:
            router.add_api_route(
                f"/{part}{endpoint.path}",
                partial(endpoint.answer, scope),
                methods=[endpoint.method],
                tags=[tag],
                name=endpoint.summary,
                summary=endpoint.summary,
                description=f"{endpoint.description}\
\
The token needs `{scope}`.",
                response_model=None,
                openapi_extra=endpoint.takes | answers(endpoint.says, token=Token.NEEDED, scopes=(scope,)),
            )


_register()
