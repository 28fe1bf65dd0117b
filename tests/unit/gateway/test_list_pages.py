"""A list of games is read as it is sent: what is in memory does not grow with it."""

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from types import SimpleNamespace
from typing import Any, cast

from services.gateway.game_calls.lists_client import ListsClient
from services.gateway.rest.game_filter import GameFilter
from services.gateway.rest.games import _of_user
from services.gateway.rest.parts import Parts
from services.pb.flagfall.v1 import events_pb2
from services.pb.flagfall.v1 import game_pb2 as pb

PAGE, GAMES = 10, 1_000


class Lists:
    """A thousand games of anna's, a page at a time."""

    def __init__(self) -> None:
        self.searches = 0
        self.snapshots = 0

    async def search(self, request: pb.SearchGamesRequest) -> pb.GameSummaries:
        """The next page."""
        self.searches += 1
        first = int(request.after_game_id[4:]) + 1 if request.after_game_id else 0
        page = pb.GameSummaries(more=first + request.limit < GAMES)
        for number in range(first, first + request.limit):
            game = page.games.add()
            game.info.id, game.info.white.id = f"game{number:04}", "anna"
            game.state.status = events_pb2.GAME_STATUS_ENDED
        return page

    def pages(self, request: pb.SearchGamesRequest) -> AsyncIterator[pb.GameSummaries]:
        """The client's own way through them."""
        return ListsClient.pages(cast(ListsClient, self), request)

    async def whole(self, ids: Sequence[str], viewer_id: str) -> list[pb.Snapshot]:
        """Whole games."""
        self.snapshots += len(ids)
        return [pb.Snapshot(info=events_pb2.GameInfo(id=id)) for id in ids]


def parts_of(lists: Lists) -> Parts:
    made: Any = SimpleNamespace(
        settings=SimpleNamespace(export_page_games=PAGE),
        lists=lists,
        onlookers=SimpleNamespace(snapshots=lists.whole),
    )
    return cast(Parts, made)


async def test_a_page_is_read_when_the_one_before_was_sent() -> None:
    lists = Lists()
    async with aclosing(_of_user(parts_of(lists), GameFilter("anna"), "")) as games:
        for number in range(35):
            assert (await anext(games)).info.id == f"game{number:04}"
            pages = number // PAGE + 1
            assert (lists.searches, lists.snapshots) == (pages, pages * PAGE)


async def test_all_of_them_come_once_and_no_more_than_asked() -> None:
    lists = Lists()
    found = [game.info.id async for game in _of_user(parts_of(lists), GameFilter("anna"), "")]
    assert found == [f"game{number:04}" for number in range(GAMES)]
    lists = Lists()
    assert len([game async for game in _of_user(parts_of(lists), GameFilter("anna", max=25), "")]) == 25
    assert (lists.searches, lists.snapshots) == (3, 25)
