"""Challenges on a real PostgreSQL: made, answered, raced for, lapsed."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import sqlalchemy as sa

from services.domain.refusal import Refusal
from services.domain.time_control import TimeControl
from services.game.invitations import invitations
from services.game.invitations.challenge import Challenge
from services.game.invitations.invitations import Invitations
from services.game.store.database import transaction
from services.pb.flagfall.v1 import common_pb2 as common
from services.pb.flagfall.v1 import events_pb2 as events
from services.pb.flagfall.v1 import game_pb2 as pb
from tests.integration.game.people import BLITZ, DAILY, DAY_MS, START_MS, UNTIMED, People, people

WHITE, BLACK = common.COLOR_WHITE, common.COLOR_BLACK


@pytest.fixture
async def house(database_url: str) -> AsyncIterator[People]:
    async with people(database_url) as built:
        yield built


async def games_of(house: People) -> list[tuple[str, str, str]]:
    async with transaction(house.engine) as connection:
        rows = await connection.execute(sa.text("SELECT id, white_id, black_id FROM game ORDER BY id"))
        return [(row.id, row.white_id, row.black_id) for row in rows]


def players(response: pb.AnswerChallengeResponse) -> tuple[str, str]:
    return response.game.info.white.id, response.game.info.black.id


async def test_a_challenge_that_is_accepted_becomes_the_game_of_its_id(house: People) -> None:
    ann, bob = await house.accounts("Ann", "Bob")
    challenge = await house.challenge(ann, bob, color=BLACK, rated=True)
    assert (challenge.status, challenge.final_color) == (events.CHALLENGE_STATUS_CREATED, BLACK)
    answered = await house.accept(challenge.id, bob)
    assert answered.challenge.status == events.CHALLENGE_STATUS_ACCEPTED
    assert answered.game.info.id == challenge.id
    assert players(answered) == (bob, ann)
    assert answered.game.info.rated
    assert answered.game.info.source == "friend"
    assert await games_of(house) == [(challenge.id, bob, ann)]


async def test_both_sides_hear_of_all_that_happens(house: People) -> None:
    ann, bob = await house.accounts("Ann", "Bob")
    await house.accept((await house.challenge(ann, bob)).id, bob)
    await house.decline((await house.challenge(ann, bob)).id, bob, "tooFast")
    await house.cancel((await house.challenge(ann, bob)).id, ann)
    expected = ["challenge", "game_start", "challenge", "challenge_declined", "challenge", "challenge_canceled"]
    for player in (ann, bob):
        assert await house.kinds(player) == expected
        listed = await house.events(player)
        assert [event.seq for event in listed.events] == [1, 2, 3, 4, 5, 6]
        assert listed.last_seq == 6
        assert listed.events[3].challenge_declined.decline_reason == "tooFast"
    published = [(event.player_id, event.seq) for event in house.heard.players]
    assert sorted(published) == sorted((player, seq) for player in (ann, bob) for seq in range(1, 7))


async def test_what_is_published_waits_in_the_outbox_until_it_was(house: People) -> None:
    ann, bob = await house.accounts("Ann", "Bob")
    challenge = await house.challenge(ann, bob)
    await house.accept(challenge.id, bob)
    async with transaction(house.engine) as connection:
        rows = (await connection.execute(sa.text("SELECT kind, owner, number FROM outbox ORDER BY 1, 2, 3"))).all()
    people_rows = [("p", player, number) for player in (ann, bob) for number in (1, 2)]
    assert [tuple(row) for row in rows] == [("g", challenge.id, 1), *people_rows]


async def test_accepting_again_gives_the_same_game(house: People) -> None:
    ann, bob = await house.accounts("Ann", "Bob")
    challenge = await house.challenge(ann, bob)
    first, second = await house.accept(challenge.id, bob), await house.accept(challenge.id, bob)
    assert first == second
    assert await house.kinds(bob) == ["challenge", "game_start"]


@pytest.mark.parametrize(
    ("answer", "by"), [("accept", "ann"), ("accept", "eve"), ("decline", "ann"), ("decline", "eve"), ("cancel", "bob")]
)
async def test_only_the_right_side_may_answer(house: People, answer: str, by: str) -> None:
    ann, bob, _ = await house.accounts("Ann", "Bob", "Eve")
    challenge = await house.challenge(ann, bob)
    response = await getattr(house, answer)(challenge.id, by)
    assert response.refusal.code in ("not_found", "not_allowed")
    assert (await house.state_of(challenge.id)).status == events.CHALLENGE_STATUS_CREATED


async def test_an_accepted_challenge_is_neither_declined_nor_canceled(house: People) -> None:
    ann, bob = await house.accounts("Ann", "Bob")
    challenge = await house.challenge(ann, bob)
    await house.accept(challenge.id, bob)
    assert (await house.cancel(challenge.id, ann)).refusal.code == "not_allowed"
    assert (await house.decline(challenge.id, bob)).refusal.code == "not_allowed"


async def test_a_declined_or_canceled_challenge_is_gone_and_the_same_answer_may_be_repeated(house: People) -> None:
    ann, bob = await house.accounts("Ann", "Bob")
    declined, canceled = await house.challenge(ann, bob), await house.challenge(ann, bob)
    for _ in range(2):
        answer = await house.decline(declined.id, bob, "no such word")
        assert answer.challenge.decline_reason == "generic"
        assert (await house.cancel(canceled.id, ann)).challenge.status == events.CHALLENGE_STATUS_CANCELED
    assert (await house.accept(declined.id, bob)).refusal.code == "not_found"
    assert (await house.accept(canceled.id, bob)).refusal.code == "not_found"
    assert (await house.kinds(bob)).count("challenge_declined") == 1
    assert await games_of(house) == []


async def test_the_first_other_player_gets_the_seat_of_an_open_challenge(house: People) -> None:
    ann, bob, eve = await house.accounts("Ann", "Bob", "Eve")
    challenge = await house.challenge(ann, color=WHITE)
    assert (await house.accept(challenge.id, ann)).refusal.code == "not_allowed"
    assert (await house.accept(challenge.id, bob, WHITE)).refusal.at == "color"
    assert players(await house.accept(challenge.id, bob)) == (ann, bob)
    assert (await house.accept(challenge.id, eve)).refusal.code == "not_allowed"
    assert await house.kinds(bob) == ["game_start"]


@pytest.mark.parametrize("color", [WHITE, BLACK])
async def test_who_accepts_an_open_challenge_without_a_colour_may_choose_one(
    house: People, color: common.Color
) -> None:
    ann, guest = (await house.accounts("Ann"))[0], await house.guest()
    challenge = await house.challenge(ann)
    answered = await house.accept(challenge.id, guest, color)
    assert players(answered) == ((guest, ann) if color == WHITE else (ann, guest))
    assert answered.challenge.final_color == (BLACK if color == WHITE else WHITE)
    assert answered.game.info.source == "open"


async def test_nobodys_open_challenge_joins_the_first_two_who_come(house: People) -> None:
    first, second, third = await house.guest(), await house.guest(), await house.guest()
    challenge = await house.challenge("", name="Evening game")
    seated = await house.accept(challenge.id, first, BLACK)
    assert seated.challenge.status == events.CHALLENGE_STATUS_CREATED
    assert not seated.HasField("game")
    assert not (await house.accept(challenge.id, first)).HasField("game")  # the same one twice is still one
    assert (await house.accept(challenge.id, second, BLACK)).refusal.at == "color"
    assert players(await house.accept(challenge.id, second)) == (second, first)
    assert players(await house.accept(challenge.id, first)) == (second, first)
    assert (await house.accept(challenge.id, third)).refusal.code == "not_allowed"


@pytest.mark.parametrize("round_number", range(5))
@pytest.mark.parametrize("maker", ["ann", ""])
async def test_one_acceptance_wins_a_race(house: People, maker: str, round_number: int) -> None:
    await house.accounts("Ann")
    racers = [await house.guest() for _ in range(20)]
    challenge = await house.challenge(maker)
    barrier = asyncio.Barrier(len(racers))

    async def race(player: str) -> pb.AnswerChallengeResponse:
        await barrier.wait()
        return await house.accept(challenge.id, player)

    answers = await asyncio.gather(*(race(player) for player in racers))
    winners = [player for player, answer in zip(racers, answers, strict=True) if answer.HasField("challenge")]
    ((game_id, white, black),) = await games_of(house)
    assert game_id == challenge.id
    assert {white, black} == {*winners, *([maker] if maker else [])}
    assert len(winners) == (1 if maker else 2)
    assert all(answer.refusal.code == "not_allowed" for answer in answers if answer.HasField("refusal"))
    assert [kind for player in winners for kind in await house.kinds(player)] == ["game_start"] * len(winners)


async def test_acceptance_decline_and_cancel_race_to_one_end(house: People) -> None:
    ann, bob = await house.accounts("Ann", "Bob")
    for _ in range(12):
        challenge = await house.challenge(ann, bob)
        answers = await asyncio.gather(
            house.accept(challenge.id, bob), house.decline(challenge.id, bob), house.cancel(challenge.id, ann)
        )
        done = [answer for answer in answers if answer.HasField("challenge")]
        assert len(done) == 1
        status = (await house.state_of(challenge.id)).status
        assert status == done[0].challenge.status
        played = [game for game in await games_of(house) if game[0] == challenge.id]
        assert bool(played) == (status == events.CHALLENGE_STATUS_ACCEPTED)
    for player in (ann, bob):
        listed = await house.events(player)
        assert [event.seq for event in listed.events] == list(range(1, listed.last_seq + 1))


async def test_players_who_challenge_each_other_do_not_block_each_other(house: People) -> None:
    names = await house.accounts("Ann", "Bob", "Eve", "Kim")
    pairs = [(one, other) for one in names for other in names if one != other] * 3
    made = await asyncio.gather(*(house.challenge(one, other) for one, other in pairs))
    answers = await asyncio.gather(*(house.accept(challenge.id, challenge.dest.id) for challenge in made))
    assert all(answer.HasField("game") for answer in answers)
    for name in names:
        listed = await house.events(name)
        assert [event.seq for event in listed.events] == list(range(1, 3 * 3 * 2 * 2 + 1))


@pytest.mark.parametrize(
    ("control", "more", "lasts_ms"),
    [
        (BLITZ, {"dest": "bob"}, 20_000),
        (BLITZ, {"dest": "bob", "keep_alive": True}, 20_000),
        (DAILY, {"dest": "bob"}, 14 * DAY_MS),
        (UNTIMED, {"dest": "bob"}, 14 * DAY_MS),
        (DAILY, {"dest": "bob", "keep_alive": True}, 20_000),
        (BLITZ, {}, 14 * DAY_MS),
        (BLITZ, {"keep_alive": True}, 14 * DAY_MS),
        (DAILY, {}, 14 * DAY_MS),
    ],
)
async def test_a_challenge_lapses_when_its_time_has_passed(
    house: People, control: TimeControl, more: dict[str, Any], lasts_ms: int
) -> None:
    ann, bob, _ = await house.accounts("Ann", "Bob", "Eve")
    challenge = await house.challenge(ann, control=control, **more)
    acceptor = bob if "dest" in more else "eve"
    assert challenge.expires_ms == START_MS + lasts_ms
    house.clock.ms = challenge.expires_ms - 1
    assert (await house.state_of(challenge.id)).status == events.CHALLENGE_STATUS_CREATED
    assert await invitations.lapse_due(house.engine, house.heard, house.clock.ms, 10) == 0
    house.clock.ms += 1
    # Before any sweep it is shown and treated as lapsed.
    assert (await house.state_of(challenge.id)).status == events.CHALLENGE_STATUS_OFFLINE
    assert (await house.accept(challenge.id, acceptor)).refusal.code == "not_found"
    listed = await house.server.ListChallenges(pb.ListChallengesRequest(player_id=ann), None)
    assert not listed.outgoing
    assert await invitations.lapse_due(house.engine, house.heard, house.clock.ms, 10) == 1
    assert await invitations.lapse_due(house.engine, house.heard, house.clock.ms, 10) == 0
    assert (await house.kinds(ann))[-1] == "challenge_canceled"
    last = (await house.events(ann)).events[-1].challenge_canceled
    assert (last.id, last.status) == (challenge.id, events.CHALLENGE_STATUS_OFFLINE)


async def test_a_challenge_that_waits_again_while_it_is_accepted_asks_for_another_try(
    house: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its maker is heard of after the first look, at which it had lapsed: the rules were not asked then."""
    ann, bob = await house.accounts("Ann", "Bob")
    challenge = await house.challenge(ann, bob, keep_alive=True)
    house.clock.ms = challenge.expires_ms
    look = Invitations.get

    async def look_and_be_overtaken(self: Invitations, challenge_id: str, now_ms: int) -> Challenge | Refusal:
        seen = await look(self, challenge_id, now_ms)
        await self.hold([ann], now_ms - 1)
        return seen

    monkeypatch.setattr(Invitations, "get", look_and_be_overtaken)
    overtaken = await house.accept(challenge.id, bob)
    assert (overtaken.refusal.code, overtaken.HasField("game")) == ("unavailable", False)
    assert await games_of(house) == []
    assert (await house.accept(challenge.id, bob)).game.info.id == challenge.id


