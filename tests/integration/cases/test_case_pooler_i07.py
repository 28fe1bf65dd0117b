"""Case I07: the game service behind PgBouncer in transaction mode: 10,000 mixed requests, 50 at once, and no error.

The supported set-up is FLAGFALL_DATABASE_POOLED: statements without a name and nothing that outlives a transaction.
"""

import asyncio
import logging
import os
import random
import shutil
import tempfile
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import asyncpg
import grpc
import pytest
from sqlalchemy.engine import make_url

from deploy.laptop.ports import PortBlock
from services.domain.refusal import RefusalCode
from services.domain.time_control import Correspondence
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.game_pb2_grpc import GameServiceStub
from tests.integration.game.game_in_memory import eventually
from tests.integration.races.race_replicas import (
    PATIENT,
    World,
    channel_to,
    new_chance,
    player_of,
    racing,
    rounds,
    start_replica,
    uci,
)
from tests.stack.components import pgbouncer

if TYPE_CHECKING:
    from services.pb.flagfall.v1.game_pb2_grpc import GameServiceAsyncStub

pytestmark = pytest.mark.needs("pgbouncer")

REQUESTS = 10_000
AT_ONCE = 50
BUNDLE = 20
SERVER_CONNECTIONS = 6
"""Fewer than the clients' connections, so that transactions of one client land on many servers."""
NOT_OF_THE_DATABASE = ("nobody could move for ", "left to the relay")
"""What a machine that is too slow for this makes the service say: a beat came late, Redis did not answer in time."""


@asynccontextmanager
async def pooler(database_url: str) -> AsyncIterator[tuple[str, Path]]:
    """A PgBouncer before a database: the URL of its door, and its log."""
    program = pgbouncer()
    assert program is not None
    url = make_url(database_url)
    # Not pytest's folder, which only its owner may enter: PgBouncer does not run as root.
    with PortBlock() as ports, tempfile.TemporaryDirectory(prefix="pgbouncer-") as place:
        folder = Path(place)
        log = folder / "pgbouncer.log"
        port = ports.take()
        (folder / "pgbouncer.ini").write_text(
            "[databases]\n"
            f"{url.database} = host={url.host} port={url.port} dbname={url.database}"
            f" user={url.username} password={url.password}\n"
            "[pgbouncer]\n"
            f"listen_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\n"
            f"pool_mode = transaction\ndefault_pool_size = {SERVER_CONNECTIONS}\nmax_client_conn = 200\n"
            f"logfile = {log}\nverbose = 0\n"
        )
        user: tuple[str, ...] = ()
        if os.geteuid() == 0:
            shutil.chown(folder, "nobody")
            (folder / "pgbouncer.ini").chmod(0o644)
            user = ("-u", "nobody")
        process = await asyncio.create_subprocess_exec(
            program, "-q", *user, str(folder / "pgbouncer.ini"), stderr=asyncio.subprocess.DEVNULL
        )
        door = url.set(host="127.0.0.1", port=port, password=None)
        try:

            async def answers() -> bool:
                assert process.returncode is None, log.read_text() if log.exists() else "PgBouncer ended at once"
                try:
                    connection = await asyncpg.connect(
                        host="127.0.0.1", port=port, user=url.username, database=url.database, statement_cache_size=0
                    )
                except OSError:
                    return False
                await connection.close()
                return True

            await eventually(answers, "PgBouncer answers")
            yield door.render_as_string(hide_password=False), log
        finally:
            if process.returncode is None:
                process.terminate()
            await process.wait()


