"""The lobby: pairs two players who look for the same game; the oldest seek is paired first.

The game is made in the commit that removes the seek. Locks are taken in one order everywhere: the terms of the wanted
game, then players by id. A seek's row is deleted only under the lock of its maker's row.
"""

import asyncio
import secrets
from collections.abc import Mapping
from dataclasses import replace

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from services.domain.colour import Colour
from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.domain.time_control import speed_of
from services.game.commit.creation import Created, NewGame, NewGames, new_game_id
from services.game.invitations.challenge import Wish, refuse_guests
from services.game.lobby import seek as decisions
from services.game.lobby import sql_seeks
from services.game.lobby.seek import Range, Seek
from services.game.play.game import Game, Standing
from services.game.play.person import Person
from services.game.play.refusals import NO_PLAYER
from services.game.settings import GameSettings
from services.game.store import live_seeks, sql_players
from services.game.store.database import single, transaction

PAIRINGS_TRIED_MAX = 10
"""The most seeks to try if each was taken meanwhile; then the new seek waits."""
ID_TRIES_MAX = 5
SEEN_FOR_ONE_LISTED = 5
"""Seeks read per seek in a player's list. So in a full lobby the list may lack the oldest seeks."""

NO_SEEK = Refusal(RefusalCode.NOT_FOUND, say("lobby.no_seek"), "id")


