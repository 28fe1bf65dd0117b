"""Rematches, counter-offers and presence of a maker, on a real PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, cast

import pytest
import sqlalchemy as sa

from services.domain.rule_set import CLAIMED, Rematch
from services.game.invitations import invitations
from services.game.store.database import transaction
from services.pb.flagfall.v1 import common_pb2 as common
from services.pb.flagfall.v1 import events_pb2 as events
from services.pb.flagfall.v1 import game_pb2 as pb
from services.runtime.wire import rule_set_to_pb
from tests.integration.game.people import BLITZ, DAILY, START_MS, People, people

WHITE, BLACK = common.COLOR_WHITE, common.COLOR_BLACK
ROUNDS = 4
CREATED, DECLINED, OFFLINE = (
    events.CHALLENGE_STATUS_CREATED,
    events.CHALLENGE_STATUS_DECLINED,
    events.CHALLENGE_STATUS_OFFLINE,
)


@pytest.fixture
async def house(database_url: str) -> AsyncIterator[People]:
    async with people(database_url) as built:
        yield built


async def play(house: People, white: str, black: str, reason: str = "RESIGNATION", **more: Any) -> str:
    """A game that has ended; its id."""
    challenge = await house.challenge(white, black, color=WHITE, **more)
    game_id = (await house.accept(challenge.id, black)).game.info.id
    await end(house, game_id, reason)
    return game_id


async def end(house: People, game_id: str, reason: str = "RESIGNATION") -> None:
    """Let a game be over; how it came to that is not these tests' business."""
    number = common.EndReason.Value(f"END_REASON_{reason}")
    async with transaction(house.engine) as connection:
        await connection.execute(
            sa.text("UPDATE game SET end_reason = :number, deadline_kind = 0, ended_ms = :now WHERE id = :id"),
            {"id": game_id, "number": number, "now": house.clock.ms},
        )


async def offer(house: People, game_id: str, player: str) -> pb.OfferRematchResponse:
    request = pb.OfferRematchRequest(game_id=game_id, player_id=player)
    return cast(pb.OfferRematchResponse, await house.server.OfferRematch(request, None))


async def rematches(house: People, game_id: str) -> list[str]:
    async with transaction(house.engine) as connection:
        return list(
            (await connection.execute(sa.text("SELECT id FROM game WHERE rematch_of = :id"), {"id": game_id})).scalars()
        )


async def keep(house: People, *player_ids: str) -> None:
    await house.server.KeepAlive(pb.KeepAliveRequest(player_ids=player_ids), None)


async def test_a_rematch_is_offered_and_accepted_like_any_challenge(house: People) -> None:
    ann, bob = await house.accounts("Ann", "Bob")
    game_id = await play(house, ann, bob, rated=True)
    offered = (await offer(house, game_id, bob)).challenge
    assert (offered.status, offered.rematch_of, offered.rated) == (CREATED, game_id, True)
    assert (offered.challenger.id, offered.dest.id, offered.challenger_color) == (bob, ann, WHITE)
    assert offered.time_control.clock.initial_ms == BLITZ.initial_ms
    assert (await house.events(ann)).events[-1].challenge.rematch_of == game_id
    info = (await house.accept(offered.id, ann)).game.info
    assert (info.white.id, info.black.id) == (bob, ann)
    assert (info.rematch_of, info.source, info.rated) == (game_id, "rematch", True)
    # Both may ask again and learn of the game.
    for player in (ann, bob):
        again = await offer(house, game_id, player)
        assert (again.game.info.id, again.challenge.id) == (info.id, info.id)
    assert await rematches(house, game_id) == [info.id]


