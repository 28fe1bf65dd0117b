"""Whose token comes with the request that opens a socket."""

import pytest

from services.gateway.protocol.handshake import bearer, cookie, headers_of, own_page, seq_of
from services.gateway.settings import GatewaySettings
from services.gateway.socket_settings import SocketSettings

COOKIE = b"theme=dark; flagfall_token=abc; other=1"


@pytest.mark.parametrize(
    ("value", "token"),
    [
        ("Bearer abc", "abc"),
        ("bearer  abc ", "abc"),
        ("Basic abc", None),
        ("Bearer", None),
        ("Bearer ", None),
        ("", None),
    ],
)
def test_bearer(value: str, token: str | None) -> None:
    assert bearer({b"authorization": value}) == token
    assert bearer({}) is None


@pytest.mark.parametrize("scheme", ["http", "ws", "https", "wss"])
@pytest.mark.parametrize(
    ("origin", "allowed", "counts"),
    [
        ("{scheme}://chess.example:8000", "", True),
        ("{SCHEME}://CHESS.example:8000", "", True),
        ("{other}://chess.example:8000", "", False),  # TLS or not is another origin, too
        ("chess.example:8000", "", False),
        ("{scheme}://chess.example", "", False),  # another port is another origin
        ("{scheme}://evil.example", "", False),
        ("{scheme}://chess.example:8000.evil.example", "", False),
        ("{scheme}://evil.example/?chess.example:8000", "", False),
        ("http://[", "", False),  # no address at all
        ("null", "", False),
        ("", "", False),
        ("", ",", False),
        ("https://app.example", " https://app.example ,https://b.example", True),
        ("https://app.example.evil.example", "https://app.example", False),
    ],
)
def test_cookie_counts_with_the_right_origin_only(scheme: str, origin: str, allowed: str, counts: bool) -> None:
    page, other = ("https", "http") if scheme in ("https", "wss") else ("http", "https")
    given = origin.format(scheme=page, SCHEME=page.upper(), other=other)
    headers = {b"host": "chess.example:8000", b"origin": given, b"cookie": COOKIE.decode()}
    allowed_origins = SocketSettings(socket_origins=allowed).own_origins
    assert (cookie(headers, scheme, allowed_origins) == "abc") is counts


def test_the_public_address_is_an_own_page() -> None:
    settings = GatewaySettings(public_url="https://chess.example/", socket_origins="https://app.example")
    assert settings.own_origins == {"https://chess.example", "https://app.example"}
    assert own_page("https://chess.example", "http", "gateway:8000", settings.own_origins)


def test_the_cookie_of_tls_comes_before_the_other() -> None:
    headers = {b"host": "h", b"origin": "https://h", b"cookie": "flagfall_token=old; __Host-flagfall_token=new"}
    assert cookie(headers, "wss", ()) == "new"


@pytest.mark.parametrize("value", ["", "flagfall_token=", "flagfall_token", "a=b", "\x00;=;,", "flagfall_tokens=abc"])
def test_without_a_token_in_the_cookie_there_is_none(value: str) -> None:
    headers = {b"host": "h", b"origin": "http://h", b"cookie": value}
    assert cookie(headers, "http", ()) is None


def test_a_strange_cookie_of_another_site_on_this_host_hides_no_token() -> None:
    headers = {b"host": "h", b"origin": "http://h", b"cookie": 'a[b]={"c": 1}; flagfall_token=abc'}
    assert cookie(headers, "http", ()) == "abc"


def test_headers_are_found_by_lower_case_name() -> None:
    assert headers_of({"headers": [(b"Host", b"h"), (b"cookie", b"\xff")]}) == {b"host": "h", b"cookie": "\xff"}


@pytest.mark.parametrize(
    ("query", "seq"),
    [
        (b"seq=17", 17),
        (b"a=1&seq=0", 0),
        (b"", None),
        (b"seq=", None),
        (b"seq=-1", None),
        (b"seq=1e3", None),
        (b"seq=99999999999999999", None),
        (b"seq=" + b"9" * 5000, None),  # more digits than int() takes
        (b"seq=%D9%A1", None),  # a digit, but not of ASCII
    ],
)
def test_seq_of_the_query(query: bytes, seq: int | None) -> None:
    assert seq_of({"query_string": query}) == seq