class Seeks:
    """Makes, pairs and lists seeks."""

    def __init__(self, engine: AsyncEngine, new_games: NewGames, settings: GameSettings) -> None:
        self._engine = engine
        self._new_games = new_games
        self._settings = settings
        self._turn = asyncio.Lock()
        """One pairing at a time in this process, so that waiting for the lock on the terms does not use up the
        connections that moves need."""

    async def create(self, player_id: str, wish: Wish, range: Range, now_ms: int) -> Seek | Game | Refusal:
        """A game with the oldest seek that fits, or else a new seek that waits, or a refusal.

        A new seek replaces an older seek of the same player for the same game.
        """
        if (wrong := decisions.problem_of(range)) is not None:
            return Refusal(RefusalCode.MALFORMED, wrong, "rating_min")
        standing = await self._new_games.prepare(wish.variant, "", wish.rule_set)
        if isinstance(standing, Refusal):
            return standing
        tried: list[str] = []
        while True:
            async with self._turn, transaction(self._engine) as connection:
                done = await self._create(connection, player_id, wish, range, standing, tried, now_ms)
            if isinstance(done, Created):
                self._new_games.announce(done)
                return done.game
            if done is not None:
                return done

    async def _create(
        self,
        connection: AsyncConnection,
        player_id: str,
        wish: Wish,
        range: Range,
        standing: Standing,
        tried: list[str],
        now_ms: int,
    ) -> Seek | Created | Refusal | None:
        """One try. Returns None, with one more id in `tried`, if the found seek cannot be taken."""
        await sql_seeks.lock_terms(connection, wish)
        person = (await sql_players.find(connection, [player_id])).get(player_id)
        if person is None:
            return NO_PLAYER
        if (refusal := refuse_guests(wish, (person,))) is not None:
            return refusal
        seek = Seek(
            id=new_game_id(),
            person=person,
            wish=wish,
            rating=await _rating(connection, person, wish),
            range=range,
            created_ms=now_ms,
            expires_ms=0,
        )
        found = None
        if len(tried) < PAIRINGS_TRIED_MAX:
            found = await sql_seeks.oldest_fitting(connection, seek, now_ms, tried)
        people = await sql_players.lock(connection, [person.id, *([found.person.id] if found else [])])
        if person.id not in people:
            return NO_PLAYER
        if await self._busy(connection, person):
            return Refusal(RefusalCode.LIMIT_REACHED, say("people.too_many_games", name=person.name))
        if found is None:
            return await self._wait(connection, seek, now_ms)
        if (
            found.person.id not in people
            or await self._busy(connection, found.person)
            or not await sql_seeks.take(connection, found.id, now_ms)
        ):
            tried.append(found.id)
            return None
        return await self._begin(connection, found, person, wish.colour, standing, now_ms)

    async def _wait(self, connection: AsyncConnection, seek: Seek, now_ms: int) -> Seek | Refusal:
        await sql_seeks.remove_same(connection, seek)
        mine, all = await sql_seeks.counts(connection, seek.person.id, now_ms)
        if mine >= self._settings.seeks_of_player_max:
            return Refusal(RefusalCode.LIMIT_REACHED, say("lobby.own_seeks_max", count=mine))
        if all >= self._settings.seeks_max:
            return Refusal(RefusalCode.LIMIT_REACHED, say("lobby.full"))
        settings = self._settings
        lasts_ms = settings.challenge_live_ms if seek.live else settings.challenge_days * settings.day_ms
        for _ in range(ID_TRIES_MAX):
            waiting = replace(seek, id=new_game_id(), expires_ms=now_ms + lasts_ms)
            if await sql_seeks.insert(connection, waiting):
                return waiting
        raise RuntimeError(f"{ID_TRIES_MAX} ids in a row were taken")

    async def accept(self, seek_id: str, player_id: str, now_ms: int) -> Game | Refusal:
        """Accept a seek. If several players do, only the first gets the game."""
        async with transaction(self._engine) as connection:
            seek = await sql_seeks.find(connection, seek_id, now_ms)
        if seek is None:
            return NO_SEEK
        standing = await self._new_games.prepare(seek.wish.variant, "", seek.wish.rule_set)
        if isinstance(standing, Refusal):
            return standing
        async with transaction(self._engine) as connection:
            people = await sql_players.lock(connection, [seek.person.id, player_id])
            if player_id not in people:
                return NO_PLAYER
            if seek.person.id not in people:
                return NO_SEEK
            person = people[player_id]
            refusal = decisions.refuse(seek, person, await _rating(connection, person, seek.wish))
            if refusal is not None:
                return refusal
            for one in (person, seek.person):
                if await self._busy(connection, one):
                    return Refusal(RefusalCode.LIMIT_REACHED, say("people.too_many_games", name=one.name))
            if not await sql_seeks.take(connection, seek_id, now_ms):
                return NO_SEEK
            created = await self._begin(connection, seek, person, None, standing, now_ms)
        self._new_games.announce(created)
        return created.game

    async def _begin(
        self,
        connection: AsyncConnection,
        seek: Seek,
        person: Person,
        wanted: Colour | None,
        standing: Standing,
        now_ms: int,
    ) -> Created:
        """Make the game of a taken seek with `person`, who wants this colour. Both players' rows are locked."""
        if seek.live:
            await live_seeks.remove_live(connection, [seek.person.id, person.id])
        coin = secrets.choice((Colour.WHITE, Colour.BLACK))
        seeker_is_white = decisions.side_of(seek.wish.colour, wanted, coin) is Colour.WHITE
        white, black = (seek.person, person) if seeker_is_white else (person, seek.person)
        return await self._new_games.insert(
            connection,
            NewGame(
                id=new_game_id(),
                standing=standing,
                white=white.seat(),
                black=black.seat(),
                rule_set=seek.wish.rule_set,
                control=seek.wish.control,
                rated=seek.wish.rated,
                source="lobby",
                variant=seek.wish.variant,
                created_ms=now_ms,
            ),
        )

    async def _busy(self, connection: AsyncConnection, person: Person) -> bool:
        return await sql_players.ongoing(connection, person.id) >= self._settings.games_ongoing_max

    async def cancel(self, seek_id: str, player_id: str) -> Refusal | None:
        """Remove a player's seek. Returns a refusal if the player has no such seek (any more)."""
        async with transaction(self._engine) as connection:
            removed = await sql_seeks.remove(connection, seek_id, player_id)
        return None if removed else NO_SEEK

    async def listed(self, player_id: str, limit: int, now_ms: int) -> list[Seek]:
        """Waiting seeks, newest first. With a player id only those that the player made or may accept."""
        async with transaction(self._engine) as connection:
            found = await sql_seeks.waiting(connection, now_ms, limit * SEEN_FOR_ONE_LISTED if player_id else limit)
            person = (await sql_players.find(connection, [player_id])).get(player_id) if player_id else None
            ratings = await sql_seeks.ratings(connection, player_id) if person else {}
        if person is None:
            return found[:limit]
        return [seek for seek in found if _concerns(seek, person, ratings)][:limit]

    async def hold(self, seek_ids: list[str], now_ms: int) -> list[str]:
        """Extend these seeks, because their makers are still connected. Returns the ids that no longer wait."""
        async with transaction(single(self._engine)) as connection:
            waiting = await sql_seeks.hold(connection, seek_ids, now_ms, now_ms + self._settings.challenge_live_ms)
        return [seek_id for seek_id in seek_ids if seek_id not in waiting]


async def lapse_due(engine: AsyncEngine, now_ms: int, limit: int) -> int:
    """Remove at most `limit` seeks whose time has passed; returns their number. It sends no events: makers are gone."""
    async with transaction(single(engine)) as connection:
        return await sql_seeks.remove_due(connection, now_ms, limit)


async def _rating(connection: AsyncConnection, person: Person, wish: Wish) -> int:
    """A player's rating for a game; 0 for a guest, who has none."""
    if person.guest:
        return 0
    return sql_seeks.rating_in(await sql_seeks.ratings(connection, person.id), wish.variant, speed_of(wish.control))


def _concerns(seek: Seek, person: Person, ratings: Mapping[tuple[str, str], int]) -> bool:
    if seek.person.id == person.id:
        return True
    wish = seek.wish
    rating = 0 if person.guest else sql_seeks.rating_in(ratings, wish.variant, speed_of(wish.control))
    return decisions.refuse(seek, person, rating) is None
