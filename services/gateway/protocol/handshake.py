"""What a request says of who is there, before anybody is asked: token, cookie, and the page that it comes from."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

from starlette.requests import cookie_parser

from services.gateway.protocol.frames import VERSION_MAX

TOKEN_COOKIE = "flagfall_token"
SEQ_DIGITS_MAX = 20

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
    if not own_page(headers.get(b"origin", ""), headers.get(b"host", ""), origins):
        return None
    return cookie_parser(headers.get(b"cookie", "")).get(TOKEN_COOKIE) or None


def own_page(origin: str, host: str, origins: str) -> bool:
    """Whether an `Origin` is this host's or one of the allowed `origins`, which are separated by commas."""
    if host and origin.partition("://")[2].lower() == host.lower():
        return True
    return origin in [allowed.strip() for allowed in origins.split(",") if allowed.strip()]


def seq_of(scope: Mapping[str, Any]) -> int | None:
    """The query's `seq`: the last number of the player's own events that the client has seen."""
    given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("seq", [""])[-1]
    # Its length first: int() raises for thousands of digits.
    short = given.isascii() and given.isdigit() and len(given) <= SEQ_DIGITS_MAX
    return int(given) if short and int(given) <= VERSION_MAX else None