async def test_the_others_offer_accepts_it(house: People) -> None:
    ann, bob = await house.accounts("Ann", "Bob")
    game_id = await play(house, ann, bob)
    first = await offer(house, game_id, ann)
    assert not first.HasField("game")
    assert (await offer(house, game_id, ann)).challenge.id == first.challenge.id, "asking twice is asking once"
    agreed = await offer(house, game_id, bob)
    assert (agreed.game.info.id, agreed.game.info.white.id) == (first.challenge.id, bob)
    # The rematch of the rematch is another one.
    await end(house, agreed.game.info.id)
    assert (await offer(house, agreed.game.info.id, ann)).challenge.challenger_color == WHITE


@pytest.mark.parametrize(
    ("rule", "reason", "color"),
    [
        (Rematch.COLOURS_SWAP, "CHECKMATE", BLACK),
        (Rematch.COLOURS_STAY, "CHECKMATE", WHITE),
        (Rematch.RANDOM, "CHECKMATE", common.COLOR_UNSPECIFIED),
        (Rematch.COLOURS_SWAP, "ABORT", WHITE),
    ],
)
async def test_colours_go_by_the_rule_set(house: People, rule: Rematch, reason: str, color: common.Color) -> None:
    ann, bob = await house.accounts("Ann", "Bob")
    game_id = await play(house, ann, bob, reason, rule_set=rule_set_to_pb(replace(CLAIMED, rematch=rule)))
    challenge = (await offer(house, game_id, ann)).challenge
    assert challenge.challenger_color == color
    assert challenge.final_color == (color or challenge.final_color)


async def test_who_may_not_ask(house: People) -> None:
    ann, bob, eve = await house.accounts("Ann", "Bob", "Eve")
    running = (await house.accept((await house.challenge(ann, bob)).id, bob)).game.info.id
    assert (await offer(house, running, ann)).refusal.code == "not_allowed"
    await end(house, running)
    assert (await offer(house, running, eve)).refusal.code == "not_a_player"
    assert (await offer(house, "nosuchid", ann)).refusal.code == "not_found"
    assert (await offer(house, "no id", ann)).refusal.code == "not_found"
    assert await rematches(house, running) == []


async def test_a_declined_rematch_may_be_asked_for_again(house: People) -> None:
    ann, bob = await house.accounts("Ann", "Bob")
    game_id = await play(house, ann, bob)
    first = (await offer(house, game_id, ann)).challenge
    await house.decline(first.id, bob, "later")
    second = (await offer(house, game_id, ann)).challenge
    assert second.id != first.id
    await house.cancel(second.id, ann)
    third = (await offer(house, game_id, bob)).challenge
    assert third.challenger.id == bob


async def test_a_rematch_that_has_lapsed_makes_room_before_any_sweep(house: People) -> None:
    ann, bob = await house.accounts("Ann", "Bob")
    game_id = await play(house, ann, bob)
    first = (await offer(house, game_id, ann)).challenge
    assert first.expires_ms == START_MS + 20_000
    house.clock.ms += 20_000
    second = (await offer(house, game_id, bob)).challenge
    assert (second.status, second.challenger.id) == (CREATED, bob), "the old offer is not what is accepted"
    assert (await house.state_of(first.id)).status == OFFLINE
    assert (await house.kinds(ann))[-2:] == ["challenge_canceled", "challenge"]
    assert await rematches(house, game_id) == []


@pytest.mark.parametrize("lapsed", [False, True])
async def test_offers_that_cross_are_one_game(house: People, lapsed: bool) -> None:
    ann, bob = await house.accounts("Ann", "Bob")
    for _ in range(ROUNDS):
        game_id = await play(house, ann, bob)
        if lapsed:
            await offer(house, game_id, ann)
            house.clock.ms += 20_000
        barrier = asyncio.Barrier(20)

        async def ask(player: str, barrier: asyncio.Barrier = barrier, game_id: str = game_id) -> str:
            await barrier.wait()
            answer = await offer(house, game_id, player)
            assert not answer.HasField("refusal"), answer
            return answer.game.info.id

        answers = set(await asyncio.gather(*(ask(player) for player in [ann, bob] * 10)))
        (made,) = await rematches(house, game_id)
        assert answers - {""} == {made}
        await end(house, made)
    for player in (ann, bob):
        listed = await house.events(player)
        assert [event.seq for event in listed.events] == list(range(1, len(listed.events) + 1))
        assert not (await house.server.ListChallenges(pb.ListChallengesRequest(player_id=player), None)).incoming