async def test_nobody_plays_with_an_account_that_was_closed_while_it_waited_in_a_seat(house: People) -> None:
    ann, bob = await house.accounts("Ann", "Bob")
    challenge = await house.challenge("")
    await house.accept(challenge.id, ann)
    async with transaction(house.engine) as connection:
        await connection.execute(sa.text("UPDATE player SET closed_ms = 1 WHERE id = :id"), {"id": ann})
    assert (await house.accept(challenge.id, bob)).refusal.code == "not_found"
    assert await games_of(house) == []


async def test_an_accepted_challenge_does_not_lapse(house: People) -> None:
    ann, bob = await house.accounts("Ann", "Bob")
    challenge = await house.challenge(ann, bob)
    await house.accept(challenge.id, bob)
    house.clock.ms += 15 * DAY_MS
    assert await invitations.lapse_due(house.engine, house.heard, house.clock.ms, 10) == 0
    assert (await house.state_of(challenge.id)).status == events.CHALLENGE_STATUS_ACCEPTED


async def test_sweeps_share_the_work_and_keep_their_bound(database_url: str) -> None:
    async with people(database_url, challenges_open_max=300) as house:
        (ann, *_) = await house.accounts("Ann")
        for _ in range(230):
            await house.challenge(ann)
        house.clock.ms += 14 * DAY_MS
        assert await invitations.lapse_due(house.engine, house.heard, house.clock.ms, 20) == 20
        swept = await asyncio.gather(
            *(invitations.lapse_due(house.engine, house.heard, house.clock.ms, 500) for _ in range(4))
        )
        assert sum(swept) == 210
        assert (await house.kinds(ann)).count("challenge_canceled") <= 200  # the list's own bound
        assert (await house.events(ann)).last_seq == 460


