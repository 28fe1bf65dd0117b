"""Correspondence on the real game service: limits, claims, reminders, conditional moves, vacations; time is steered."""

import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from services.domain.refusal import BUSY, Refusal, RefusalCode
from services.domain.rule_set import FIDE, FRIENDLY, Takeback
from services.domain.time_control import Correspondence
from services.game.correspondence import vacation
from services.game.play.question import Play, Question, RulesUnavailable, Verdict
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.game_pb2_grpc import GameServiceStub
from tests.integration.races.race_replicas import World, channel_to, racing, uci

if TYPE_CHECKING:
    from services.pb.flagfall.v1.game_pb2_grpc import GameServiceAsyncStub

DAY_MS = 86_400_000
THREE_DAYS = Correspondence(3)
FOURTEEN_DAYS = (
    ("2026-03-20T12:00:00+01:00", "2026-04-03T11:00:00+00:00", "Europe/Berlin", -3600),
    ("2026-10-20T12:00:00+02:00", "2026-11-03T10:00:00+00:00", "Europe/Berlin", 3600),
    ("2026-10-25T00:30:00-04:00", "2026-11-08T04:30:00+00:00", "America/New_York", 3600),
    ("2026-03-15T02:30:00+01:00", "2026-03-29T01:30:00+00:00", "Europe/Berlin", 0),
)
"""The last move, the deadline, whose clocks, and how wrong these would be, in s: in the last, the hour is left out."""


@pytest.fixture
async def world(database_url: str, redis_url: str) -> AsyncIterator[World]:
    async with racing(database_url, redis_url, 1, vacation_days_max=30) as world:
        yield world


@pytest.fixture
def service(world: World) -> "GameServiceAsyncStub":
    return GameServiceStub(channel_to(world.first.servicer))


async def shown(service: "GameServiceAsyncStub", game_id: str) -> pb.Snapshot:
    return (await service.Fetch(pb.FetchRequest(items=[pb.FetchItem(game_id=game_id)]))).results[0].snapshot


async def set_lines(service: "GameServiceAsyncStub", game_id: str, player: str, *lines: str) -> pb.ConditionalLines:
    request = pb.SetConditionalMovesRequest(
        game_id=game_id, player_id=player, lines=[pb.ConditionalLine(moves=line.split()) for line in lines]
    )
    answer = await service.SetConditionalMoves(request)
    assert not answer.HasField("refusal"), answer.refusal
    return answer.lines


async def lines_of(service: "GameServiceAsyncStub", game_id: str, player: str) -> list[str]:
    answer = await service.GetConditionalMoves(pb.GetConditionalMovesRequest(game_id=game_id, player_id=player))
    return [" ".join(line.moves) for line in answer.lines.lines]


async def play(world: World, game_id: str, player: str, move: str) -> pb.Reply:
    return await world.first.ask(pb.Command(game_id=game_id, player_id=player, move=uci(move)))


async def told(world: World, player_id: str, kind: str) -> list[events_pb2.PlayerEvent]:
    rows = await world.rows("SELECT payload FROM player_event WHERE player_id = :id ORDER BY seq", id=player_id)
    events = [events_pb2.PlayerEvent.FromString(bytes(payload)) for (payload,) in rows]
    return [event for event in events if event.HasField(kind)]


async def test_a_conditional_move_is_the_second_version_of_its_triggers_commit(
    world: World, service: "GameServiceAsyncStub"
) -> None:
    game_id = await world.game(uci("e2e4"), control=THREE_DAYS)
    await set_lines(service, game_id, "anna", "e7e5 Nf3 b8c6 f1b5", "c7c5 g1f3")
    assert await lines_of(service, game_id, "anna") == ["e7e5 g1f3 b8c6 f1b5", "c7c5 g1f3"]
    reply = await play(world, game_id, "bert", "e7e5")
    assert reply.accepted.version == 3
    game = await shown(service, game_id)
    assert [move.uci for move in game.moves] == ["e2e4", "e7e5", "g1f3"]
    assert (game.state.version, game.state.turn) == (4, common_pb2.COLOR_BLACK)
    # Both in one commit and at one moment: the answer took no time.
    assert game.moves[2].at_ms == game.moves[1].at_ms
    assert game.state.black_ms == pytest.approx(3 * DAY_MS, abs=5_000)
    assert await lines_of(service, game_id, "anna") == ["b8c6 f1b5"]
    await play(world, game_id, "bert", "b8c6")
    assert [move.uci for move in (await shown(service, game_id)).moves][-1] == "f1b5"
    assert await lines_of(service, game_id, "anna") == []


