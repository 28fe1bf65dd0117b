"""The public API's import: a finished game from a PGN, stored with the tags of its file."""

from urllib.parse import parse_qsl

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from services.domain.refusal import RefusalCode
from services.domain.text import say
from services.gateway.answers.games import Imported
from services.gateway.errors import HttpProblem, Refused, answer_refusal, malformed
from services.gateway.rest.answered import answered
from services.gateway.rest.auth import maybe_signed
from services.gateway.rest.described import pgn_body
from services.gateway.rest.openapi import Token, answers, json
from services.gateway.rest.parts import parts
from services.gateway.rest.requests import address_of, field_of_json, is_json, origin_of, read_body

router = APIRouter(tags=["Games"], default_response_class=Response)

FORM = "application/x-www-form-urlencoded"
PGN_TYPE = "application/x-chess-pgn"
FORM_FIELDS_MAX = 16
FORM_BYTES_A_BYTE = 3
"""A form encodes most bytes of a PGN as three."""
NOT_THE_PGNS_FAULT = frozenset([RefusalCode.UNAVAILABLE, RefusalCode.NOT_A_PLAYER, RefusalCode.ACCOUNT_NEEDED])
"""Refusals of the game service that are not about the PGN; they keep their usual status."""


@router.post(
    "/api/import",
    summary="Import a game from a PGN",
    openapi_extra=pgn_body() | answers(json(Imported), token=Token.WELCOME),
)
async def import_game(request: Request) -> Response:
    """One finished game: as the field `pgn` of a form or of JSON, or as the body itself (`application/x-chess-pgn`,
    `text/plain`), in UTF-8 or ISO 8859-1. Answers {id, url}. Result and reason are those of the file, and no draw rule
    ends the game early. Variations and comments are not kept. 400 if the request has no PGN, 413 if it is too large,
    422 if it cannot be parsed or played: `at` says where."""
    made = parts(request)
    settings = made.settings
    who = await maybe_signed(request)
    pgn = _pgn_of(request, await read_body(request, settings.import_bytes_max * FORM_BYTES_A_BYTE))
    if not pgn.strip():
        raise malformed(say("imports.no_pgn", type=PGN_TYPE), "pgn")
    if len(pgn) > settings.import_bytes_max:
        raise HttpProblem(413, "too_large", say("imports.bytes_max", most=settings.import_bytes_max))
    asker = who.player.id if who is not None else address_of(request)
    made.limits.spend("imports", asker, settings.imports_per_minute, 60)
    try:
        summary = await made.game.import_game(pgn, who.player.id if who is not None else "")
    except Refused as refused:
        if refused.refusal.code in NOT_THE_PGNS_FAULT:
            raise
        status = 413 if refused.refusal.code is RefusalCode.LIMIT_REACHED else 422
        return answer_refusal(refused.refusal, status=status)
    return answered(Imported(id=summary.info.id, url=f"{origin_of(request)}/{summary.info.id}"))


def _pgn_of(request: Request, body: bytes) -> bytes:
    """The PGN's bytes as the client had them before a form or JSON encoded them; empty when there are none."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == FORM:
        # Latin-1 keeps the bytes as they are. The reader of the PGN finds out their encoding.
        try:
            pairs = parse_qsl(body.decode("latin-1"), encoding="latin-1", max_num_fields=FORM_FIELDS_MAX)
        except ValueError as error:
            raise malformed(say("imports.no_form"), "body") from error
        return dict(pairs).get("pgn", "").encode("latin-1")
    if is_json(kind):
        return field_of_json(body, "pgn").encode()
    return body
