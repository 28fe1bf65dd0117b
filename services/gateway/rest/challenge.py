"""The public API about invitations: to a player, as an open link, or to the computer; and answers to them."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from services.domain.colour import Colour
from services.domain.level import LEVELS
from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.gateway.answers.answer import Ok
from services.gateway.answers.games import ComputerGame
from services.gateway.answers.invitations import Challenge, ChallengeDone, Challenges
from services.gateway.errors import Refused, unauthorized
from services.gateway.game_calls.tokens import Signed
from services.gateway.public_api import public_json, public_people
from services.gateway.rest.answered import answered
from services.gateway.rest.auth import maybe_signed, signed
from services.gateway.rest.described import asks, takes
from services.gateway.rest.openapi import Token, answers, json, lines
from services.gateway.rest.parts import Parts, parts
from services.gateway.rest.requests import NO_CHALLENGE, address_of, checked_id, origin_of, read_fields, read_query
from services.gateway.rest.terms import GAME_FIELDS, UNUSED_FIELDS, colour, wanted_game
from services.gateway.streams.line_stream import Lines, LineStream
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.pb.flagfall.v1 import game_pb2 as pb
from services.runtime.wire import colour_from_pb

log = logging.getLogger(__name__)

router = APIRouter(prefix="/api/challenge", tags=["Challenges"], default_response_class=Response)

WRITE = ("challenge:write", "bot:play", "board:play")
READ = ("challenge:read", *WRITE)
NAME_CHARS_MAX = 64
MOMENT_MAX = 2**53

_DONE = answers(json(Ok), token=Token.NEEDED, scopes=WRITE)


def _spend(made: Parts, who: str) -> None:
    made.limits.spend("challenges", who, made.settings.challenges_per_minute, 60)


@router.get("", summary="My open challenges", openapi_extra=answers(json(Challenges), token=Token.NEEDED, scopes=READ))
async def mine(request: Request) -> Response:
    """`in` (challenges to me) and `out` (challenges by me), newest first."""
    made = parts(request)
    who = await signed(request, *READ)
    found = await made.game.list_challenges(who.player.id)
    origin = origin_of(request)
    return answered(
        Challenges(
            incoming=[public_people.challenge(entry, who.player.id, origin) for entry in found.incoming],
            outgoing=[public_people.challenge(entry, who.player.id, origin) for entry in found.outgoing],
        )
    )


@router.post(
    "/ai",
    status_code=201,
    summary="Play the computer",
    openapi_extra=takes("level", *GAME_FIELDS, required=("level",))
    | answers(json(ComputerGame), status=201, token=Token.NEEDED, scopes=WRITE),
)
async def play_computer(request: Request) -> Response:
    """Fields `level` (1-10), `clock.limit` and `clock.increment` (s) or `days` or neither, `color`, `variant`, `fen`,
    `ruleSet` (a preset; single fields: `ruleSet.repetition`)."""
    made = parts(request)
    who = await signed(request, *WRITE)
    fields = await read_fields(request)
    fields.only(["level", *GAME_FIELDS, *UNUSED_FIELDS])
    level = fields.integer("level", least=LEVELS[0], most=LEVELS[-1])
    wanted = wanted_game(fields)
    _spend(made, who.player.id)
    summary = await made.game.create_computer_game(
        pb.CreateComputerGameRequest(
            player_id=who.player.id,
            level=level,
            color=wanted.color,
            variant=wanted.variant,
            rule_set=wanted.rule_set,
            time_control=wanted.time_control,
            initial_fen=wanted.initial_fen,
        )
    )
    return answered(_computer_game(summary), 201)


def _computer_game(summary: events_pb2.GameSummary) -> ComputerGame:
    info, state = summary.info, summary.state
    return ComputerGame(
        id=info.id,
        full_id=info.id,
        variant=public_json.variant(info.variant, info.initial_fen),
        speed=public_json.pace(info.time_control),
        perf=public_json.perf(info.variant, info.time_control),
        rated=info.rated,
        fen=state.fen,
        turns=state.ply,
        source=info.source,
        status=public_json.status_object(state),
        created_at=info.created_ms,
        player=colour_from_pb(state.turn),
        color=Colour.BLACK if info.white.computer_level else Colour.WHITE,
    )


@router.post(
    "/open",
    summary="Make a link that anybody may accept",
    openapi_extra=takes("rated", "name", "users", "expiresAt", *GAME_FIELDS)
    | answers(json(Challenge), token=Token.WELCOME, scopes=WRITE),
)
async def make_open(request: Request) -> Response:
    """The fields of a challenge, and `name`. Needs no token. With a token and a `color` (which may be `random`) the
    creator plays the one who accepts; otherwise the first two who accept play each other. `users`: only these two may
    accept, White first, separated by a comma; then the creator does not play. `expiresAt` (ms): expires earlier than in
    14 days."""
    made = parts(request)
    who = await maybe_signed(request)
    fields = await read_fields(request)
    fields.only(["rated", "name", "users", "expiresAt", *GAME_FIELDS, *UNUSED_FIELDS])
    wanted = wanted_game(fields)
    users = [name.strip().lower() for name in fields.text("users", "").split(",") if name.strip()]
    plays = who is not None and fields.has("color") and not users
    if who is not None and plays and who.scopes.isdisjoint(WRITE):
        who = await signed(request, *WRITE)
    _spend(made, who.player.id if who is not None else address_of(request))
    challenge = await made.game.create_challenge(
        pb.CreateChallengeRequest(
            challenger_id=who.player.id if who is not None and plays else "",
            variant=wanted.variant,
            rule_set=wanted.rule_set,
            time_control=wanted.time_control,
            rated=fields.boolean("rated"),
            color=wanted.color,
            initial_fen=wanted.initial_fen,
            name=fields.text("name", "", chars_max=100),
            open=True,
            user_ids=users,
            expires_ms=fields.integer("expiresAt", 0, least=0, most=MOMENT_MAX),
        )
    )
    return answered(public_people.challenge(challenge, who.player.id if who else "", origin_of(request)))


@router.get(
    "/{challenge_id}/show", summary="One challenge", openapi_extra=answers(json(Challenge), token=Token.WELCOME)
)
async def show(request: Request, challenge_id: str) -> Response:
    """Anybody may read an open challenge; only its two sides may read a challenge to a person."""
    made = parts(request)
    who = await maybe_signed(request)
    challenge = await made.game.get_challenge(checked_id(challenge_id, NO_CHALLENGE))
    viewer_id = who.player.id if who else ""
    sides = (challenge.challenger.id, challenge.dest.id)
    if not challenge.open and (not viewer_id or viewer_id not in sides):
        raise Refused(Refusal(RefusalCode.NOT_FOUND, say("invitations.no_challenge"), "id"))
    return answered(public_people.challenge(challenge, viewer_id, origin_of(request)))


@router.post("/{challenge_id}/accept", summary="Accept", openapi_extra=asks("color") | _DONE)
async def accept(request: Request, challenge_id: str) -> Response:
    """`color` is for open challenges. The game has the id of the challenge; `gameStart` follows on the event stream."""
    wanted = colour(await read_fields(request))
    return await _answer(request, challenge_id, pb.CHALLENGE_ANSWER_ACCEPT, color=wanted)


@router.post("/{challenge_id}/decline", summary="Decline", openapi_extra=takes("reason") | _DONE)
async def decline(request: Request, challenge_id: str) -> Response:
    """`reason`: generic, later, tooFast, tooSlow, timeControl, rated, casual, standard, variant, noBot, onlyBot."""
    reason = (await read_fields(request)).text("reason", "generic", chars_max=40)
    return await _answer(request, challenge_id, pb.CHALLENGE_ANSWER_DECLINE, reason=reason)


async def _answer(
    request: Request,
    challenge_id: str,
    answer: pb.ChallengeAnswer,
    color: common_pb2.Color = common_pb2.COLOR_UNSPECIFIED,
    reason: str = "",
) -> Response:
    who = await signed(request, *WRITE)
    await parts(request).game.answer_challenge(
        pb.AnswerChallengeRequest(
            id=checked_id(challenge_id, NO_CHALLENGE),
            player_id=who.player.id,
            answer=answer,
            color=color,
            reason=reason,
        )
    )
    return answered(Ok())


@router.post("/{challenge_id}/cancel", summary="Cancel", openapi_extra=_DONE)
async def cancel(request: Request, challenge_id: str) -> Response:
    """Cancels the caller's challenge; if it was accepted, aborts its game as long as no move was played."""
    made = parts(request)
    who = await signed(request, *WRITE)
    key = checked_id(challenge_id, NO_CHALLENGE)
    try:
        await made.game.answer_challenge(
            pb.AnswerChallengeRequest(id=key, player_id=who.player.id, answer=pb.CHALLENGE_ANSWER_CANCEL)
        )
    except Refused as refused:
        if refused.refusal.code is not RefusalCode.NOT_ALLOWED:
            raise
        await made.game.submit(pb.Command(game_id=key, player_id=who.player.id, abort=pb.Abort()))
    return answered(Ok())


