"""Who is at the board, noted in a real Redis: who has left is told, seats are taken and given back, nothing is kept."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from redis.asyncio import Redis

from services.domain.rule_set import PRESETS, AbsentPlayer, RuleSet
from services.game.commit.presence import RedisPresence
from services.gateway.hub.held_game import HeldGame
from services.gateway.presence.game_presence import GamePresence, is_watched
from services.gateway.presence.signs import Signs
from services.gateway.protocol.absence import Absence, Away
from services.gateway.settings import GatewaySettings
from services.pb.flagfall.v1 import common_pb2, events_pb2, game_pb2
from services.runtime.lifecycle import cancelled
from services.runtime.presence import NOTING, SINCE, presence_key
from services.runtime.redis_client import connect
from services.runtime.wire import rule_set_to_pb
from tests.integration.game.game_in_memory import eventually
from tests.unit.game.deciding import new_game

WHITE, BLACK = common_pb2.COLOR_WHITE, common_pb2.COLOR_BLACK
CLOCK = common_pb2.TimeControl(clock=common_pb2.ClockControl(initial_ms=60_000))


class Ears:
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.heard: list[Absence] = []
        self.summary: tuple[Away, Away] | None = None

    def absent(self, game_id: str, absence: Absence) -> None:
        self.heard.append(absence)

    def absences(self, game_id: str, white: Away, black: Away) -> None:
        self.summary = (white, black)


class Gateway:
    """The presence of one gateway; commands are written down and answered as told."""

    def __init__(self, redis: Redis, **own: Any) -> None:
        periods = {"game_presence_period_ms": 50, "gone_ms": 300, "absence_ms": 900, "seat_ms": 600}
        self.settings = GatewaySettings.model_validate(periods | own)
        self.asked: list[game_pb2.Command] = []
        self.reply = game_pb2.Reply(accepted=game_pb2.Accepted())
        self.answering = asyncio.Event()
        self.answering.set()
        self.presence = GamePresence(redis, self.settings, self._ask)

    async def _ask(self, command: game_pb2.Command) -> game_pb2.Reply:
        self.asked.append(command)
        await self.answering.wait()
        return self.reply

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Gateway"]:
        task = asyncio.ensure_future(self.presence.run())
        try:
            yield self
        finally:
            await cancelled(task)


def held(rule_set: RuleSet = PRESETS["fide"], control: common_pb2.TimeControl = CLOCK, **own: Any) -> HeldGame:
    """A game that Anna and Bert play."""
    info = events_pb2.GameInfo(
        id="game0001",
        variant="standard",
        rule_set=rule_set_to_pb(rule_set),
        time_control=control,
        white=events_pb2.Player(id="anna", name="Anna"),
        black=events_pb2.Player(id="bert", name="Bert"),
        **own,
    )
    state = events_pb2.GameState(game_id=info.id, version=3, ply=2, status=events_pb2.GAME_STATUS_STARTED)
    return HeldGame(game_pb2.Snapshot(info=info, state=state), 8)


def with_rule(absent: AbsentPlayer) -> RuleSet:
    return replace(PRESETS["fide"], absent_player=absent)


@pytest.fixture
async def redis(redis_url: str) -> AsyncIterator[Redis]:
    async with connect(redis_url) as redis:
        yield redis


async def test_who_leaves_is_told_to_the_other_on_another_gateway_and_so_is_the_return(redis: Redis) -> None:
    game, anna, bert = held(), Ears(), Ears()
    async with Gateway(redis).running() as one, Gateway(redis).running() as two:
        one.presence.enter(game, WHITE, anna)
        two.presence.enter(game, BLACK, bert)
        await eventually(lambda: redis.hexists(presence_key("game0001"), "black"), "both are noted")
        assert anna.heard == []
        two.presence.leave("game0001", bert)
        await eventually(lambda: len(anna.heard) == 1, "Anna is told")
        left = anna.heard[0]
        assert (left.side, left.gone, left.claim_in_ms) == (BLACK, True, None)
        assert left.away_ms >= 300
        two.presence.enter(game, BLACK, bert)
        await eventually(lambda: len(anna.heard) == 2, "Anna is told again")
        assert anna.heard[1][:2] == (BLACK, False)
        assert bert.heard == []


@asynccontextmanager
async def signs_of(redis: Redis, gateway: Gateway, info: events_pb2.GameInfo) -> AsyncIterator[Signs]:
    """The signs of life of this gateway, which knows one game."""

    async def find(game_id: str) -> events_pb2.GameInfo:
        return info

    signs = Signs(redis, gateway.settings, gateway.presence, find)
    task = asyncio.ensure_future(signs.run())
    try:
        yield signs
    finally:
        await cancelled(task)


async def test_a_player_who_only_sends_moves_is_back_at_once_and_is_not_gone_while_the_other_thinks(
    redis: Redis,
) -> None:
    """Case S02."""
    game, anna, reader, rows = held(), Ears(), RedisPresence(redis, 2.0), new_game()
    game.state.turn = BLACK
    rows = replace(rows, terms=replace(rows.terms, id="game0001"))  # White is to move in this one
    async with (
        Gateway(redis, game_presence_period_ms=30_000).running() as two,
        Gateway(redis).running() as one,
        signs_of(redis, two, game.info) as signs,
    ):
        one.presence.enter(game, WHITE, anna)
        await eventually(lambda: len(anna.heard) == 1, "Bert has never been there")
        assert anna.heard[0].gone
        game.state.turn = WHITE
        signs.show("game0001", "bert")  # a move, say
        await eventually(lambda: len(anna.heard) == 2, "Anna is told")
        assert anna.heard[1][:2] == (BLACK, False)
        before = await _noted(redis, "black")
        await eventually(
            lambda: _later(redis, "white", before + 1_000), "Anna thinks for longer than a player may be away"
        )
        assert len(anna.heard) == 2
        assert (await reader.away_ms([rows]))["game0001"].black is None
        # In its own turn the time counts from the turn's beginning.
        game.moves.append(game_pb2.PlayedMove(at_ms=await _noted(redis, "white")))
        game.state.turn = BLACK
        await eventually(lambda: len(anna.heard) == 3, "Bert does not answer")
        assert anna.heard[2][:2] == (BLACK, True)
        assert anna.heard[2].away_ms < 5_000


async def test_a_sign_of_life_is_told_at_once_on_the_same_gateway(redis: Redis) -> None:
    game, anna = held(), Ears()
    async with Gateway(redis).running() as gateway:
        gateway.presence.enter(game, WHITE, anna)
        await eventually(lambda: len(anna.heard) == 1, "Bert is away")
    async with Gateway(redis, game_presence_period_ms=600_000).running() as gateway:
        gateway.presence.enter(game, WHITE, anna)
        await eventually(lambda: len(anna.heard) == 2, "also here, by the first round of two in twenty minutes")
        async with signs_of(redis, gateway, game.info) as signs:
            signs.show("game0001", "cora")  # somebody else
            signs.show("game0001", "bert")
            await eventually(lambda: len(anna.heard) == 3, "Anna is told")
            assert anna.heard[2][:2] == (BLACK, False)
            assert not await redis.hexists(presence_key("game0001"), "white:asked")


async def test_a_connection_makes_an_absence_count_again(redis: Redis) -> None:
    game, anna, bert = held(), Ears(), Ears()
    game.state.turn = WHITE
    async with Gateway(redis).running() as gateway, signs_of(redis, gateway, game.info) as signs:
        signs.show("game0001", "bert")
        await eventually(lambda: redis.hexists(presence_key("game0001"), "black:asked"), "it is recorded")
        gateway.presence.enter(game, WHITE, anna)
        gateway.presence.enter(game, BLACK, bert)

        async def connected() -> bool:
            return not await redis.hexists(presence_key("game0001"), "black:asked")

        await eventually(connected, "the connection is recorded")
        signs.show("game0001", "bert")  # what is sent beside the connection is no sign of its own
        gateway.presence.leave("game0001", bert)
        await eventually(lambda: len(anna.heard) == 1, "Anna is told")
        assert anna.heard[0].gone


async def test_a_reload_is_no_absence(redis: Redis) -> None:
    game, anna, bert = held(), Ears(), Ears()
    async with Gateway(redis, gone_ms=2_000).running() as gateway:
        gateway.presence.enter(game, WHITE, anna)
        for _ in range(4):
            gateway.presence.enter(game, BLACK, bert)
            before = await _noted(redis, "black")
            gateway.presence.leave("game0001", bert)
            bert = Ears()
            gateway.presence.enter(game, BLACK, bert)
            await eventually(lambda before=before: _later(redis, "black", before), "noted again")
        game.state.status = events_pb2.GAME_STATUS_ENDED
        game.state.ended_ms = await _noted(redis, "black")
        await eventually(lambda: anna.summary is not None, "the game is summed up")
        assert anna.heard == []
        assert anna.summary == (Away(0, 0), Away(0, 0))


async def _noted(redis: Redis, side: str) -> int:
    return int(await redis.hget(presence_key("game0001"), side) or 0)


async def _later(redis: Redis, side: str, before: int) -> bool:
    return await _noted(redis, side) > before


async def test_the_end_tells_both_how_often_and_how_long_and_keeps_nothing(redis: Redis) -> None:
    game, anna, bert = held(), Ears(), Ears()
    async with Gateway(redis, game_presence_told_ms=200).running() as gateway:
        gateway.presence.enter(game, WHITE, anna)
        gateway.presence.enter(game, BLACK, bert)
        await eventually(lambda: redis.hexists(presence_key("game0001"), "black"), "both are noted")
        gateway.presence.leave("game0001", bert)
        await eventually(lambda: len(anna.heard) == 1, "Anna is told")
        gateway.presence.enter(game, BLACK, bert)
        await eventually(lambda: len(anna.heard) == 2, "Bert is back")
        game.state.status = events_pb2.GAME_STATUS_ENDED
        game.state.ended_ms = await _noted(redis, "black")
        await eventually(lambda: anna.summary is not None and bert.summary is not None, "both are told")
        assert anna.summary == bert.summary
        assert anna.summary is not None
        white, black = anna.summary
        assert white == Away(0, 0)
        assert black.times == 1
        assert 300 <= black.ms < 10_000

        async def let_go() -> bool:
            return not await redis.exists(presence_key("game0001"))

        await eventually(let_go, "nothing is kept")


async def test_who_connects_later_is_told_that_the_other_is_away_and_when_a_claim_is_due(redis: Redis) -> None:
    game, anna = held(with_rule(AbsentPlayer.OPPONENT_CLAIMS)), Ears()
    async with Gateway(redis).running() as gateway:
        gateway.presence.enter(game, WHITE, anna)  # Bert was never there: his time begins now
        await eventually(lambda: len(anna.heard) == 1, "Anna is told")
        assert 0 < (anna.heard[0].claim_in_ms or 0) <= 600
        again = Ears()
        gateway.presence.enter(game, WHITE, again)
        await eventually(lambda: len(again.heard) == 1, "so is the second connection")
        assert again.heard[0].gone
        assert len(anna.heard) == 1


async def test_a_computer_takes_the_seat_of_whoever_is_away_and_gives_it_back(redis: Redis) -> None:
    game, anna, bert = held(with_rule(AbsentPlayer.COMPUTER_PLAYS)), Ears(), Ears()
    async with Gateway(redis).running() as gateway:
        gateway.presence.enter(game, WHITE, anna)
        await eventually(lambda: len(gateway.asked) == 1, "the seat is asked for")
        command = gateway.asked[0]
        assert (command.player_id, command.take_seat.side) == ("anna", BLACK)
        game.state.version, game.state.black_held_level = 4, 5  # it was taken
        before = await _noted(redis, "white")
        await eventually(lambda: _later(redis, "white", before), "another round")
        assert len(gateway.asked) == 1
        gateway.presence.enter(game, BLACK, bert)
        await eventually(lambda: len(gateway.asked) == 2, "the seat is given back")
        assert (gateway.asked[1].player_id, gateway.asked[1].WhichOneof("action")) == ("bert", "return_seat")


async def test_a_game_service_that_does_not_answer_keeps_nobody_from_being_noted(redis: Redis) -> None:
    async with Gateway(redis).running() as gateway:
        gateway.answering.clear()
        gateway.presence.enter(held(with_rule(AbsentPlayer.COMPUTER_PLAYS)), WHITE, Ears())
        await eventually(lambda: len(gateway.asked) == 1, "the seat is asked for")
        for _ in range(2):
            before = await _noted(redis, "white")
            await eventually(lambda before=before: _later(redis, "white", before), "Anna is noted again")
        assert len(gateway.asked) == 1, "one answer is waited for at a time"
        gateway.reply = game_pb2.Reply(refusal=common_pb2.Refusal(code="unavailable"))
        gateway.answering.set()
        await eventually(lambda: len(gateway.asked) > 1, "it is asked for again")


async def test_no_computer_plays_in_a_rated_game_or_where_the_clock_runs(redis: Redis) -> None:
    for rule_set, rated in ((with_rule(AbsentPlayer.COMPUTER_PLAYS), True), (PRESETS["fide"], False)):
        anna = Ears()
        async with Gateway(redis).running() as gateway:
            await redis.delete(presence_key("game0001"))
            gateway.presence.enter(held(rule_set, rated=rated), WHITE, anna)
            await eventually(lambda anna=anna: len(anna.heard) == 1, "Bert is away")
            long_ago = await _noted(redis, "black") + 700
            await eventually(lambda at=long_ago: _later(redis, "white", at), "and stays away")
            assert gateway.asked == []


async def test_after_a_loss_of_redis_nobody_is_away_until_the_grace_has_passed_anew(redis: Redis) -> None:
    anna = Ears()
    reader = RedisPresence(redis, 2.0)
    game = new_game()
    async with Gateway(redis, gone_ms=600).running() as gateway:
        gateway.presence.enter(held(), WHITE, anna)
        await eventually(lambda: len(anna.heard) == 1, "Bert is away")
        away = (await reader.away_ms([game]))[game.terms.id]
        assert (away.black or 0) >= 600
        await redis.flushall()
        await eventually(lambda: len(anna.heard) == 2, "it is no longer known that Bert is away")
        assert anna.heard[1].gone is False
        assert ((await reader.away_ms([game]))[game.terms.id].black or 0) < 600
        await eventually(lambda: len(anna.heard) == 3, "until the grace has passed anew")
        assert anna.heard[2].gone is True


async def test_notes_from_before_an_outage_are_not_trusted(redis: Redis) -> None:
    reader = RedisPresence(redis, 2.0)
    game = new_game()
    seconds, _ = await redis.time()
    await redis.hset(presence_key(game.terms.id), mapping={"white": seconds * 1000, "black": (seconds - 90) * 1000})
    assert await reader.away_ms([game]) == {}  # Redis stood still, or no gateway was there: nobody has noted lately
    await redis.set(NOTING, 1)
    before = (await reader.away_ms([game]))[game.terms.id]
    assert (before.black or 0) >= 90_000
    await redis.set(SINCE, seconds * 1000)  # what a gateway does that could not write for a while
    after = (await reader.away_ms([game]))[game.terms.id]
    assert (after.black or 0) < 60_000


async def test_when_no_gateway_was_there_to_come_to_absences_begin_anew(redis: Redis) -> None:
    reader, game, anna = RedisPresence(redis, 2.0), new_game(), Ears()
    seconds, _ = await redis.time()
    for side in ("white", "black"):
        await redis.hset(presence_key("game0001"), side, str((seconds - 90) * 1000))
        await redis.hset(presence_key(game.terms.id), side, str((seconds - 90) * 1000))
    async with Gateway(redis, gone_ms=600).running() as gateway:
        gateway.presence.enter(held(with_rule(AbsentPlayer.OPPONENT_CLAIMS)), WHITE, anna)
        await eventually(lambda: _renewed(redis), "the gateway notes")
        away = (await reader.away_ms([game]))[game.terms.id]
        assert (away.black or 0) < 60_000
        await eventually(lambda: len(anna.heard) == 1, "Bert has been away for long enough since")
        assert anna.heard[0].away_ms < 60_000
    async with Gateway(redis).running():  # another one, soon after: what was noted stands
        before = await redis.get(SINCE)
        await redis.pexpire(NOTING, 60_000)
        await eventually(lambda: _renewed(redis), "a round of it")
        assert await redis.get(SINCE) == before


async def _renewed(redis: Redis) -> bool:
    return 0 < await redis.pttl(NOTING) < 60_000 - 1_000


async def test_who_was_never_noted_is_unknown(redis: Redis) -> None:
    reader = RedisPresence(redis, 2.0)
    game = new_game()
    await redis.set(NOTING, 1)
    away = (await reader.away_ms([game]))[game.terms.id]
    assert (away.white, away.black) == (None, None)
    await reader.begin_anew([game.terms.id], 60_000)
    away = (await reader.away_ms([game]))[game.terms.id]
    assert 0 <= (away.white or 0) < 5_000
    assert away.black is not None
    async with connect("redis://127.0.0.1:1") as nowhere:
        assert await RedisPresence(nowhere, 0.2).away_ms([game]) == {}


@pytest.mark.parametrize(
    ("game", "watched"),
    [
        (held(), True),
        (held(control=common_pb2.TimeControl(per_move=common_pb2.PerMoveControl(turn_ms=30_000))), True),
        (held(control=common_pb2.TimeControl(unlimited=common_pb2.Unlimited())), False),
        (
            held(
                with_rule(AbsentPlayer.COMPUTER_PLAYS),
                common_pb2.TimeControl(unlimited=common_pb2.Unlimited()),
            ),
            True,
        ),
        (held(control=common_pb2.TimeControl(correspondence=common_pb2.CorrespondenceControl(days=1))), False),
    ],
)
def test_in_which_games_it_matters_who_is_there(game: HeldGame, watched: bool) -> None:
    assert is_watched(game.info) is watched
    game.info.black.computer_level = 3
    assert not is_watched(game.info)
