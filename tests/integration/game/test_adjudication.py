"""Flags and resignations that only a search can decide: nobody else waits, and each is decided once and rightly."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

import pytest
from prometheus_client import REGISTRY

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.refusal import BUSY, RefusalCode
from services.domain.rule_set import FIDE
from services.game.play.command import Action, Command
from services.game.play.commands.flags import Flag
from services.game.play.commands.moving import Move, Resign
from services.game.play.question import CanMate, Forfeit, Forfeited, Question, RulesUnavailable, Verdict
from services.game.wire.grpc_rules import GrpcRules
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.common_pb2 import COLOR_BLACK, COLOR_WHITE, END_REASON_FLAG, END_REASON_RESIGNATION
from services.pb.flagfall.v1.game_pb2 import Reply
from services.rules.adjudication import JOB, Adjudicator
from services.rules.server import RulesServer
from services.rules.settings import RulesSettings
from services.rules.side_process import SideProcess
from tests.integration.game.game_in_memory import eventually
from tests.integration.game.test_commit_path import CountingRules, Replica, replica, until
from tests.integration.races.race_replicas import PATIENT, channel_to, racing
from tests.stack.replies import reply_message

DAY_MS = 86_400_000
LOCKED = "k7/8/p1p2p2/2P2P1p/PpP4P/1P1K4/8/8 w - - 0 1"
"""No pawn can move and no king can get through."""


class SearchingRules(CountingRules):
    """A quick look leaves every forfeit open; a search ends when it may, and proves that nobody can mate."""

    def __init__(self) -> None:
        super().__init__()
        self.may_end = asyncio.Event()
        self.searched: list[Forfeit] = []
        self.at_once = self.at_once_max = 0
        self.looked = 0
        self.fails = False
        self.ends = 0

    async def judge(self, questions: Sequence[Question]) -> list[Verdict]:
        verdicts = await super().judge(questions)
        self.looked += sum(isinstance(question, Forfeit) for question in questions)
        return [
            Forfeited(verdict.outcome, CanMate.UNKNOWN, undetermined=True)
            if isinstance(verdict, Forfeited)
            else verdict
            for verdict in verdicts
        ]

    async def adjudicate(self, question: Forfeit, timeout_s: float) -> Verdict:
        self.searched.append(question)
        self.at_once += 1
        self.at_once_max = max(self.at_once_max, self.at_once)
        try:
            await self.may_end.wait()
        finally:
            self.at_once -= 1
        if self.fails:
            raise TimeoutError
        if self.ends:
            self.ends -= 1
            raise RulesUnavailable(BUSY, "UNAVAILABLE", away=True)
        return Forfeited(Outcome(None, EndReason[question.kind.value]), CanMate.NO)


@pytest.fixture
async def rules() -> SearchingRules:
    return SearchingRules()


@pytest.fixture
async def one(database_url: str, redis_url: str, rules: SearchingRules) -> AsyncIterator[Replica]:
    async with replica(database_url, redis_url, rules, outage_gap_ms=30_000) as made:
        yield made


async def begun(one: Replica, *moves: str) -> str:
    """A game that is going on."""
    game_id = await one.game(rule_set=FIDE)
    for ply, move in enumerate(moves or ("a", "b")):
        reply = await one.ask(game_id, ("anna", "bert")[ply % 2], Move(move))
        assert reply.HasField("accepted")
    return game_id


async def flag(one: Replica, game_id: str, version: int = 3) -> Reply:
    """The flag of whoever is to move, a day from now."""
    command = Command(game_id, "", "", Flag(version), b"", one.beats.now_ms() + DAY_MS)
    return reply_message(await one.path.submit(command))


async def end_of(one: Replica, game_id: str) -> tuple[object, ...]:
    """Reason, winner and the number of versions that ended the game."""
    rows = await one.rows("SELECT end_reason, winner, version FROM game WHERE id = :id", id=game_id)
    return rows[0]


async def ended(one: Replica, *game_ids: str) -> None:
    async def all_are() -> bool:
        return all([(await end_of(one, game_id))[0] for game_id in game_ids])

    await until(all_are)


def count(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


def forfeits(decided: str) -> float:
    return count("flagfall_game_forfeits_total", decided=decided)


async def searches(rules: SearchingRules, number: int) -> None:
    async def are_there() -> bool:
        return len(rules.searched) == number

    await until(are_there)


async def test_nobody_in_the_batch_waits_for_a_search(one: Replica, rules: SearchingRules) -> None:
    games = [await begun(one) for _ in range(6)]
    draws = forfeits("draw")
    replies = await asyncio.gather(
        *(flag(one, game) if n == 2 else one.ask(game, "anna", Move("c"), "m") for n, game in enumerate(games))
    )
    assert max(rules.batches) == 6, "they were one batch"
    assert [reply.HasField("accepted") for reply in replies] == [n != 2 for n in range(6)]
    assert replies[2].refusal.code == RefusalCode.UNAVAILABLE
    assert await end_of(one, games[2]) == (0, 0, 3)
    assert (await one.ask(games[0], "bert", Move("d"))).HasField("accepted"), "nor does a later one"
    rules.may_end.set()
    await ended(one, games[2])
    assert await end_of(one, games[2]) == (END_REASON_FLAG, 0, 4), "nobody had to ask again"
    assert forfeits("draw") == draws + 1


async def test_a_flag_that_is_fired_again_joins_the_search(one: Replica, rules: SearchingRules) -> None:
    game_id = await begun(one)
    for _ in range(5):
        assert (await flag(one, game_id)).refusal.code == RefusalCode.UNAVAILABLE
    assert (await flag(one, game_id, version=2)).refusal.code == RefusalCode.STALE_VERSION
    rules.may_end.set()
    await ended(one, game_id)
    assert (await flag(one, game_id)).refusal.code == RefusalCode.GAME_OVER
    assert len(rules.searched) == 1
    assert await end_of(one, game_id) == (END_REASON_FLAG, 0, 4)


async def test_a_resignation_that_is_repeated_is_the_same_one(one: Replica, rules: SearchingRules) -> None:
    game_id = await begun(one)
    first_ms = one.beats.now_ms()

    async def resign(received_ms: int) -> Reply:
        command = Command(game_id, "bert", "r1", Resign(), b"d", received_ms)
        return reply_message(await one.path.submit(command))

    told = await resign(first_ms)
    assert (told.refusal.code, told.searching) == (RefusalCode.UNAVAILABLE, True)
    # What was received in time stays so, even if the repetition is not.
    assert (await resign(first_ms + DAY_MS)).refusal.code == RefusalCode.UNAVAILABLE
    rules.may_end.set()
    await ended(one, game_id)
    again = await resign(first_ms + DAY_MS)
    assert (again.accepted.version, again.accepted.repeated, again.searching) == (4, True, False)
    assert again.accepted.state.outcome.reason == END_REASON_RESIGNATION
    assert (await one.ask(game_id, "bert", Move("c"), "r1", b"x")).refusal.code == RefusalCode.COMMAND_CONFLICT
    assert (await end_of(one, game_id), len(rules.searched)) == ((END_REASON_RESIGNATION, 0, 4), 1)


async def test_a_verdict_holds_for_its_position_only(one: Replica, rules: SearchingRules) -> None:
    game_id = await begun(one)
    first_ms = one.beats.now_ms()

    async def resign(received_ms: int) -> Reply:
        command = Command(game_id, "bert", "r1", Resign(), b"d", received_ms)
        return reply_message(await one.path.submit(command))

    async def first_is_done() -> bool:
        return len(rules.searched) == 2 and count("flagfall_game_adjudications_under_way") == 1

    assert (await resign(first_ms)).refusal.code == RefusalCode.UNAVAILABLE
    await searches(rules, 1)
    assert (await one.ask(game_id, "anna", Move("c"), "m1", b"d")).accepted.version == 4, "nobody's move is lost"
    rules.may_end.set()
    rules.may_end.clear()  # only what waits now ends
    await until(first_is_done)
    assert await end_of(one, game_id) == (0, 0, 4)
    assert (await resign(first_ms + DAY_MS)).refusal.code == RefusalCode.UNAVAILABLE, "still received when it was"
    rules.may_end.set()
    await ended(one, game_id)
    assert await end_of(one, game_id) == (END_REASON_RESIGNATION, 0, 5)
    assert [question.fen for question in rules.searched] == ["w", "b"]
    assert (await resign(first_ms)).accepted.version == 5


async def test_a_move_that_came_before_the_flag_takes_its_version(one: Replica, rules: SearchingRules) -> None:
    game_id = await begun(one)
    assert (await flag(one, game_id)).refusal.code == RefusalCode.UNAVAILABLE
    late = Command(game_id, "anna", "late", Move("c"), b"", one.beats.now_ms() + DAY_MS)
    assert reply_message(await one.path.submit(late)).refusal.code == RefusalCode.TIME_IS_UP
    assert (await one.ask(game_id, "anna", Move("c"), "m1", b"d")).accepted.version == 4
    rules.may_end.set()
    await one.path.drained()
    assert await end_of(one, game_id) == (0, 0, 4)


@pytest.mark.parametrize("how", ["no answer", "no time"])
async def test_without_a_verdict_the_other_side_wins(
    database_url: str, redis_url: str, rules: SearchingRules, how: str
) -> None:
    rules.fails = how == "no answer"
    if rules.fails:
        rules.may_end.set()
    undetermined = forfeits("undetermined")
    async with replica(database_url, redis_url, rules, adjudication_timeout_ms=100, outage_gap_ms=30_000) as one:
        game_id = await begun(one)
        assert (await flag(one, game_id)).refusal.code == RefusalCode.UNAVAILABLE
        await ended(one, game_id)
        assert await end_of(one, game_id) == (END_REASON_FLAG, COLOR_BLACK, 4)
        assert forfeits("undetermined") == undetermined + 1


async def test_rules_that_end_while_they_search_are_asked_again(one: Replica, rules: SearchingRules) -> None:
    game_id = await begun(one)
    rules.ends = 2
    rules.may_end.set()
    assert (await flag(one, game_id)).refusal.code == RefusalCode.UNAVAILABLE
    await ended(one, game_id)
    assert len(rules.searched) == 3
    assert await end_of(one, game_id) == (END_REASON_FLAG, 0, 4)


async def test_games_with_the_same_question_share_its_search(one: Replica, rules: SearchingRules) -> None:
    games = [await begun(one) for _ in range(3)]
    replies = await asyncio.gather(*(flag(one, game_id) for game_id in games))
    assert {reply.refusal.code for reply in replies} == {RefusalCode.UNAVAILABLE}
    rules.may_end.set()
    await ended(one, *games)
    assert len(rules.searched) == 1
    assert {await end_of(one, game_id) for game_id in games} == {(END_REASON_FLAG, 0, 4)}


async def test_searches_are_bounded_and_past_the_bound_the_other_side_wins(
    database_url: str, redis_url: str, rules: SearchingRules
) -> None:
    bounds = {"adjudications_under_way_max": 2, "adjudications_waiting_max": 3, "outage_gap_ms": 30_000}
    asked: list[tuple[str, Action, str]] = [("", Flag(3), ""), ("anna", Resign(), "r"), ("bert", Resign(), "r")]
    async with replica(database_url, redis_url, rules, **bounds) as one:
        games = [await begun(one) for _ in asked]
        later = await begun(one, "a", "b", "c")
        for game_id, (player, action, command_id) in zip(games, asked, strict=True):
            received_ms = one.beats.now_ms() + (0 if player else DAY_MS)
            await one.path.submit(Command(game_id, player, command_id, action, b"", received_ms))
        await searches(rules, 2)
        reply = await flag(one, later, version=4)
        assert reply.accepted.state.outcome.winner == COLOR_WHITE
        rules.may_end.set()
        await ended(one, *games)
    assert (rules.at_once_max, len(rules.searched)) == (2, 3)


async def test_a_process_that_ends_waits_for_a_search_but_not_for_ever(
    database_url: str, redis_url: str, rules: SearchingRules
) -> None:
    async with replica(database_url, redis_url, rules, drain_ms=200, outage_gap_ms=30_000) as one:
        slow = await begun(one)
        await flag(one, slow)
        await searches(rules, 1)
        async with asyncio.timeout(10):
            await one.path.drained()
        assert await end_of(one, slow) == (0, 0, 3), "the clock fires again at a process that has the time"
        assert (await flag(one, slow)).refusal.code == RefusalCode.UNAVAILABLE
        assert len(rules.searched) == 1
    async with replica(database_url, redis_url, rules, outage_gap_ms=30_000) as other:
        await flag(other, slow)
        await searches(rules, 2)
        asyncio.get_running_loop().call_soon(rules.may_end.set)
        await other.path.drained()
        assert await end_of(other, slow) == (END_REASON_FLAG, 0, 4)


async def test_a_state_that_may_be_old_is_not_searched(
    database_url: str, redis_url: str, rules: SearchingRules
) -> None:
    async with (
        replica(database_url, redis_url, rules, outage_gap_ms=30_000) as one,
        replica(database_url, redis_url, rules, outage_gap_ms=30_000) as other,
    ):
        game_id = await begun(one)
        assert (await other.ask(game_id, "anna", Move("c"))).accepted.version == 4
        assert (await flag(one, game_id, version=3)).refusal.code == RefusalCode.STALE_VERSION
        assert (rules.looked, rules.searched) == (1, []), "it looked at what it remembered, and then asked the database"
        await one.ask(game_id, "anna", Resign(), "r1")
        rules.may_end.set()
        await ended(one, game_id)
        assert [(question.fen, question.loser) for question in rules.searched] == [("b", Colour.WHITE)]


class Hasty(GrpcRules):
    """The real rules, whose quick look decides no forfeit, so that it may become as good as it likes."""

    async def judge(self, questions: Sequence[Question]) -> list[Verdict]:
        verdicts = await super().judge(questions)
        return [
            replace(verdict, undetermined=True) if isinstance(verdict, Forfeited) else verdict for verdict in verdicts
        ]


async def test_resigning_where_nobody_can_get_through_is_a_draw_by_the_real_search(
    database_url: str, redis_url: str
) -> None:
    own = RulesSettings(adjudication_ms_max=60_000)  # the search ends by its count of positions, not by the clock
    decided = count("flagfall_game_adjudications_total", outcome="decided")
    async with SideProcess(JOB, own.adjudication_bounds()) as process:
        search = Adjudicator(process, own.adjudication_nodes_max)
        servicer = RulesServer(own.limits(), own.questions_max, adjudicator=search)
        rules = Hasty(channel_to(servicer), PATIENT["call_timeout_ms"])
        bounds = PATIENT | {"adjudication_timeout_ms": 60_000}
        async with racing(database_url, redis_url, count=1, rules=rules, **bounds) as world:
            game_id = await world.game(fen=LOCKED, rule_set=FIDE)
            resign = pb.Command(game_id=game_id, player_id="anna", command_id="r", resign=pb.Resign())
            assert (await world.first.ask(resign)).refusal.code == RefusalCode.UNAVAILABLE

            async def is_decided() -> bool:
                return (await world.first.ask(resign)).HasField("accepted")

            await eventually(is_decided, "the search ends")
            rows = await world.rows("SELECT end_reason, winner, version FROM game WHERE id = :id", id=game_id)
            assert rows == [(END_REASON_RESIGNATION, 0, 2)]
    assert count("flagfall_game_adjudications_total", outcome="decided") == decided + 1
