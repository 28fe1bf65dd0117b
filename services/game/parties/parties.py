"""Makes, changes and closes parties. Each change is one transaction together with the members' events.

Locks are taken in one order everywhere: the party, then players by id. The rules service is called before. Whether a
party's game is running is read from the game's row, so nothing has to be done here when a game ends.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from services.domain.colour import Colour
from services.domain.refusal import BUSY, Refusal, RefusalCode
from services.domain.text import say
from services.game.commit.creation import ID_CHARS, Created, NewGame, NewGames, new_game_id
from services.game.invitations.invitations import Announcer
from services.game.parties import party as decisions
from services.game.parties import sql_parties
from services.game.parties.party import Begun, Changed, Member, Party, PartySettings, Unchanged
from services.game.parties.party_messages import party_message
from services.game.play.game import Game, Standing
from services.game.play.person import Person
from services.game.play.refusals import NO_PLAYER
from services.game.settings import GameSettings
from services.game.store import player_events, sql_players, sql_store
from services.game.store.database import transaction
from services.game.wire.events import PersonEvent
from services.pb.flagfall.v1.events_pb2 import PlayerEvent

ID_LENGTH = 12
"""Characters of a party's id. The id is secret: anyone who knows it may join."""
ID_TRIES_MAX = 5
START_TRIES_MAX = 5
"""The most tries of a start if the settings change during the call of the rules service."""
CLOSED_AT_ONCE = 20
"""The most parties that one transaction closes, because it locks the rows of their members."""

NO_PARTY = Refusal(RefusalCode.NOT_FOUND, say("parties.no_party"), "id")

Decide = Callable[[Party, Person], Changed | Unchanged | Refusal]


def new_party_id() -> str:
    """A random secret id for a party."""
    return "".join(secrets.choice(ID_CHARS) for _ in range(ID_LENGTH))


def is_party_id(text: str) -> bool:
    """Whether `text` has the form of a party's id."""
    return len(text) == ID_LENGTH and all(char in ID_CHARS for char in text)


@dataclass(frozen=True, slots=True)
class Started:
    """A party and its running game, which began now or before."""

    party: Party
    game: Game


