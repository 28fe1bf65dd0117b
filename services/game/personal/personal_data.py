"""The stored data of a person besides games, ratings and progress. Only that person may read it."""

from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine

from services.game.store.database import transaction
from services.game.store.schema import chat_line, conditional_moves, token, vacation
from services.pb.flagfall.v1.game_pb2 import ConditionalLines


@dataclass(frozen=True, slots=True)
class KeptToken:
    """A token without its secret, which is not stored."""

    description: str
    scopes: tuple[str, ...]
    sign_in: bool
    created_ms: int


@dataclass(frozen=True, slots=True)
class KeptLine:
    """A chat line; `id` is unique on the server and grows."""

    id: int
    game_id: str
    room: int
    text: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class KeptConditions:
    """The conditional moves set in a game: from which half-move, and how many lines."""

    game_id: str
    ply: int
    lines: int


class PersonalData:
    """Reads the stored data of a person."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def tokens(self, player_id: str) -> list[KeptToken]:
        """All tokens, oldest first."""
        statement = (
            sa.select(token.c.description, token.c.scopes, token.c.sign_in, token.c.created_ms)
            .where(token.c.player_id == player_id)
            .order_by(token.c.created_ms)
        )
        async with transaction(self._engine) as connection:
            rows = (await connection.execute(statement)).all()
        return [KeptToken(row.description, tuple(row.scopes), row.sign_in, row.created_ms) for row in rows]

    async def vacations(self, player_id: str) -> list[tuple[int, int]]:
        """Begin and end (UTC ms) of each vacation, oldest first."""
        statement = sa.select(vacation.c.start_ms, vacation.c.end_ms).where(vacation.c.player_id == player_id)
        async with transaction(self._engine) as connection:
            rows = (await connection.execute(statement.order_by(vacation.c.start_ms))).all()
        return [(row.start_ms, row.end_ms) for row in rows]

    async def conditions(self, player_id: str) -> list[KeptConditions]:
        """Conditional moves, by game."""
        table = conditional_moves
        statement = sa.select(table.c.game_id, table.c.ply, table.c.lines).where(table.c.player_id == player_id)
        async with transaction(self._engine) as connection:
            rows = (await connection.execute(statement.order_by(table.c.game_id))).all()
        return [KeptConditions(row.game_id, row.ply, len(ConditionalLines.FromString(row.lines).lines)) for row in rows]

    async def chat(self, player_id: str, after_id: int, limit: int) -> list[KeptLine]:
        """At most `limit` chat lines after the line with this id, in order."""
        table = chat_line
        statement = (
            sa.select(table.c.id, table.c.game_id, table.c.room, table.c.text, table.c.at_ms)
            .where(table.c.player_id == player_id, table.c.id > after_id)
            .order_by(table.c.id)
            .limit(limit)
        )
        async with transaction(self._engine) as connection:
            rows = (await connection.execute(statement)).all()
        return [KeptLine(row.id, row.game_id, row.room, row.text, row.at_ms) for row in rows]
