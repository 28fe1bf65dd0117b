"""Games as they were some time ago, for spectators of delayed games.

Spectators get the newest event that is old enough. A finished game has no delay.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncEngine

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.game.play.game import Game
from services.game.store.database import single, transaction
from services.game.store.sql_games import Games
from services.game.store.sql_store import readable_event
from services.game.wire.messages import info_message
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.events_pb2 import GAME_STATUS_STARTED, GameEvent
from services.runtime.spectator_delay import postponed
from services.runtime.wire import refusal_to_pb

_UNREADABLE = pb.Fetched(refusal=refusal_to_pb(Refusal(RefusalCode.UNAVAILABLE, say("play.cannot_show"), "game_id")))

_OLD_ENOUGH = sa.text("""
    SELECT t.game_id, e.payload
    FROM unnest(CAST(:ids AS text[])) AS t(game_id),
    LATERAL (
        SELECT payload FROM game_event
        WHERE game_event.game_id = t.game_id AND (version = 1 OR at_ms <= :until) ORDER BY version DESC LIMIT 1
    ) AS e
""").bindparams(sa.bindparam("ids", type_=pg.ARRAY(sa.Text)))
"""The newest event of each game until a given time. The first event is always old enough."""

_MOVES = sa.text("""
    SELECT e.game_id, e.uci, e.san, e.ply, e.by_computer, e.clock_ms, e.at_ms
    FROM unnest(CAST(:ids AS text[]), CAST(:versions AS int4[])) AS t(game_id, version)
    JOIN game_event AS e ON e.game_id = t.game_id AND e.version <= t.version AND e.uci <> ''
    ORDER BY e.game_id, e.version
""").bindparams(sa.bindparam("ids", type_=pg.ARRAY(sa.Text)), sa.bindparam("versions", type_=pg.ARRAY(sa.Integer)))


class Late:
    """Reads games with a delay. Each statement is its own transaction; raises the exceptions of `transaction`."""

    def __init__(self, engine: AsyncEngine, events_max: int) -> None:
        self._engine = single(engine)
        self._games = Games(engine)
        self._events_max = events_max

    async def going_on(self, game_ids: Sequence[str]) -> dict[str, Game]:
        """The running games of `game_ids`, by id."""
        found = await self._games.load(game_ids)
        return {id: game for id, game in found.items() if game is not None and game.outcome is None}

    async def fetch(
        self, items: Sequence[pb.FetchItem], games: Mapping[str, Game], late_ms: int, now_ms: int
    ) -> list[pb.Fetched]:
        """For each item what it lacks of its game, as the game was `late_ms` before `now_ms`."""
        newest = await self._newest(list(games), now_ms - late_ms)
        behind: dict[str, int] = {}
        for item in items:
            event = newest.get(item.game_id)
            if event is not None and 0 < item.since_version < event.state.version:
                behind[item.game_id] = min(item.since_version, behind.get(item.game_id, event.state.version))
        events = await self._games.events(behind, self._events_max)
        answers = [
            _known(item, games[item.game_id], newest.get(item.game_id), events.get(item.game_id, ()), late_ms)
            for item in items
        ]
        whole = {item.game_id for item, answer in zip(items, answers, strict=True) if answer is None}
        moves = await self._moves({id: newest[id] for id in whole})
        return [
            answer or _snapshot(games[item.game_id], newest[item.game_id], moves[item.game_id], late_ms)
            for item, answer in zip(items, answers, strict=True)
        ]

    async def _newest(self, game_ids: list[str], until_ms: int) -> dict[str, GameEvent]:
        if not game_ids:
            return {}
        async with transaction(self._engine) as connection:
            rows = (await connection.execute(_OLD_ENOUGH, {"ids": game_ids, "until": until_ms})).all()
        found = {row.game_id: readable_event(row.payload, row.game_id) for row in rows}
        return {id: event for id, event in found.items() if event is not None}

    async def _moves(self, newest: Mapping[str, GameEvent]) -> dict[str, list[pb.PlayedMove]]:
        """The moves of each game at that version. A half-move that was taken back and played again counts once."""
        found: dict[str, list[pb.PlayedMove]] = defaultdict(list)
        if not newest:
            return found
        asked = {"ids": list(newest), "versions": [event.state.version for event in newest.values()]}
        async with transaction(self._engine) as connection:
            for row in await connection.execute(_MOVES, asked):
                moves = found[row.game_id]
                if row.ply:
                    del moves[row.ply - 1 :]
                moves.append(
                    pb.PlayedMove(
                        uci=row.uci, san=row.san, clock_ms=row.clock_ms, at_ms=row.at_ms, by_computer=row.by_computer
                    )
                )
        for id, event in newest.items():
            del found[id][event.state.ply :]
        return found


def _known(
    item: pb.FetchItem, game: Game, newest: GameEvent | None, events: Sequence[GameEvent], late_ms: int
) -> pb.Fetched | None:
    """The answer if it needs no moves of the game; None if a snapshot is needed."""
    if newest is None:
        return _UNREADABLE
    version = newest.state.version
    if item.since_version >= version:
        return pb.Fetched(up_to_date=pb.UpToDate(version=game.version))
    wanted = [event for event in events if item.since_version < event.state.version <= version]
    if item.since_version <= 0 or len(wanted) != version - item.since_version:
        return None
    return pb.Fetched(events=pb.Events(events=[postponed(event, late_ms) for event in wanted]))


def _snapshot(game: Game, newest: GameEvent, moves: Sequence[pb.PlayedMove], late_ms: int) -> pb.Fetched:
    state = postponed(newest, late_ms).state
    return pb.Fetched(snapshot=pb.Snapshot(info=info_message(game.terms), state=state, moves=moves))


def over(fetched: pb.Fetched) -> pb.Fetched:
    """`fetched`, or a refusal if the game was reopened meanwhile: its new moves must not be shown without delay."""
    kind = fetched.WhichOneof("result")
    state = fetched.snapshot.state if kind == "snapshot" else None
    if kind == "events":
        state = fetched.events.events[-1].state
    return _UNREADABLE if state is not None and state.status == GAME_STATUS_STARTED else fetched