async def test_lists_show_what_waits_newest_first(house: People) -> None:
    ann, bob = await house.accounts("Ann", "Bob")
    made = []
    for _ in range(3):
        made.append((await house.challenge(ann, bob)).id)
        house.clock.ms += 1
    await house.decline(made[1], bob)
    for player, mine in ((ann, "outgoing"), (bob, "incoming")):
        listed = await house.server.ListChallenges(pb.ListChallengesRequest(player_id=player), None)
        assert [challenge.id for challenge in getattr(listed, mine)] == [made[2], made[0]]
        other = "incoming" if mine == "outgoing" else "outgoing"
        assert not getattr(listed, other)


async def test_bounds_on_challenges_and_games_are_kept(database_url: str) -> None:
    async with people(database_url, challenges_open_max=3, challenges_incoming_max=4, games_ongoing_max=2) as house:
        ann, bob, eve = await house.accounts("Ann", "Bob", "Eve")
        responses = await asyncio.gather(*(house.try_challenge(ann, bob) for _ in range(6)))
        made = [response.challenge.id for response in responses if response.HasField("challenge")]
        assert len(made) == 3
        assert {response.refusal.code for response in responses if response.HasField("refusal")} == {"limit_reached"}
        assert (await house.try_challenge(eve, bob)).HasField("challenge")
        assert (await house.try_challenge(eve, bob)).refusal.code == "limit_reached"
        answers = await asyncio.gather(*(house.accept(challenge_id, bob) for challenge_id in made))
        assert sum(answer.HasField("game") for answer in answers) == 2
        assert len(await games_of(house)) == 2
        refused = next(answer for answer in answers if answer.HasField("refusal"))
        assert refused.refusal.code == "limit_reached"
        house.clock.ms += DAY_MS
        assert (await house.try_challenge(ann, bob)).HasField("challenge")  # lapsed ones do not count


