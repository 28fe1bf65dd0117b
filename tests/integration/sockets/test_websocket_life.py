"""Takebacks, ends that are undone, hints and new levels over real sockets, a real Valkey and a real gRPC."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from services.pb.flagfall.v1 import events_pb2
from tests.integration.gateway.fake_game import FakeGame, publish, publish_chat, publish_hint
from tests.integration.sockets.running_sockets import Gateway, Socket, gateway, opened, read, say, until, wanted


@pytest.fixture
def game() -> FakeGame:
    """anna against the computer in `ai1`, against bob in `g1`."""
    fake = FakeGame()
    fake.against_computer.add("ai1")
    for name in ("ai1", "g1"):
        fake.new_game(name)
    fake.sign_up("anna", "bob", "carl")
    return fake


@pytest.fixture
async def one(game: FakeGame, redis_url: str) -> AsyncIterator[Gateway]:
    async with gateway(game, redis_url) as one:
        yield one


async def subscribed(socket: Socket, name: str, since: int = 0) -> dict[str, Any]:
    """The answer to a subscription."""
    await wanted(socket, "welcome")
    await say(socket, t="sub", game=name, v=since)
    return await wanted(socket, "events" if since else "full")


async def test_an_undo_reaches_everybody_here_without_redis(game: FakeGame, one: Gateway) -> None:
    game.play("ai1", 4)
    async with opened(one, "anna") as anna, opened(one) as watcher:
        for socket in (anna, watcher):
            await subscribed(socket, "ai1")
        await say(anna, t="undo", game="ai1", id="u1")
        event = await wanted(watcher, "event")
        assert (event["v"], event["kind"], event["by"], event["state"]["ply"]) == (6, "takenBack", "white", 2)
        assert event["state"]["takebacks"] == 1
        both = [await read(anna), await read(anna)]
        assert {(frame["t"], frame["v"]) for frame in both} == {("event", 6), ("ack", 6)}
        await say(anna, t="undo", game="ai1", id="u1")  # the answer was lost, say
        assert (await wanted(anna, "ack"))["repeated"] is True
    assert len(game.games["ai1"]) == 6


async def test_resume_over_a_takeback_and_a_fresh_look_say_the_same(
    game: FakeGame, one: Gateway, redis_url: str
) -> None:
    """One saw four moves, then went away; two were taken back and one was played."""
    game.play("g1", 4)
    async with opened(one) as watcher:
        moves = [move["uci"] for move in (await subscribed(watcher, "g1"))["moves"]]
    assert moves == ["m1", "m2", "m3", "m4"]
    game.take_back("g1", 2)
    game.play("g1")
    game.games["g1"][-1].state.last_uci = "other"
    async with gateway(game, redis_url) as two, opened(two) as back, opened(two) as fresh:
        missed = await subscribed(back, "g1", since=5)
        assert [(event["v"], event["kind"]) for event in missed["events"]] == [(6, "takenBack"), (7, "move")]
        for event in missed["events"]:
            if event["kind"] == "takenBack":
                del moves[event["state"]["ply"] :]
            else:
                moves.append(event["state"]["lastMove"]["uci"])
        full = await subscribed(fresh, "g1")
        assert moves == [move["uci"] for move in full["moves"]] == ["m1", "m2", "other"]
        assert (full["v"], full["state"]["ply"]) == (7, 3)


async def test_a_game_that_had_ended_goes_on_for_those_who_watch(game: FakeGame, one: Gateway, redis_url: str) -> None:
    game.play("ai1", 3)
    async with opened(one, "anna") as anna, opened(one) as watcher:
        for socket in (anna, watcher):
            await subscribed(socket, "ai1")
        await say(anna, t="resign", game="ai1", id="c1")
        assert (await wanted(watcher, "event"))["state"]["status"] == "ended"
        await say(anna, t="undo", game="ai1", id="c2")
        event = await wanted(watcher, "event")
        assert (event["kind"], event["state"]["status"], event["state"]["reason"]) == ("takenBack", "started", None)
        # Nobody here commits the next one: it comes by Redis, and the game is listened to as before.
        await publish(redis_url, game.play("ai1"))
        event = await wanted(watcher, "event")
        assert (event["kind"], event["state"]["ply"]) == ("move", 2)
    async with opened(one) as later:
        full = await subscribed(later, "ai1")
        assert (full["state"]["status"], len(full["moves"])) == ("started", 2)


async def test_a_hint_comes_to_whoever_asked_alone(game: FakeGame, one: Gateway, redis_url: str) -> None:
    async with opened(one, "anna") as anna, opened(one, "carl") as carl, opened(one) as stranger:
        sockets = [anna, carl, stranger]
        for socket in sockets:
            await subscribed(socket, "ai1")
        await say(anna, t="hint", game="ai1", id="h1")
        ack = await wanted(anna, "ack")
        assert (ack["id"], ack["v"], ack["state"]["helped"]) == ("h1", 2, True)
        assert game.hints_asked[-1].command_id == "ws:h1"
        hint = events_pb2.Hint(game_id="ai1", ply=0, uci="g1f3", san="Nf3", player_id="anna")
        await publish_hint(redis_url, hint)
        await publish(redis_url, *game.games["ai1"][1:])
        assert await wanted(anna, "hint") == {"t": "hint", "game": "ai1", "ply": 0, "uci": "g1f3", "san": "Nf3"}
        for socket in (carl, stranger):
            event = await read(socket)  # what was published behind the hint is the first that they hear
            assert (event["t"], event["kind"], event["by"]) == ("event", "hinted", "white")


async def test_a_hint_that_is_refused_is_a_nack_and_a_lost_one_may_be_asked_for_again(
    game: FakeGame, one: Gateway
) -> None:
    async with opened(one, "anna") as anna:
        await wanted(anna, "welcome")
        await say(anna, t="hint", game="g1", id="h1")
        nack = await wanted(anna, "nack")
        assert (nack["id"], nack["code"]) == ("h1", "not_allowed")


async def test_a_new_level_is_in_the_event_and_in_the_whole_game(game: FakeGame, one: Gateway, redis_url: str) -> None:
    async with opened(one, "anna") as anna, opened(one) as watcher:
        for socket in (anna, watcher):
            await subscribed(socket, "ai1")
        await say(anna, t="level", game="ai1", id="l1", level=9)
        await until(lambda: len(game.games["ai1"]) == 2)
        await publish(redis_url, game.games["ai1"][-1])
        event = await wanted(watcher, "event")
        assert (event["kind"], event["info"]["black"]["level"]) == ("levelChanged", 9)
        await say(watcher, t="unsub", game="ai1")
        await say(watcher, t="sub", game="ai1", v=0)
        assert (await wanted(watcher, "full"))["info"]["black"]["level"] == 9


async def test_a_takeback_is_asked_for_and_withdrawn(game: FakeGame, one: Gateway, redis_url: str) -> None:
    game.play("g1", 2)
    async with opened(one, "anna") as anna, opened(one, "bob") as bob:
        for socket in (anna, bob):
            await subscribed(socket, "g1")
        for number, (frame, kind, offer) in enumerate(
            [("takeback", "takebackOffered", "white"), ("notakeback", "takebackClosed", None)]
        ):
            await say(anna, t=frame, game="g1", id=f"t{number}")
            assert (await wanted(anna, "ack"))["state"].get("takebackOffer") == offer
            await publish(redis_url, game.games["g1"][-1])
            event = await wanted(bob, "event")
            assert (event["kind"], event["by"], event["state"].get("takebackOffer")) == (kind, "white", offer)


async def test_players_do_not_hear_watchers_once_a_game_runs_again(
    game: FakeGame, one: Gateway, redis_url: str
) -> None:
    game.play("ai1", 2)
    line = events_pb2.ChatLine(game_id="ai1", room=events_pb2.CHAT_ROOM_SPECTATOR, player_id="carl", text="hm")
    async with opened(one, "anna") as anna:
        await subscribed(anna, "ai1")
        await say(anna, t="resign", game="ai1", id="c1")
        await wanted(anna, "ack")
        await publish_chat(redis_url, line)
        assert (await wanted(anna, "chat"))["text"] == "hm"
        await say(anna, t="undo", game="ai1", id="c2")
        await wanted(anna, "ack")
        await publish_chat(redis_url, line)
        await publish(redis_url, game.play("ai1"))
        heard = [await read(anna)]
        while heard[-1].get("kind") != "move":
            heard.append(await read(anna))
        assert "chat" not in [frame["t"] for frame in heard]
