"""Parties: made, changed and closed, each change in one transaction with what its members are told.

Locks are taken in one order everywhere: the party, then players by id. The rules service is asked before. Whether the
game of a party is on is read from the game's own row: nothing has to be done here when a game ends.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from services.domain.colour import Colour
from services.domain.refusal import Refusal, RefusalCode
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
from services.pb.flagfall.v1.events_pb2 import PlayerEvent
from services.runtime.rpc import BUSY

ID_LENGTH = 12
"""Letters and digits of a party's id: whoever knows it may come in."""
ID_TRIES_MAX = 5
START_TRIES_MAX = 5
"""How often a start is tried whose settings were changed while the rules were asked."""
CLOSED_AT_ONCE = 20
"""Parties that one transaction closes at the most: it holds the rows of their members."""

NO_PARTY = Refusal(RefusalCode.NOT_FOUND, "There is no such party.", "id")

Decide = Callable[[Party, Person], Changed | Unchanged | Refusal]


def new_party_id() -> str:
    """A secret of chance."""
    return "".join(secrets.choice(ID_CHARS) for _ in range(ID_LENGTH))


def is_party_id(text: str) -> bool:
    """Whether a party could have this id."""
    return len(text) == ID_LENGTH and all(char in ID_CHARS for char in text)


@dataclass(frozen=True, slots=True)
class Started:
    """A party whose next game was begun, or was on already."""

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
        """A party as it stands now."""
        async with transaction(self._engine) as connection:
            found = await sql_parties.find(connection, party_id)
        return found or NO_PARTY

    async def join(self, party_id: str, player_id: str, spectator: bool, now_ms: int) -> Party | Refusal:
        """Come in, or change between playing and watching."""
        most = self._settings.party_members_max
        return await self._change(
            party_id, player_id, lambda party, person: decisions.join(party, person, spectator, now_ms, most), now_ms
        )

    async def leave(self, party_id: str, player_id: str, other_id: str, now_ms: int) -> Party | Refusal:
        """Go out, or (the host) send `other_id` out."""
        whom = other_id or player_id
        return await self._change(
            party_id, player_id, lambda party, person: decisions.send_away(party, person.id, whom), now_ms
        )

    async def set_up(self, party_id: str, player_id: str, settings: PartySettings, now_ms: int) -> Party | Refusal:
        """Change what the next games are played by."""
        return await self._change(
            party_id, player_id, lambda party, person: decisions.set_up(party, person.id, settings), now_ms
        )

    async def hand_on(self, party_id: str, player_id: str, other_id: str, now_ms: int) -> Party | Refusal:
        """Make another member the host."""
        return await self._change(
            party_id, player_id, lambda party, person: decisions.hand_on(party, person.id, other_id), now_ms
        )

    async def close(self, party_id: str, player_id: str, now_ms: int) -> Party | Refusal:
        """End the party."""
        return await self._change(party_id, player_id, lambda party, person: decisions.close(party, person.id), now_ms)

    async def start(self, party_id: str, player_id: str, now_ms: int) -> Started | Refusal:
        """Begin the next game in the same commit as the party's change; the one that is on, if there is one."""
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
        """None when the party was set up anew since the rules were asked."""
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
        """One change by one player, its members told."""
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
        """Whether somebody new would be in too many parties, or a host who was chosen would have too many.

        A host who only follows one that left may have more: somebody has to be it.
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
        return Refusal(RefusalCode.LIMIT_REACHED, f"{person.name} is the host of as many parties as anybody may be.")

    async def _joined_too_many(self, connection: AsyncConnection, person: Person) -> Refusal | None:
        if await sql_parties.count_joined(connection, person.id) < self._settings.parties_joined_max:
            return None
        return Refusal(RefusalCode.LIMIT_REACHED, "You are in as many parties as anybody may be.")

    async def _plays_too_much(self, connection: AsyncConnection, begun: Begun) -> Refusal | None:
        for person in (begun.white, begun.black):
            if await sql_players.ongoing(connection, person.id) >= self._settings.games_ongoing_max:
                return Refusal(RefusalCode.LIMIT_REACHED, f"{person.name} has too many games going on.")
        return None


async def close_unused(engine: AsyncEngine, publishing: Announcer, now_ms: int, unused_ms: int, limit: int) -> int:
    """Close at most `limit` parties that nobody has used for `unused_ms`, the longest unused first; how many they were.

    Any number of sweeps may do so at once: each leaves out what another holds.
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


async def _tell(connection: AsyncConnection, before: Party, after: Party, now_ms: int) -> list[PlayerEvent]:
    return await player_events.append(connection, _events(before, after), now_ms)


def _events(before: Party, after: Party) -> list[PlayerEvent]:
    """The party for all who are in it and for who has just gone out: there may be other devices."""
    message = party_message(after)
    ids = dict.fromkeys(member.person.id for member in (*before.members, *after.members))
    return [PlayerEvent(player_id=player_id, party=message) for player_id in ids]
