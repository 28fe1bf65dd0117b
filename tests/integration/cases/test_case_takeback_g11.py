"""Case G11: a takeback or an undo brings everything back, in every variant, on a real PostgreSQL with the real rules.

A game is played at random; after every ply its row is put down. Then moves are taken back, others are played in their
place and taken back as well, and each time the row must be what it was, down to the clocks of that ply.
"""

import asyncio
import random
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from services.domain.refusal import RefusalCode
from services.domain.rule_set import FIDE, PRESETS, Takeback
from services.domain.time_control import ClockControl, Correspondence, TimeControl, Unlimited
from services.domain.variant import Variant
from services.game.play.game import computer_seat
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.game_pb2_grpc import GameServiceStub
from tests.integration.races.race_replicas import PATIENT, World, channel_to, new_chance, racing, uci

CONSENT = replace(FIDE, takeback=Takeback.BY_CONSENT)
LONG = ClockControl(10_800_000, 2_000)
ASK, UNDO = pb.Command(offer_takeback=pb.OfferTakeback()), pb.Command(undo=pb.Undo())
RESIGN = pb.Command(resign=pb.Resign())
KEPT = "fen, keys, ply, turn, in_check, legal, claims, white_ms, black_ms, last_uci, last_san"
"""All columns of a row that a position consists of, with the clocks and the move before it."""
LEGAL = KEPT.split(", ").index("legal")


@pytest.fixture
async def world(database_url: str, redis_url: str) -> AsyncIterator[World]:
    async with racing(database_url, redis_url, count=1, **PATIENT) as world:
        yield world


@dataclass
class Board:
    """A game that is played with steered time: every command is a second after the one before."""

    world: World
    game_id: str
    now_ms: int
    state: events_pb2.GameState
    black: str = "bert"

    @classmethod
    async def new(cls, world: World, black: str = "bert", **terms: Any) -> "Board":
        """A new game; against the computer where `black` says so."""
        now_ms = world.first.beats.now_ms()
        if black == "computer":
            terms["black"] = computer_seat(3)
        game_id = await world.game(created_ms=now_ms, **terms)
        board = cls(world, game_id, now_ms, events_pb2.GameState(), black)
        ((board.state.turn,),) = await world.rows("SELECT turn FROM game WHERE id = :id", id=game_id)
        return board

    async def ask(self, white: bool, command: pb.Command) -> pb.Reply:
        """What is answered."""
        self.now_ms += 1_000
        sent = pb.Command(game_id=self.game_id, player_id="anna" if white else self.black)
        sent.MergeFrom(command)
        return await self.world.first.ask(sent, self.now_ms)

    async def do(self, white: bool, command: pb.Command) -> None:
        """A command that is accepted."""
        reply = await self.ask(white, command)
        assert reply.HasField("accepted"), (command, reply)
        self.state = reply.accepted.state

    @property
    def white_moves(self) -> bool:
        """Whether it is White's turn."""
        return self.state.turn == common_pb2.COLOR_WHITE

    @property
    def over(self) -> bool:
        """Whether the last command ended it."""
        return self.state.status != events_pb2.GAME_STATUS_STARTED

    async def move(self, text: str) -> None:
        """A move of whoever's turn it is."""
        await self.do(self.white_moves, pb.Command(move=uci(text)))

    async def take_back(self, white: bool) -> None:
        """A takeback that `white` asks for, agreed; against the computer an undo."""
        if self.black == "computer":
            await self.do(True, UNDO)
        else:
            await self.do(white, ASK)
            await self.do(not white, ASK)

    async def row(self) -> tuple[Any, ...]:
        """The position with all that belongs to it."""
        (row,) = await self.world.rows(f"SELECT {KEPT} FROM game WHERE id = :id", id=self.game_id)
        return row

    async def wander(self, chance: random.Random, plies: int) -> list[tuple[Any, ...]]:
        """Play at random; the row before and after each ply, for as long as the game goes on."""
        rows = [await self.row()]
        for _ in range(plies):
            await self.move(chance.choice(rows[-1][LEGAL].split()))
            if self.over:
                break
            rows.append(await self.row())
        return rows


async def _agreed(world: World, variant: Variant, chance: random.Random) -> None:
    board = await Board.new(world, variant=variant.value, rule_set=CONSENT, control=LONG)
    line = await board.wander(chance, 14)
    for _ in range(6):
        if board.over:
            return  # by chance; nothing is taken back after an end between people
        white = chance.random() < 0.5
        gone = 1 if board.white_moves is not white else 2
        if gone >= len(line):
            continue
        await board.take_back(white)
        line = line[: len(line) - gone]
        assert await board.row() == line[-1], variant
        assert board.state.ply == len(line) - 1
        line += (await board.wander(chance, chance.randrange(4)))[1:]


async def test_between_people_everything_is_as_it_was_in_every_variant(world: World) -> None:
    chance = new_chance()
    await asyncio.gather(*(_agreed(world, variant, chance) for variant in (*Variant, *Variant)))


