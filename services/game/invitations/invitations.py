"""Makes, answers and expires challenges. Only one answer wins; accepting makes the game in the same commit.

Locks are taken in one order everywhere: the challenge, then players by id. The rules service is called before.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from services.domain.colour import Colour
from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.domain.time_control import is_live
from services.game.commit.creation import Created, NewGame, NewGames, new_game_id
from services.game.invitations import challenge as decisions
from services.game.invitations import sql_challenges
from services.game.invitations.challenge import Challenge, Closed, Paired, Status, Unchanged, Waiting, Wish
from services.game.invitations.messages import challenge_message
from services.game.play.game import Game, Standing
from services.game.play.person import Person
from services.game.play.refusals import NO_PLAYER, no_player
from services.game.settings import GameSettings
from services.game.store import live_seeks, player_events, sql_players, sql_store
from services.game.store.database import single, transaction
from services.game.wire.events import PersonEvent
from services.pb.flagfall.v1.events_pb2 import PlayerEvent

ID_TRIES_MAX = 5
LAPSED_AT_ONCE = 100
"""The most challenges that expire in one transaction, because it locks the players' rows."""

_NO_CHALLENGE = Refusal(RefusalCode.NOT_FOUND, say("invitations.no_challenge"), "id")
_CHANGED = Refusal(RefusalCode.UNAVAILABLE, say("invitations.changed"), "id")


class Announcer(Protocol):
    """Publishes committed events."""

    def announce(self, *, players: Sequence[PersonEvent]) -> None:
        """Queue these events for publishing."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A challenge without its two players. `keep_alive`: the challenger keeps a connection open for it."""

    wish: Wish
    name: str = ""
    keep_alive: bool = False
    open: bool = False
    rematch_of: str = ""
    counter_to: str = ""
    user_ids: tuple[str, ...] = ()
    expires_ms: int = 0
    """The expiry time that the challenger asks for; 0 for none."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A challenge after an answer, and its game if it was accepted."""

    challenge: Challenge
    game: Game | None = None


