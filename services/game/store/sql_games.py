"""Reads of games outside the commit path. Each statement is its own transaction."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncEngine

from services.game.play.game import Game
from services.game.store.database import single, transaction
from services.game.store.rows import readable
from services.game.store.schema import game as game_table
from services.game.store.schema import game_event as event_table
from services.game.store.sql_store import load, readable_event
from services.pb.flagfall.v1.common_pb2 import PgnTag
from services.pb.flagfall.v1.events_pb2 import GameEvent
from services.pb.flagfall.v1.game_pb2 import PlayedMove

log = logging.getLogger(__name__)


class Games:
    """Reads games. The methods raise the exceptions of `transaction`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = single(engine)

    async def load(self, game_ids: Sequence[str]) -> dict[str, Game | None]:
        """The existing games of `game_ids`, by id; None for a game that cannot be read."""
        async with transaction(self._engine) as connection:
            return await load(connection, game_ids)

    async def events(self, wanted: Mapping[str, int], limit: int) -> dict[str, list[GameEvent]]:
        """For each game its events after a version, in order: at most `limit` + 1, so that the caller can see more.

        `wanted`: version by game id. An unreadable event is left out and appears as a gap.
        """
        if not wanted:
            return {}
        statement = sa.text("""
            SELECT t.game_id, e.payload
            FROM unnest(CAST(:ids AS text[]), CAST(:since AS int4[])) AS t(game_id, since),
            LATERAL (
                SELECT version, payload FROM game_event
                WHERE game_event.game_id = t.game_id AND version > t.since ORDER BY version LIMIT :most
            ) AS e
            ORDER BY t.game_id, e.version
        """).bindparams(sa.bindparam("ids", type_=pg.ARRAY(sa.Text)), sa.bindparam("since", type_=pg.ARRAY(sa.Integer)))
        found: dict[str, list[GameEvent]] = {game_id: [] for game_id in wanted}
        async with transaction(self._engine) as connection:
            rows = await connection.execute(
                statement, {"ids": list(wanted), "since": list(wanted.values()), "most": limit + 1}
            )
            for row in rows:
                event = readable_event(row.payload, row.game_id)
                if event is not None:
                    found[row.game_id].append(event)
        return found

    async def moves(self, game_ids: Sequence[str]) -> dict[str, list[PlayedMove]]:
        """The moves of each game, in order. A half-move that was played again counts once, with its last move. Moves
        that were taken back may follow after the newest move."""
        statement = (
            sa.select(
                event_table.c.game_id,
                event_table.c.uci,
                event_table.c.san,
                event_table.c.clock_ms,
                event_table.c.at_ms,
                event_table.c.by_computer,
            )
            .ext(pg.distinct_on(event_table.c.game_id, event_table.c.ply))
            .where(event_table.c.game_id.in_(list(game_ids)), event_table.c.uci != "")
            .order_by(event_table.c.game_id, event_table.c.ply, event_table.c.version.desc())
        )
        found: dict[str, list[PlayedMove]] = {game_id: [] for game_id in game_ids}
        async with transaction(self._engine) as connection:
            for row in await connection.execute(statement):
                found[row.game_id].append(
                    PlayedMove(
                        uci=row.uci,
                        san=row.san,
                        clock_ms=row.clock_ms,
                        at_ms=row.at_ms,
                        by_computer=row.by_computer,
                    )
                )
        return found

    async def rematches(self, game_ids: Sequence[str]) -> dict[str, str]:
        """The id of the rematch of each game that has one, by the first game's id."""
        statement = sa.select(game_table.c.rematch_of, game_table.c.id).where(
            game_table.c.rematch_of.in_(list(game_ids)), game_table.c.rematch_of != sa.literal_column("''")
        )
        async with transaction(self._engine) as connection:
            return {row.rematch_of: row.id for row in await connection.execute(statement)}

    async def tags(self, game_ids: Sequence[str]) -> dict[str, Sequence[PgnTag]]:
        """The PGN tags of imported games, by game id. They are stored only in the first event."""
        statement = sa.select(event_table.c.game_id, event_table.c.payload).where(
            event_table.c.game_id.in_(list(game_ids)), event_table.c.version == 1
        )
        async with transaction(self._engine) as connection:
            rows = (await connection.execute(statement)).all()
        events = {row.game_id: readable_event(row.payload, row.game_id) for row in rows}
        return {game_id: event.info.tags for game_id, event in events.items() if event is not None}

    async def with_deadline(
        self,
        kinds: Sequence[int],
        after_game_id: str,
        limit: int,
        *,
        due_before_ms: int | None = None,
        look_before_ms: int | None = None,
    ) -> list[Game]:
        """Running games with a deadline of these kinds, sorted by id. `due_before_ms`: only stored deadlines until
        then; `look_before_ms`: only games whose `look_ms` is until then.

        Fewer than `limit` games means that there are no more: unreadable rows do not shorten a page.
        """
        statement = sa.select(game_table).where(
            sa.text("end_reason = 0 AND deadline_kind > 0"),  # the same condition as in the index
            game_table.c.deadline_kind.in_(list(kinds)),
        )
        if due_before_ms is not None:
            statement = statement.where(
                game_table.c.look_ms <= due_before_ms, game_table.c.deadline_ms <= due_before_ms
            )
        if look_before_ms is not None:
            statement = statement.where(game_table.c.look_ms <= look_before_ms)
        found: list[Game] = []
        while len(found) < limit:
            lacking = limit - len(found)
            page = statement.where(game_table.c.id > after_game_id).order_by(game_table.c.id).limit(lacking)
            async with transaction(self._engine) as connection:
                rows = (await connection.execute(page)).mappings().all()
            found += filter(None, map(readable, rows))
            if len(rows) < lacking:
                break
            after_game_id = rows[-1]["id"]
        return found

    async def computer_turns(self, began_before_ms: int, limit: int) -> list[Game]:
        """Running games in which it has been the computer's turn since before `began_before_ms`, longest first."""
        statement = sa.select(game_table).where(
            game_table.c.computer_turn_level > 0, game_table.c.turn_started_ms <= began_before_ms
        )
        return await self._all(statement.order_by(game_table.c.turn_started_ms).limit(limit))

    async def idle_in_parties(self, before_ms: int, limit: int) -> list[Game]:
        """Running games of parties without a move since `before_ms`, longest first."""
        statement = sa.select(game_table).where(
            game_table.c.party_id != "", game_table.c.end_reason == 0, game_table.c.turn_started_ms <= before_ms
        )
        return await self._all(statement.order_by(game_table.c.turn_started_ms).limit(limit))

    async def _all(self, statement: sa.Select[Any]) -> list[Game]:
        async with transaction(self._engine) as connection:
            return list(filter(None, map(readable, (await connection.execute(statement)).mappings())))
