"""What somebody may see of a game. Players see everything; with a delay, others see a running game's older state.

HTTP endpoints that show a game take it from here. Sockets and streams take it from the hub, which has the same rule.
"""

from collections.abc import Sequence

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.gateway.errors import Refused
from services.gateway.game_calls.game_client import GameClient
from services.gateway.game_calls.lists_client import ListsClient, in_turn
from services.gateway.public_api.public_json import colour_of
from services.pb.flagfall.v1.events_pb2 import GAME_STATUS_STARTED, GameInfo, GameState, GameSummary
from services.pb.flagfall.v1.game_pb2 import Fetched, FetchItem, Snapshot
from services.runtime.wire import refusal_from_pb


class Onlookers:
    """Reads games as one viewer may see them. With `delay_ms` 0 everybody sees everything at once."""

    def __init__(self, game: GameClient, lists: ListsClient, delay_ms: int) -> None:
        self._game = game
        self._lists = lists
        self._delayed = delay_ms > 0

    async def snapshot(self, game_id: str, viewer_id: str) -> Snapshot:
        """A whole game as the viewer may see it (empty id: not signed in). Raises Refused when there is none."""
        newest = await self._game.snapshot(game_id)
        if not self._hidden(newest.info, newest.state, viewer_id):
            return newest
        return _snapshot(await self._lists.late(FetchItem(game_id=game_id)))

    async def snapshots(self, game_ids: Sequence[str], viewer_id: str) -> list[Snapshot]:
        """The same for many games; ids without a game are left out."""
        found = [fetched.snapshot for fetched in await self._lists.games(game_ids) if fetched.HasField("snapshot")]
        late = await self._late([game for game in found if self._hidden(game.info, game.state, viewer_id)])
        return [late.get(game.info.id, game) for game in found]

    async def summaries(self, games: Sequence[GameSummary], viewer_id: str) -> list[GameSummary]:
        """Entries of a list, each with the state that the viewer may see."""
        late = await self._late([game for game in games if self._hidden(game.info, game.state, viewer_id)])
        return [
            GameSummary(info=game.info, state=late[game.info.id].state) if game.info.id in late else game
            for game in games
        ]

    async def past(self, game_id: str, viewer_id: str) -> Fetched:
        """The game's events since it was made; the whole game when there are too many."""
        item = FetchItem(game_id=game_id, since_version=1)
        newest = await self._game.snapshot(game_id)
        if self._hidden(newest.info, newest.state, viewer_id):
            return await self._lists.late(item)
        return await self._lists.prompt(item)

    def _hidden(self, info: GameInfo, state: GameState, viewer_id: str) -> bool:
        return self._delayed and state.status == GAME_STATUS_STARTED and not colour_of(info, viewer_id)

    async def _late(self, games: Sequence[Snapshot | GameSummary]) -> dict[str, Snapshot]:
        calls = [self._lists.late(FetchItem(game_id=game.info.id)) for game in games]
        snapshots = [_snapshot(fetched) for fetched in await in_turn(calls)]
        return {game.info.id: game for game in snapshots}


def _snapshot(fetched: Fetched) -> Snapshot:
    if fetched.HasField("refusal"):
        raise Refused(refusal_from_pb(fetched.refusal))
    if not fetched.HasField("snapshot"):
        raise Refused(Refusal(RefusalCode.UNAVAILABLE, say("play.cannot_show")))
    return fetched.snapshot
