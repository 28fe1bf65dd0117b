"""Makes clients of Redis or Valkey: for a server by its address, or for the primary that Sentinel names."""

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
    """The URL of the same broker in the form that kombu, Celery's library, expects."""
    address = parse_sentinel(url)
    if address is None:
        return url
    who = ""
    if address.user or address.password:
        who = f"{quote(address.user or '', safe='')}:{quote(address.password or '', safe='')}@"
    first, *others = (f"{_bracketed(host)}:{port}" for host, port in address.sentinels)
    return ";".join([f"sentinel://{who}{first}/{address.database}", *(f"sentinel://{other}" for other in others)])


def kombu_options(url: str, settings: Settings) -> dict[str, Any]:
    """The transport options that a broker behind Sentinel needs besides `kombu_url`; empty for other brokers."""
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
    """Options of a TLS connection: the server needs a certificate for its host name, signed by a known authority."""
    options: dict[str, Any] = {"ssl_cert_reqs": "required", "ssl_check_hostname": True}
    return options | ({"ssl_ca_certs": settings.redis_ca_file} if settings.redis_ca_file else {})


def connect(url: str, settings: Settings = DEFAULTS, *, connections_max: int | None = None) -> Redis:
    """A client with timeouts and limits; it connects on first use. It does not retry commands.

    A cancelled call closes its connection. So does a call that gets the error READONLY: this server is no longer the
    primary, and a new connection finds the current one. The protocol is RESP2: over RESP3 the library accepts a
    connection with an unread answer as good, since the answer might be a push message.
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
    """A pool that makes connections for a subscriber (`make_connection`). The subscriber manages them itself."""
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
    """Asks the sentinels which server is the primary now. The sentinel that answered last is asked first."""

    def __init__(self, address: SentinelAddress, settings: Settings) -> None:
        self._address = address
        self._settings = settings
        self._order = list(address.sentinels)

    async def primary(self) -> tuple[str, int]:
        """Host and port of the primary. Raises a ConnectionError of redis-py if no sentinel knows it."""
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
        """Note that the answer of the first sentinel (or of `place`) was no help: ask the others before it."""
        doubted = place or self._order[0]
        self._order = [*(other for other in self._order if other != doubted), doubted]

    async def _ask(self, host: str, port: int) -> tuple[str, int] | None:
        """Ask one sentinel. The connection is closed after the answer: this runs only when a client connects."""
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
    """Finds the primary at each connect, and checks that it is one: the sentinel's answer may be outdated.

    It overrides only public methods of redis-py: the one that every connect and reconnect uses, and the handshake.
    docs/decisions.md, 69, explains why redis-py's own Sentinel client is not used.
    tests/integration/runtime/test_redis_by_sentinel.py fails if redis-py changes one of these methods.
    """

    def __init__(self, *, sentinels: Sentinels, **own: Any) -> None:
        self._sentinels = sentinels
        super().__init__(**own)

    async def connect_check_health(self, check_health: bool = True, retry_socket_connect: bool = True) -> None:
        """See the base class. If the named server does not answer or is no primary, doubt the sentinel."""
        if self.is_connected:
            return
        self.host, self.port = await self._sentinels.primary()
        try:
            await super().connect_check_health(check_health, retry_socket_connect)
        except BaseException:
            self._sentinels.doubt()
            raise

    async def on_connect_check_health(self, check_health: bool = True) -> None:
        """Check the role of the server. redis-py calls this after each connect."""
        await super().on_connect_check_health(check_health)
        await self.send_command("ROLE", check_health=False)
        try:
            role = await self.read_response()
        except NoPermissionError:
            return  # this account may not use ROLE; a write shows it
        if _text(role[0]) != "master":
            raise ConnectionLost(f"{self.host}:{self.port} is no primary: {_text(role[0])}")


class _ByNameOverTls(_ByName, SSLConnection):
    """The same over TLS."""
