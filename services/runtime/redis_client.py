"""Clients of Redis or Valkey, made in one place: of a server by its address, or of the primary that Sentinel names."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from redis.asyncio import BlockingConnectionPool, ConnectionPool, Redis
from redis.asyncio.connection import Connection, SSLConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as ConnectionLost
from redis.exceptions import NoPermissionError, ReadOnlyError, RedisError
from redis.exceptions import TimeoutError as NoAnswer

from services.runtime.redis_address import SentinelAddress, parse_sentinel, uses_tls
from services.runtime.settings import DEFAULTS, Settings


def kombu_url(url: str) -> str:
    """The same broker as Celery's library wants to be told of it."""
    address = parse_sentinel(url)
    if address is None:
        return url
    who = ""
    if address.user or address.password:
        who = f"{quote(address.user or '', safe='')}:{quote(address.password or '', safe='')}@"
    first, *others = (f"{_bracketed(host)}:{port}" for host, port in address.sentinels)
    return ";".join([f"sentinel://{who}{first}/{address.database}", *(f"sentinel://{other}" for other in others)])


def kombu_options(url: str, settings: Settings) -> dict[str, Any]:
    """Transport options that a broker behind Sentinel needs beside `kombu_url`; none for another one."""
    address = parse_sentinel(url)
    if address is None:
        return {}
    words = {"username": address.sentinel_user, "password": address.sentinel_password}
    own: dict[str, Any] = {name: word for name, word in words.items() if word}
    if address.tls:
        own |= {"ssl": True, **tls_options(settings)}
    timeout_s = settings.redis_connect_ms / 1000
    own |= {"socket_connect_timeout": timeout_s, "socket_timeout": timeout_s}
    return {"master_name": address.primary, "sentinel_kwargs": own}


def tls_options(settings: Settings) -> dict[str, Any]:
    """What is asked of the other end of a TLS connection: a certificate for its name, by a known authority."""
    options: dict[str, Any] = {"ssl_cert_reqs": "required", "ssl_check_hostname": True}
    return options | ({"ssl_ca_certs": settings.redis_ca_file} if settings.redis_ca_file else {})


def connect(url: str, settings: Settings = DEFAULTS, *, connections_max: int | None = None) -> Redis:
    """A client with limits on everything; it connects when first used. Commands are not retried by themselves.

    A call that is cancelled closes its connection, and so does one that is told that this Redis only reads: it was the
    primary, and whoever is it now is found by connecting anew. RESP2, since over RESP3 the library takes a connection
    on which an answer is left over for a good one: it might be one of the server's own notices.
    """
    pool = _pool(
        BlockingConnectionPool,
        url,
        settings,
        health_check_interval=5,
        max_connections=connections_max or settings.redis_connections_max,
        timeout=settings.redis_answer_ms / 1000,
        retry=Retry(NoBackoff(), 0, supported_errors=(ConnectionLost, NoAnswer, ReadOnlyError)),
    )
    return Redis.from_pool(pool)


def subscriber_pool(url: str, settings: Settings) -> ConnectionPool:
    """Makes connections for one who subscribes, who looks after them itself (`make_connection`)."""
    pool: ConnectionPool = _pool(ConnectionPool, url, settings, retry=Retry(NoBackoff(), 0))
    return pool


def _pool(kind: type[ConnectionPool], url: str, settings: Settings, **own: Any) -> Any:
    options: dict[str, Any] = {**own, **_limits(settings)}
    address = parse_sentinel(url)
    if address is None:
        tls = tls_options(settings) if uses_tls(url) else {}
        return kind.from_url(url, **options, **tls)
    kinds: Mapping[bool, type[Connection]] = {False: _ByName, True: _ByNameOverTls}
    return kind(
        connection_class=kinds[address.tls],
        sentinels=Sentinels(address, settings),
        db=address.database,
        username=address.user,
        password=address.password,
        **options,
        **(tls_options(settings) if address.tls else {}),
    )


def _limits(settings: Settings) -> dict[str, Any]:
    return {
        "protocol": 2,
        "socket_connect_timeout": settings.redis_connect_ms / 1000,
        "socket_timeout": settings.redis_answer_ms / 1000,
        "socket_keepalive": True,
    }


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


class Sentinels:
    """Asks the sentinels who is the primary now; the one that answered last is asked first."""

    def __init__(self, address: SentinelAddress, settings: Settings) -> None:
        self._address = address
        self._settings = settings
        self._order = list(address.sentinels)

    async def primary(self) -> tuple[str, int]:
        """Host and port. Raises a ConnectionError of redis-py when no sentinel tells."""
        troubles: list[str] = []
        for place in tuple(self._order):
            try:
                told = await self._ask(*place)
            except (RedisError, OSError, TimeoutError) as error:
                troubles.append(f"{place[0]}:{place[1]}: {error}")
            else:
                if told is not None:
                    return told
                troubles.append(f"{place[0]}:{place[1]} knows no {self._address.primary}")
            self.doubt(place)
        raise ConnectionLost(f"no sentinel names the primary: {'; '.join(troubles)}"[:500])

    def doubt(self, place: tuple[str, int] | None = None) -> None:
        """What the first of them (or this one) said did not help: the others are asked before it."""
        doubted = place or self._order[0]
        self._order = [*(other for other in self._order if other != doubted), doubted]

    async def _ask(self, host: str, port: int) -> tuple[str, int] | None:
        """Over a connection that lives no longer: it happens when a connection is made, and nothing stays open."""
        address = self._address
        client = Redis(
            host=host,
            port=port,
            username=address.sentinel_user,
            password=address.sentinel_password,
            ssl=address.tls,
            retry=Retry(NoBackoff(), 0),
            max_connections=1,
            **(tls_options(self._settings) if address.tls else {}),
            **_limits(self._settings) | {"socket_timeout": self._settings.redis_connect_ms / 1000},
        )
        try:
            told: Any = await client.sentinel_get_master_addr_by_name(address.primary)
        finally:
            await client.aclose()
        return (_text(told[0]), int(told[1])) if told else None


def _text(word: str | bytes) -> str:
    return word.decode() if isinstance(word, bytes) else word


class _ByName(Connection):
    """Finds the primary each time it connects, and looks whether it is one: a sentinel may not know yet.

    What is overridden has public names in redis-py: the one way by which all its connections come to stand, first and
    again, and its greeting. Its own client for Sentinel is not used; docs/decisions.md, 69, says why, and
    tests/integration/runtime/test_redis_by_sentinel.py fails when either changes.
    """

    def __init__(self, *, sentinels: Sentinels, **own: Any) -> None:
        self._sentinels = sentinels
        super().__init__(**own)

    async def connect_check_health(self, check_health: bool = True, retry_socket_connect: bool = True) -> None:
        """See the base class. Whoever named a server that does not answer, or is no primary, is doubted."""
        if self.is_connected:
            return
        self.host, self.port = await self._sentinels.primary()
        try:
            await super().connect_check_health(check_health, retry_socket_connect)
        except BaseException:
            self._sentinels.doubt()
            raise

    async def on_connect_check_health(self, check_health: bool = True) -> None:
        """Called when the connection stands, by the library."""
        await super().on_connect_check_health(check_health)
        await self.send_command("ROLE", check_health=False)
        try:
            role = await self.read_response()
        except NoPermissionError:
            return  # an account that may not ask; a write will tell
        if _text(role[0]) != "master":
            raise ConnectionLost(f"{self.host}:{self.port} is no primary: {_text(role[0])}")


class _ByNameOverTls(_ByName, SSLConnection):
    """The same over TLS."""
