"""A short path for moves around the framework's router, which costs five times as much CPU time as the rest of a move.

The same handlers are also in the router, for the documentation and for all requests that this path does not take.
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
    """One template of a path. `path` is its name in metrics."""

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
    """ASGI middleware that serves moves and passes all other requests to the application."""

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
