"""The computer as an opponent, on the real game service: level, hint, undo, progress. Its moves are handed in."""

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

import grpc
import pytest

from services.domain.refusal import RefusalCode
from services.domain.rule_set import FIDE
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.events_pb2 import GameMessage
from services.pb.flagfall.v1.game_pb2_grpc import GameServiceStub
from services.runtime.redis_keys import game_channel
from services.runtime.wire import rule_set_to_pb
from tests.integration.races.race_replicas import World, channel_to, racing

if TYPE_CHECKING:
    from services.pb.flagfall.v1.game_pb2_grpc import GameServiceAsyncStub

UNTIMED = common_pb2.TimeControl(unlimited=common_pb2.Unlimited())


@pytest.fixture
async def world(database_url: str, redis_url: str) -> AsyncIterator[World]:
    async with racing(database_url, redis_url, 1) as world:
        yield world


@pytest.fixture
def service(world: World) -> "GameServiceAsyncStub":
    return GameServiceStub(channel_to(world.first.servicer))


async def new_game(service: "GameServiceAsyncStub", **own: Any) -> str:
    request = pb.CreateComputerGameRequest(
        player_id="anna",
        level=3,
        color=common_pb2.COLOR_WHITE,
        variant="standard",
        rule_set=rule_set_to_pb(FIDE),
        time_control=UNTIMED,
    )
    request.MergeFrom(pb.CreateComputerGameRequest(**own))
    return (await service.CreateComputerGame(request)).game.info.id


async def tell(world: World, game_id: str, player_id: str = "anna", **action: Any) -> pb.Reply:
    return await world.first.ask(pb.Command(game_id=game_id, player_id=player_id, **action))


async def play(world: World, game_id: str, *moves: str) -> None:
    """Moves by turns; Anna has White."""
    for number, move in enumerate(moves):
        player = ("anna", "computer")[number % 2]
        reply = await tell(world, game_id, player, move=pb.Move(text=move))
        assert reply.HasField("accepted"), (move, reply.refusal)


async def shown(service: "GameServiceAsyncStub", game_id: str) -> pb.Snapshot:
    return (await service.Fetch(pb.FetchRequest(items=[pb.FetchItem(game_id=game_id)]))).results[0].snapshot


async def beaten(service: "GameServiceAsyncStub") -> list[tuple[str, int, int, int]]:
    progress = (await service.GetProgress(pb.GetProgressRequest(player_id="anna"))).progress
    return [(row.variant, row.level, row.wins, row.wins_without_help) for row in progress.beaten]


async def earned(service: "GameServiceAsyncStub") -> set[str]:
    progress = (await service.GetProgress(pb.GetProgressRequest(player_id="anna"))).progress
    return {badge.key for badge in progress.badges if badge.earned_ms}


async def test_the_level_can_be_changed_until_the_persons_first_move(
    world: World, service: "GameServiceAsyncStub"
) -> None:
    game_id = await new_game(service)
    reply = await tell(world, game_id, set_level=pb.SetLevel(level=9))
    assert reply.accepted.version == 2
    game = await shown(service, game_id)
    assert (game.info.black.computer_level, game.info.black.name) == (9, "Computer level 9")
    await play(world, game_id, "e2e4")
    assert (await shown(service, game_id)).state.computer_turn_level == 9
    refused = await tell(world, game_id, set_level=pb.SetLevel(level=2))
    assert refused.refusal.code == RefusalCode.NOT_ALLOWED
    assert (await shown(service, game_id)).info.black.computer_level == 9


async def test_a_person_with_black_can_change_it_after_the_computers_first_move(
    world: World, service: "GameServiceAsyncStub"
) -> None:
    game_id = await new_game(service, color=common_pb2.COLOR_BLACK)
    await tell(world, game_id, "computer", move=pb.Move(text="e2e4"))
    assert (await tell(world, game_id, set_level=pb.SetLevel(level=7))).HasField("accepted")
    await tell(world, game_id, move=pb.Move(text="e7e5"))
    assert (await tell(world, game_id, set_level=pb.SetLevel(level=8))).refusal.code == RefusalCode.NOT_ALLOWED


async def test_a_hint_is_told_to_whoever_asked_and_the_game_keeps_that_it_was(
    world: World, service: "GameServiceAsyncStub"
) -> None:
    game_id = await new_game(service)
    async with world.first.redis.pubsub() as channel:
        await channel.subscribe(game_channel(game_id))
        asked = await service.AskHint(pb.AskHintRequest(game_id=game_id, player_id="anna", command_id="h1"))
        assert asked.accepted.state.helped
        again = await service.AskHint(pb.AskHintRequest(game_id=game_id, player_id="anna", command_id="h1"))
        assert (again.accepted.repeated, again.accepted.version) == (True, asked.accepted.version)
        given = await service.GiveHint(pb.GiveHintRequest(game_id=game_id, ply=0, uci="g1f3"))
        assert not given.HasField("refusal")
        heard: list[GameMessage] = []
        deadline = asyncio.get_running_loop().time() + 20
        while not heard or not heard[-1].HasField("hint"):
            assert asyncio.get_running_loop().time() < deadline, heard
            message = await channel.get_message(ignore_subscribe_messages=True, timeout=1)
            if message is not None:
                heard.append(GameMessage.FromString(message["data"]))
    hint = heard[-1].hint
    assert (hint.uci, hint.san, hint.ply, hint.player_id) == ("g1f3", "Nf3", 0, "anna")


