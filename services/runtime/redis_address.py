"""Where Redis or Valkey is: a server's URL, or one of Sentinel.

`redis://[user:password@]host:6379/0`, `rediss://` the same over TLS, `unix://`; or
`redis+sentinel://[user:password@]sentinel1:26379,sentinel2:26379/primary/0`, where user and password are the servers'
own and `?sentinel_user=...&sentinel_password=...` are the sentinels'. `rediss+sentinel://` speaks TLS to both.
"""

from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, unquote, urlsplit, urlunsplit

SERVER_SCHEMES = ("redis", "rediss", "unix")
SENTINEL_SCHEMES = ("redis+sentinel", "rediss+sentinel")
SENTINEL_PORT = 26_379


@dataclass(frozen=True, slots=True)
class SentinelAddress:
    """What a URL of Sentinel says."""

    sentinels: tuple[tuple[str, int], ...]
    primary: str
    """The name by which the sentinels know the server."""
    database: int = 0
    user: str | None = None
    password: str | None = None
    sentinel_user: str | None = None
    sentinel_password: str | None = None
    tls: bool = False


def is_redis(url: str) -> bool:
    """Whether a URL is one of Redis or Valkey, of one server or of Sentinel."""
    return urlsplit(url).scheme in SERVER_SCHEMES + SENTINEL_SCHEMES


def parse_sentinel(url: str) -> SentinelAddress | None:
    """The parts of a URL of Sentinel; None for another one. Raises ValueError where it cannot be read."""
    parts = urlsplit(url)
    if parts.scheme not in SENTINEL_SCHEMES:
        return None
    who, _, places = parts.netloc.rpartition("@")
    user, _, password = who.partition(":")
    sentinels = tuple(_host_and_port(place) for place in places.split(",") if place)
    primary, _, database = parts.path.strip("/").partition("/")
    asked = dict(parse_qsl(parts.query, strict_parsing=bool(parts.query)))
    own = {name: asked.pop(name, None) for name in ("sentinel_user", "sentinel_password")}
    if not sentinels or not primary or not (database or "0").isdigit():
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


def _host_and_port(place: str) -> tuple[str, int]:
    parts = urlsplit(f"//{place}")
    if not parts.hostname:
        raise ValueError(f"no name of a sentinel: {place!r}")
    return parts.hostname, parts.port or SENTINEL_PORT


def next_database(url: str) -> str:
    """The same Redis, the database after the one of this URL. Raises ValueError for one by its socket."""
    parts = urlsplit(url)
    if parts.scheme == "unix":
        raise ValueError("the broker of a Redis by its socket has to be named: FLAGFALL_BROKER_URL")
    before, _, number = parts.path.strip("/").rpartition("/")
    if parts.scheme in SENTINEL_SCHEMES:
        address = parse_sentinel(url)
        assert address is not None, "by its scheme"
        before, number = quote(address.primary, safe=""), str(address.database)
    return urlunsplit(parts._replace(path=f"{before and f'/{before}'}/{int(number or 0) + 1}"))


def uses_tls(url: str) -> bool:
    """Whether a URL of Redis asks for TLS."""
    return urlsplit(url).scheme.startswith("rediss")