class Parties:
    """Makes and changes parties."""

    def __init__(self, engine: AsyncEngine, new_games: NewGames, publishing: Announcer, settings: GameSettings) -> None:
        self._engine = engine
        self._new_games = new_games
        self._publishing = publishing
        self._settings = settings

    async def create(self, host_id: str, settings: PartySettings, now_ms: int) -> Party | Refusal:
        """A new party with its host as the first member."""
        async with transaction(self._engine) as connection:
            host = (await sql_players.lock(connection, [host_id])).get(host_id)
            if host is None:
                return NO_PLAYER
            refusal = await self._hosts_too_many(connection, host) or await self._joined_too_many(connection, host)
            if refusal is not None:
                return refusal
            made = await _insert(connection, host, settings, now_ms)
            told = await _tell(connection, made, made, now_ms)
        self._publishing.announce(players=told)
        return made

    async def get(self, party_id: str) -> Party | Refusal:
        """The current state of a party, or a refusal if there is none."""
        async with transaction(self._engine) as connection:
            found = await sql_parties.find(connection, party_id)
        return found or NO_PARTY

    async def join(self, party_id: str, player_id: str, spectator: bool, now_ms: int) -> Party | Refusal:
        """Join the party, or change between player and spectator."""
        most = self._settings.party_members_max
        return await self._change(
            party_id, player_id, lambda party, person: decisions.join(party, person, spectator, now_ms, most), now_ms
        )

    async def leave(self, party_id: str, player_id: str, other_id: str, now_ms: int) -> Party | Refusal:
        """Leave the party. The host may instead remove the member `other_id`."""
        whom = other_id or player_id
        return await self._change(
            party_id, player_id, lambda party, person: decisions.send_away(party, person.id, whom), now_ms
        )

    async def set_up(self, party_id: str, player_id: str, settings: PartySettings, now_ms: int) -> Party | Refusal:
        """Change the settings of the next games; only for the host."""
        return await self._change(
            party_id, player_id, lambda party, person: decisions.set_up(party, person.id, settings), now_ms
        )

    async def hand_on(self, party_id: str, player_id: str, other_id: str, now_ms: int) -> Party | Refusal:
        """Make another member the host; only for the host."""
        return await self._change(
            party_id, player_id, lambda party, person: decisions.hand_on(party, person.id, other_id), now_ms
        )

    async def close(self, party_id: str, player_id: str, now_ms: int) -> Party | Refusal:
        """Close the party; only for the host."""
        return await self._change(party_id, player_id, lambda party, person: decisions.close(party, person.id), now_ms)

    async def start(self, party_id: str, player_id: str, now_ms: int) -> Started | Refusal:
        """Begin the next game, in the same commit as the party's change. Returns the running game if there is one."""
        for _ in range(START_TRIES_MAX):
            seen = await self.get(party_id)
            if isinstance(seen, Refusal):
                return seen
            settings = seen.settings
            standing = await self._new_games.prepare(settings.variant, "", settings.rule_set)
            if isinstance(standing, Refusal):
                return standing
            started = await self._start(party_id, player_id, settings, standing, now_ms)
            if started is not None:
                return started
        return BUSY

    async def _start(
        self, party_id: str, player_id: str, settings: PartySettings, standing: Standing, now_ms: int
    ) -> Started | Refusal | None:
        """One try; None if the settings changed since the call of the rules service."""
        async with transaction(self._engine) as connection:
            party = await sql_parties.lock(connection, party_id)
            if party is None:
                return NO_PARTY
            two = party.next_two
            met = await _met(connection, party, two) if two is not None else None
            decided = decisions.start(party, player_id, new_game_id(), met, _coin())
            if isinstance(decided, Refusal):
                return decided
            if isinstance(decided, Unchanged):
                assert party.on is not None, "only a game that is on leaves the party as it is"
                game = (await sql_store.load(connection, [party.on.game_id])).get(party.on.game_id)
                return BUSY if game is None else Started(party, game)
            if party.settings != settings:
                return None
            people = await sql_players.lock(connection, [member.person.id for member in party.members])
            if decided.white.id not in people or decided.black.id not in people:
                return BUSY  # an account was closed meanwhile; the sweep takes it out of the party
            refusal = await self._plays_too_much(connection, decided)
            if refusal is not None:
                return refusal
            after = replace(decided.party, version=party.version + 1)
            await sql_parties.save(connection, party, after, now_ms)
            told = await _tell(connection, party, after, now_ms)
            created = await self._insert_game(connection, decided, settings, standing, now_ms)
        self._publishing.announce(players=told)
        self._new_games.announce(created)
        return Started(after, created.game)

    async def _insert_game(
        self, connection: AsyncConnection, begun: Begun, settings: PartySettings, standing: Standing, now_ms: int
    ) -> Created:
        assert begun.party.on is not None, "it has begun"
        return await self._new_games.insert(
            connection,
            NewGame(
                id=begun.party.on.game_id,
                standing=standing,
                white=begun.white.seat(),
                black=begun.black.seat(),
                rule_set=settings.rule_set,
                control=settings.control,
                rated=False,
                source="party",
                variant=settings.variant,
                created_ms=now_ms,
                party_id=begun.party.id,
            ),
        )

    async def _change(self, party_id: str, player_id: str, decide: Decide, now_ms: int) -> Party | Refusal:
        """Make one change of a party by one player, and send the events to its members."""
        async with transaction(self._engine) as connection:
            party = await sql_parties.lock(connection, party_id)
            if party is None:
                return NO_PARTY
            members = [member.person.id for member in party.members]
            people = await sql_players.lock(connection, [player_id, *members])
            if player_id not in people:
                return NO_PLAYER
            decided = decide(party, people[player_id])
            if not isinstance(decided, Changed):
                return decided if isinstance(decided, Refusal) else decided.party
            refusal = await self._too_many(connection, party, decided.party)
            if refusal is not None:
                return refusal
            after = replace(decided.party, version=party.version + 1)
            await sql_parties.save(connection, party, after, now_ms)
            told = await _tell(connection, party, after, now_ms)
        self._publishing.announce(players=told)
        return after

    async def _too_many(self, connection: AsyncConnection, before: Party, after: Party) -> Refusal | None:
        """A refusal if a new member would be in too many parties, or a chosen host would host too many; or None.

        A member who becomes host because the host left may exceed the limit: a party must have a host.
        """
        for member in after.members:
            if before.member(member.person.id) is None:
                return await self._joined_too_many(connection, member.person)
        host = after.member(after.host_id)
        handed_on = after.host_id != before.host_id and after.member(before.host_id) is not None
        return await self._hosts_too_many(connection, host.person) if handed_on and host is not None else None

    async def _hosts_too_many(self, connection: AsyncConnection, person: Person) -> Refusal | None:
        if await sql_parties.count_hosted(connection, person.id) < self._settings.parties_hosted_max:
            return None
        return Refusal(RefusalCode.LIMIT_REACHED, say("parties.hosted_max", name=person.name))

    async def _joined_too_many(self, connection: AsyncConnection, person: Person) -> Refusal | None:
        if await sql_parties.count_joined(connection, person.id) < self._settings.parties_joined_max:
            return None
        return Refusal(RefusalCode.LIMIT_REACHED, say("parties.joined_max"))

    async def _plays_too_much(self, connection: AsyncConnection, begun: Begun) -> Refusal | None:
        for person in (begun.white, begun.black):
            if await sql_players.ongoing(connection, person.id) >= self._settings.games_ongoing_max:
                return Refusal(RefusalCode.LIMIT_REACHED, say("people.too_many_games", name=person.name))
        return None


