"""Chat of a game: a room for the players and a room for spectators. It creates no version of the game.

A server may have either room, both or none. The rate limit of a person is counted here, over all games and gateways.
"""

import asyncio
import logging
import unicodedata
from typing import Protocol

import sqlalchemy as sa
from redis.exceptions import RedisError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.game.play.person import Person
from services.game.play.refusals import NO_GAME, NO_PLAYER
from services.game.settings import GameSettings
from services.game.store import sql_players
from services.game.store.database import transaction
from services.game.store.schema import chat_line as line_table
from services.game.store.schema import game as game_table
from services.pb.flagfall.v1.events_pb2 import CHAT_ROOM_PLAYER, CHAT_ROOM_SPECTATOR, ChatLine, ChatRoom

log = logging.getLogger(__name__)

_ROOMS = {"player": CHAT_ROOM_PLAYER, "spectator": CHAT_ROOM_SPECTATOR}
# Control characters, line separators, and marks that change the direction of the following text.
_FORBIDDEN_CATEGORIES = frozenset(["Cc", "Zl", "Zp"])
_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class ChatPublisher(Protocol):
    """Publishes chat lines."""

    async def publish_chat(self, line: ChatLine) -> None:
        """Publish now, or raise RedisError."""


def refuse_text(text: str, chars_max: int) -> Refusal | None:
    """Why this (trimmed) text cannot be a line of chat, or None."""
    if not text or len(text) > chars_max:
        return Refusal(RefusalCode.MALFORMED, say("chat.length", most=chars_max), "text")
    for place, char in enumerate(text):
        if unicodedata.category(char) in _FORBIDDEN_CATEGORIES or char in _DIRECTIONS:
            return Refusal(RefusalCode.MALFORMED, say("chat.character", place=place + 1), "text")
    return None


class Chat:
    """Stores and lists chat lines."""

    def __init__(self, engine: AsyncEngine, publisher: ChatPublisher, settings: GameSettings) -> None:
        self._engine = engine
        self._publisher = publisher
        self._settings = settings
        self._open = frozenset(_ROOMS[name] for name in settings.rooms_of_chat)

    async def post(self, game_id: str, player_id: str, room: ChatRoom, text: str, now_ms: int) -> ChatLine | Refusal:
        """Store a line and publish it. Only the players may write to their room; anybody may write to the other."""
        if room not in self._open:
            return Refusal(RefusalCode.NOT_ALLOWED, say("chat.closed"), "room")
        text = text.strip()
        refusal = refuse_text(text, self._settings.chat_chars_max)
        if refusal is not None:
            return refusal
        async with transaction(self._engine) as connection:
            writer = await self._writer(connection, game_id, player_id, room)
            if isinstance(writer, Refusal):
                return writer
            person, plays = writer
            where = (game_id, room) if plays else None
            if await self._said_lately(connection, person.id, where, now_ms) >= self._settings.chat_lines_at_once:
                return Refusal(RefusalCode.LIMIT_REACHED, say("chat.too_much"))
            line = ChatLine(
                game_id=game_id, room=room, player_id=person.id, player_name=person.name, text=text, at_ms=now_ms
            )
            await self._insert(connection, line)
        try:
            async with asyncio.timeout(self._settings.call_timeout_ms / 1000):
                await self._publisher.publish_chat(line)
        except (RedisError, OSError, TimeoutError) as error:
            log.warning("a chat line is stored but not published: %s", type(error).__name__)
        return line

    async def _writer(
        self, connection: AsyncConnection, game_id: str, player_id: str, room: ChatRoom
    ) -> tuple[Person, bool] | Refusal:
        """Who writes, and whether as a player of the game."""
        statement = sa.select(game_table.c.white_id, game_table.c.black_id).where(game_table.c.id == game_id)
        game = (await connection.execute(statement)).first()
        if game is None:
            return NO_GAME
        # Locked until the line is inserted, so that concurrent lines are counted one by one.
        person = (await sql_players.lock(connection, [player_id])).get(player_id)
        if person is None:
            return NO_PLAYER
        if room == CHAT_ROOM_PLAYER and person.id not in (game.white_id, game.black_id):
            return Refusal(RefusalCode.NOT_A_PLAYER, say("chat.players_only"), "room")
        return person, person.id in (game.white_id, game.black_id)

    async def _said_lately(
        self, connection: AsyncConnection, player_id: str, where: tuple[str, ChatRoom] | None, now_ms: int
    ) -> int:
        """How many lines a person has sent in the time span of the limit: to one room of a game, or to all rooms.

        In the own games each room counts by itself, since a bot greets in many games at once. In other people's games
        all rooms count together: nobody floods them all.
        """
        since_ms = now_ms - self._settings.chat_span_ms
        lately = [line_table.c.player_id == player_id, line_table.c.at_ms > since_ms]
        if where is not None:
            lately += [line_table.c.game_id == where[0], line_table.c.room == int(where[1])]
        statement = sa.select(sa.func.count()).where(*lately)
        return int((await connection.execute(statement)).scalar_one())

    async def _insert(self, connection: AsyncConnection, line: ChatLine) -> None:
        """Insert a line and delete the oldest ones above the room's limit."""
        await connection.execute(
            sa.insert(line_table).values(
                game_id=line.game_id,
                room=int(line.room),
                player_id=line.player_id,
                player_name=line.player_name,
                text=line.text,
                at_ms=line.at_ms,
            )
        )
        here = sa.and_(line_table.c.game_id == line.game_id, line_table.c.room == int(line.room))
        newest_to_go = (
            sa.select(line_table.c.id)
            .where(here)
            .order_by(line_table.c.id.desc())
            .offset(self._settings.chat_lines_max)
            .limit(1)
            .scalar_subquery()
        )
        await connection.execute(sa.delete(line_table).where(here, line_table.c.id <= newest_to_go))

    async def lines(self, game_id: str, room: ChatRoom) -> list[ChatLine]:
        """The stored lines of a room, oldest first; none if the server has closed the room."""
        if room not in self._open:
            return []
        statement = (
            sa.select(line_table)
            .where(line_table.c.game_id == game_id, line_table.c.room == int(room))
            .order_by(line_table.c.id.desc())
            .limit(self._settings.chat_lines_max)
        )
        async with transaction(self._engine) as connection:
            rows = (await connection.execute(statement)).all()
        return [
            ChatLine(
                game_id=row.game_id,
                room=room,
                player_id=row.player_id,
                player_name=row.player_name,
                text=row.text,
                at_ms=row.at_ms,
            )
            for row in reversed(rows)
        ]