async def test_a_move_waits_while_its_conditional_answer_cannot_be_judged(
    world: World, service: "GameServiceAsyncStub", monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = await world.game(uci("e2e4"), control=THREE_DAYS)
    await set_lines(service, game_id, "anna", "e7e5 g1f3")
    rules = world.first.path._rules
    judge = rules.judge

    async def away_for_answers(questions: Sequence[Question]) -> list[Verdict]:
        if any(isinstance(question, Play) and question.move == "g1f3" for question in questions):
            raise RulesUnavailable(BUSY, "DEADLINE_EXCEEDED")
        return list(await judge(questions))

    with monkeypatch.context() as patch:
        patch.setattr(rules, "judge", away_for_answers)
        reply = await play(world, game_id, "bert", "e7e5")
        assert reply.refusal.code == RefusalCode.UNAVAILABLE
    assert (await shown(service, game_id)).state.ply == 1
    assert await lines_of(service, game_id, "anna") == ["e7e5 g1f3"]
    assert (await play(world, game_id, "bert", "e7e5")).HasField("accepted")
    assert [move.uci for move in (await shown(service, game_id)).moves] == ["e2e4", "e7e5", "g1f3"]


async def test_a_move_that_was_not_thought_of_forgets_all_lines(world: World, service: "GameServiceAsyncStub") -> None:
    game_id = await world.game(uci("e2e4"), control=THREE_DAYS)
    await set_lines(service, game_id, "anna", "e7e5 g1f3")
    await play(world, game_id, "bert", "d7d5")
    assert len((await shown(service, game_id)).moves) == 2
    assert await world.rows("SELECT * FROM conditional_moves") == []


async def test_nobody_else_is_shown_them_and_no_event_tells(world: World, service: "GameServiceAsyncStub") -> None:
    game_id = await world.game(uci("e2e4"), control=THREE_DAYS)
    before = (await shown(service, game_id)).state.version
    await set_lines(service, game_id, "anna", "e7e5 g1f3")
    assert (await shown(service, game_id)).state.version == before
    assert await lines_of(service, game_id, "bert") == []
    answer = await service.GetConditionalMoves(pb.GetConditionalMovesRequest(game_id=game_id, player_id="cora"))
    assert answer.refusal.code == RefusalCode.NOT_A_PLAYER


@pytest.mark.parametrize("how", ["takeback", "end"])
async def test_a_takeback_and_the_end_forget_them(world: World, service: "GameServiceAsyncStub", how: str) -> None:
    rules = replace(FIDE, takeback=Takeback.BY_CONSENT)
    game_id = await world.game(uci("e2e4"), uci("e7e5"), uci("g1f3"), control=THREE_DAYS, rule_set=rules)
    await set_lines(service, game_id, "anna", "b8c6 f1b5")
    if how == "takeback":
        for player in ("anna", "bert"):
            asked = pb.Command(game_id=game_id, player_id=player, offer_takeback=pb.OfferTakeback())
            assert (await world.first.ask(asked)).HasField("accepted")
    else:
        await world.first.ask(pb.Command(game_id=game_id, player_id="bert", resign=pb.Resign()))
    assert await world.rows("SELECT * FROM conditional_moves") == []


async def test_a_conditional_move_may_mate(world: World, service: "GameServiceAsyncStub") -> None:
    game_id = await world.game(uci("f2f3"), uci("e7e5"), control=THREE_DAYS)
    await set_lines(service, game_id, "bert", "g2g4 Qh4")
    reply = await play(world, game_id, "anna", "g2g4")
    assert reply.accepted.state.status == events_pb2.GAME_STATUS_STARTED
    game = await shown(service, game_id)
    assert game.state.outcome.reason == common_pb2.END_REASON_CHECKMATE
    assert game.moves[-1].san == "Qh4#"
    assert len(await told(world, "anna", "game_finish")) == 1


@pytest.mark.parametrize(
    ("player", "lines", "code", "at"),
    [
        ("anna", [["e7e5"]], RefusalCode.MALFORMED, "lines[0]"),
        ("anna", [[]], RefusalCode.MALFORMED, "lines[0]"),
        ("anna", [["e7e5", "g1f3"], ["e7e5", "g1g5"]], RefusalCode.ILLEGAL_MOVE, "lines[1].moves[1]"),
        ("anna", [["e7e5", "g1f3"], ["e7e5", "f1c4"]], RefusalCode.MALFORMED, "lines[1].moves[1]"),
        ("anna", [["e7e5", "g1f3"]] * 21, RefusalCode.LIMIT_REACHED, "lines"),
        ("bert", [["g1f3", "b8c6"]], RefusalCode.NOT_ALLOWED, ""),
        ("cora", [["e7e5", "g1f3"]], RefusalCode.NOT_A_PLAYER, ""),
    ],
)
async def test_what_is_wrong_with_lines_is_told_with_its_place(
    world: World, service: "GameServiceAsyncStub", player: str, lines: list[list[str]], code: RefusalCode, at: str
) -> None:
    game_id = await world.game(uci("e2e4"), control=THREE_DAYS)
    request = pb.SetConditionalMovesRequest(
        game_id=game_id, player_id=player, lines=[pb.ConditionalLine(moves=line) for line in lines]
    )
    refusal = (await service.SetConditionalMoves(request)).refusal
    assert (refusal.code, refusal.at) == (code, at)
    assert await world.rows("SELECT * FROM conditional_moves") == []


async def test_the_limit_is_told_of_once_whatever_the_number_of_sweeps(database_url: str, redis_url: str) -> None:
    async with racing(database_url, redis_url, 3) as world:
        now_ms = world.first.beats.now_ms()
        game_id = await world.game(
            uci("e2e4"), control=THREE_DAYS, created_ms=now_ms - 2 * DAY_MS - 3_600_000, think_ms=1
        )
        later = await world.game(uci("e2e4"), control=THREE_DAYS, created_ms=now_ms - DAY_MS, think_ms=1)
        for _ in range(3):
            await asyncio.gather(*(replica.sweep.run(100) for replica in world.replicas))
        (event,) = await told(world, "bert", "reminder")
        assert event.reminder.game.info.id == game_id
        assert event.reminder.deadline_ms == now_ms - 2 * DAY_MS - 3_600_000 + 1 + 3 * DAY_MS
        assert await told(world, "anna", "reminder") == []
        looks = dict(await world.rows("SELECT id, look_ms FROM game"))
        assert looks[game_id] == event.reminder.deadline_ms
        assert looks[later] == now_ms - DAY_MS + 1 + 2 * DAY_MS
        # The next turn is another one.
        await play(world, game_id, "bert", "e7e5")
        await world.first.sweep.run(100)
        assert len(await told(world, "bert", "reminder")) == 1


async def test_where_the_opponent_claims_the_late_move_is_refused_until_seven_days_later(
    world: World, service: "GameServiceAsyncStub"
) -> None:
    now_ms = world.first.beats.now_ms()
    begun = {"rule_set": FRIENDLY, "control": THREE_DAYS, "think_ms": 1}
    late = await world.game(uci("e2e4"), uci("e7e5"), created_ms=now_ms - 4 * DAY_MS, **begun)  # type: ignore[arg-type]
    closed = await world.game(uci("e2e4"), uci("e7e5"), created_ms=now_ms - 11 * DAY_MS, **begun)  # type: ignore[arg-type]
    assert (await play(world, late, "anna", "g1f3")).refusal.code == RefusalCode.TIME_IS_UP
    assert (await shown(service, late)).state.claimable
    await world.first.sweep.run(100)
    assert (await shown(service, late)).state.status == events_pb2.GAME_STATUS_STARTED
    over = (await shown(service, closed)).state
    assert (over.outcome.reason, over.outcome.winner) == (common_pb2.END_REASON_EXPIRY, common_pb2.COLOR_BLACK)
    own = await world.first.ask(pb.Command(game_id=late, player_id="anna", claim_win=pb.ClaimWin()))
    assert own.refusal.code == RefusalCode.NOT_ALLOWED
    claimed = await world.first.ask(pb.Command(game_id=late, player_id="bert", claim_win=pb.ClaimWin()))
    outcome = claimed.accepted.state.outcome
    assert (outcome.reason, outcome.winner) == (common_pb2.END_REASON_EXPIRY, common_pb2.COLOR_BLACK)


async def late_move(world: World) -> str:
    """A game whose limit has just passed."""
    begun_ms = world.first.beats.now_ms() - 3 * DAY_MS
    return await world.game(uci("e2e4"), uci("e7e5"), created_ms=begun_ms - 1, control=THREE_DAYS, think_ms=0)


@pytest.mark.parametrize("read", ["Fetch", "FetchLate", "ongoing", "all", "search"])
async def test_a_read_after_the_limit_shows_the_end(world: World, service: "GameServiceAsyncStub", read: str) -> None:
    """Case S04: a move that comes 60 ms late is refused, and no read shows a running game."""
    game_id = await late_move(world)
    late = await play(world, game_id, "anna", "g1f3")
    assert late.refusal.code == RefusalCode.TIME_IS_UP
    item = pb.FetchItem(game_id=game_id)
    ended = events_pb2.GAME_STATUS_ENDED
    match read:
        case "Fetch":
            status = (await shown(service, game_id)).state.status
        case "FetchLate":
            request = pb.FetchLateRequest(items=[item], late_ms=60_000)
            status = (await service.FetchLate(request)).results[0].snapshot.state.status
        case "ongoing":
            assert not (await service.ListGames(pb.ListGamesRequest(player_id="anna", ongoing=True))).games
            return
        case "all":
            status = (await service.ListGames(pb.ListGamesRequest(player_id="anna"))).games[0].state.status
        case _:
            found = await service.SearchGames(pb.SearchGamesRequest(player_id="bert"))
            status = found.games.games[0].state.status
    assert status == ended


async def test_a_late_move_ends_the_game_for_those_who_follow_it(world: World, service: "GameServiceAsyncStub") -> None:
    game_id = await late_move(world)
    command = pb.Command(game_id=game_id, player_id="anna", move=uci("g1f3"))
    answer = await service.Submit(pb.SubmitRequest(commands=[command]))
    assert answer.replies[0].refusal.code == RefusalCode.TIME_IS_UP
    async with asyncio.timeout(20):
        while not await world.rows("SELECT 1 FROM game WHERE id = :id AND end_reason > 0", id=game_id):
            await asyncio.sleep(0.02)


async def test_readers_at_once_end_a_game_once(world: World, service: "GameServiceAsyncStub") -> None:
    game_id = await late_move(world)
    read = await asyncio.gather(*(shown(service, game_id) for _ in range(10)))
    assert {(game.state.status, game.state.outcome.reason) for game in read} == {
        (events_pb2.GAME_STATUS_ENDED, common_pb2.END_REASON_EXPIRY)
    }
    assert len(await world.rows("SELECT 1 FROM game_event WHERE game_id = :id", id=game_id)) == 4


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "America/New_York"])
async def test_fourteen_days_are_fourteen_days_whatever_the_clocks_of_people_do(
    world: World, monkeypatch: pytest.MonkeyPatch, zone: str
) -> None:
    # Case D04: 1,209,600 s in UTC, in whole milliseconds, whatever zone the server is in.
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        for last_move, deadline, of, wall_clock_error_s in FOURTEEN_DAYS:
            moved = datetime.fromisoformat(last_move)
            last_ms, due = int(moved.timestamp() * 1000), datetime.fromisoformat(deadline)
            game_id = await world.game(uci("e2e4"), control=Correspondence(14), created_ms=last_ms - 7, think_ms=7)
            ((kept_ms,),) = await world.rows("SELECT deadline_ms FROM game WHERE id = :id", id=game_id)
            assert kept_ms == int(due.timestamp() * 1000) == last_ms + 1_209_600_000, (zone, of)
            # What the arithmetic of clocks on walls would have made of it: that the case tells the two apart.
            on_the_wall = moved.astimezone(ZoneInfo(of)) + timedelta(days=14)
            assert (on_the_wall.astimezone(UTC) - due).total_seconds() == wall_clock_error_s, of
    finally:
        monkeypatch.undo()
        time.tzset()