async def test_offer_accept_decline_and_cancel_at_once_come_to_one_end(house: People) -> None:
    ann, bob = await house.accounts("Ann", "Bob")
    for _ in range(ROUNDS):
        game_id = await play(house, ann, bob)
        waiting = (await offer(house, game_id, ann)).challenge
        await asyncio.gather(
            offer(house, game_id, bob),
            house.accept(waiting.id, bob),
            house.decline(waiting.id, bob),
            house.cancel(waiting.id, ann),
            offer(house, game_id, ann),
        )
        assert len(await rematches(house, game_id)) <= 1
        found = await house.server.ListChallenges(pb.ListChallengesRequest(player_id=bob), None)
        waits = [*found.incoming, *found.outgoing]
        assert len(waits) <= 1
        for challenge in waits:
            assert not await rematches(house, game_id)
            await house.cancel(challenge.id, challenge.challenger.id)
        for made in await rematches(house, game_id):
            await end(house, made)


async def test_the_computer_agrees_at_once(house: People) -> None:
    ann, bob = await house.accounts("Ann", "Bob")
    game_id = await play(house, ann, bob)
    async with transaction(house.engine) as connection:
        await connection.execute(
            sa.text("UPDATE game SET black_id = 'computer', black_level = 4, source = 'ai' WHERE id = :id"),
            {"id": game_id},
        )
    answer = await offer(house, game_id, ann)
    info = answer.game.info
    assert not answer.HasField("challenge")
    assert (info.white.computer_level, info.white.name, info.black.id) == (4, "Computer level 4", ann)
    assert (info.source, info.rated, info.rematch_of) == ("ai", False, game_id)
    assert (await offer(house, game_id, ann)).game.info.id == info.id
    assert (await offer(house, game_id, bob)).refusal.code == "not_a_player"
    assert (await house.kinds(ann))[-1] == "game_start"


async def test_a_rematch_from_a_position_begins_there_again(house: People) -> None:
    ann, bob = await house.accounts("Ann", "Bob")
    array = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    game_id = await play(house, ann, bob, initial_fen=array)
    assert (await offer(house, game_id, ann)).challenge.initial_fen == array


async def test_other_terms_decline_and_go_the_other_way_in_one_commit(house: People) -> None:
    ann, bob = await house.accounts("Ann", "Bob")
    asked = await house.challenge(ann, bob)
    countered = await house.challenge(bob, ann, DAILY, counter_to=asked.id)
    assert (countered.counter_to, countered.challenger.id, countered.dest.id) == (asked.id, bob, ann)
    declined = await house.state_of(asked.id)
    assert (declined.status, declined.decline_reason) == (DECLINED, "generic")
    for player in (ann, bob):
        assert await house.kinds(player) == ["challenge", "challenge_declined", "challenge"]
    assert (await house.accept(asked.id, bob)).refusal.code == "not_found"
    back = await house.challenge(ann, bob, counter_to=countered.id)
    assert (await house.accept(back.id, bob)).game.info.id == back.id


