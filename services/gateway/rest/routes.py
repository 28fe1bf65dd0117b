"""The routes of the HTTP API: its modules, each with a router."""

from collections.abc import Iterator

from fastapi.routing import APIRoute

from services.gateway.rest import (
    account,
    challenge,
    correspondence,
    export,
    game,
    games,
    imports,
    own,
    party,
    personal,
    play,
    progress,
    ratings,
    rematch,
    rules,
    search,
    seek,
)

PARTS = (
    own,
    account,
    challenge,
    rematch,
    seek,
    party,
    personal,
    play,
    game,
    export,
    imports,
    ratings,
    rules,
    games,
    search,
    progress,
    correspondence,
)
"""The modules of the HTTP API, in the order in which their routes are tried."""


def routes() -> Iterator[tuple[str, APIRoute]]:
    """Each route with its method."""
    for part in PARTS:
        for route in part.router.routes:
            if isinstance(route, APIRoute):
                for method in route.methods or ():
                    yield method, route