async def close_unused(engine: AsyncEngine, publishing: Announcer, now_ms: int, unused_ms: int, limit: int) -> int:
    """Close at most `limit` parties that were unused for `unused_ms`, longest first; returns their number.

    Any number of sweeps may run at once: each skips rows that another has locked.
    """
    closed = 0
    while closed < limit:
        async with transaction(engine) as connection:
            unused = await sql_parties.lock_unused(connection, now_ms - unused_ms, min(limit - closed, CLOSED_AT_ONCE))
            if not unused:
                break
            events = []
            for party in unused:
                after = replace(party, closed=True, version=party.version + 1)
                await sql_parties.save(connection, party, after, now_ms)
                events += _events(party, after)
            told = await player_events.append(connection, events, now_ms)
        publishing.announce(players=told)
        closed += len(unused)
    return closed


def _coin() -> Colour:
    return secrets.choice((Colour.WHITE, Colour.BLACK))


async def _insert(connection: AsyncConnection, host: Person, settings: PartySettings, now_ms: int) -> Party:
    for _ in range(ID_TRIES_MAX):
        made = Party(new_party_id(), host.id, settings, (Member(host, now_ms),), now_ms)
        if await sql_parties.insert(connection, made):
            return made
    raise RuntimeError(f"{ID_TRIES_MAX} ids in a row were taken")


async def _met(connection: AsyncConnection, party: Party, two: tuple[Member, Member]) -> Colour | None:
    first, second = (member.person.id for member in two)
    return await sql_parties.last_meeting(connection, party.id, first, second)


async def _tell(connection: AsyncConnection, before: Party, after: Party, now_ms: int) -> list[PersonEvent]:
    return await player_events.append(connection, _events(before, after), now_ms)


def _events(before: Party, after: Party) -> list[PersonEvent]:
    """Events with the party for all members and for those who have just left (for their other devices)."""
    message = party_message(after)
    ids = dict.fromkeys(member.person.id for member in (*before.members, *after.members))
    return [PersonEvent(PlayerEvent(player_id=player_id, party=message)) for player_id in ids]
