"""A PgBouncer in transaction mode before a PostgreSQL, as a process of a stack."""

import asyncio
import contextlib
import os
import shutil
import signal
from pathlib import Path

from sqlalchemy.engine import make_url

from deploy.laptop.child import Command
from tests.stack.components import pgbouncer

SERVER_CONNECTIONS = 8
"""Fewer than the pools of three game services (24), so that transactions of one land on many connections."""


def pooler(database_url: str, folder: Path, port: int, environment: dict[str, str]) -> tuple[Command, str]:
    """The process, and the URL of its door. `folder` is one that another user may enter."""
    program = pgbouncer()
    assert program is not None, 'mark the test with @pytest.mark.needs("pgbouncer")'
    url = make_url(database_url)
    place = folder / "pgbouncer"
    place.mkdir()
    file = place / "pgbouncer.ini"
    file.write_text(
        "[databases]\n"
        f"{url.database} = host={url.host} port={url.port} dbname={url.database}"
        f" user={url.username} password={url.password}\n"
        "[pgbouncer]\n"
        f"listen_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\n"
        f"pool_mode = transaction\ndefault_pool_size = {SERVER_CONNECTIONS}\nmax_client_conn = 200\n"
        # A server that is away is tried again at once, not after its 15 s.
        "server_login_retry = 1\n"
        f"pidfile = {place / 'pid'}\n"
    )
    user: tuple[str, ...] = ()
    if os.geteuid() == 0:
        shutil.chown(place, "nobody")
        shutil.chown(file, "nobody")
        user = ("-u", "nobody")

    async def probe() -> bool:
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            return True
        return False

    command = Command(
        name="pgbouncer",
        argv=(str(program), *user, str(file)),
        environment=environment,
        folder=Path("/"),
        rank=0,
        probe=probe,
        stop_signal=signal.SIGTERM,
        quiet=True,
    )
    return command, url.set(host="127.0.0.1", port=port, password=None).render_as_string(hide_password=False)
