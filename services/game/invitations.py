"""Invitations: challenges made, answered and lapsed. One answer wins, and an accepted one is a game in the same commit.

Locks are taken in one order everywhere: the challenge, then players by id. The rules service is asked before.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from services.domain.colour import Colour
from services.domain.refusal import Refusal, RefusalCode
from services.game import challenge as decisions
from services.game import player_events, sql_challenges, sql_players, sql_store
from services.game.challenge import HOUR_MS, Challenge, Closed, Paired, Status, Unchanged, Waiting, Wish
from services.game.creation import Created, NewGames, new_game_id
from services.game.database import transaction
from services.game.game import Game, Standing
from services.game.people_messages import challenge_message
from services.game.person import Person
from services.game.settings import GameSettings
from services.pb.flagfall.v1.events_pb2 import PlayerEvent

ID_TRIES_MAX = 5
LAPSED_AT_ONCE = 100
"""Challenges that lapse in one transaction at the most: it holds the players' rows."""

_NO_CHALLENGE = Refusal(RefusalCode.NOT_FOUND, "There is no such challenge.", "id")


class Announcer(Protocol):
    """Who publishes what was committed."""

    def announce(self, *, players: Sequence[PlayerEvent]) -> None:
        """Publish soon."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A challenge after an answer, and its game when it was accepted."""

    challenge: Challenge
    game: Game | None = None


class Invitations:
    """Makes and answers challenges."""

    def __init__(self, engine: AsyncEngine, new_games: NewGames, publishing: Announcer, settings: GameSettings) -> None:
        self._engine = engine
        self._new_games = new_games
        self._publishing = publishing
        self._settings = settings

    async def create(
        self,
        challenger_id: str,
        dest_id: str,
        wish: Wish,
        *,
        name: str,
        keep_alive: bool,
        open: bool,
        now_ms: int,
    ) -> Challenge | Refusal:
        """Make a challenge to `dest_id`, or an open one. No `challenger_id`: an open one by nobody in particular."""
        if challenger_id and challenger_id == dest_id:
            return Refusal(RefusalCode.NOT_ALLOWED, "You cannot challenge yourself.", "dest_id")
        standing = await self._new_games.prepare(wish.variant, wish.initial_fen, wish.rule_set)
        if isinstance(standing, Refusal):
            return standing
        if wish.initial_fen:
            wish = replace(wish, initial_fen=standing.fen)
        async with transaction(self._engine) as connection:
            made = await self._insert(connection, challenger_id, dest_id, wish, name, keep_alive, open, now_ms)
            if isinstance(made, Refusal):
                return made
            told = await _tell(connection, made, "challenge", now_ms)
        self._publishing.announce(players=told)
        return made

    async def _insert(
        self,
        connection: AsyncConnection,
        challenger_id: str,
        dest_id: str,
        wish: Wish,
        name: str,
        keep_alive: bool,
        open: bool,
        now_ms: int,
    ) -> Challenge | Refusal:
        settings = self._settings
        people = await sql_players.lock(connection, [challenger_id, dest_id])
        challenger, dest = people.get(challenger_id), people.get(dest_id)
        if challenger_id and challenger is None:
            return Refusal(RefusalCode.NOT_FOUND, "There is no such player.", "challenger_id")
        if not open and dest is None:
            return Refusal(RefusalCode.NOT_FOUND, "There is no such player.", "dest_id")
        refusal = decisions.refuse_guests(wish, (challenger, dest))
        if refusal is not None:
            return refusal
        if challenger is not None:
            sent = await sql_challenges.count_outgoing(connection, challenger.id, now_ms)
            if sent >= settings.challenges_open_max:
                return Refusal(RefusalCode.LIMIT_REACHED, f"You have {sent} challenges open already.")
        if dest is not None:
            received = await sql_challenges.count_incoming(connection, dest.id, now_ms)
            if received >= settings.challenges_incoming_max:
                return Refusal(RefusalCode.LIMIT_REACHED, f"{dest.name} has too many challenges already.", "dest_id")
        expires_ms = decisions.expiry_ms(
            wish,
            open=open,
            keep_alive=keep_alive,
            now_ms=now_ms,
            live_ms=settings.challenge_live_ms,
            days_ms=settings.challenge_days * settings.day_ms,
            open_ms=settings.challenge_open_hours * HOUR_MS,
        )
        for _ in range(ID_TRIES_MAX):
            made = Challenge(
                id=new_game_id(),
                status=Status.CREATED,
                open=open,
                challenger=challenger,
                dest=dest,
                wish=wish,
                final_colour=wish.colour or _coin(),
                name=name,
                keep_alive=keep_alive,
                white_id=None,
                black_id=None,
                created_ms=now_ms,
                expires_ms=expires_ms,
            )
            if await sql_challenges.insert(connection, made):
                return made
        raise RuntimeError(f"{ID_TRIES_MAX} ids in a row were taken")

    async def accept(self, challenge_id: str, player_id: str, wanted: Colour | None, now_ms: int) -> Answered | Refusal:
        """Accept; what makes the game makes it in the same commit. The same player may accept again."""
        standing: Standing | Refusal | None = None
        seen = await self.get(challenge_id, now_ms)
        if not isinstance(seen, Refusal) and seen.status is Status.CREATED:
            wish = seen.wish
            standing = await self._new_games.prepare(wish.variant, wish.initial_fen, wish.rule_set)
            if isinstance(standing, Refusal):
                return standing
        created: Created | None = None
        async with transaction(self._engine) as connection:
            challenge = await sql_challenges.lock(connection, challenge_id)
            if challenge is None:
                return _NO_CHALLENGE
            people = await sql_players.lock(connection, _concerned(challenge, player_id))
            if player_id not in people:
                return Refusal(RefusalCode.NOT_FOUND, "There is no such player.", "player_id")
            decision = decisions.accept(challenge, people[player_id], wanted, _coin(), now_ms)
            match decision:
                case Refusal():
                    return decision
                case Unchanged(challenge):
                    game = (await sql_store.load(connection, [challenge_id])).get(challenge_id)
                case Waiting(challenge):
                    await sql_challenges.save(connection, challenge)
                    game = None
                case Paired(challenge):
                    assert isinstance(standing, Standing), "whatever can be paired had been seen waiting before"
                    made = await self._begin(connection, challenge, people, standing, now_ms)
                    if isinstance(made, Refusal):
                        return made
                    created, game = made, made.game
        if created is not None:
            self._new_games.announce(created)
        return Answered(challenge, game)

    async def _begin(
        self,
        connection: AsyncConnection,
        challenge: Challenge,
        people: dict[str, Person],
        standing: Standing,
        now_ms: int,
    ) -> Created | Refusal:
        white, black = people[challenge.white_id or ""], people[challenge.black_id or ""]
        for person in (white, black):
            if await sql_players.ongoing(connection, person.id) >= self._settings.games_ongoing_max:
                return Refusal(RefusalCode.LIMIT_REACHED, f"{person.name} has too many games going on.")
        await sql_challenges.save(connection, challenge)
        wish = challenge.wish
        return await self._new_games.insert(
            connection,
            game_id=challenge.id,
            standing=standing,
            white=white.seat(),
            black=black.seat(),
            rule_set=wish.rule_set,
            control=wish.control,
            rated=wish.rated,
            source="open" if challenge.open else "friend",
            initial_fen=wish.initial_fen,
            variant=wish.variant,
            now_ms=now_ms,
        )

    async def decline(self, challenge_id: str, player_id: str, reason: str, now_ms: int) -> Answered | Refusal:
        """Decline a challenge that was made to this player."""
        return await self._close(challenge_id, player_id, Status.DECLINED, reason, now_ms)

    async def cancel(self, challenge_id: str, player_id: str, now_ms: int) -> Answered | Refusal:
        """Take back a challenge of this player's own."""
        return await self._close(challenge_id, player_id, Status.CANCELED, "", now_ms)

    async def _close(
        self, challenge_id: str, player_id: str, how: Status, reason: str, now_ms: int
    ) -> Answered | Refusal:
        async with transaction(self._engine) as connection:
            challenge = await sql_challenges.lock(connection, challenge_id)
            if challenge is None:
                return _NO_CHALLENGE
            people = await sql_players.lock(connection, _concerned(challenge, player_id))
            if player_id not in people:
                return Refusal(RefusalCode.NOT_FOUND, "There is no such player.", "player_id")
            declining = how is Status.DECLINED
            decision = (
                decisions.decline(challenge, people[player_id], reason, now_ms)
                if declining
                else decisions.cancel(challenge, people[player_id], now_ms)
            )
            match decision:
                case Refusal():
                    return decision
                case Unchanged(challenge):
                    told = []
                case Closed(challenge):
                    await sql_challenges.save(connection, challenge)
                    what = "challenge_declined" if declining else "challenge_canceled"
                    told = await _tell(connection, challenge, what, now_ms)
        self._publishing.announce(players=told)
        return Answered(challenge)

    async def get(self, challenge_id: str, now_ms: int) -> Challenge | Refusal:
        """A challenge as it stands now."""
        async with transaction(self._engine) as connection:
            challenge = await sql_challenges.find(connection, challenge_id)
        return _NO_CHALLENGE if challenge is None else challenge.as_of(now_ms)

    async def waiting(self, player_id: str, now_ms: int) -> tuple[list[Challenge], list[Challenge]]:
        """Challenges to and by somebody that wait for an answer, each newest first."""
        async with transaction(self._engine) as connection:
            return (
                await sql_challenges.incoming(connection, player_id, now_ms, self._settings.challenges_incoming_max),
                await sql_challenges.outgoing(connection, player_id, now_ms, self._settings.challenges_open_max),
            )


