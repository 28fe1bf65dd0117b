"""One poisoned item in a batch, of every kind that came to mind: its neighbours are loaded, judged, saved, published.

The realistic one is a rolling update: a newer replica writes what an older one cannot read.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial

import pytest
import sqlalchemy as sa

from services.clock.grpc_game import GrpcGame
from services.clock.settings import ClockSettings
from services.domain.refusal import RefusalCode
from services.domain.time_control import Correspondence
from services.game.play.game import Seat
from services.game.play.question import Forfeit, Play, Played, Question, Verdict
from services.game.settings import GameSettings
from services.game.store.game_counts import count_once
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.game_pb2_grpc import GameServiceStub
from services.runtime.redis_keys import event_stream, shard_of
from tests.integration.game.game_in_memory import eventually
from tests.integration.races.race_replicas import (
    SHARDS,
    World,
    channel_to,
    new_chance,
    player_of,
    published,
    racing,
    real_rules,
    rounds,
    uci,
)

NEIGHBOURS = 20
DAY_MS = 86_400_000

Spoil = Callable[[World, str], Awaitable[object]]


def _update(assignment: str) -> Spoil:
    """The row of a game as nobody should have written it."""
    return lambda world, game_id: world.execute(f"UPDATE game SET {assignment} WHERE id = :id", id=game_id)


def _insert(statement: str) -> Spoil:
    return lambda world, game_id: world.execute(statement, id=game_id)


POISONS: dict[str, Spoil] = {
    "a rule set that cannot be read": _update(r"rule_set = '\xff'::bytea"),
    "a rule set of a newer replica": _update(r"rule_set = '\x086310631863'::bytea"),
    "a time control that cannot be read": _update(r"time_control = '\x0aff'::bytea"),
    "an end of a newer replica": _update("end_reason = 99"),
    "nobody is to move": _update("turn = 0"),
    "a position that cannot be read": _update("fen = 'nonsense'"),
    "a position that is too long": _update("fen = repeat('8/', 5000)"),
    "keys that cannot be read": _update(r"keys = '\x0102'::bytea"),
    "too many keys": _update(r"keys = decode(repeat('00', 80000), 'hex')"),
    "a version at the end of its column": _update("version = 2147483647"),
    "an event that stands already": _insert(
        "INSERT INTO game_event (game_id, version, payload, at_ms) VALUES (:id, 2, '', 0)"
    ),
    "an outbox row that stands already": _insert(
        "INSERT INTO outbox (kind, owner, number, at_ms, taken_ms) VALUES ('g', :id, 2, 0, 9999999999999)"
    ),
    "no such game": _insert("DELETE FROM game WHERE id = :id"),
}


def _raise(verdict: Verdict) -> Verdict:
    raise ValueError("a verdict that cannot be read")


def _with(**changes: object) -> Callable[[Verdict], Verdict]:
    """A verdict whose move cannot be stored as it is."""

    def changed(verdict: Verdict) -> Verdict:
        assert isinstance(verdict, Played)
        return replace(verdict, **changes)  # type: ignore[arg-type]

    return changed


FATES: dict[str, Callable[[Verdict], Verdict]] = {
    "xbroken": _raise,
    "xnul": _with(san="e4\x00"),
    "xsurrogate": _with(uci="\ud800"),
    "xnothing": _with(uci=None),
    "xnumber": _with(san=4),
}
"""Moves to which a rules service in trouble answers like this."""


class Troubled:
    """The real rules, but for the moves of `FATES`; `meanwhile` happens while they judge."""

    def __init__(self) -> None:
        self._rules = real_rules(GameSettings())
        self.batches: list[int] = []
        self.meanwhile: Callable[[], Awaitable[object]] | None = None

    async def adjudicate(self, question: Forfeit, timeout_s: float) -> Verdict:
        """See `Adjudicator`."""
        return await self._rules.adjudicate(question, timeout_s)

    async def judge(self, questions: Sequence[Question]) -> list[Verdict]:
        """See `Rules`."""
        self.batches.append(len(questions))
        if self.meanwhile is not None and any(isinstance(question, Play) for question in questions):  # no beat
            happen, self.meanwhile = self.meanwhile, None
            await happen()
        fates = [FATES.get(question.move) if isinstance(question, Play) else None for question in questions]
        asked = [
            replace(question, move="e2e4") if isinstance(question, Play) and fate else question
            for question, fate in zip(questions, fates, strict=True)
        ]
        verdicts = await self._rules.judge(asked)
        return [fate(verdict) if fate else verdict for fate, verdict in zip(fates, verdicts, strict=True)]


@pytest.fixture
async def troubled() -> Troubled:
    return Troubled()


@pytest.fixture
async def world(database_url: str, redis_url: str, troubled: Troubled) -> AsyncIterator[World]:
    async with racing(database_url, redis_url, rules=troubled) as world:
        yield world


async def _play(world: World, games: Sequence[str], text: str = "e2e4", **other: str) -> list[pb.Reply]:
    """White's first move in every game at once, through one replica; `other` moves by game id."""
    return await asyncio.gather(
        *(
            world.first.ask(
                pb.Command(
                    game_id=game_id,
                    player_id=player_of(place, True),
                    command_id="c",
                    move=uci(other.get(game_id, text)),
                )
            )
            for place, game_id in enumerate(games)
        )
    )


