"""Seeks at the gateway: their fields, and what is kept alive for those who are there."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from services.domain.refusal import BUSY, RefusalCode
from services.gateway.errors import Refused
from services.gateway.presence.keeping import IDS_AT_ONCE, Keeping, KeptSeek
from services.gateway.public_api.public_seeks import rating_range
from services.gateway.rest.requests import Fields
from services.gateway.rest.terms import wanted_seek
from services.pb.flagfall.v1 import common_pb2
from services.pb.flagfall.v1.events_pb2 import GameSummary, PlayerEvent

STARTED = PlayerEvent(player_id="ann", seq=1, game_start=GameSummary())


def wanted(**fields: Any) -> Any:
    return wanted_seek(Fields(fields, 1_000))


@pytest.mark.parametrize(
    ("minutes", "initial_ms"),
    [("0.25", 15_000), (0.5, 30_000), ("0.75", 45_000), ("1.5", 90_000), (5, 300_000), ("180", 10_800_000)],
)
def test_a_seek_gives_its_clock_in_minutes_and_seconds(minutes: object, initial_ms: int) -> None:
    seek = wanted(time=minutes, increment="2")
    assert (seek.time_control.clock.initial_ms, seek.time_control.clock.increment_ms) == (initial_ms, 2_000)
    assert seek.live


def test_a_seek_is_for_a_clock_or_days_or_a_time_for_each_turn() -> None:
    assert wanted(time=5).time_control.clock.increment_ms == 0
    assert (wanted(days=3).time_control.correspondence.days, wanted(days=3).live) == (3, False)
    untimed = wanted(untimed="true")
    assert (untimed.time_control.HasField("unlimited"), untimed.live) == (True, False)
    assert wanted(time=5, untimed="false").live
    assert (wanted(perMove=60).time_control.per_move.turn_ms, wanted(perMove=60).live) == (60_000, True)


def test_what_a_client_leaves_open() -> None:
    seek = wanted(time=10, increment=0, ratingRange="", color="random", variant="standard")
    assert (seek.rating_min, seek.rating_max, seek.color) == (0, 0, common_pb2.COLOR_UNSPECIFIED)


@pytest.mark.parametrize(("text", "bounds"), [("1500-1800", (1500, 1800)), (" 800-800 ", (800, 800)), (" ", (0, 0))])
def test_a_range_of_ratings(text: str, bounds: tuple[int, int]) -> None:
    seek = wanted(time=5, ratingRange=text)
    assert (seek.rating_min, seek.rating_max) == bounds


@pytest.mark.parametrize(
    ("fields", "at"),
    [
        ({}, "time"),
        ({"rated": "true"}, "time"),
        ({"increment": 3}, "time"),
        ({"time": "soon"}, "time"),
        ({"time": "nan"}, "time"),
        ({"time": "inf"}, "time"),
        ({"time": "-5"}, "time"),
        ({"time": 5.5}, "time"),
        ({"time": 181}, "time"),
        ({"time": True}, "time"),
        ({"time": 5, "increment": 61}, "increment"),
        ({"time": 5, "days": 3}, "days"),
        ({"days": 3, "perMove": 30}, "perMove"),
        ({"time": 5, "untimed": True}, "untimed"),
        ({"days": 3, "untimed": True}, "untimed"),
        ({"untimed": False}, "time"),
        ({"days": 4}, "days"),
        ({"perMove": 45}, "perMove"),
        ({"time": 5, "variant": "fromPosition"}, "variant"),
        ({"time": 5, "ratingRange": "1800-1500"}, "ratingRange"),
        ({"time": 5, "ratingRange": "1500"}, "ratingRange"),
        ({"time": 5, "ratingRange": "-1500--1600"}, "ratingRange"),
        ({"time": 5, "ratingRange": "\u0661500-\u0661800"}, "ratingRange"),
        ({"time": 5, "color": "green"}, "color"),
    ],
)
def test_a_wrong_seek_is_refused_with_the_name_of_its_field(fields: dict[str, object], at: str) -> None:
    with pytest.raises(Refused) as caught:
        wanted(**fields)
    assert (caught.value.refusal.code, caught.value.refusal.at) == (RefusalCode.MALFORMED, at)


@pytest.mark.parametrize(
    ("least", "most", "shown"), [(0, 0, None), (1500, 1800, "1500-1800"), (1500, 0, "1500-4000"), (0, 1800, "0-1800")]
)
def test_a_range_is_shown_as_it_is_asked_for(least: int, most: int, shown: str | None) -> None:
    assert rating_range(least, most) == shown


class Told:
    """The game service, as far as it is told who is there."""

    def __init__(self) -> None:
        self.gone: set[str] = set()
        self.seeks: list[str] = []
        self.players: list[str] = []
        self.largest = 0
        self.away = False
        self.calls = 0

    async def keep_alive(self, seek_ids: Sequence[str], player_ids: Sequence[str]) -> Sequence[str]:
        """See Keeper."""
        self.calls += 1
        if self.away:
            raise Refused(BUSY)
        self.seeks += seek_ids
        self.players += player_ids
        self.largest = max(self.largest, len(seek_ids), len(player_ids))
        return [seek_id for seek_id in seek_ids if seek_id in self.gone]


async def until(told: Told, calls: int) -> None:
    """Return when so many calls were made."""
    async with asyncio.timeout(5):
        while told.calls < calls:
            await asyncio.sleep(0.001)


async def test_all_seeks_and_players_are_told_of_again_and_again() -> None:
    told = Told()
    players = [f"p{number}" for number in range(IDS_AT_ONCE + 1)]
    keeping = Keeping(told, lambda: players, period_ms=1, seeks_max=10)
    seeks = [KeptSeek(f"seek000{number}") for number in range(3)]
    with keeping.seek(seeks[0]), keeping.seek(seeks[1]):
        with keeping.seek(seeks[2]):
            pass
        running = asyncio.ensure_future(keeping.run())
        await until(told, 4)
        running.cancel()
    assert set(told.seeks) == {"seek0000", "seek0001"}
    assert set(told.players) == set(players)
    assert told.players[: len(players)] == players
    assert told.largest <= IDS_AT_ONCE


async def test_a_seek_that_waits_no_more_is_over_and_the_others_are_not() -> None:
    told = Told()
    keeping = Keeping(told, lambda: (), period_ms=1, seeks_max=10)
    paired, waiting = KeptSeek("seek0001"), KeptSeek("seek0002")
    told.away = True
    with keeping.seek(paired), keeping.seek(waiting):
        running = asyncio.ensure_future(keeping.run())
        await until(told, 2)
        assert not paired.gone, "while nobody answers it waits"
        told.away, told.gone = False, {"seek0001"}
        async with asyncio.timeout(5):
            await paired.stirred()
        running.cancel()
        assert (paired.gone, waiting.gone) == (True, False)


async def test_a_game_that_begins_puts_a_seek_in_doubt_until_it_is_asked_for() -> None:
    told = Told()
    keeping = Keeping(told, lambda: (), period_ms=60_000, seeks_max=10)
    untouched, seek = KeptSeek("seek0002"), KeptSeek("seek0001")
    untouched.happened(PlayerEvent(player_id="ann", seq=1))
    assert not untouched.doubted
    with keeping.seek(seek):
        seek.happened(STARTED)
        async with asyncio.timeout(5):
            await seek.stirred()
        await keeping.look(seek)
        assert (seek.doubted, seek.gone) == (False, False), "another game, and this seek still waits"
        told.gone = {"seek0001"}
        await keeping.look(seek)
        assert seek.gone


async def test_no_more_seeks_are_held_than_this_process_can() -> None:
    keeping = Keeping(Told(), lambda: (), period_ms=60_000, seeks_max=1)
    with keeping.seek(KeptSeek("seek0001")):
        with pytest.raises(Refused) as caught:
            keeping.seek(KeptSeek("seek0002")).__enter__()
        assert caught.value.refusal.code is RefusalCode.UNAVAILABLE
    with keeping.seek(KeptSeek("seek0002")):
        pass


def test_a_seek_ends_with_the_process_that_holds_it() -> None:
    seek = KeptSeek("seek0001")
    seek.ended(RuntimeError("closing"))
    assert seek.gone