async def _undone(world: World, variant: Variant, chance: random.Random) -> None:
    board = await Board.new(world, "computer", variant=variant.value, control=LONG)
    line = await board.wander(chance, 9)
    plies = len(line) - 1 + board.over  # after an end by chance its row is not in the line
    if not board.over:
        await board.do(True, RESIGN)
    assert board.state.status == events_pb2.GAME_STATUS_ENDED
    line = line[: plies + 1 - (2 if board.white_moves else 1)]
    await board.take_back(True)
    assert await board.row() == line[-1], variant
    assert (board.state.status, board.state.helped, board.state.takebacks) == (events_pb2.GAME_STATUS_STARTED, True, 1)
    ends = "SELECT end_reason, ended_ms, winner FROM game WHERE id = :id"
    assert await world.rows(ends, id=board.game_id) == [(0, None, 0)]
    await board.move(line[-1][LEGAL].split()[0])


async def test_against_the_computer_an_end_is_undone_in_every_variant(world: World) -> None:
    chance = new_chance()
    await asyncio.gather(*(_undone(world, variant, chance) for variant in (*Variant, *Variant)))


async def test_the_player_hears_that_the_game_goes_on(world: World) -> None:
    board = await Board.new(world, "computer", control=LONG)
    for text in ("e2e4", "e7e5"):
        await board.move(text)
    await board.do(True, RESIGN)
    await board.take_back(True)
    rows = await world.rows("SELECT seq, payload FROM player_event WHERE player_id = 'anna' ORDER BY seq")
    events = [events_pb2.PlayerEvent.FromString(payload) for _, payload in rows]
    assert [event.WhichOneof("content") for event in events] == ["game_start", "game_finish", "game_start"]
    assert [seq for seq, _ in rows] == [1, 2, 3]
    again = events[-1].game_start
    assert (again.info.id, again.state.version, again.state.ply) == (board.game_id, board.state.version, 0)
    assert again.state.status == events_pb2.GAME_STATUS_STARTED
    await board.move("d2d4")
    await board.do(True, RESIGN)
    ((count,),) = await world.rows("SELECT count(*) FROM player_event WHERE player_id = 'anna'")
    assert count == 4, "and that it has ended again"


async def test_a_check_that_is_taken_back_is_not_counted(world: World) -> None:
    board = await Board.new(world, variant="threeCheck", rule_set=CONSENT, control=LONG)
    for text in ("e2e4", "f7f6"):
        await board.move(text)
    before = await board.row()
    await board.move("d1h5")
    assert board.state.check
    counters = [[part for part in fen.split() if "+" in part] for fen in (board.state.fen, before[0])]
    assert counters[0] != counters[1]
    await board.take_back(True)
    assert await board.row() == before
    for text in ("d1h5", "g7g6", "h5g6"):  # the second check; with the one that was taken back it would be the third
        await board.move(text)
    assert not board.over


async def test_a_captured_promoted_man_is_promoted_again(world: World) -> None:
    fen = "1n2k3/P7/8/8/8/8/8/4K3[] w - - 0 1"
    board = await Board.new(world, variant="crazyhouse", rule_set=CONSENT, control=LONG, fen=fen)
    for text in ("a7b8q", "e8d7", "b8d8"):
        await board.move(text)
    before = await board.row()
    assert ("~" in before[0], "[N]" in before[0]) == (True, True)
    await board.move("d7d8")
    assert "p" in board.state.fen.partition("[")[2].partition("]")[0], "a promoted queen is a pawn in the pocket"
    await board.take_back(False)
    assert await board.row() == before


@pytest.mark.parametrize(("control", "left_ms"), [(Correspondence(14), 14 * 86_400_000), (Unlimited(), None)])
async def test_a_letter_is_due_a_whole_limit_after_its_takeback(
    world: World, control: TimeControl, left_ms: int | None
) -> None:
    board = await Board.new(world, rule_set=CONSENT, control=control)
    for text in ("e2e4", "e7e5", "g1f3"):
        await board.move(text)
    board.now_ms += 13 * 86_400_000
    await board.take_back(True)
    ((deadline_ms,),) = await world.rows("SELECT deadline_ms FROM game WHERE id = :id", id=board.game_id)
    assert deadline_ms == (None if left_ms is None else board.now_ms + left_ms)


async def test_the_moves_of_a_game_are_those_that_count(world: World) -> None:
    board = await Board.new(world, rule_set=CONSENT, control=LONG)
    for text in ("e2e4", "e7e5", "g1f3", "b8c6"):
        await board.move(text)
    await board.take_back(False)
    await board.take_back(True)
    await board.move("f1c4")
    service = GameServiceStub(channel_to(world.first.servicer))
    fetched = await service.Fetch(pb.FetchRequest(items=[pb.FetchItem(game_id=board.game_id)]))
    snapshot = fetched.results[0].snapshot
    assert [move.uci for move in snapshot.moves] == ["e2e4", "e7e5", "f1c4"]
    assert snapshot.state.ply == 3


async def test_where_people_have_no_takeback_it_is_said_and_nothing_changes(world: World) -> None:
    for preset, rule_set in PRESETS.items():
        board = await Board.new(world, rule_set=rule_set, control=LONG)
        for text in ("e2e4", "e7e5"):
            await board.move(text)
        for command in (ASK, UNDO):
            refusal = (await board.ask(True, command)).refusal
            assert (refusal.code, bool(refusal.message)) == (RefusalCode.NOT_ALLOWED, True), preset
        assert await world.version(board.game_id) == 3