async def test_who_may_not_answer_with_other_terms(house: People) -> None:
    ann, bob, eve = await house.accounts("Ann", "Bob", "Eve")
    asked = await house.challenge(ann, bob)

    async def code(player: str, dest: str, to: str, **more: Any) -> str:
        return str((await house.try_challenge(player, dest, counter_to=to, **more)).refusal.code)

    assert await code(ann, bob, asked.id) == "not_found"  # one's own
    assert await code(eve, ann, asked.id) == "not_found"  # somebody else's
    assert await code(bob, eve, asked.id) == "malformed"  # it goes back to who asked
    assert await code(bob, ann, "nosuchid") == "not_found"
    assert await code(bob, ann, "\0") == "not_found"
    assert await code(bob, ann, asked.id, variant="losers") == "unsupported_variant"
    assert (await house.state_of(asked.id)).status == CREATED, "a refused answer leaves it as it was"
    link = await house.challenge(ann)
    assert await code(bob, ann, link.id) == "not_found"
    await house.decline(asked.id, bob)
    assert await code(bob, ann, asked.id) == "not_allowed"
    accepted = await house.challenge(ann, bob)
    await house.accept(accepted.id, bob)
    assert await code(bob, ann, accepted.id) == "not_allowed"
    lapsed = await house.challenge(ann, bob)
    house.clock.ms = lapsed.expires_ms
    assert await code(bob, ann, lapsed.id) == "not_found"


async def test_a_counter_beyond_the_limit_leaves_the_challenge_waiting(database_url: str) -> None:
    async with people(database_url, challenges_open_max=1) as house:
        ann, bob, eve = await house.accounts("Ann", "Bob", "Eve")
        await house.challenge(bob, eve)
        asked = await house.challenge(ann, bob)
        assert (await house.try_challenge(bob, ann, counter_to=asked.id)).refusal.code == "limit_reached"
        assert (await house.state_of(asked.id)).status == CREATED


async def test_counter_accept_and_cancel_race_to_one_end(house: People) -> None:
    ann, bob = await house.accounts("Ann", "Bob")
    for _ in range(ROUNDS):
        asked = await house.challenge(ann, bob)
        countered, accepted, canceled = await asyncio.gather(
            house.try_challenge(bob, ann, counter_to=asked.id),
            house.accept(asked.id, bob),
            house.cancel(asked.id, ann),
        )
        done = [answer for answer in (countered, accepted, canceled) if answer.HasField("challenge")]
        assert len(done) == 1
        if countered.HasField("challenge"):
            await house.cancel(countered.challenge.id, bob)


async def test_a_live_challenge_holds_while_its_maker_is_connected_and_then_for_twenty_seconds(house: People) -> None:
    ann, bob = await house.accounts("Ann", "Bob")
    live = await house.challenge(ann, bob)
    followed = await house.challenge(ann, bob, DAILY, keep_alive=True)
    days, link, bobs = (
        await house.challenge(ann, bob, DAILY),
        await house.challenge(ann),
        await house.challenge(bob, ann),
    )
    for _ in range(4):
        house.clock.ms += 15_000
        await keep(house, ann, "nobody", "No id")
    kept_ms = house.clock.ms + 20_000
    assert (await house.state_of(live.id)).expires_ms == kept_ms
    assert (await house.state_of(followed.id)).expires_ms == kept_ms
    assert (await house.state_of(days.id)).expires_ms == days.expires_ms
    assert (await house.state_of(link.id)).expires_ms == link.expires_ms
    assert (await house.state_of(bobs.id)).status == OFFLINE, "Bob's presence was not told"
    await keep(house, bob)
    assert (await house.state_of(bobs.id)).status == OFFLINE, "what has lapsed is not called back"
    house.clock.ms = kept_ms - 1
    assert (await house.state_of(live.id)).status == CREATED
    house.clock.ms = kept_ms
    assert (await house.state_of(live.id)).status == OFFLINE
    assert await invitations.lapse_due(house.engine, house.heard, house.clock.ms, 10) == 3


async def test_presence_may_be_told_while_answers_are_given(house: People) -> None:
    names = await house.accounts("Ann", "Bob", "Cleo", "Dan")
    for _ in range(ROUNDS):
        made = [await house.challenge(one, other) for one in names for other in names if one != other]
        answers = await asyncio.gather(
            *(house.accept(challenge.id, challenge.dest.id) for challenge in made),
            *(keep(house, *names) for _ in range(6)),
        )
        assert all(answer.HasField("game") for answer in answers[: len(made)] if answer is not None)
