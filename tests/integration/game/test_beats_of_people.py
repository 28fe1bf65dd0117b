"""Guarantee 6, where people's own commands end a gap between beats or keep it from becoming one."""

import asyncio
import time
from collections.abc import Sequence

import pytest

from services.domain.refusal import BUSY
from services.game.play.command import Action
from services.game.play.commands.moving import Move, Resign
from services.game.play.question import Question, RulesUnavailable, Verdict
from tests.integration.game.test_commit_path import CountingRules, Replica, replica

GAP_MS = 600
SLACK_GAP_MS = 3_000
"""Where a beat must be in time: from two thirds of a gap on a command brings one, the last third is left for it."""


class RulesAway(CountingRules):
    """Rules that may be away."""

    away = False

    async def judge(self, questions: Sequence[Question]) -> list[Verdict]:
        if self.away:
            raise RulesUnavailable(BUSY, "UNAVAILABLE", away=True)
        return await super().judge(questions)


async def asked(one: Replica, game_id: str, action: Action, for_s: float) -> list[bool]:
    """Whether each of a person's commands was done, one after the other for a while."""
    answers: list[bool] = []
    until_s = time.monotonic() + for_s
    while time.monotonic() < until_s:
        reply = await one.ask(game_id, ("anna", "bert")[len(answers) % 2], action)
        answers.append(reply.HasField("accepted"))
        await asyncio.sleep(0.05)
    return answers


async def outages(one: Replica) -> list[int]:
    """How long each lasted, oldest first. A slow machine may have had one before a test has begun."""
    rows = await one.rows("SELECT start_ms, end_ms FROM outage ORDER BY id")
    return [int(str(end_ms)) - int(str(start_ms)) for start_ms, end_ms in rows]


@pytest.mark.parametrize("action", [Move("a"), Resign()])
async def test_a_time_without_rules_is_one_outage_however_often_people_ask(
    database_url: str, redis_url: str, action: Action
) -> None:
    async with replica(database_url, redis_url, outage_gap_ms=GAP_MS) as one:
        rules = RulesAway()
        one.path._rules = rules
        game_id = await one.game()
        await one.path.beat()
        known = await outages(one)
        rules.away = True
        await asyncio.sleep(GAP_MS / 1000)  # not before can a wish end the gap
        assert not any(await asked(one, game_id, action, for_s=2.5 * GAP_MS / 1000))
        rules.away = False
        await one.path.beat()
        (lasted_ms,) = (await outages(one))[len(known) :]
        assert lasted_ms >= 3.5 * GAP_MS


async def test_nobody_is_given_time_back_while_moves_are_made(database_url: str, redis_url: str) -> None:
    async with replica(database_url, redis_url, outage_gap_ms=SLACK_GAP_MS) as one:
        game_id = await one.game()
        await one.path.beat()  # and no gateway's beat comes any more
        known = await outages(one)
        assert all(await asked(one, game_id, Move("a"), for_s=2 * SLACK_GAP_MS / 1000))
        assert await outages(one) == known
