"""The address of Redis or Valkey: the URL of a server, or of Sentinel.

`redis://[user:password@]host:6379/0`, `rediss://` the same over TLS, `unix://`; or
`redis+sentinel://[user:password@]sentinel1:26379,sentinel2:26379/primary/0`. There, user and password are for the
servers, and `?sentinel_user=...&sentinel_password=...` are for the sentinels. `rediss+sentinel://` uses TLS to both.
An IPv6 address is in brackets: `[fd00::1]:26379`.

This file splits the URLs itself: `urllib.parse.urlsplit` does not support a list of hosts, and whether it refuses
brackets inside such a list depends on the Python version.
"""

import re
from dataclasses import dataclass, replace
from ipaddress import AddressValueError, IPv6Address
from urllib.parse import parse_qsl, quote, unquote

SERVER_SCHEMES = ("redis", "rediss", "unix")
SENTINEL_SCHEMES = ("redis+sentinel", "rediss+sentinel")
SENTINEL_PORT = 26_379
PORT_MAX = 65_535

URL = re.compile(
    r"(?P<scheme>[a-z][a-z0-9+.-]*)://(?:(?P<who>[^/?#]*)@)?(?P<hosts>[^/?#@]*)(?P<path>[^?#]*)(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
PLACE = re.compile(r"(?:\[(?P<ipv6>[^\[\]]*)\]|(?P<host>[^\[\]:\s]+))(?::(?P<port>[0-9]*))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class SentinelAddress:
    """The parts of a URL of Sentinel."""

    sentinels: tuple[tuple[str, int], ...]
    """Host and port; an IPv6 address without its brackets."""
    primary: str
    """The name by which the sentinels know the server."""
    database: int = 0
    user: str | None = None
    password: str | None = None
    sentinel_user: str | None = None
    sentinel_password: str | None = None
    tls: bool = False


@dataclass(frozen=True, slots=True)
class _Url:
    """The parts of a URL, as written."""

    scheme: str
    who: str | None
    """User and password, without the `@`."""
    hosts: str
    path: str
    rest: str
    """The query and the fragment, with their `?` and `#`."""

    def __str__(self) -> str:
        who = "" if self.who is None else f"{self.who}@"
        return f"{self.scheme}://{who}{self.hosts}{self.path}{self.rest}"


def is_redis(url: str) -> bool:
    """Whether a URL is a URL of Redis or Valkey, for one server or for Sentinel."""
    parts = _split(url)
    return parts is not None and parts.scheme in SERVER_SCHEMES + SENTINEL_SCHEMES


def parse_sentinel(url: str) -> SentinelAddress | None:
    """The parts of a URL of Sentinel; None for any other URL. Raises ValueError if it cannot be parsed."""
    parts = _split(url)
    if parts is None or parts.scheme not in SENTINEL_SCHEMES:
        return None
    user, _, password = (parts.who or "").partition(":")
    sentinels = tuple(_host_and_port(place) for place in parts.hosts.split(",") if place)
    primary, _, database = parts.path.strip("/").partition("/")
    query = parts.rest.partition("#")[0].removeprefix("?")
    asked = dict(parse_qsl(query, strict_parsing=bool(query)))
    own = {name: asked.pop(name, None) for name in ("sentinel_user", "sentinel_password")}
    if not sentinels or not primary or not re.fullmatch("[0-9]*", database):
        raise ValueError("it must read redis+sentinel://host:26379,host:26379/name-of-the-primary/0")
    if asked:
        raise ValueError(f"unknown in the URL of Sentinel: {', '.join(asked)}")
    return SentinelAddress(
        sentinels,
        unquote(primary),
        int(database or 0),
        unquote(user) or None,
        unquote(password) or None,
        own["sentinel_user"],
        own["sentinel_password"],
        parts.scheme.startswith("rediss"),
    )


def next_database(url: str) -> str:
    """A URL of the same Redis with the next database number.

    Raises ValueError for a URL of a Unix socket, and for a URL that cannot be parsed.
    """
    parts = _split(url)
    if parts is None:
        raise ValueError("a URL of Redis must read redis://host:6379/0")
    if parts.scheme == "unix":
        raise ValueError("the broker of a Redis by its socket has to be named: FLAGFALL_BROKER_URL")
    before, _, number = parts.path.strip("/").rpartition("/")
    if (address := parse_sentinel(url)) is not None:
        before, number = quote(address.primary, safe=""), str(address.database)
    if not re.fullmatch("[0-9]*", number):
        raise ValueError(f"the database of a Redis must be a number, not {number!r}")
    return str(replace(parts, path=f"{before and f'/{before}'}/{int(number or 0) + 1}"))


def uses_tls(url: str) -> bool:
    """Whether a URL of Redis uses TLS."""
    parts = _split(url)
    return parts is not None and parts.scheme.startswith("rediss")


def _split(url: str) -> _Url | None:
    """The parts of a URL; None if the text is not `scheme://...`."""
    found = URL.fullmatch(url.strip())
    if found is None:
        return None
    return _Url(found["scheme"].lower(), found["who"], found["hosts"], found["path"], found["rest"])


def _host_and_port(place: str) -> tuple[str, int]:
    """Host and port of one sentinel in the list. Raises ValueError with the bad part in its text."""
    found = PLACE.fullmatch(place)
    if found is None:
        raise ValueError(f"{place!r} is no host:port of a sentinel; an IPv6 address stands in brackets, [::1]:26379")
    port = int(found["port"] or SENTINEL_PORT)
    if not 0 < port <= PORT_MAX:
        raise ValueError(f"the port of the sentinel {place!r} must be 1 to {PORT_MAX}")
    if found["host"]:
        return found["host"].lower(), port
    try:
        return str(IPv6Address(unquote(found["ipv6"]))), port
    except AddressValueError as error:
        raise ValueError(f"no IPv6 address in the brackets of the sentinel {place!r}: {error}") from error
