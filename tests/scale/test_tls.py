"""Every connection to the stores over TLS, with certificates that are looked at: the whole stack plays so.

The machine's own PostgreSQL and Redis, since the packages' servers are built without TLS. Neither takes a connection
in the clear.
"""

import asyncio
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import asyncpg
import httpx
import pytest
import redis.asyncio

from deploy.laptop import stores as laptop_stores
from deploy.laptop.output import Output
from deploy.laptop.plan import base_environment
from deploy.laptop.ports import PortBlock
from deploy.laptop.stack import Stack
from deploy.laptop.watch import Watch
from services.game.settings import GameSettings
from services.game.store.database import DatabaseAway
from services.game.store.migration import bring_up_to_date
from services.runtime.redis_client import connect
from services.runtime.settings import Settings
from tests.stack.background import Background
from tests.stack.running import RunningFlagfall
from tests.stack.stores import THROWN_AWAY

pytestmark = [pytest.mark.needs("system_stores"), pytest.mark.timeout(300)]

REPLIED_WITHIN_S = 30.0


@dataclass(frozen=True, slots=True)
class Secured:
    """Stores that speak TLS alone, the authority that vouches for them, and another one."""

    database_url: str
    redis_url: str
    authority: Path
    stranger: Path


def _openssl(folder: Path, *words: str) -> None:
    subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)


def _certificates(folder: Path) -> None:
    """An authority, its certificate for localhost, and an authority that signed nothing."""
    for name in ("authority", "stranger"):
        _openssl(
            folder,
            *("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}"),
            *("-keyout", f"{name}.key", "-out", f"{name}.pem", "-addext", "keyUsage=critical,keyCertSign"),
        )
    _openssl(
        folder,
        *("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=store"),
        *("-keyout", "key.pem", "-out", "ask.pem"),
    )
    (folder / "names").write_text("subjectAltName=DNS:localhost\n")
    _openssl(
        folder,
        *("x509", "-req", "-in", "ask.pem", "-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial"),
        *("-days", "2", "-extfile", "names", "-out", "certificate.pem"),
    )


@pytest.fixture
def secured(tmp_path: Path, background: Background, monkeypatch: pytest.MonkeyPatch) -> Iterator[Secured]:
    monkeypatch.setattr(laptop_stores, "_package_folder", lambda name: None)
    monkeypatch.setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")
    _certificates(tmp_path)
    environment = base_environment({"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"})
    watch, lines, ports = Watch(), list[str](), PortBlock()
    stack = Stack(Output(lines.append), watch)

    database = laptop_stores.postgres(tmp_path, ports.take(), THROWN_AWAY, environment)
    data = tmp_path / "postgres"
    for name in ("certificate.pem", "key.pem"):
        shutil.copy(tmp_path / name, data / name)
        shutil.chown(data / name, data.owner(), data.group())
        (data / name).chmod(0o600)
    rules = data / "pg_hba.conf"
    rules.write_text(rules.read_text().replace("\nhost ", "\nhostssl "))
    files = ("-c", "ssl=on", "-c", "ssl_cert_file=certificate.pem", "-c", "ssl_key_file=key.pem")
    database = replace(database, command=replace(database.command, argv=(*database.command.argv, *files)))

    port = ports.take()
    cache = laptop_stores.valkey(tmp_path, port, THROWN_AWAY, environment)
    file = tmp_path / "valkey.conf"
    own = {"tls-port": port, "tls-cert-file": tmp_path / "certificate.pem", "tls-key-file": tmp_path / "key.pem"}
    own |= {"tls-ca-cert-file": tmp_path / "authority.pem", "tls-auth-clients": "no"}
    text = file.read_text().replace(f"port {port}", "port 0", 1)
    file.write_text(text + "".join(f"{name} {value}\n" for name, value in own.items()))
    redis_url = cache.url.replace("redis://", "rediss://").replace("127.0.0.1", "localhost")

    async def answers() -> bool:
        client = redis.asyncio.from_url(redis_url, ssl_ca_certs=str(tmp_path / "authority.pem"))
        try:
            return bool(await client.ping())
        except redis.asyncio.RedisError:
            return False
        finally:
            await client.aclose()

    cache = replace(cache, command=replace(cache.command, probe=answers))
    try:
        background.call(stack.start([database.command, cache.command]))
        url = database.url.replace("127.0.0.1", "localhost")
        yield Secured(url, redis_url, tmp_path / "authority.pem", tmp_path / "stranger.pem")
    finally:
        background.call(stack.stop())
        watch.close()
        ports.close()


def test_a_game_with_the_computer_is_played_over_tls_alone(
    secured: Secured, tmp_path: Path, background: Background
) -> None:
    settings = {
        "FLAGFALL_DATABASE_CA_FILE": str(secured.authority),
        "FLAGFALL_REDIS_CA_FILE": str(secured.authority),
    }
    stack = RunningFlagfall.start(
        tmp_path / "state", background, secured.database_url, settings, redis_url=secured.redis_url
    )
    try:
        with httpx.Client(base_url=stack.address, timeout=10) as client:
            client.post("/api/flagfall/guests")
            game = client.post("/api/challenge/ai", data={"level": "1", "color": "white"}).json()["id"]
            assert client.post(f"/api/board/game/{game}/move/e2e4").status_code == 200
            with client.stream("GET", f"/api/stream/game/{game}", timeout=REPLIED_WITHIN_S) as lines:
                replied = next(
                    line for line in lines.iter_lines() if line and line.count('"lm"') and "e2e4" not in line
                )
        assert replied
    finally:
        stack.stop()


def test_nothing_is_said_in_the_clear_nor_to_a_stranger(secured: Secured) -> None:
    async def refused() -> None:
        plain = secured.database_url.replace("+asyncpg", "")
        with pytest.raises(asyncpg.InvalidAuthorizationSpecificationError, match="no encryption"):
            await asyncpg.connect(plain, ssl=False)
        other = GameSettings(
            database_url=secured.database_url, database_ca_file=str(secured.stranger), database_wait_ms=0
        )
        with pytest.raises(DatabaseAway, match="certificate verify failed"):
            await bring_up_to_date(other)
        by_address = secured.database_url.replace("localhost", "127.0.0.1")
        right = GameSettings(database_url=by_address, database_ca_file=str(secured.authority), database_wait_ms=0)
        with pytest.raises(DatabaseAway, match="IP address mismatch"):
            await bring_up_to_date(right)
        for file in ("", str(secured.stranger)):
            client = connect(secured.redis_url, Settings(redis_ca_file=file))
            with pytest.raises(redis.asyncio.ConnectionError, match=r"(?i)certificate|ssl"):
                await client.ping()
            await client.aclose()
        by_address = secured.redis_url.replace("localhost", "127.0.0.1")
        client = connect(by_address, Settings(redis_ca_file=str(secured.authority)))
        with pytest.raises(redis.asyncio.ConnectionError, match="IP address mismatch"):
            await client.ping()
        await client.aclose()

    asyncio.run(refused())
