"""Very many games that are due at once end in bounded batches, while others are played beside.

Twenty thousand; a hundred thousand with FLAGFALL_SWEPT_GAMES=100000, which takes minutes.
"""

import asyncio
import os
import time

import pytest

from services.domain.time_control import Correspondence, Unlimited
from services.game.play.game import Seat
from services.pb.flagfall.v1 import common_pb2
from services.pb.flagfall.v1 import game_pb2 as pb
from tests.integration.races.race_replicas import PAIRS, PATIENT, World, racing, uci

DAY_MS = 86_400_000
DUE = int(os.environ.get("FLAGFALL_SWEPT_GAMES", "20000"))
CLONED_AT_ONCE = 10_000
SWEPT_AT_ONCE = 500
LIVE_GAMES = 200
ROUNDS = 14
"""Half-moves in each live game; after more of them the position would have stood five times."""
QUIET = ("g1f3", "g8f6", "f3g1", "f6g8")


async def _play_on(world: World, games: list[str], done: asyncio.Event) -> list[float]:
    """Move in live games, one round after another, until it is done; how long each move took, in ms."""
    took_ms: list[float] = []
    for ply in range(2, 2 + ROUNDS):
        for game_id in games:
            began_s = time.perf_counter()
            player = ("w0", "b0")[ply % 2]
            command = pb.Command(game_id=game_id, player_id=player, move=uci(QUIET[(ply - 2) % 4]))
            reply = await world.first.ask(command)
            assert reply.HasField("accepted"), reply
            took_ms.append((time.perf_counter() - began_s) * 1000)
        if done.is_set():
            break
    return took_ms


@pytest.mark.thorough
@pytest.mark.timeout(900)
async def test_very_many_due_games_end_while_others_are_played(database_url: str, redis_url: str) -> None:
    async with racing(database_url, redis_url, 1, **PATIENT) as world:
        created_ms = world.first.beats.now_ms() - 30 * DAY_MS
        template = await world.game(uci("e2e4"), uci("e7e5"), control=Correspondence(1), created_ms=created_ms)
        for first in range(0, DUE, CLONED_AT_ONCE):
            await world.clones(template, min(CLONED_AT_ONCE, DUE - first))
        live = await world.game(
            uci("e2e4"), uci("e7e5"), control=Unlimited(), white=Seat("w0", "W"), black=Seat("b0", "B")
        )
        games = await world.clones(live, LIVE_GAMES * PAIRS)
        done = asyncio.Event()
        playing = asyncio.ensure_future(_play_on(world, games[PAIRS - 1 :: PAIRS], done))
        ended, batches = 0, []
        while True:
            swept = await world.first.sweep.run(SWEPT_AT_ONCE)
            batches.append(swept.games)
            ended += swept.games
            if not swept.more:
                break
        done.set()
        took_ms = sorted(await playing)
        assert ended == DUE + 1
        assert max(batches) <= SWEPT_AT_ONCE
        rows = await world.rows(
            "SELECT count(*), count(*) FILTER (WHERE end_reason = :expiry) FROM game WHERE created_ms < :until",
            expiry=int(common_pb2.END_REASON_EXPIRY),
            until=created_ms + DAY_MS,
        )
        assert rows == [(DUE + 1, DUE + 1)]
        assert len(took_ms) >= LIVE_GAMES, "live games were played beside"
        middle, most = took_ms[len(took_ms) // 2], took_ms[-1]
        print(
            f"{ended} games in {len(batches)} batches; {len(took_ms)} live moves, {middle:.1f} ms, {most:.1f} at most"
        )
