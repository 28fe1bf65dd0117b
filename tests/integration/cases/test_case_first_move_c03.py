"""Case C03: when the clock starts, and who earns the first increment, told by the whole game service event by event.

The policy is A (docs/protocol.md, Clocks): the game's first move starts the clock, is free, and earns the increment.
"""

from dataclasses import dataclass
from pathlib import Path

import pytest

from services.domain.time_control import ClockControl
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.game_pb2_grpc import GameServiceStub
from tests.integration.races.race_replicas import Replica, World, channel_to, racing

DOCS = Path(__file__).parents[3] / "docs"
FIVE_MINUTES_MS = 300_000
BACK_MS = 600_000
"""The games are played ten minutes ago, so that no steered moment lies in the database's future."""


Table = tuple[tuple[int, str, int, int], ...]
"""A move is received so many seconds after the game began; then White's and Black's clocks stand so, in seconds."""

REPORTED: Table = ((40, "e2e4", 303, 300), (50, "e7e5", 303, 293), (54, "g1f3", 302, 293), (55, "b8c6", 302, 295))
"""5+3: White thinks 40 s over move 1, Black 10 s, White 4 s, Black 1 s."""

NOTHING_ADDED: Table = ((40, "e2e4", 300, 300), (50, "e7e5", 300, 290), (54, "g1f3", 296, 290), (55, "b8c6", 296, 289))

MOVE_FOUR = "r1bqkbnr/ppp2ppp/2npp3/8/8/2NPP3/PPP2PPP/R1BQKBNR w KQkq - 2 4"
FROM_MOVE_FOUR: Table = ((40, "g1f3", 303, 300), (50, "g8f6", 303, 293), (54, "d1e2", 302, 293), (55, "c8d7", 302, 295))
BLACK_MOVES = "r1q1kb1r/pp2pppp/2n2n2/3p1b2/2pP1B2/2P1PN2/PP1N1PPP/R2QKB1R b KQkq - 1 8"
FROM_BLACK: Table = ((40, "e7e6", 300, 303), (50, "f1e2", 293, 303), (54, "f8e7", 293, 302), (55, "e1g1", 295, 302))


@dataclass
class Steered:
    """Replicas whose clock is set by hand."""

    world: World
    start_ms: int

    def set(self, at_ms: int) -> None:
        """Let it be so long after the game's creation, in all replicas."""
        for replica in self.world.replicas:
            replica.beats.now_ms = lambda: self.start_ms + at_ms  # type: ignore[method-assign]

    async def shown(self, replica: Replica, game_id: str) -> pb.Snapshot:
        """What somebody who connects now is shown."""
        service = GameServiceStub(channel_to(replica.servicer))
        answer = await service.Fetch(pb.FetchRequest(items=[pb.FetchItem(game_id=game_id)]))
        return answer.results[0].snapshot


def clocks(state: events_pb2.GameState) -> tuple[int, int]:
    """White's and Black's milliseconds."""
    return state.white_ms, state.black_ms


@pytest.mark.parametrize(
    ("fen", "increment_ms", "table"),
    [
        pytest.param("", 3_000, REPORTED, id="from the array"),
        pytest.param("", 0, NOTHING_ADDED, id="without increment"),
        pytest.param(MOVE_FOUR, 3_000, FROM_MOVE_FOUR, id="from-position-move-4"),
        pytest.param(BLACK_MOVES, 3_000, FROM_BLACK, id="from-position-black-to-move"),
    ],
)
async def test_the_clocks_stand_as_the_table_says_after_every_event(
    database_url: str, redis_url: str, fen: str, increment_ms: int, table: Table
) -> None:
    async with racing(database_url, redis_url, loops=False, first_move_ms=60_000) as world:
        steered = Steered(world, world.first.beats.now_ms() - BACK_MS)
        for reconnects in (False, True):
            await _play(steered, fen, increment_ms, table, reconnects)