async def _unharmed(world: World, games: Sequence[str], replies: Sequence[pb.Reply], poisoned: str) -> None:
    """Assert that every neighbour's move is acknowledged, there, and published."""
    neighbours = [game_id for game_id in games if game_id != poisoned]
    for game_id, reply in zip(games, replies, strict=True):
        if game_id != poisoned:
            assert reply.accepted.version == 2, reply
    await world.one_history(neighbours, 1)
    rows = await world.rows("SELECT DISTINCT version, ply FROM game WHERE id = ANY(:ids)", ids=neighbours)
    assert rows == [(2, 1)]

    async def all_published() -> bool:
        return {(game_id, 2) for game_id in neighbours} <= set(await published(world))

    await eventually(all_published, "the neighbours' events are published")


async def test_a_row_that_cannot_be_read_judged_or_saved_harms_no_neighbour(world: World, troubled: Troubled) -> None:
    chance, template = new_chance(), await world.game()
    for name, spoil in POISONS.items():
        for _ in range(rounds(2)):
            games = await world.clones(template, NEIGHBOURS + 1)
            poisoned = chance.choice(games)
            await spoil(world, poisoned)
            troubled.batches.clear()
            replies = await _play(world, games)
            refused = replies[games.index(poisoned)].refusal.code
            typed = {RefusalCode.UNAVAILABLE, RefusalCode.NOT_FOUND, RefusalCode.MALFORMED, RefusalCode.BAD_POSITION}
            assert refused in typed, (name, replies[games.index(poisoned)])
            await _unharmed(world, games, replies, poisoned)


async def test_a_verdict_that_cannot_be_read_or_stored_harms_no_neighbour(world: World, troubled: Troubled) -> None:
    chance, template = new_chance(), await world.game()
    for fate in FATES:
        for _ in range(rounds(2)):
            games = await world.clones(template, NEIGHBOURS + 1)
            poisoned = chance.choice(games)
            troubled.batches.clear()
            replies = await _play(world, games, **{poisoned: fate})
            assert max(troubled.batches) == NEIGHBOURS + 1, "they had been one batch"
            assert replies[games.index(poisoned)].refusal.code == RefusalCode.UNAVAILABLE, fate
            await _unharmed(world, games, replies, poisoned)
            assert await world.version(poisoned) == 1


async def _goes(world: World, game_id: str, player_id: str, gone: bool) -> None:
    """Another replica ends a game, or it is deleted."""
    if gone:
        await world.execute("DELETE FROM game WHERE id = :id", id=game_id)
    else:
        resign = pb.Command(game_id=game_id, player_id=player_id, resign=pb.Resign())
        assert (await world.replicas[1].ask(resign)).HasField("accepted")