class Invitations:
    """Makes and answers challenges."""

    def __init__(self, engine: AsyncEngine, new_games: NewGames, publishing: Announcer, settings: GameSettings) -> None:
        self._engine = engine
        self._new_games = new_games
        self._publishing = publishing
        self._settings = settings

    async def create(self, challenger_id: str, dest_id: str, offer: Offer, now_ms: int) -> Challenge | Refusal:
        """Make a challenge to `dest_id`, or an open one if that is empty. An open one may have no challenger.

        A challenge that answers another one declines that in the same commit.
        """
        if challenger_id and challenger_id == dest_id:
            return Refusal(RefusalCode.NOT_ALLOWED, say("invitations.yourself"), "dest_id")
        wish = offer.wish
        standing = await self._new_games.prepare(wish.variant, wish.initial_fen, wish.rule_set)
        if isinstance(standing, Refusal):
            return standing
        if wish.initial_fen:
            offer = replace(offer, wish=replace(wish, initial_fen=standing.fen))
        async with transaction(self._engine) as connection:
            answered: Closed | None = None
            if offer.counter_to:
                decided = await _countered(connection, offer.counter_to, challenger_id, dest_id, now_ms)
                if isinstance(decided, Refusal):
                    return decided
                answered = decided
            made = await self.insert(connection, challenger_id, dest_id, offer, now_ms)
            if isinstance(made, Refusal):
                return made
            told = []
            if answered is not None:
                await sql_challenges.save(connection, answered.challenge)
                told += await tell(connection, answered.challenge, "challenge_declined", now_ms)
            told += await tell(connection, made, "challenge", now_ms)
        self._publishing.announce(players=told)
        return made

    async def insert(
        self, connection: AsyncConnection, challenger_id: str, dest_id: str, offer: Offer, now_ms: int
    ) -> Challenge | Refusal:
        """Write a challenge and its events in the caller's transaction. A refusal has written nothing."""
        settings, wish = self._settings, offer.wish
        people = await sql_players.lock(connection, [challenger_id, dest_id])
        challenger, dest = people.get(challenger_id), people.get(dest_id)
        if challenger_id and challenger is None:
            return no_player("challenger_id")
        if not offer.open and dest is None:
            return no_player("dest_id")
        refusal = decisions.refuse_guests(wish, (challenger, dest))
        if refusal is not None:
            return refusal
        if challenger is not None:
            sent = await sql_challenges.count_outgoing(connection, challenger.id, now_ms)
            if sent >= settings.challenges_open_max:
                return Refusal(RefusalCode.LIMIT_REACHED, say("invitations.own_max", count=sent))
        if dest is not None:
            received = await sql_challenges.count_incoming(connection, dest.id, now_ms)
            if received >= settings.challenges_incoming_max:
                return Refusal(RefusalCode.LIMIT_REACHED, say("invitations.received_max", name=dest.name), "dest_id")
        held = decisions.held(wish, open=offer.open, keep_alive=offer.keep_alive)
        lasts_ms = settings.challenge_live_ms if held else settings.challenge_days * settings.day_ms
        if offer.expires_ms:
            if offer.expires_ms <= now_ms:
                return Refusal(RefusalCode.MALFORMED, say("invitations.ends_at_once"), "expires_ms")
            lasts_ms = min(lasts_ms, offer.expires_ms - now_ms)
        known = await sql_players.find(connection, offer.user_ids) if offer.user_ids else {}
        if any(player_id not in known for player_id in offer.user_ids):
            return no_player("user_ids")
        for _ in range(ID_TRIES_MAX):
            made = Challenge(
                id=new_game_id(),
                status=Status.CREATED,
                open=offer.open,
                challenger=challenger,
                dest=dest,
                wish=wish,
                final_colour=wish.colour or _coin(),
                name=offer.name,
                held=held,
                white_id=None,
                black_id=None,
                created_ms=now_ms,
                expires_ms=now_ms + lasts_ms,
                rematch_of=offer.rematch_of,
                counter_to=offer.counter_to,
                user_ids=offer.user_ids,
            )
            if await sql_challenges.insert(connection, made):
                return (await sql_challenges.rated_sides(connection, [made]))[0]
        raise RuntimeError(f"{ID_TRIES_MAX} ids in a row were taken")

    async def accept(self, challenge_id: str, player_id: str, wanted: Colour | None, now_ms: int) -> Answered | Refusal:
        """Accept a challenge; the game is made in the same commit. The same player may retry.

        The rules service is called before the lock on the challenge. A challenge that seemed expired then may wait
        again under the lock, because its challenger was seen in between. Then the answer is `unavailable`; a retry
        succeeds.
        """
        standing: Standing | None = None
        seen = await self.get(challenge_id, now_ms)
        if not isinstance(seen, Refusal) and seen.status is Status.CREATED:
            wish = seen.wish
            prepared = await self._new_games.prepare(wish.variant, wish.initial_fen, wish.rule_set)
            if isinstance(prepared, Refusal):
                return prepared
            standing = prepared
        created: Created | None = None
        async with transaction(self._engine) as connection:
            challenge = await sql_challenges.lock(connection, challenge_id)
            if challenge is None:
                return _NO_CHALLENGE
            people = await sql_players.lock(connection, _concerned(challenge, player_id))
            if player_id not in people:
                return NO_PLAYER
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
                    if standing is None:
                        return _CHANGED
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
        white, black = people.get(challenge.white_id or ""), people.get(challenge.black_id or "")
        if white is None or black is None:  # an account was closed meanwhile
            return _NO_CHALLENGE
        for person in (white, black):
            if await sql_players.ongoing(connection, person.id) >= self._settings.games_ongoing_max:
                return Refusal(RefusalCode.LIMIT_REACHED, say("people.too_many_games", name=person.name))
        await sql_challenges.save(connection, challenge)
        wish = challenge.wish
        if is_live(wish.control):
            await live_seeks.remove_live(connection, [white.id, black.id])
        return await self._new_games.insert(
            connection,
            NewGame(
                id=challenge.id,
                standing=standing,
                white=white.seat(),
                black=black.seat(),
                rule_set=wish.rule_set,
                control=wish.control,
                rated=wish.rated,
                source=_source(challenge),
                initial_fen=wish.initial_fen,
                variant=wish.variant,
                created_ms=now_ms,
                rematch_of=challenge.rematch_of,
            ),
        )

    async def decline(self, challenge_id: str, player_id: str, reason: str, now_ms: int) -> Answered | Refusal:
        """Decline a challenge to this player."""
        return await self._close(challenge_id, player_id, Status.DECLINED, reason, now_ms)

    async def cancel(self, challenge_id: str, player_id: str, now_ms: int) -> Answered | Refusal:
        """Cancel a challenge of this player."""
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
                return NO_PLAYER
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
                    told = await tell(connection, challenge, what, now_ms)
        self._publishing.announce(players=told)
        return Answered(challenge)

    async def hold(self, player_ids: Sequence[str], now_ms: int) -> None:
        """These players are connected: extend those of their challenges that are `held` by `challenge_live_ms`."""
        until_ms = now_ms + self._settings.challenge_live_ms
        async with transaction(single(self._engine)) as connection:
            await sql_challenges.hold(connection, player_ids, now_ms, until_ms)

    async def get(self, challenge_id: str, now_ms: int) -> Challenge | Refusal:
        """A challenge at `now_ms`, or a refusal if there is none."""
        async with transaction(self._engine) as connection:
            challenge = await sql_challenges.find(connection, challenge_id)
        return _NO_CHALLENGE if challenge is None else challenge.as_of(now_ms)

    async def waiting(self, player_id: str, now_ms: int) -> tuple[list[Challenge], list[Challenge]]:
        """The waiting challenges to a player, and those by the player; each newest first."""
        async with transaction(self._engine) as connection:
            return (
                await sql_challenges.incoming(connection, player_id, now_ms, self._settings.challenges_incoming_max),
                await sql_challenges.outgoing(connection, player_id, now_ms, self._settings.challenges_open_max),
            )