async def _play(steered: Steered, fen: str, increment_ms: int, table: Table, reconnects: bool) -> None:
    """A game by the table; with `reconnects` each move goes to another replica than the last one."""
    world = steered.world
    control = ClockControl(FIVE_MINUTES_MS, increment_ms)
    game_id = await world.game(control=control, fen=fen, created_ms=steered.start_ms)
    white_moves = not fen or " w " in fen
    for at_s in (0, 15, 39):
        steered.set(at_s * 1_000)
        state = (await steered.shown(world.first, game_id)).state
        assert clocks(state) == (FIVE_MINUTES_MS, FIVE_MINUTES_MS), "before the first move neither clock moves"
        assert not state.running
    for number, (at_s, text, white_s, black_s) in enumerate(table):
        service = GameServiceStub(channel_to(world.replicas[number % 2 if reconnects else 0].servicer))
        steered.set(at_s * 1_000)
        player = "anna" if (number % 2 == 0) is white_moves else "bert"
        command = pb.Command(game_id=game_id, player_id=player, command_id=f"c{number}", move=pb.Move(text=text))
        (reply,) = (await service.Submit(pb.SubmitRequest(commands=[command]))).replies
        expected_ms = (white_s * 1_000, black_s * 1_000)
        assert clocks(reply.accepted.state) == expected_ms, (text, reply)
        assert reply.accepted.state.running
        snapshot = await steered.shown(world.replicas[-1], game_id)
        assert clocks(snapshot.state) == expected_ms
        mover_ms = expected_ms[0] if player == "anna" else expected_ms[1]
        assert snapshot.moves[number].clock_ms == mover_ms, "what %clk and the history show"
        # The opponent's clock runs, whatever the number of the move in the FEN, and only it.
        steered.set(at_s * 1_000 + 700)
        later = (await steered.shown(world.first, game_id)).state
        white_next = later.turn == common_pb2.COLOR_WHITE
        assert clocks(later) == (expected_ms[0] - 700 * white_next, expected_ms[1] - 700 * (not white_next))
        deadline_ms = steered.start_ms + at_s * 1_000 + expected_ms[0 if white_next else 1]
        if number >= 1:
            assert (later.deadline_ms, later.deadline_kind) == (deadline_ms, events_pb2.DEADLINE_KIND_FLAG)
        else:
            assert later.deadline_kind == events_pb2.DEADLINE_KIND_FIRST_MOVE
        for side_ms, own_moves in zip(expected_ms, _own_moves(number, white_moves), strict=True):
            assert side_ms <= FIVE_MINUTES_MS + increment_ms * own_moves


def _own_moves(number: int, white_moves: bool) -> tuple[int, int]:
    """White's and Black's moves after the move `number`, counted from 0."""
    first, second = number // 2 + 1, (number + 1) // 2
    return (first, second) if white_moves else (second, first)


async def test_a_first_move_that_never_comes_aborts_the_game_and_charges_nobody(
    database_url: str, redis_url: str
) -> None:
    async with racing(database_url, redis_url, loops=False) as world:
        steered = Steered(world, world.first.beats.now_ms() - BACK_MS)
        for moves in ((), (pb.Move(text="e2e4"),)):
            game_id = await world.game(
                *moves, control=ClockControl(FIVE_MINUTES_MS, 3_000), created_ms=steered.start_ms, think_ms=10_000
            )
            waits_from_ms = 10_000 * len(moves)
            flag = pb.Command(game_id=game_id, flag=pb.Flag(version=1 + len(moves)))
            early = await world.first.ask(flag, steered.start_ms + waits_from_ms + 30_099)
            assert early.refusal.code == "not_due"
            reply = await world.replicas[1].ask(flag, steered.start_ms + waits_from_ms + 30_100)
            state = reply.accepted.state
            assert state.outcome.reason == common_pb2.END_REASON_NO_FIRST_MOVE
            assert state.status == events_pb2.GAME_STATUS_ABORTED


def test_the_policy_is_written_down() -> None:
    said = " ".join((DOCS / "protocol.md").read_text().split())
    for statement in (
        "It starts with the first move of the game, whichever side moves first and whatever the "
        "move number of the position",
        "That move costs no time. Every move, the first included, adds the increment",
        "5+3 shows 5:03 after the first move",
        "is aborted when a side's first move does not come within 30 s",
        "at the deadline it is too late (`time_is_up`)",
    ):
        assert statement in said
