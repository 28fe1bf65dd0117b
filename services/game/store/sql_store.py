"""Games in PostgreSQL: loaded many at a time, and saved with one statement per batch.

A save is one statement over arrays. It locks the rows whose version has not changed, in order of id, updates them, and
inserts the event, the command id and the outbox row of each updated row. A change that lost a race is not returned.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from google.protobuf.message import DecodeError
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from services.domain.time_control import ClockControl
from services.game.play.change import Change, ChangeKind
from services.game.play.command import Command
from services.game.play.game import Game, Limits
from services.game.play.moment import Answers, Past
from services.game.store.rows import CHANGING, changing_values, readable
from services.game.store.schema import game as game_table
from services.game.wire.events import VersionEvent
from services.pb.flagfall.v1.events_pb2 import GameEvent

log = logging.getLogger(__name__)

OUTBOX_GAME = "g"
OUTBOX_PLAYER = "p"

OutboxKey = tuple[str, str, int]
"""Kind, owner and number of an outbox row."""


@dataclass(frozen=True, slots=True)
class Save:
    """A change to commit, with its command and its event (without legal moves)."""

    command: Command
    change: Change
    event: VersionEvent
    then: "Save | None" = None
    """The conditional answer, played in the same commit as the next version."""
    answers_left: Answers | None = None
    """The conditional lines that remain after this change; None if there were none."""


@dataclass(frozen=True, slots=True)
class Decided:
    """The earlier use of a command id."""

    version: int
    digest: bytes
    event: VersionEvent


_EVENT_TYPES = {
    "game_id": "text",
    "payload": "bytea",
    "uci": "text",
    "san": "text",
    "move_ply": "int4",
    "by_computer": "bool",
    "clock_ms": "int8",
    "at_ms": "int8",
    "player_id": "text",
    "command_id": "text",
    "command_digest": "bytea",
}

_ARRAYS: dict[str, sa.types.TypeEngine[Any]] = {
    "text": pg.ARRAY(sa.Text),
    "bytea": pg.ARRAY(sa.LargeBinary),
    "int2": pg.ARRAY(sa.SmallInteger),
    "int4": pg.ARRAY(sa.Integer),
    "int8": pg.ARRAY(sa.BigInteger),
    "bool": pg.ARRAY(sa.Boolean),
}


REMOVE_PUBLISHED = """
    DELETE FROM outbox USING (
        SELECT outbox.kind, outbox.owner, outbox.number
        FROM outbox JOIN unnest(CAST(:gone_kind AS text[]), CAST(:gone_owner AS text[]),
                                CAST(:gone_number AS int8[])) AS g(kind, owner, number)
          ON outbox.kind = g.kind AND outbox.owner = g.owner AND outbox.number = g.number
        FOR UPDATE OF outbox SKIP LOCKED
    ) AS published
    WHERE outbox.kind = published.kind AND outbox.owner = published.owner AND outbox.number = published.number
"""
"""Deletes outbox rows. Rows locked by another process are skipped, so no process waits for another."""


def _save_statement() -> sa.TextClause:
    columns = {**_EVENT_TYPES, **CHANGING}
    arrays = ", ".join(f"CAST(:{name} AS {kind}[])" for name, kind in columns.items())
    assignments = ", ".join(f"{name} = item.{name}" for name in CHANGING)
    statement = f"""
        WITH item AS (SELECT * FROM unnest({arrays}) AS t({", ".join(columns)})),
        gone AS ({REMOVE_PUBLISHED}),
        held AS MATERIALIZED (
            SELECT game.id, item.version FROM game JOIN item ON game.id = item.game_id
            WHERE game.version = item.version - 1 AND NOT EXISTS (
                SELECT 1 FROM game_event AS done WHERE done.game_id = item.game_id
                AND done.player_id = item.player_id AND done.command_id = item.command_id
            )
            ORDER BY game.id FOR NO KEY UPDATE OF game
        ),
        saved AS (
            UPDATE game SET {assignments} FROM item, held
            WHERE game.id = item.game_id AND held.id = item.game_id AND held.version = item.version
              AND game.version = item.version - 1
            RETURNING game.id, game.version
        ),
        told AS (
            INSERT INTO game_event (game_id, version, payload, uci, san, ply, by_computer, clock_ms, at_ms,
                                    player_id, command_id, command_digest)
            SELECT saved.id, saved.version, item.payload, item.uci, item.san, item.move_ply, item.by_computer,
                   item.clock_ms, item.at_ms, item.player_id, item.command_id, item.command_digest
            FROM saved JOIN item ON item.game_id = saved.id AND item.version = saved.version
        ),
        posted AS (
            INSERT INTO outbox (kind, owner, number, at_ms)
            SELECT '{OUTBOX_GAME}', saved.id, saved.version, item.at_ms
            FROM saved JOIN item ON item.game_id = saved.id AND item.version = saved.version
        )
        SELECT id FROM saved
    """
    kinds = {name: _ARRAYS[kind] for name, kind in columns.items()}
    kinds |= {"gone_kind": _ARRAYS["text"], "gone_owner": _ARRAYS["text"], "gone_number": _ARRAYS["int8"]}
    return sa.text(statement).bindparams(*(sa.bindparam(name, type_=kind) for name, kind in kinds.items()))


_SAVE = _save_statement()

_LOAD = sa.text("SELECT * FROM game WHERE id = ANY(CAST(:ids AS text[]))").bindparams(
    sa.bindparam("ids", type_=_ARRAYS["text"])
)

_DECIDED = sa.text("""
    SELECT done.game_id, done.player_id, done.command_id, done.version, done.command_digest, done.payload
    FROM unnest(CAST(:games AS text[]), CAST(:players AS text[]), CAST(:commands AS text[]))
         AS t(game_id, player_id, id)
    JOIN game_event AS done
      ON done.game_id = t.game_id AND done.player_id = t.player_id AND done.command_id = t.id