async def test_on_vacation_a_turn_stands_still(world: World, service: "GameServiceAsyncStub") -> None:
    game_id = await world.game(uci("e2e4"), uci("e7e5"), control=THREE_DAYS)
    before = (await shown(service, game_id)).state
    until_ms = (await service.SetVacation(pb.SetVacationRequest(player_id="anna", days=5))).until_ms
    state = (await shown(service, game_id)).state
    assert state.deadline_ms == pytest.approx(before.deadline_ms + 5 * DAY_MS, abs=5_000)
    assert not state.running
    # A turn that begins meanwhile begins when the vacation ends; moving before is allowed.
    await play(world, game_id, "anna", "g1f3")
    await play(world, game_id, "bert", "b8c6")
    state = (await shown(service, game_id)).state
    assert state.turn == common_pb2.COLOR_WHITE
    assert state.deadline_ms == until_ms + 3 * DAY_MS
    # The opponent's turns go on as ever.
    await play(world, game_id, "anna", "f1b5")
    state = (await shown(service, game_id)).state
    assert state.running
    assert state.deadline_ms == pytest.approx(state.at_ms + 3 * DAY_MS, abs=5_000)


async def rest(service: "GameServiceAsyncStub", days: int) -> pb.SetVacationResponse:
    return await service.SetVacation(pb.SetVacationRequest(player_id="anna", days=days))


