"""The commit path against a real PostgreSQL and a real Valkey: what is acknowledged is there, once."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import CLAIMED, RuleSet
from services.domain.time_control import ClockControl, PerMove, TimeControl
from services.game.commit.beats import Beats
from services.game.commit.creation import NewGame, NewGames, new_game_id
from services.game.commit.path import CommitPath
from services.game.commit.publishing import Publishing
from services.game.main.features import FEATURES
from services.game.play.command import Action, Command
from services.game.play.commands.draws import CloseDraw
from services.game.play.commands.flags import Flag
from services.game.play.commands.moving import Abort, Move, Resign
from services.game.play.game import Seat, Standing
from services.game.play.question import CanMate, Forfeit, Forfeited, Play, Played, Pong, Question, Start, Verdict
from services.game.settings import GameSettings
from services.game.store.database import open_engine
from services.game.wire.events import EventSender
from services.pb.flagfall.v1.common_pb2 import COLOR_BLACK, COLOR_WHITE
from services.pb.flagfall.v1.events_pb2 import (
    GAME_EVENT_KIND_DRAW_CLOSED,
    GAME_EVENT_KIND_ENDED,
    GAME_EVENT_KIND_MOVE,
    GameMessage,
)
from services.pb.flagfall.v1.game_pb2 import Reply
from services.runtime.event_stream import Publisher
from services.runtime.lifecycle import cancelled
from services.runtime.redis_client import connect
from tests.stack.replies import reply_message
from tests.stack.said import said

ANNA, BERT = Seat("anna", "Anna"), Seat("bert", "Bert")
MINUTE = ClockControl(60_000, 0)
GAP_MS = 1_500
"""So long may no beat be committed before it is an outage: longer than a busy machine takes for three commits."""


class CountingRules:
    """Rules of a game in which every move is legal but `illegal`; `mate` mates, `poison` cannot be stored, `broken`
    cannot be judged."""

    def __init__(self) -> None:
        self.batches: list[int] = []

    async def judge(self, questions: Sequence[Question]) -> list[Verdict]:
        self.batches.append(len(questions))
        await asyncio.sleep(0.001)  # so that others gather meanwhile
        return [self._judge(question) for question in questions]

    async def adjudicate(self, question: Forfeit, timeout_s: float) -> Verdict:
        """What the quick look says, since it leaves nothing open."""
        return self._judge(question)

    def _judge(self, question: Question) -> Verdict:
        match question:
            case Start():
                return Standing("w", b"k" * 8, Colour.WHITE, False, "a b", frozenset(), None)
            case Forfeit(_, _, _, _, loser, kind):
                return Forfeited(Outcome(loser.other, EndReason[kind.value]), CanMate.YES)
            case Play(_, _, fen, keys, move):
                mover = Colour.WHITE if fen[0] == "w" else Colour.BLACK
                if move == "broken":
                    raise ValueError("a verdict that cannot be read")
                if move == "illegal":
                    return Refusal(RefusalCode.ILLEGAL_MOVE, said("no"))
                outcome = Outcome(mover, EndReason.CHECKMATE) if move == "mate" else None
                after = mover.other.value[0] + ("\x00" if move == "poison" else "")
                return Played(move, move, Standing(after, keys, mover.other, False, "a b", frozenset(), outcome))
            case _:
                return Pong()


@dataclass
class Replica:
    engine: AsyncEngine
    beats: Beats
    publishing: Publishing
    path: CommitPath
    new_games: NewGames
    rules: CountingRules

    async def game(self, control: TimeControl = MINUTE, rule_set: RuleSet = CLAIMED) -> str:
        standing = await self.new_games.prepare("standard", "", rule_set)
        assert isinstance(standing, Standing)
        async with self.engine.begin() as connection:
            created = await self.new_games.insert(
                connection,
                NewGame(
                    id=new_game_id(),
                    standing=standing,
                    white=ANNA,
                    black=BERT,
                    rule_set=rule_set,
                    control=control,
                    rated=False,
                    source="friend",
                    variant="standard",
                    created_ms=self.beats.now_ms(),
                ),
            )
        self.new_games.announce(created)
        return created.game.terms.id

    async def ask(self, game_id: str, player: str, action: Action, command_id: str = "", digest: bytes = b"") -> Reply:
        command = Command(game_id, player, command_id, action, digest, self.beats.now_ms())
        return reply_message(await self.path.submit(command))

    async def rows(self, statement: str, **values: object) -> list[tuple[object, ...]]:
        async with self.engine.connect() as connection:
            return [tuple(row) for row in await connection.execute(sa.text(statement), values)]


@asynccontextmanager
async def replica(
    database_url: str, redis_url: str, rules: CountingRules | None = None, **settings: Any
) -> AsyncIterator[Replica]:
    chosen = GameSettings(database_url=database_url, redis_url=redis_url, **settings)
    async with AsyncExitStack() as stack:
        engine = open_engine(chosen)
        stack.push_async_callback(engine.dispose)
        redis = connect(redis_url)
        stack.push_async_callback(redis.aclose)
        publishing = Publishing(EventSender(Publisher(redis, chosen.event_shards, 1000)), engine, chosen)
        beats = Beats(engine, chosen.outage_gap_ms, chosen.beat_poll_ms)
        rules = rules or CountingRules()
        path = CommitPath(engine, rules, beats, publishing, chosen, FEATURES)
        made = Replica(
            engine, beats, publishing, path, NewGames(rules, beats, publishing, path.limits, FEATURES.ratings), rules
        )
        async with engine.begin() as connection:
            for seat in (ANNA, BERT):
                await connection.execute(
                    sa.text(
                        "INSERT INTO player (id, name, guest, created_ms, seen_ms) VALUES (:id, :name, false, 0, 0)"
                        " ON CONFLICT DO NOTHING"
                    ),
                    {"id": seat.player_id, "name": seat.name},
                )
        await path.beat()
        tasks = [
            asyncio.ensure_future(task)
            for task in (publishing.publish(), publishing.flush(), publishing.relay(beats.now_ms), beats.follow())
        ]
        try:
            yield made
        finally:
            await asyncio.gather(*(cancelled(task) for task in tasks))


@pytest.fixture
async def one(database_url: str, redis_url: str) -> AsyncIterator[Replica]:
    async with replica(database_url, redis_url) as made:
        yield made


@pytest.fixture
async def two(database_url: str, redis_url: str) -> AsyncIterator[tuple[Replica, Replica]]:
    async with replica(database_url, redis_url) as first, replica(database_url, redis_url) as second:
        yield first, second


async def until(condition: object) -> None:
    async with asyncio.timeout(10):
        while not await condition():  # type: ignore[operator]
            await asyncio.sleep(0.01)


async def test_a_move_is_state_event_and_outbox_in_one_commit(one: Replica) -> None:
    game_id = await one.game()
    reply = await one.ask(game_id, "anna", Move("a"), "c1", b"d1")
    assert (reply.accepted.version, reply.accepted.state.last_san, reply.accepted.state.legal) == (2, "a", "a b")
    assert await one.rows("SELECT version, ply, fen FROM game WHERE id = :id", id=game_id) == [(2, 1, "b")]
    events = await one.rows(
        "SELECT version, uci, command_id FROM game_event WHERE game_id = :id ORDER BY 1", id=game_id
    )
    assert events == [(1, "", None), (2, "a", "c1")]

    async def outbox_is_empty() -> bool:
        return await one.rows("SELECT count(*) FROM outbox") == [(0,)]

    await until(outbox_is_empty)


async def test_moves_update_their_game_in_place(one: Replica) -> None:
    game_id = await one.game(ClockControl(600_000, 5_000))
    for ply in range(20):
        reply = await one.ask(game_id, "anna" if ply % 2 == 0 else "bert", Move("a"), f"c{ply}", b"d")
        assert reply.accepted.version == ply + 2

    async def updates() -> tuple[object, ...]:
        rows = await one.rows(
            "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables"
            " WHERE relname = 'game' AND schemaname = current_schema()"
        )
        return rows[0]

    async def all_are_counted() -> bool:
        return (await updates())[0] == 20

    await until(all_are_counted)
    # One changes the kind of the deadline, which an index holds; none of the others touches an index.
    assert (await updates())[1] in (18, 19)


async def test_the_same_command_has_one_effect_at_once_and_later(two: tuple[Replica, Replica]) -> None:
    first, second = two
    for _ in range(20):
        game_id = await first.game()
        replies = await asyncio.gather(
            *(side.ask(game_id, "anna", Move("a"), "same", b"d") for side in (first, second) for _ in range(4))
        )
        assert {reply.accepted.version for reply in replies} == {2}
        assert sum(not reply.accepted.repeated for reply in replies) == 1
        await second.ask(game_id, "bert", Move("b"), "b1", b"d")
        await first.ask(game_id, "anna", Move("c"), "a2", b"d")
        again = await first.ask(game_id, "bert", Move("b"), "b1", b"d")
        assert (again.accepted.version, again.accepted.repeated, again.accepted.state.last_san) == (3, True, "b")
        # Bert is to move again and `b` would be legal: the id alone tells that this is the old command.
        assert await first.rows("SELECT version FROM game WHERE id = :id", id=game_id) == [(4,)]


@pytest.mark.parametrize(("control", "mode"), [(MINUTE, "clock"), (PerMove(20_000), "per_move")])
async def test_an_answer_says_what_was_committed(one: Replica, control: TimeControl, mode: str) -> None:
    game_id = await one.game(control)
    asked = [
        ("anna", Move("a"), GAME_EVENT_KIND_MOVE, COLOR_WHITE),
        ("bert", CloseDraw(), GAME_EVENT_KIND_DRAW_CLOSED, COLOR_BLACK),
        ("bert", Abort(), GAME_EVENT_KIND_ENDED, COLOR_BLACK),
    ]
    for number, (player, action, kind, by) in enumerate(asked):
        first, again = [await one.ask(game_id, player, action, f"c{number}", b"d") for _ in range(2)]
        assert (first.accepted.repeated, again.accepted.repeated) == (False, True)
        for accepted in (first.accepted, again.accepted):
            assert (accepted.event.kind, accepted.event.by, accepted.mode) == (kind, by, mode)
            assert accepted.state.version == accepted.version == number + 2
            assert not accepted.event.HasField("state"), "it would be in the answer twice"


async def test_the_same_id_for_something_else_is_refused(one: Replica) -> None:
    game_id = await one.game()
    await one.ask(game_id, "anna", Move("a"), "c1", b"d1")
    reply = await one.ask(game_id, "anna", Resign(), "c1", b"d2")
    assert reply.refusal.code == RefusalCode.COMMAND_CONFLICT
    assert (await one.ask(game_id, "bert", Move("a"), "c1", b"d1")).accepted.version == 3, "another player's id"


async def test_a_state_in_memory_that_is_old_refuses_nobody(two: tuple[Replica, Replica]) -> None:
    first, second = two
    game_id = await first.game()
    await first.ask(game_id, "anna", Move("a"), "1", b"")
    await second.ask(game_id, "bert", Move("b"), "2", b"")
    assert (await first.ask(game_id, "anna", Move("c", ply=2), "3", b"")).accepted.version == 4
    assert (await second.ask(game_id, "anna", Move("d"), "4", b"")).refusal.code == RefusalCode.NOT_YOUR_TURN
    assert (await second.ask(game_id, "bert", Move("d"), "5", b"")).accepted.version == 5


async def test_a_game_ends_once(two: tuple[Replica, Replica]) -> None:
    for _ in range(25):
        game_id = await two[0].game()
        actions: list[tuple[str, Action]] = [("anna", Resign()), ("bert", Resign()), ("anna", Abort())]
        actions += [("bert", Abort()), ("anna", Move("mate"))]
        replies = await asyncio.gather(
            *(
                side.ask(game_id, player, action, f"{number}{round}", b"")
                for number, (player, action) in enumerate(actions)
                for round, side in enumerate((*two, *two))
            )
        )
        accepted = [reply for reply in replies if reply.HasField("accepted")]
        assert len(accepted) == 1, accepted
        assert {reply.refusal.code for reply in replies if reply.HasField("refusal")} == {RefusalCode.GAME_OVER}
        ends = await two[0].rows("SELECT count(*) FROM game_event WHERE game_id = :id AND version > 1", id=game_id)
        assert ends == [(1,)]
        told = await two[0].rows("SELECT player_id, count(*) FROM player_event GROUP BY 1 ORDER BY 1")
        assert {count for _, count in told} == {told[0][1]}, "each game tells both players of its start and its end"


@pytest.mark.parametrize("poison", ["poison", "broken"])
async def test_a_poisoned_item_harms_none_of_its_batch(one: Replica, poison: str) -> None:
    games = [await one.game() for _ in range(8)]
    replies = await asyncio.gather(
        *(one.ask(game_id, "anna", Move(poison if i == 3 else "a"), "c", b"") for i, game_id in enumerate(games))
    )
    assert [reply.HasField("accepted") for reply in replies] == [i != 3 for i in range(8)]
    assert replies[3].refusal.code == RefusalCode.UNAVAILABLE
    assert max(one.rules.batches) == 8
    assert await one.rows("SELECT ply, count(*) FROM game GROUP BY 1 ORDER BY 1") == [(0, 1), (1, 7)]


async def test_an_outage_is_recorded_once_and_given_back(database_url: str, redis_url: str) -> None:
    async with (
        replica(database_url, redis_url, outage_gap_ms=GAP_MS) as first,
        replica(database_url, redis_url, outage_gap_ms=GAP_MS) as second,
    ):
        game_id = await first.game()
        await first.ask(game_id, "anna", Move("a"), "1", b"")
        before = await first.ask(game_id, "bert", Move("a"), "2", b"")
        await first.beats.look()
        earlier = len(await first.rows("SELECT end_ms FROM outage"))  # on a busy machine the moves may have had one

        async def stale() -> bool:
            return not first.beats.fresh and not second.beats.fresh

        await until(stale)
        flag = await first.ask(game_id, "", Flag(3))
        assert flag.refusal.code == RefusalCode.UNAVAILABLE, "nobody could move: no flag is decided"
        replies = await asyncio.gather(
            first.ask(game_id, "anna", Move("b"), "3", b""), second.path.beat(), second.path.beat()
        )
        rows = (await first.rows("SELECT end_ms - start_ms FROM outage ORDER BY end_ms"))[earlier:]
        assert len(rows) == 1, "one gap, recorded by whichever commit came first"
        assert isinstance(rows[0][0], int)
        assert rows[0][0] > GAP_MS
        moved = replies[0].accepted.state
        spent_ms = before.accepted.state.white_ms - moved.white_ms
        charged_ms = moved.at_ms - before.accepted.state.at_ms - rows[0][0]
        assert spent_ms <= max(charged_ms, 0) + 5


async def test_a_replica_is_fresh_only_with_the_outages_that_others_recorded(one: Replica) -> None:
    await one.path.beat()
    async with one.engine.begin() as connection:
        await connection.execute(sa.text("UPDATE heartbeat SET last_ms = last_ms - 10000"))
    recording, beating, looking = (Beats(one.engine, 3_000, 1_000) for _ in range(3))
    await recording.beat()
    await asyncio.gather(beating.beat(), looking.look())
    for beats in (recording, beating, looking):
        assert beats.fresh
        assert beats.outages == recording.outages
    ((start_ms, end_ms),) = recording.outages.spans
    assert end_ms - start_ms >= 10_000


async def test_a_gap_shorter_than_an_outage_is_charged(one: Replica) -> None:
    await one.path.beat()
    await one.path.beat()
    assert await one.rows("SELECT count(*) FROM outage") == [(0,)]
    assert one.beats.fresh


async def test_a_process_that_ends_has_published_what_it_committed(database_url: str, redis_url: str) -> None:
    async with replica(database_url, redis_url, relay_age_ms=600_000) as one:  # no relay helps
        for _ in range(5):
            game_id = await one.game()
            await asyncio.gather(*(one.ask(game_id, player, Move("a")) for player in ("anna", "bert", "anna")))
            await one.publishing.drained()
            assert await one.rows("SELECT count(*) FROM outbox") == [(0,)]


async def test_what_a_dead_process_did_not_publish_the_relay_does(database_url: str, redis_url: str) -> None:
    async with replica(database_url, redis_url) as dead:
        dead.publishing.announce = lambda *_, **__: None  # type: ignore[method-assign] # killed between commit and publish
        game_id = await dead.game()
        await dead.ask(game_id, "anna", Move("a"), "1", b"")
        redis = connect(redis_url)
        async with redis.pubsub() as heard:
            await heard.subscribe(f"flagfall:game:{game_id}")
            versions: set[int] = set()
            async with asyncio.timeout(10):
                while versions != {1, 2}:
                    message = await heard.get_message(ignore_subscribe_messages=True, timeout=1)
                    if message is not None:
                        versions.add(GameMessage.FromString(message["data"]).event.state.version)
        await redis.aclose()

        async def outbox_is_empty() -> bool:
            return await dead.rows("SELECT count(*) FROM outbox") == [(0,)]

        await until(outbox_is_empty)