async def test_a_hint_that_comes_late_or_is_no_move_is_refused(world: World, service: "GameServiceAsyncStub") -> None:
    game_id = await new_game(service)
    bad = await service.GiveHint(pb.GiveHintRequest(game_id=game_id, ply=0, uci="e2e5"))
    assert bad.refusal.code == RefusalCode.ILLEGAL_MOVE
    other = await service.GiveHint(pb.GiveHintRequest(game_id=game_id, ply=0, takebacks=1, uci="e2e4"))
    assert other.refusal.code == RefusalCode.STALE_VERSION
    await play(world, game_id, "e2e4")
    late = await service.GiveHint(pb.GiveHintRequest(game_id=game_id, ply=0, uci="g1f3"))
    assert late.refusal.code == RefusalCode.STALE_VERSION
    asked = await service.AskHint(pb.AskHintRequest(game_id=game_id, player_id="anna"))
    assert asked.refusal.code == RefusalCode.NOT_YOUR_TURN  # it is the computer's turn


async def test_nobody_is_helped_against_people(world: World, service: "GameServiceAsyncStub") -> None:
    game_id = await world.game()
    asked = await service.AskHint(pb.AskHintRequest(game_id=game_id, player_id="anna"))
    assert asked.refusal.code == RefusalCode.NOT_ALLOWED
    given = await service.GiveHint(pb.GiveHintRequest(game_id=game_id, ply=0, uci="g1f3"))
    assert given.refusal.code == RefusalCode.NOT_ALLOWED


MATE = ("e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7")


async def test_a_win_is_progress_and_undoing_the_end_takes_it_back(
    world: World, service: "GameServiceAsyncStub"
) -> None:
    game_id = await new_game(service)
    await play(world, game_id, *MATE)
    assert (await shown(service, game_id)).state.outcome.reason == common_pb2.END_REASON_CHECKMATE
    assert await beaten(service) == [("standard", 3, 1, 1)]
    assert await earned(service) == {"firstWin", "onYourOwn"}
    undone = await tell(world, game_id, undo=pb.Undo())
    assert undone.accepted.state.status == events_pb2.GAME_STATUS_STARTED
    assert (undone.accepted.state.ply, undone.accepted.state.takebacks) == (6, 1)
    assert await beaten(service) == []
    assert await earned(service) == set()
    await tell(world, game_id, move=pb.Move(text="h5f7"))
    assert await beaten(service) == [("standard", 3, 1, 0)]  # with help
    assert await earned(service) == {"firstWin"}
    game = await shown(service, game_id)
    assert [move.uci for move in game.moves] == list(MATE)


async def test_a_win_from_a_position_of_ones_own_is_no_progress(world: World, service: "GameServiceAsyncStub") -> None:
    """Case S16: the highest level was beaten by one move."""
    game_id = await new_game(service, level=10, initial_fen="6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    await play(world, game_id, "a1a8")
    assert (await shown(service, game_id)).state.outcome.reason == common_pb2.END_REASON_CHECKMATE
    assert await beaten(service) == []
    assert await earned(service) == set()


async def test_the_computers_turn_after_an_undo_is_another_turn(world: World, service: "GameServiceAsyncStub") -> None:
    game_id = await new_game(service)
    await play(world, game_id, "e2e4")
    first = (await shown(service, game_id)).state
    await tell(world, game_id, undo=pb.Undo())
    late = await tell(world, game_id, "computer", command_id="turn-1-x-0", move=pb.Move(text="e7e5", ply=first.ply))
    assert late.refusal.code == RefusalCode.STALE_VERSION  # what the engine still sends is void
    await play(world, game_id, "e2e4")
    second = (await shown(service, game_id)).state
    assert (first.ply, first.fen, first.takebacks) == (1, second.fen, 0)
    assert second.takebacks == 1


@pytest.mark.parametrize(
    ("left_out", "said"),
    [("time_control", "time_control: no kind is set"), ("rule_set", "rule_set.repetition: not set")],
)
async def test_a_game_without_time_or_rules_is_the_callers_fault(
    service: "GameServiceAsyncStub", left_out: str, said: str
) -> None:
    request = pb.CreateComputerGameRequest(
        player_id="anna", level=3, variant="standard", rule_set=rule_set_to_pb(FIDE), time_control=UNTIMED
    )
    request.ClearField(left_out)
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await service.CreateComputerGame(request)
    assert raised.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert said in (raised.value.details() or "")