async def test_vacations_have_a_limit_and_an_end(world: World, service: "GameServiceAsyncStub") -> None:
    assert (await rest(service, 0)).until_ms == 0
    until_ms = (await rest(service, 20)).until_ms
    # The day that has begun is used, and is the first of a new number of days.
    assert (await rest(service, 0)).until_ms == until_ms - 19 * DAY_MS
    assert (await rest(service, 0)).until_ms == until_ms - 19 * DAY_MS
    refused = await rest(service, 31)
    assert (refused.refusal.code, refused.refusal.at) == (RefusalCode.LIMIT_REACHED, "days")
    assert (await rest(service, 30)).until_ms == until_ms + 10 * DAY_MS
    assert (await rest(service, 0)).until_ms == until_ms - 19 * DAY_MS
    game_id = await world.game(uci("e2e4"), control=THREE_DAYS)
    await play(world, game_id, "bert", "e7e5")
    assert (await shown(service, game_id)).state.deadline_ms == until_ms - 19 * DAY_MS + 3 * DAY_MS
    assert (await rest(service, -1)).refusal.code == RefusalCode.MALFORMED


async def test_an_ended_vacation_moves_the_deadline_back(world: World, service: "GameServiceAsyncStub") -> None:
    """Case S17: five days announced and ended, again and again, are one day used and one day given."""
    game_id = await world.game(uci("e2e4"), uci("e7e5"), control=THREE_DAYS)
    before = (await shown(service, game_id)).state
    for _ in range(5):
        await rest(service, 5)
        moved_ms = (await shown(service, game_id)).state.deadline_ms - before.deadline_ms
        assert moved_ms == pytest.approx(5 * DAY_MS, abs=5_000)
        await rest(service, 0)
        moved_ms = (await shown(service, game_id)).state.deadline_ms - before.deadline_ms
        assert moved_ms == pytest.approx(DAY_MS, abs=5_000)
    ((start_ms, end_ms),) = await world.rows("SELECT start_ms, end_ms FROM vacation")
    assert end_ms - start_ms == DAY_MS