@router.post(
    "/{challenge_id}/start-clocks",
    summary="Start the clocks before the first move",
    openapi_extra=asks("token1", "token2", required=("token1", "token2")) | answers(json(Ok), token=Token.UNUSED),
)
async def start_clocks(request: Request, challenge_id: str) -> Response:
    """Needs a token of each player in the query, in any order. Without effect if the clocks run already."""
    made = parts(request)
    fields = read_query(request)
    key = checked_id(challenge_id, NO_CHALLENGE)
    tokens = [fields.text(name, chars_max=made.settings.token_chars_max) for name in ("token1", "token2")]
    holders = await made.auth.resolve_all(tokens)
    players = {who.player.id for who in holders.values() if who is not None and not who.scopes.isdisjoint(WRITE)}
    if len(players) < len(tokens):
        raise unauthorized(say("gateway.two_tokens"))
    info = (await made.game.snapshot(key)).info
    if players != {info.white.id, info.black.id}:
        raise Refused(Refusal(RefusalCode.NOT_A_PLAYER, say("invitations.tokens_of_others"), "token1"))
    command = pb.Command(game_id=key, player_id=min(players), command_id="clocks", start_clocks=pb.StartClocks())
    try:
        await made.game.submit(command)
    except Refused as refused:
        if refused.refusal.at != "clocks":
            raise
    return answered(Ok())


