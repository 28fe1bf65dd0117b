"""Flagfall's own API for the rules of all variants and of the rule sets, as text for players and as data."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.gateway.answers.rules_page import RulesIndex, RulesPage
from services.gateway.errors import Refused
from services.gateway.public_api.rules_library import Document, library
from services.gateway.rest.openapi import Token, answers, json

router = APIRouter(prefix="/api/flagfall/rules", tags=["Rules"], default_response_class=Response)

CACHED_S = 300


@router.get("", summary="The pages of rules", openapi_extra=answers(json(RulesIndex), token=Token.UNUSED))
async def index(request: Request) -> Response:
    """An entry for each variant, and one for the rule sets. Cacheable; with an `ETag`."""
    return _told(request, library().index)


@router.get("/{key}", summary="One page of rules", openapi_extra=answers(json(RulesPage), token=Token.UNUSED))
async def page(request: Request, key: str) -> Response:
    """`key` is a variant's key, or `ruleSets`; a preset's name gives the page `ruleSets` too. A variant's page has the
    idea, the initial position (FEN), the moves and rough values of the pieces, how games are won and drawn, the role of
    material and time, Flagfall's decisions where sources differ (`article` is of the FIDE Laws), the length of a game,
    terms, questions and sources; Chaturanga's also its options. The page of the rule sets has every field and value,
    the presets, and where they differ from the Laws. A page with `builtOn` has only what differs from that page.
    Cacheable; with an `ETag`."""
    document = library().documents.get(key)
    if document is None:
        there = ", ".join(library().documents)
        raise Refused(Refusal(RefusalCode.NOT_FOUND, say("request.rules_pages", pages=there), "key"))
    return _told(request, document)


def _told(request: Request, document: Document) -> Response:
    headers = {"ETag": document.etag, "Cache-Control": f"public, max-age={CACHED_S}"}
    if _has(request.headers.get("if-none-match", ""), document.etag):
        return Response(status_code=304, headers=headers)
    return Response(document.body, headers=headers, media_type="application/json")


def _has(tags: str, etag: str) -> bool:
    """Whether `If-None-Match` contains this tag, by the weak comparison of RFC 9110 13.1.2."""
    return any(tag.strip().removeprefix("W/") in (etag, "*") for tag in tags.split(","))