async def test_over_a_year_nobody_rests_for_longer_than_the_maximum(world: World) -> None:
    """Case S17: 125 days were announced under a maximum."""
    await world.game(uci("e2e4"), control=THREE_DAYS)
    engine, hour_ms, spans = world.first.engine, 3_600_000, 0
    begun_ms = 1_000_000 * DAY_MS
    for hours in range(0, 365 * 24, 7):
        days = 5 if hours % 2 else 0
        answer = await vacation.take(engine, "anna", days, begun_ms + hours * hour_ms, day_ms=DAY_MS, days_max=10)
        spans += not isinstance(answer, Refusal)
    rows = await world.rows("SELECT start_ms, end_ms FROM vacation ORDER BY start_ms")
    assert spans
    assert all(end_ms <= start_ms for (_, end_ms), (start_ms, _) in itertools.pairwise(rows))
    rested = [max(0, min(end_ms, begun_ms + 365 * DAY_MS) - start_ms) for start_ms, end_ms in rows]
    assert 5 * DAY_MS < sum(rested) <= 10 * DAY_MS


async def test_without_the_setting_there_are_no_vacations(database_url: str, redis_url: str) -> None:
    async with racing(database_url, redis_url, 1) as world:
        service = GameServiceStub(channel_to(world.first.servicer))
        await world.game()
        answer = await service.SetVacation(pb.SetVacationRequest(player_id="anna", days=1))
        assert answer.refusal.code == RefusalCode.NOT_ALLOWED


async def test_lines_that_are_kept_while_the_move_comes_are_refused_or_answer_it(
    world: World, service: "GameServiceAsyncStub"
) -> None:
    # Never kept for a half-move that is over: 40 races of the move against the lines.
    for _ in range(40):
        game_id = await world.game(uci("e2e4"), control=THREE_DAYS)
        request = pb.SetConditionalMovesRequest(
            game_id=game_id, player_id="anna", lines=[pb.ConditionalLine(moves=["e7e5", "g1f3"])]
        )
        kept, _ = await asyncio.gather(service.SetConditionalMoves(request), play(world, game_id, "bert", "e7e5"))
        game = await shown(service, game_id)
        if kept.HasField("refusal"):
            assert kept.refusal.code in (RefusalCode.STALE_VERSION, RefusalCode.NOT_ALLOWED)
            assert len(game.moves) == 2
        if len(game.moves) == 3:
            assert [move.uci for move in game.moves] == ["e2e4", "e7e5", "g1f3"]
        assert await lines_of(service, game_id, "anna") == []