async def lapse_due(engine: AsyncEngine, publishing: Announcer, now_ms: int, limit: int) -> int:
    """Let at most `limit` challenges lapse whose time has passed, oldest first; how many they were.

    Any number of sweeps may do so at once: each leaves out what another holds.
    """
    lapsed = 0
    while lapsed < limit:
        async with transaction(engine) as connection:
            due = await sql_challenges.lock_due(connection, now_ms, min(limit - lapsed, LAPSED_AT_ONCE))
            if not due:
                break
            await sql_challenges.lapse(connection, [challenge.id for challenge in due])
            events = [
                PlayerEvent(player_id=person.id, challenge_canceled=challenge_message(challenge.as_of(now_ms)))
                for challenge in due
                for person in challenge.sides
            ]
            told = await player_events.append(connection, events, now_ms)
        publishing.announce(players=told)
        lapsed += len(due)
    return lapsed


def _coin() -> Colour:
    return secrets.choice((Colour.WHITE, Colour.BLACK))


def _concerned(challenge: Challenge, player_id: str) -> list[str]:
    """Everybody whose row an answer may need."""
    seated = [seat for seat in challenge.seated if seat is not None]
    return [player_id, *(person.id for person in challenge.sides), *seated]


async def _tell(connection: AsyncConnection, challenge: Challenge, what: str, now_ms: int) -> list[PlayerEvent]:
    """Write an event of this kind for both sides, also for the one who did it: there may be other devices."""
    message = challenge_message(challenge)
    events = []
    for person in challenge.sides:
        event = PlayerEvent(player_id=person.id)
        getattr(event, what).CopyFrom(message)
        events.append(event)
    return await player_events.append(connection, events, now_ms)