async def lapse_due(engine: AsyncEngine, publishing: Announcer, now_ms: int, limit: int) -> int:
    """Expire at most `limit` challenges whose time has passed, oldest first; returns their number.

    Any number of sweeps may run at once: each skips rows that another has locked.
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
            told = await player_events.append(connection, list(map(PersonEvent, events)), now_ms)
        publishing.announce(players=told)
        lapsed += len(due)
    return lapsed


async def _countered(
    connection: AsyncConnection, challenge_id: str, player_id: str, dest_id: str, now_ms: int
) -> Closed | Refusal:
    """The result for the challenge that `player_id` answers with another one to `dest_id`. Locks its row."""
    challenge = await sql_challenges.lock(connection, challenge_id)
    if challenge is None:
        return _NO_CHALLENGE
    people = await sql_players.lock(connection, [player_id, dest_id])
    if player_id not in people:
        return no_player("challenger_id")
    decision = decisions.counter(challenge, people[player_id], now_ms)
    if isinstance(decision, Closed) and (challenge.challenger is None or challenge.challenger.id != dest_id):
        return Refusal(RefusalCode.MALFORMED, say("invitations.counter_dest"), "dest_id")
    return decision


def _source(challenge: Challenge) -> str:
    if challenge.rematch_of:
        return "rematch"
    return "open" if challenge.open else "friend"


def _coin() -> Colour:
    return secrets.choice((Colour.WHITE, Colour.BLACK))


def _concerned(challenge: Challenge, player_id: str) -> list[str]:
    """The ids of all players whose rows an answer may lock."""
    seated = [seat for seat in challenge.seated if seat is not None]
    return [player_id, *(person.id for person in challenge.sides), *seated]


async def tell(connection: AsyncConnection, challenge: Challenge, what: str, now_ms: int) -> list[PersonEvent]:
    """Write an event of the kind `what` for both sides. The sender gets it too, for the sender's other devices."""
    message = challenge_message(challenge)
    events = []
    for person in challenge.sides:
        event = PlayerEvent(player_id=person.id)
        getattr(event, what).CopyFrom(message)
        events.append(PersonEvent(event))
    return await player_events.append(connection, events, now_ms)