async def test_a_version_that_goes_while_the_rules_think_is_decided_anew_alone(
    world: World, troubled: Troubled
) -> None:
    chance, template = new_chance(), await world.game()
    for number in range(rounds(20)):
        games = await world.clones(template, NEIGHBOURS + 1)
        poisoned = chance.choice(games)
        gone = number % 2 == 1
        troubled.meanwhile = partial(_goes, world, poisoned, player_of(games.index(poisoned), True), gone)
        replies = await _play(world, games)
        code = replies[games.index(poisoned)].refusal.code
        assert code == (RefusalCode.NOT_FOUND if gone else RefusalCode.GAME_OVER), (code, gone)
        await _unharmed(world, games, replies, poisoned)


@pytest.mark.parametrize("what", ["game", "player"])
async def test_a_row_that_somebody_holds_locked_holds_up_no_neighbour_for_good(
    database_url: str, redis_url: str, what: str
) -> None:
    async with racing(database_url, redis_url, call_timeout_ms=300) as world:
        template = await world.game(uci("f2f3"), uci("e7e5"), uci("g2g4"))
        games = await world.clones(template, NEIGHBOURS + 1)
        place = 3
        key = games[place] if what == "game" else player_of(place, False)
        async with world.replicas[1].engine.begin() as holder:
            await holder.execute(sa.text(f"SELECT id FROM {what} WHERE id = :id FOR UPDATE"), {"id": key})
            mates = [
                world.first.ask(pb.Command(game_id=g, player_id=player_of(n, False), command_id="c", move=uci("d8h4")))
                for n, g in enumerate(games)
            ]
            replies = await asyncio.gather(*mates)
        for number, reply in enumerate(replies):
            if number == place:
                assert reply.refusal.code == RefusalCode.UNAVAILABLE
            else:
                assert reply.HasField("accepted"), (number, reply)


async def test_a_row_that_cannot_be_read_keeps_nobody_out_of_a_list(world: World) -> None:
    computer = Seat("computer", "Computer level 3", computer_level=3)
    long_ago_ms = world.first.beats.now_ms() - 3 * DAY_MS
    days = await world.game(uci("e2e4"), uci("e7e5"), control=Correspondence(1), created_ms=long_ago_ms)
    live = await world.game(uci("e2e4"), uci("e7e5"))
    waiting = await world.game(white=computer, created_ms=long_ago_ms)
    games: dict[str, list[str]] = {}
    for name, template, seats in (
        ("due", days, {}),
        ("live", live, {}),
        ("computer", waiting, {"white_id": "computer"}),
    ):
        games[name] = sorted(await world.clones(template, 12, **seats))
        for number, spoil in enumerate(list(POISONS.values())[:3]):
            await spoil(world, games[name][number * 4])
    readable = {name: {g for n, g in enumerate(ids) if n % 4 or n == 12} for name, ids in games.items()}
    service = GameServiceStub(channel_to(world.first.servicer))

    deadlines = await service.ListDeadlines(pb.ListDeadlinesRequest())
    assert {entry.game_id for entry in deadlines.deadlines} == readable["live"] | {live}
    turns = await service.ListComputerTurns(pb.ListComputerTurnsRequest(waiting_ms=0))
    assert {game.info.id for game in turns.games} == readable["computer"] | {waiting}
    some = games["live"]
    fetched = await service.Fetch(pb.FetchRequest(items=[pb.FetchItem(game_id=game_id) for game_id in some]))
    for game_id, result in zip(some, fetched.results, strict=True):
        if game_id in readable["live"]:
            assert result.snapshot.state.game_id == game_id
        else:
            assert result.refusal.code == RefusalCode.UNAVAILABLE, "it is there, and nobody may think that it is not"
    alarms = [games["live"][1], games["live"][0], "nosuchid"]
    clock = GrpcGame(channel_to(world.first.servicer), ClockSettings())
    assert [type(standing).__name__ for standing in await clock.standing(alarms)] == ["TimeLeft", "Refusal", "NoneType"]
    for player in {player_of(place, True) for place in range(12)}:
        listed = await service.ListGames(pb.ListGamesRequest(player_id=player, ongoing=True))
        assert {game.info.id for game in listed.games} <= readable["due"] | readable["live"]
    await count_once(world.first.engine)
    await world.first.sweep.run(100)  # a list has ended some of them: what is overdue is never shown as running
    ended = "SELECT id FROM game WHERE ended_ms IS NOT NULL AND id = ANY(:ids)"
    over = await world.rows(ended, ids=[days, *games["due"]])
    assert {row[0] for row in over} == readable["due"] | {days}
    # Pages go on behind a page that has nothing readable in it.
    await world.execute(r"UPDATE game SET turn = 0 WHERE id = ANY(:ids)", ids=some[:6])
    left = {game_id for game_id in readable["live"] if game_id not in some[:6]} | {live}
    seen: set[str] = set()
    page = await service.ListDeadlines(pb.ListDeadlinesRequest(limit=3))
    while page.deadlines:
        seen |= {entry.game_id for entry in page.deadlines}
        page = await service.ListDeadlines(pb.ListDeadlinesRequest(limit=3, after_game_id=max(seen)))
    assert seen == left


