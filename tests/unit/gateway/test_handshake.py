"""Whose token comes with the request that opens a socket."""

import pytest

from services.gateway.protocol.handshake import bearer, cookie, headers_of, seq_of

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


@pytest.mark.parametrize(
    ("origin", "allowed", "counts"),
    [
        ("http://chess.example:8000", "", True),
        ("HTTPS://CHESS.example:8000", "", True),
        ("http://chess.example", "", False),  # another port is another origin
        ("http://evil.example", "", False),
        ("http://chess.example:8000.evil.example", "", False),
        ("http://evil.example/?chess.example:8000", "", False),
        ("http://[", "", False),  # no address at all
        ("null", "", False),
        ("", "", False),
        ("", ",", False),
        ("https://app.example", " https://app.example ,https://b.example", True),
        ("https://app.example.evil.example", "https://app.example", False),
    ],
)
def test_cookie_counts_with_the_right_origin_only(origin: str, allowed: str, counts: bool) -> None:
    headers = {b"host": "chess.example:8000", b"origin": origin, b"cookie": COOKIE.decode()}
    assert (cookie(headers, allowed) == "abc") is counts


@pytest.mark.parametrize("value", ["", "flagfall_token=", "flagfall_token", "a=b", "\x00;=;,", "flagfall_tokens=abc"])
def test_without_a_token_in_the_cookie_there_is_none(value: str) -> None:
    headers = {b"host": "h", b"origin": "http://h", b"cookie": value}
    assert cookie(headers, "") is None


def test_a_strange_cookie_of_another_site_on_this_host_hides_no_token() -> None:
    headers = {b"host": "h", b"origin": "http://h", b"cookie": 'a[b]={"c": 1}; flagfall_token=abc'}
    assert cookie(headers, "") == "abc"


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