@router.post(
    "/{username}",
    summary="Challenge somebody",
    openapi_extra=takes("rated", "keepAliveStream", *GAME_FIELDS)
    | answers(json(Challenge) | lines(Challenge, ChallengeDone), token=Token.NEEDED, scopes=WRITE),
)
async def challenge_somebody(request: Request, username: str) -> Response:
    """Fields `rated`, `clock.limit` and `clock.increment` (s) or `days` or neither, `color`, `variant`, `fen`,
    `ruleSet` (a preset; single fields: `ruleSet.repetition`). With `keepAliveStream` the answer is lines
    of JSON: the challenge, then {"done": "accepted"}, "declined" or "canceled"; the challenge is canceled if the
    connection ends earlier."""
    made = parts(request)
    who = await signed(request, *WRITE)
    fields = await read_fields(request)
    fields.only(["rated", "keepAliveStream", *GAME_FIELDS, *UNUSED_FIELDS])
    wanted = wanted_game(fields)
    keeps_alive = fields.boolean("keepAliveStream")
    _spend(made, who.player.id)
    wish = pb.CreateChallengeRequest(
        challenger_id=who.player.id,
        dest_id=username[:NAME_CHARS_MAX].lower(),
        variant=wanted.variant,
        rule_set=wanted.rule_set,
        time_control=wanted.time_control,
        rated=fields.boolean("rated"),
        color=wanted.color,
        initial_fen=wanted.initial_fen,
        keep_alive=keeps_alive,
    )
    origin = origin_of(request)
    if keeps_alive:
        return LineStream(lambda: _kept_alive(made, who, wish, origin), made.settings.line_unread_ms)
    return answered(public_people.challenge(await made.game.create_challenge(wish), who.player.id, origin))


@asynccontextmanager
async def _kept_alive(made: Parts, who: Signed, wish: pb.CreateChallengeRequest, origin: str) -> AsyncIterator[Lines]:
    """Make a challenge and stream its fate. At the end cancel it, which has no effect on an answered one."""
    async with made.hub.watch_player(who.player.id) as watch:
        challenge = await made.game.create_challenge(wish)
        try:
            shown = public_people.challenge(challenge, who.player.id, origin)
            async with made.streams.of_challenge(challenge, watch, shown) as lines:
                yield lines
        finally:
            await asyncio.shield(_take_back(made, challenge.id, who.player.id))


async def _take_back(made: Parts, challenge_id: str, player_id: str) -> None:
    try:
        await made.game.answer_challenge(
            pb.AnswerChallengeRequest(id=challenge_id, player_id=player_id, answer=pb.CHALLENGE_ANSWER_CANCEL)
        )
    except Refused as refused:
        log.debug("challenge %s: %s", challenge_id, refused.refusal.text)