async def test_an_event_that_cannot_be_read_makes_a_snapshot(world: World) -> None:
    games = await world.clones(await world.game(), 8)
    assert all(reply.HasField("accepted") for reply in await _play(world, games))
    await world.execute(r"UPDATE game_event SET payload = '\xff' WHERE game_id = :id AND version = 2", id=games[3])
    service = GameServiceStub(channel_to(world.first.servicer))
    items = [pb.FetchItem(game_id=game_id, since_version=1) for game_id in games]
    results = (await service.Fetch(pb.FetchRequest(items=items))).results
    assert [result.WhichOneof("result") for result in results] == [
        "snapshot" if place == 3 else "events" for place in range(8)
    ]


async def test_a_shard_that_takes_nothing_keeps_no_other_shards_events_back(world: World) -> None:
    """Its stream is no stream: the events of its games stay in the outbox until it is one again, all others go."""
    games = await world.clones(await world.game(), 40)

    async def nothing_stays() -> bool:
        return await world.rows("SELECT count(*) FROM outbox") == [(0,)]

    await eventually(nothing_stays, "the first events are published")
    bad = shard_of(games[0], SHARDS)
    stream = event_stream(bad)
    await world.first.redis.delete(stream)
    await world.first.redis.set(stream, "no stream")
    assert all(reply.HasField("accepted") for reply in await _play(world, games))
    held = {game_id for game_id in games if shard_of(game_id, SHARDS) == bad}

    async def only_held_rows_stay() -> bool:
        return {owner for (owner,) in await world.rows("SELECT DISTINCT owner FROM outbox")} == held

    await eventually(only_held_rows_stay, "whatever was published leaves the outbox")
    await world.first.redis.delete(stream)
    await eventually(nothing_stays, "the rest is published once it can be")
    assert {(game_id, 2) for game_id in held} <= set(await published(world))


async def test_an_event_that_cannot_be_read_stops_no_relay(database_url: str, redis_url: str) -> None:
    async with racing(database_url, redis_url, relay_age_ms=1_000, relay_period_ms=50) as world:
        for replica in world.replicas:
            replica.publishing.announce = lambda *_, **__: None  # type: ignore[method-assign] # the relay's alone
        games = await world.clones(await world.game(), 20)
        assert all(reply.HasField("accepted") for reply in await _play(world, games))
        await world.execute(r"UPDATE game_event SET payload = '\xff' WHERE game_id = :id AND version = 2", id=games[3])

        async def all_others_published() -> bool:
            return {(game_id, 2) for game_id in games if game_id != games[3]} <= set(await published(world))

        await eventually(all_others_published, "the neighbours' events are published")

        async def nothing_stays() -> bool:
            return await world.rows("SELECT count(*) FROM outbox") == [(0,)]

        await eventually(nothing_stays, "the outbox is empty")
        assert not any(task.done() for replica in world.replicas for task in replica.tasks), "all loops live"