@pytest.mark.parametrize(
    ("control", "more", "at"),
    [(DAILY, {}, "days"), (BLITZ, {"rated": True}, "rated"), (DAILY, {"rated": True}, "days")],
)
async def test_a_guest_plays_neither_correspondence_nor_rated_games(
    house: People, control: TimeControl, more: dict[str, Any], at: str
) -> None:
    (ann,), guest = await house.accounts("Ann"), await house.guest()
    wishes = [(guest, "ann"), ("ann", guest), (guest, "")]
    for challenger, dest in wishes:
        response = await house.try_challenge(challenger, dest, control, **more)
        assert (response.refusal.code, response.refusal.at) == ("account_needed", at)
    for maker in (ann, ""):
        challenge = await house.challenge(maker, "", control, **more)
        assert (await house.accept(challenge.id, guest)).refusal.code == "account_needed"  # row 98: also to accept


@pytest.mark.parametrize(
    ("change", "code", "at"),
    [
        ({"dest_id": "ann"}, "not_allowed", "dest_id"),
        ({"dest_id": "nobody1"}, "not_found", "dest_id"),
        ({"dest_id": "computer"}, "not_found", "dest_id"),
        ({"dest_id": "bo\0b"}, "not_found", "dest_id"),
        ({"dest_id": "Bob"}, "not_found", "dest_id"),
        ({"challenger_id": "nobody1"}, "not_found", "challenger_id"),
        ({"challenger_id": ""}, "malformed", "challenger_id"),
        ({"open": True}, "malformed", "dest_id"),
        ({"dest_id": ""}, "not_found", "dest_id"),
        ({"variant": "tarock"}, "unsupported_variant", "variant"),
        ({"rule_set": common.RuleSet()}, "malformed", "rule_set.repetition"),
        ({"time_control": common.TimeControl()}, "malformed", "time_control"),
        (
            {"time_control": common.TimeControl(clock=common.ClockControl(initial_ms=7, increment_ms=0))},
            "malformed",
            "time_control",
        ),
        ({"initial_fen": "x" * 300}, "malformed", "initial_fen"),
        ({"initial_fen": "8/8/8/8/8/8/8/8 w - - 0 1"}, "bad_position", "fen"),
        ({"name": "x" * 101}, "malformed", "name"),
        ({"name": "two\nlines"}, "malformed", "name"),
        ({"name": "nul\0"}, "malformed", "name"),
    ],
)
async def test_a_wish_that_cannot_be_granted_names_its_fault(
    house: People, change: dict[str, Any], code: str, at: str
) -> None:
    ann, bob = await house.accounts("Ann", "Bob")
    response = await house.try_challenge(ann, bob, **change)
    assert (response.refusal.code, response.refusal.at) == (code, at)
    assert await house.kinds(bob) == []


