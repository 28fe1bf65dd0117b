"""What the request that opens a WebSocket says of who is there."""

from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlsplit

from services.gateway.frames import VERSION_MAX

TOKEN_COOKIE = "flagfall_token"

Headers = Mapping[bytes, str]


def headers_of(scope: Mapping[str, Any]) -> Headers:
    """The headers by their lower-case name; of several with one name the last."""
    return {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}


def bearer(headers: Headers) -> str | None:
    """The token of the header Authorization."""
    scheme, _, token = headers.get(b"authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


def cookie(headers: Headers, origins: str) -> str | None:
    """The token of the cookie, if the page that opened this socket is this host's or an allowed one's."""
    origin = headers.get(b"origin", "")
    own = bool(origin) and urlsplit(origin).netloc.lower() == headers.get(b"host", "").lower()
    if not own and origin not in [allowed.strip() for allowed in origins.split(",") if allowed.strip()]:
        return None
    try:
        morsel = SimpleCookie(headers.get(b"cookie", "")).get(TOKEN_COOKIE)
    except CookieError:
        return None
    return morsel.value if morsel is not None and morsel.value else None


def seq_of(scope: Mapping[str, Any]) -> int | None:
    """The query's `seq`: the last number of the player's own events that the client has seen."""
    given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("seq", [""])[-1]
    return int(given) if given.isascii() and given.isdigit() and int(given) <= VERSION_MAX else None
