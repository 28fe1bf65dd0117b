"""Headers that tell a browser what a page of this server may do. Every HTTP answer has them, errors and streams too."""

from base64 import b64encode
from functools import cache
from hashlib import sha256

Header = tuple[bytes, bytes]

BOARD_STYLE = "color-scheme:light only"
"""The one style attribute that a page has: the board's library writes it at the drawing of arrows and circles."""


def _hash(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()


PAGE_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        f"style-src 'self' 'unsafe-hashes' 'sha256-{_hash(BOARD_STYLE)}'",
        "img-src 'self' data:",
        "font-src 'self'",
        "media-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
"""The Content-Security-Policy of pages: everything comes from this server, no script is inline."""

DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
"""That of everything else: an answer that a browser shows as a page loads nothing and runs nothing."""

UNUSED = (
    *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "magnetometer", "microphone"),
    *("midi", "payment", "usb"),
)
"""Abilities of a browser that no page of this server asks for."""

HSTS_S = 31_536_000


@cache
def headers_for(page: bool, secure: bool) -> tuple[Header, ...]:
    """The headers of an answer: of a `page` (text/html) or of data, over TLS (`secure`) or not."""
    headers = {
        "content-security-policy": PAGE_POLICY if page else DATA_POLICY,
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",  # for browsers that do not know frame-ancestors
        "referrer-policy": "same-origin",  # the address of a game or a party may be a secret link
        "permissions-policy": ", ".join(f"{name}=()" for name in UNUSED),
    }
    if page:
        headers["cross-origin-opener-policy"] = "same-origin"
    if secure:
        headers["strict-transport-security"] = f"max-age={HSTS_S}"
    return tuple((name.encode(), value.encode()) for name, value in headers.items())


def is_page(headers: list[Header]) -> bool:
    """Whether an answer with these headers is a page."""
    return any(name.lower() == b"content-type" and value.startswith(b"text/html") for name, value in headers)
