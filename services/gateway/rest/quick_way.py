"""Moves, past the framework's router: it costs some five times as much processor time as all else of a move here.

The same handlers stand in the router, too, for the documentation and for whatever this does not take.
"""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from services.gateway.errors import HttpProblem, Refused, on_problem, on_refused
from services.gateway.rest import own, play

Handler = Callable[..., Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class _Way:
    """One template. `path` is what the numbers call it."""

    path: str
    pattern: re.Pattern[str]
    handler: Handler


def _way(path: str, handler: Handler) -> _Way:
    return _Way(path, re.compile(re.sub(r"\{\w+\}", "([^/]+)", path)), handler)


_WAYS = (
    _way("/api/board/game/{game_id}/move/{uci}", play.board_move),
    _way("/api/bot/game/{game_id}/move/{uci}", play.bot_move),
    _way("/api/flagfall/games/{game_id}/moves", own.move),
)


class QuickWay:
    """Takes moves; everything else goes on to the application."""

    def __init__(self, app: Starlette) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        answer = self._taken(scope)
        if answer is None:
            await self._app(scope, receive, send)
            return
        response = await answer(Request(scope, receive))
        await response(scope, receive, send)

    def _taken(self, scope: Scope) -> Callable[[Request], Awaitable[Response]] | None:
        if scope["method"] != "POST":
            return None
        path: str = scope["path"]
        for way in _WAYS:
            found = way.pattern.fullmatch(path)
            if found is not None:
                scope["app"], scope["route"] = self._app, way
                arguments = found.groups()
                handler = way.handler
                return lambda request: _answered(handler, request, arguments)
        return None


async def _answered(handler: Handler, request: Request, arguments: tuple[str, ...]) -> Response:
    try:
        return await handler(request, *arguments)
    except Refused as error:
        return await on_refused(request, error)
    except HttpProblem as error:
        return await on_problem(request, error)
