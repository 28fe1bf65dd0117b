"""The web page: one HTML file for all its addresses, and its assets."""

import re
from pathlib import Path

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response

from services.domain.text import say
from services.gateway.errors import HttpProblem

STATIC = Path(__file__).parents[1] / "static"

router = APIRouter(include_in_schema=False)
docs = APIRouter(include_in_schema=False)

_DOCS = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Flagfall: HTTP API</title>
    <link rel="icon" href="/docs/assets/favicon-32x32.png" />
    <link rel="stylesheet" href="/docs/assets/swagger-ui.css" />
    <script src="/docs/assets/swagger-ui-bundle.js" defer></script>
    <script src="/docs/start.js" defer></script>
  </head>
  <body>
    <div id="api"></div>
  </body>
</html>
"""
_START = 'SwaggerUIBundle({ url: "/openapi.json", dom_id: "#api", deepLinking: true });\n'

_GAME_ID = re.compile(r"[A-Za-z0-9]{8}([A-Za-z0-9]{4})?")


def _page() -> Response:
    index = STATIC / "index.html"
    if not index.is_file():
        raise HttpProblem(503, "page_not_built", say("gateway.page_not_built"))
    return FileResponse(index, headers={"Cache-Control": "no-cache"})


@router.api_route("/", methods=["GET", "HEAD"])
async def home(request: Request) -> Response:
    """The home page, where players start games."""
    return _page()


@router.api_route("/rules", methods=["GET", "HEAD"])
@router.api_route("/import", methods=["GET", "HEAD"])
async def beside(request: Request) -> Response:
    """Pages that are not about one game."""
    return _page()


@router.api_route("/rules/{key}", methods=["GET", "HEAD"])
async def rules(request: Request, key: str) -> Response:
    """The rules of a variant or of a rule set. The page itself reports an unknown name."""
    return _page()


@router.api_route("/party/{party_id}", methods=["GET", "HEAD"])
async def party(request: Request, party_id: str) -> Response:
    """A party's page. The page itself reports an unknown party."""
    return _page()


@router.api_route("/player/{player_id}", methods=["GET", "HEAD"])
async def player(request: Request, player_id: str) -> Response:
    """A player's page. The page itself reports an unknown player."""
    return _page()


@router.api_route("/{game_id}", methods=["GET", "HEAD"])
async def game(request: Request, game_id: str) -> Response:
    """A game, or an invitation that has no game yet."""
    if _GAME_ID.fullmatch(game_id) is None:
        raise HttpProblem(404, "not_found", say("gateway.no_page"))
    return _page()


@router.api_route("/{game_id}/{side}", methods=["GET", "HEAD"])
async def game_from_side(request: Request, game_id: str, side: str) -> Response:
    """A game seen from one side."""
    if _GAME_ID.fullmatch(game_id) is None or side not in ("white", "black"):
        raise HttpProblem(404, "not_found", say("gateway.no_page"))
    return _page()


@docs.get("/docs")
async def api(request: Request) -> Response:
    """The documentation of the HTTP API. All its files come from this server."""
    return HTMLResponse(_DOCS)


@docs.get("/docs/start.js")
async def start(request: Request) -> Response:
    """The script of that page: it is a file, since no page has an inline script."""
    return Response(_START, media_type="text/javascript")