""").bindparams(*(sa.bindparam(name, type_=_ARRAYS["text"]) for name in ("games", "players", "commands")))


async def load(connection: AsyncConnection, game_ids: Sequence[str]) -> dict[str, Game | None]:
    """The existing games of `game_ids`, by id; None for a game that cannot be read."""
    rows = await connection.execute(_LOAD, {"ids": list(game_ids)})
    return {row["id"]: readable(row) for row in rows.mappings()}


async def load_held(connection: AsyncConnection, game_id: str) -> Game | None:
    """A game, its row locked until the transaction ends; None if it does not exist or cannot be read."""
    statement = sa.select(game_table).where(game_table.c.id == game_id).with_for_update(key_share=True)
    row = (await connection.execute(statement)).mappings().first()
    return None if row is None else readable(row)


def readable_event(payload: bytes, game_id: str) -> GameEvent | None:
    """A stored event; None if this replica cannot read it."""
    try:
        return GameEvent.FromString(payload)
    except DecodeError as error:
        log.error("an event of game %s cannot be read: %s", game_id, error)
        return None


async def decided(connection: AsyncConnection, commands: Sequence[Command]) -> dict[tuple[str, str, str], Decided]:
    """The earlier uses of these commands' ids, by (game id, player id, command id)."""
    asked = [command for command in commands if command.command_id]
    if not asked:
        return {}
    rows = await connection.execute(
        _DECIDED,
        {
            "games": [command.game_id for command in asked],
            "players": [command.player_id for command in asked],
            "commands": [command.command_id for command in asked],
        },
    )
    return {
        (row.game_id, row.player_id, row.command_id): Decided(
            row.version, bytes(row.command_digest), VersionEvent.read(row.payload)
        )
        for row in rows
    }


_PASTS = sa.text("""
    SELECT t.game_id, t.ply, past.moves, past.payload,
           (SELECT payload FROM game_event AS first WHERE first.game_id = t.game_id AND first.version = 1) AS created
    FROM unnest(CAST(:games AS text[]), CAST(:plies AS int4[])) AS t(game_id, ply),
    LATERAL (
        SELECT array_agg(line.uci ORDER BY line.ply) AS moves,
               (array_agg(line.payload ORDER BY line.ply DESC))[1] AS payload
        FROM (
            SELECT DISTINCT ON (ply) ply, uci, payload FROM game_event
            WHERE game_event.game_id = t.game_id AND uci <> '' AND game_event.ply <= t.ply
            ORDER BY ply, version DESC
        ) AS line
    ) AS past
""").bindparams(sa.bindparam("games", type_=_ARRAYS["text"]), sa.bindparam("plies", type_=_ARRAYS["int4"]))


async def pasts(connection: AsyncConnection, wanted: Mapping[str, int]) -> dict[str, Past]:
    """The past state of games. `wanted`: half-move by game id. A game with missing moves is left out."""
    found: dict[str, Past] = {}
    for row in await connection.execute(_PASTS, {"games": list(wanted), "plies": list(wanted.values())}):
        moves = tuple(row.moves or ())
        payload = row.payload if row.ply else row.created
        event = readable_event(payload, row.game_id) if payload is not None else None
        if event is None or len(moves) != row.ply:
            log.error("game %s: %d of its %d moves are readable", row.game_id, len(moves), row.ply)
            continue
        state = event.state
        found[row.game_id] = Past(row.ply, moves, state.white_ms, state.black_ms, state.last_uci, state.last_san)
    return found


async def save(
    connection: AsyncConnection, saves: Sequence[Save], limits: Limits, gone: Sequence[OutboxKey]
) -> set[str]:
    """Save the changes that have not lost a race, and delete the outbox rows `gone`. Returns the saved games' ids.

    `saves` has at most one change per game. The caller commits.
    """
    columns: list[tuple[object, ...]] = [
        (
            save.change.game.terms.id,
            save.event.to_bytes(),
            *_move_columns(save),
            save.change.at_ms,
            save.command.player_id or None,
            save.command.command_id or None,
            save.command.digest if save.command.command_id else None,
            *changing_values(save.change.game, limits),
        )
        for save in saves
    ]
    names = (*_EVENT_TYPES, *CHANGING)
    values: dict[str, list[object]] = {
        name: list(column) for name, column in zip(names, zip(*columns, strict=True), strict=True)
    }
    values |= outbox_arrays(gone)
    return set((await connection.execute(_SAVE, values)).scalars())


def _move_columns(save: Save) -> tuple[str, str, int, bool, int]:
    """UCI, SAN, half-move, whether a computer moved for an absent player, and the mover's clock in ms."""
    change, game = save.change, save.change.game
    if change.kind is not ChangeKind.MOVE or change.by is None:
        return "", "", 0, False, 0
    # Other time controls leave no time after a move.
    clock_ms = save.event.clock_ms(change.by) if isinstance(game.clock.control, ClockControl) else 0
    return game.last_uci, game.last_san, game.ply, change.by_computer, clock_ms


def outbox_arrays(keys: Sequence[OutboxKey]) -> dict[str, list[object]]:
    """Outbox rows as the array parameters of this module's statements."""
    return {
        "gone_kind": [kind for kind, _, _ in keys],
        "gone_owner": [owner for _, owner, _ in keys],
        "gone_number": [number for _, _, number in keys],
    }
