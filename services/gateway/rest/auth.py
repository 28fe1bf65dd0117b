"""Authentication of requests: a bearer token, or the browser's cookie."""

from starlette.requests import HTTPConnection
from starlette.responses import Response

from services.domain.text import say
from services.gateway.errors import forbidden, lacks_scope, unauthorized
from services.gateway.game_calls.tokens import Signed
from services.gateway.protocol.handshake import SECURE_COOKIE, TOKEN_COOKIE, own_page, token_in
from services.gateway.rest.parts import parts

COOKIE_AGE_S = 400 * 86_400
_SAFE_METHODS = frozenset(["GET", "HEAD", "OPTIONS"])


def token_of(connection: HTTPConnection) -> tuple[str, bool] | None:
    """The request's token, and whether it came as a cookie; None without one."""
    header = connection.headers.get("authorization", "")
    scheme, _, value = header.partition(" ")
    if scheme.lower() == "bearer":
        return value.strip(), False
    cookie = token_in(connection.cookies)
    return (cookie, True) if cookie else None


def same_origin(connection: HTTPConnection) -> bool:
    """Whether one of our own pages sent the request (a browser says so in `Origin`)."""
    origin = connection.headers.get("origin")
    if origin is None:
        return connection.headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")
    host = connection.headers.get("host", "")
    return own_page(origin, connection.url.scheme, host, parts(connection).settings.own_origins)


def check_own_page(connection: HTTPConnection) -> None:
    """Raise 403 for a request of another site's page. For each request whose answer sets or removes the cookie: a
    foreign form could otherwise replace the player of this browser, also one that has no cookie yet."""
    if not same_origin(connection):
        raise forbidden(say("gateway.foreign_page"))


async def maybe_signed(connection: HTTPConnection) -> Signed | None:
    """The holder of the request's token, or None. Raises 403 for a change with a cookie from another site's page."""
    found = token_of(connection)
    if found is None:
        return None
    token, from_cookie = found
    method = connection.scope.get("method", "GET")
    if from_cookie and method not in _SAFE_METHODS and not same_origin(connection):
        raise forbidden(say("gateway.foreign_page"))
    made = parts(connection)
    who = await made.auth.resolve(token)
    if who is not None:
        made.signs.show(connection.path_params.get("game_id", ""), who.player.id)
    return who


async def signed(connection: HTTPConnection, *any_of_scopes: str) -> Signed:
    """The holder of the request's token. Raises 401 without a valid one, 403 when it has none of these scopes."""
    who = await maybe_signed(connection)
    if who is None:
        raise unauthorized(say("gateway.invalid_token") if token_of(connection) else say("gateway.no_token"))
    if any_of_scopes and who.scopes.isdisjoint(any_of_scopes):
        raise forbidden(lacks_scope(any_of_scopes))
    return who


def set_cookie(response: Response, connection: HTTPConnection, token: str) -> None:
    """Set the cookie by which the browser stays signed in as this player. Raises 403 for another site's page."""
    check_own_page(connection)
    secure = connection.url.scheme == "https"
    name = SECURE_COOKIE if secure else TOKEN_COOKIE
    response.set_cookie(name, token, max_age=COOKIE_AGE_S, httponly=True, samesite="lax", secure=secure, path="/")
    if secure and TOKEN_COOKIE in connection.cookies:  # of an earlier release
        response.delete_cookie(TOKEN_COOKIE, path="/")


def delete_cookie(response: Response, connection: HTTPConnection) -> None:
    """Remove the cookie. Raises 403 for another site's page."""
    check_own_page(connection)
    if connection.url.scheme == "https":
        response.delete_cookie(SECURE_COOKIE, path="/", secure=True)
    response.delete_cookie(TOKEN_COOKIE, path="/")