@pytest.mark.parametrize("challenge_id", ["", "short", "unknown1", "x" * 4000, "abc\0efgh"])
async def test_an_unknown_challenge_is_not_found(house: People, challenge_id: str) -> None:
    (ann,) = await house.accounts("Ann")
    assert (await house.accept(challenge_id, ann)).refusal.code == "not_found"
    response = await house.server.GetChallenge(pb.GetChallengeRequest(id=challenge_id), None)
    assert response.refusal.code == "not_found"


async def test_an_unknown_player_and_no_answer_at_all_are_refused(house: People) -> None:
    (ann,) = await house.accounts("Ann")
    challenge = await house.challenge(ann)
    assert (await house.accept(challenge.id, "nobody1")).refusal.code == "not_found"
    assert (await house.accept(challenge.id, "")).refusal.code == "not_found"
    response = await house.answer(pb.CHALLENGE_ANSWER_UNSPECIFIED, challenge.id, ann)
    assert response.refusal.code == "malformed"


async def test_no_game_begins_when_the_position_was_refused(house: People) -> None:
    ann, bob = await house.accounts("Ann", "Bob")
    assert (await house.try_challenge(ann, bob, variant="atomic")).HasField("challenge")
    assert (await house.try_challenge(ann, bob, initial_fen="junk")).refusal.code == "bad_position"
    assert len(house.rules.asked) == 2


async def test_an_open_challenge_may_name_the_only_two_who_accept_white_first(house: People) -> None:
    ann, bob, cora = await house.accounts("Ann", "Bob", "Cora")
    link = await house.challenge("", user_ids=[ann, bob])
    assert list(link.user_ids) == [ann, bob]
    refused = await house.accept(link.id, cora)
    assert refused.refusal.code == "not_allowed"
    await house.accept(link.id, bob, WHITE)  # whatever is asked for: the names say who has which colour
    begun = await house.accept(link.id, ann)
    assert players(begun) == (ann, bob)


@pytest.mark.parametrize(
    ("wish", "at"),
    [
        ({"user_ids": ["ann"]}, "user_ids"),
        ({"user_ids": ["ann", "ann"]}, "user_ids"),
        ({"user_ids": ["ann", "nobody"]}, "user_ids"),
        ({"user_ids": ["ann", "bob", "cora"]}, "user_ids"),
        ({"expires_ms": START_MS}, "expires_ms"),
    ],
)
async def test_what_is_wrong_with_such_a_link_is_told(house: People, wish: dict[str, Any], at: str) -> None:
    await house.accounts("Ann", "Bob", "Cora")
    refused = await house.try_challenge("", **wish)
    assert refused.refusal.at == at


async def test_a_link_may_end_earlier_and_never_later_than_by_itself(house: People) -> None:
    soon = await house.challenge("", expires_ms=START_MS + 60_000)
    assert soon.expires_ms == START_MS + 60_000
    late = await house.challenge("", expires_ms=START_MS + 100 * DAY_MS)
    assert late.expires_ms == START_MS + 14 * DAY_MS