class Requests:
    """Mixed requests of all kinds, by chance, commands and fetches bundled as gateways do it.

    Each answer is checked for a trouble of ours; refusals of what chance asked for are none.
    """

    def __init__(self, world: World, games: list[str], chance: random.Random) -> None:
        self._games = games
        self._chance = chance
        self._services: list[GameServiceAsyncStub] = [
            GameServiceStub(channel_to(replica.servicer)) for replica in world.replicas
        ]
        self.counts: Counter[str] = Counter()
        self.troubles: list[str] = []
        self._kinds = [self._commands] * 6 + [self._fetch] * 3
        self._kinds += [self._chat, self._lists, self._guest, self._beat, self._sweep, self._turns]

    async def until(self, count: int) -> None:
        """One after the other, until all who do this have made so many."""
        while self.counts.total() < count:
            kind = self._chance.choice(self._kinds)
            try:
                answer = await kind(self._chance.choice(self._services))
            except grpc.aio.AioRpcError as error:
                self.troubles.append(f"{kind.__name__}: {error.details()}")
            else:
                if RefusalCode.UNAVAILABLE in str(answer):
                    self.troubles.append(f"{kind.__name__}: {answer}")

    def _some_game(self) -> tuple[int, str]:
        place = self._chance.randrange(len(self._games))
        return place, self._games[place]

    def _command(self) -> pb.Command:
        place, game_id = self._some_game()
        command = pb.Command(
            game_id=game_id,
            player_id=player_of(place, self._chance.random() < 0.5),
            command_id=f"c{self._chance.randrange(2_000)}",
        )
        if self._chance.random() < 0.2:
            command.close_draw.SetInParent()
        else:
            text = self._chance.choice(("g1f3", "f3g1", "g8f6", "f6g8"))
            command.move.CopyFrom(uci(text, offer_draw=self._chance.random() < 0.2))
        return command

    async def _commands(self, service: "GameServiceAsyncStub") -> object:
        request = pb.SubmitRequest(commands=[self._command() for _ in range(BUNDLE)])
        self.counts["command"] += BUNDLE
        return await service.Submit(request)

    async def _fetch(self, service: "GameServiceAsyncStub") -> object:
        items = [
            pb.FetchItem(game_id=self._some_game()[1], since_version=self._chance.randrange(4)) for _ in range(BUNDLE)
        ]
        self.counts["fetch"] += BUNDLE
        return await service.Fetch(pb.FetchRequest(items=items))

    async def _chat(self, service: "GameServiceAsyncStub") -> object:
        place, game_id = self._some_game()
        room = events_pb2.CHAT_ROOM_SPECTATOR
        self.counts["chat"] += 2
        await service.ListChat(pb.ListChatRequest(game_id=game_id, room=room))
        return await service.PostChat(
            pb.PostChatRequest(game_id=game_id, player_id=player_of(place, True), room=room, text="hello")
        )

    async def _lists(self, service: "GameServiceAsyncStub") -> object:
        player = player_of(self._some_game()[0], True)
        self.counts["list"] += 3
        await service.ListPlayerEvents(pb.ListPlayerEventsRequest(player_id=player))
        await service.ListDeadlines(pb.ListDeadlinesRequest(limit=20, overdue_only=self._chance.random() < 0.5))
        return await service.ListGames(pb.ListGamesRequest(player_id=player, ongoing=True, limit=5))

    async def _guest(self, service: "GameServiceAsyncStub") -> object:
        self.counts["guest"] += 2
        credential = (await service.CreateGuest(pb.CreateGuestRequest())).credential
        return await service.ResolveTokens(pb.ResolveTokensRequest(tokens=[credential.token, "lip_none"]))

    async def _beat(self, service: "GameServiceAsyncStub") -> object:
        self.counts["beat"] += 1
        return await service.Submit(pb.SubmitRequest(commands=[pb.Command(beat=pb.Beat())]))

    async def _sweep(self, service: "GameServiceAsyncStub") -> object:
        self.counts["sweep"] += 1
        return await service.Sweep(pb.SweepRequest(limit=3))

    async def _turns(self, service: "GameServiceAsyncStub") -> object:
        self.counts["computer turns"] += 1
        return await service.ListComputerTurns(pb.ListComputerTurnsRequest(waiting_ms=0, limit=5))


async def test_ten_thousand_mixed_requests_through_a_pooler_bring_no_error(
    database_url: str, redis_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    chance = new_chance()
    async with (
        pooler(database_url) as (pooled_url, log),
        racing(pooled_url, redis_url, database_pooled=True, **PATIENT) as world,
    ):
        games = await world.clones(await world.game(), 120)
        long_ago_ms = world.first.beats.now_ms() - 3 * 86_400_000
        overdue = await world.game(uci("e2e4"), control=Correspondence(1), created_ms=long_ago_ms)
        expired = await world.clones(overdue, 60)
        requests = Requests(world, games, chance)
        await asyncio.gather(*(requests.until(rounds(REQUESTS)) for _ in range(AT_ONCE)))
        assert requests.troubles == [], "errors_in_10000"
        assert requests.counts.total() >= rounds(REQUESTS)
        assert min(requests.counts.values()) >= 15, requests.counts
        await world.one_history(games, 1)
        ended = await world.rows("SELECT DISTINCT end_reason FROM game WHERE id = ANY(:ids)", ids=expired)
        assert ended == [(common_pb2.END_REASON_EXPIRY,)], "sweeps that met there ended all"
        said = log.read_text()
    told = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert [text for text in told if not any(words in text for words in NOT_OF_THE_DATABASE)] == []
    assert "prepared statement" not in said
    assert "ERROR" not in said


async def test_the_set_up_for_a_direct_connection_fails_behind_a_pooler(database_url: str, redis_url: str) -> None:
    """The negative: what the setting is for."""
    async with pooler(database_url) as (pooled_url, _):
        with pytest.raises(Exception, match=r"unsupported startup parameter|prepared statement"):
            await (await start_replica(pooled_url, redis_url, loops=False)).abandon()
