"""The events of each player: numbered per player without gaps, written in the transaction of the change."""

from collections import Counter
from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from services.game.store.database import single, transaction
from services.game.store.schema import player as player_table
from services.game.store.schema import player_event as event_table
from services.game.store.sql_players import among
from services.game.store.sql_store import OUTBOX_PLAYER
from services.game.wire.events import PersonEvent
from services.pb.flagfall.v1.events_pb2 import PlayerEvent

_APPEND = sa.text(f"""
    WITH item AS (SELECT * FROM unnest(:players, :seqs, :payloads) AS t(player_id, seq, payload)),
    told AS (
        INSERT INTO player_event (player_id, seq, payload, at_ms)
        SELECT player_id, seq, payload, :now_ms FROM item
    ),
    posted AS (
        INSERT INTO outbox (kind, owner, number, at_ms)
        SELECT '{OUTBOX_PLAYER}', player_id, seq, :now_ms FROM item
    )
    UPDATE player SET event_seq = last.seq
    FROM (SELECT player_id, max(seq) AS seq FROM item GROUP BY player_id) AS last WHERE player.id = last.player_id
""").bindparams(
    sa.bindparam("players", type_=pg.ARRAY(sa.Text)),
    sa.bindparam("seqs", type_=pg.ARRAY(sa.BigInteger)),
    sa.bindparam("payloads", type_=pg.ARRAY(sa.LargeBinary)),
    sa.bindparam("now_ms", type_=sa.BigInteger),
)

_SINCE = sa.text("""
    SELECT coalesce(player.event_seq, 0) AS last, told.payloads
    FROM unnest(:players, :seqs) WITH ORDINALITY AS item(player_id, seq, place)
    LEFT JOIN player ON player.id = item.player_id
    LEFT JOIN LATERAL (
        SELECT array_agg(event.payload ORDER BY event.seq) AS payloads
        FROM (
            SELECT payload, seq FROM player_event
            WHERE player_event.player_id = player.id AND seq > item.seq AND seq <= player.event_seq
            ORDER BY seq LIMIT :most
        ) AS event
    ) AS told ON player.event_seq > item.seq
    ORDER BY item.place
""").bindparams(
    sa.bindparam("players", type_=pg.ARRAY(sa.Text)),
    sa.bindparam("seqs", type_=pg.ARRAY(sa.BigInteger)),
    sa.bindparam("most", type_=sa.Integer),
)


async def append(connection: AsyncConnection, events: Sequence[PersonEvent], now_ms: int) -> list[PersonEvent]:
    """Write events (without `seq`) in the caller's transaction, in order; returns them with `seq`.

    Locks the players' rows in order of id until the transaction ends. Events for ids without a row (the computer) are
    left out.
    """
    if not events:
        return []
    statement = (
        sa.select(player_table.c.id, player_table.c.event_seq)
        .where(among(player_table.c.id, [event.player_id for event in events]))
        .order_by(player_table.c.id)
        .with_for_update(key_share=True)
    )
    last = {row.id: row.event_seq for row in await connection.execute(statement)}
    counts: Counter[str] = Counter()
    numbered = []
    for event in events:
        if event.player_id in last:
            counts[event.player_id] += 1
            numbered.append(event.numbered(last[event.player_id] + counts[event.player_id]))
    if numbered:
        await connection.execute(
            _APPEND,
            {
                "players": [event.player_id for event in numbered],
                "seqs": [event.seq for event in numbered],
                "payloads": [event.to_bytes() for event in numbered],
                "now_ms": now_ms,
            },
        )
    return numbered


async def since(
    engine: AsyncEngine, asked: Sequence[tuple[str, int]], limit: int
) -> list[tuple[list[PlayerEvent], int]]:
    """For each (player id, number): at most `limit` events after that number, in order, and the newest number.

    Pruned events are missing. Then the first event's number is not the next one after the given number.
    """
    async with transaction(single(engine)) as connection:
        rows = await connection.execute(
            _SINCE, {"players": [player for player, _ in asked], "seqs": [seq for _, seq in asked], "most": limit}
        )
        return [([PlayerEvent.FromString(payload) for payload in row.payloads or ()], row.last) for row in rows]


async def prune(engine: AsyncEngine, before_ms: int, limit: int) -> int:
    """Delete at most `limit` events older than `before_ms`, oldest first; returns their number."""
    old = (
        sa.select(event_table.c.player_id, event_table.c.seq)
        .where(event_table.c.at_ms < before_ms)
        .order_by(event_table.c.at_ms)
        .limit(limit)
        .with_for_update(skip_locked=True)
        .cte("old")
    )
    statement = sa.delete(event_table).where(event_table.c.player_id == old.c.player_id, event_table.c.seq == old.c.seq)
    async with transaction(engine) as connection:
        return (await connection.execute(statement)).rowcount
