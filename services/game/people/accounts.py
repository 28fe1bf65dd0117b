"""Accounts, guests and bots: how they are made, and their public profiles."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy.ext.asyncio import AsyncEngine

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.game.people import scopes
from services.game.people.passwords import CHARS_MAX, Passwords, refuse_password
from services.game.people.tokens import issue
from services.game.play.game import Seat
from services.game.play.person import BOT_TITLE, Credential, Person, Record, is_player_id, new_guest, refuse_name
from services.game.play.refusals import NO_PLAYER
from services.game.settings import GameSettings
from services.game.store import sql_players
from services.game.store.database import transaction

_NAME_TAKEN = Refusal(RefusalCode.NAME_TAKEN, say("people.name_taken"), "username")
_WRONG = Refusal(RefusalCode.WRONG_PASSWORD, say("people.wrong_login"))
_WRONG_OLD = Refusal(RefusalCode.WRONG_PASSWORD, say("people.wrong_password"), "old_password")

GUEST_TRIES_MAX = 5


@dataclass(frozen=True, slots=True)
class Profile:
    """The public data of a player."""

    person: Person
    record: Record


class Accounts:
    """Makes accounts and guests, and signs accounts in."""

    def __init__(self, engine: AsyncEngine, passwords: Passwords, settings: GameSettings) -> None:
        self._engine = engine
        self._passwords = passwords
        self._settings = settings

    async def create(self, name: str, password: str, now_ms: int) -> Credential | Refusal:
        """Make an account; returns its first token, with all scopes, or a refusal."""
        refusal = refuse_name(name) or refuse_password(password)
        if refusal is not None:
            return refusal
        person = Person(name.lower(), name, "", guest=False, created_ms=now_ms, seen_ms=now_ms)
        if await self.person(person.id) is not None:
            return _NAME_TAKEN  # no need to hash the password
        password_hash = await self._passwords.hash(password)
        async with transaction(self._engine) as connection:
            if await sql_players.name_is_kept(connection, name):
                return _NAME_TAKEN
            if not await sql_players.insert_player(connection, person, password_hash):
                return _NAME_TAKEN
            return await issue(connection, person, scopes.ALL, now_ms)

    async def log_in(self, name: str, password: str, now_ms: int) -> Credential | Refusal:
        """A new token for an account, or a refusal: the same one, after the same time, for a wrong name or password."""
        if len(password) > CHARS_MAX:
            return Refusal(RefusalCode.MALFORMED, say("people.password_max", most=CHARS_MAX), "password")
        player_id = name.lower()
        kept: str | None = None
        if is_player_id(player_id):
            async with transaction(self._engine) as connection:
                found = await sql_players.password_of(connection, player_id)
            kept = None if found is None else found[1]
        if not await self._passwords.fits(kept, password) or kept is None:
            return _WRONG
        renewed = await self._passwords.hash(password) if self._passwords.outdated(kept) else None
        async with transaction(self._engine) as connection:
            person = (await sql_players.lock(connection, [player_id])).get(player_id)
            if person is None:
                return _WRONG
            if renewed is not None:
                await sql_players.set_password(connection, player_id, kept, renewed)
            if await sql_players.count_tokens(
                connection, player_id
            ) >= self._settings.tokens_max and not await sql_players.drop_oldest_sign_in(connection, player_id):
                return Refusal(RefusalCode.LIMIT_REACHED, say("people.tokens_max", count=self._settings.tokens_max))
            await sql_players.touch(connection, [player_id], now_ms, self._settings.seen_period_ms)
            return await issue(connection, person, scopes.ALL, now_ms, sign_in=True)

    async def set_password(self, player_id: str, old: str | None, new: str, now_ms: int) -> Credential | Refusal:
        """Change the password of an account. Deletes all its tokens and returns a new one, or a refusal.

        `old` is None if the server's operator changes the password: then no token is made.
        """
        refusal = refuse_password(new)
        if refusal is not None:
            return replace(refusal, at="new_password")
        async with transaction(self._engine) as connection:
            found = await sql_players.password_of(connection, player_id)
        if found is None:
            return NO_PLAYER
        person, kept = found
        if person.guest or kept is None:
            return Refusal(RefusalCode.ACCOUNT_NEEDED, say("people.guest_password"))
        if old is not None and not await self._passwords.fits(kept, old):
            return _WRONG_OLD
        renewed = await self._passwords.hash(new)
        async with transaction(self._engine) as connection:
            if player_id not in await sql_players.lock(connection, [player_id]):
                return NO_PLAYER
            before = kept if old is not None else None
            if not await sql_players.set_password(connection, player_id, before, renewed):
                return _WRONG_OLD  # another request changed it meanwhile
            await sql_players.delete_tokens(connection, player_id)
            if old is None:
                return Credential(person, "", ())
            return await issue(connection, person, scopes.ALL, now_ms, sign_in=True)

    async def create_guest(self, now_ms: int) -> Credential:
        """Make a guest (a player without an account), with the guest's only token."""
        for _ in range(GUEST_TRIES_MAX):
            guest = new_guest(now_ms)
            async with transaction(self._engine) as connection:
                if await sql_players.insert_player(connection, guest, None):
                    return await issue(connection, guest, scopes.GUEST, now_ms)
        raise RuntimeError(f"{GUEST_TRIES_MAX} names of guests in a row were taken")

    async def upgrade_to_bot(self, player_id: str) -> Person | Refusal:
        """Make an account without any game a bot, for ever. For a bot nothing changes."""
        async with transaction(self._engine) as connection:
            person = (await sql_players.lock(connection, [player_id])).get(player_id)
            if person is None:
                return NO_PLAYER
            if person.title == BOT_TITLE:
                return person
            if person.guest:
                return Refusal(RefusalCode.ACCOUNT_NEEDED, say("people.guest_bot"))
            if await sql_players.has_games(connection, player_id):
                return Refusal(RefusalCode.NOT_ALLOWED, say("people.bot_with_games"))
            await sql_players.set_title(connection, player_id, BOT_TITLE)
            return Person(person.id, person.name, BOT_TITLE, person.guest, person.created_ms, person.seen_ms)

    async def person(self, player_id: str) -> Person | None:
        """The player with this id, or None."""
        if not is_player_id(player_id):
            return None
        async with transaction(self._engine) as connection:
            return (await sql_players.find(connection, [player_id])).get(player_id)

    async def seat(self, player_id: str) -> Seat | Refusal:
        """The seat of a player, or a refusal if there is no such player."""
        person = await self.person(player_id)
        return NO_PLAYER if person is None else person.seat()

    async def profiles(self, ids: Sequence[str]) -> list[Profile]:
        """The profiles of the existing players of `ids`, in order."""
        wanted = [player_id for player_id in dict.fromkeys(ids) if is_player_id(player_id)]
        if not wanted:
            return []
        async with transaction(self._engine) as connection:
            found = await sql_players.find(connection, wanted)
            records = await sql_players.records(connection, list(found))
        return [
            Profile(found[player_id], records.get(player_id, Record())) for player_id in wanted if player_id in found
        ]

    async def bots(self, limit: int) -> list[Profile]:
        """The profiles of at most `limit` bots, sorted by name."""
        async with transaction(self._engine) as connection:
            people = await sql_players.bots(connection, min(limit, self._settings.bots_listed_max))
            records = await sql_players.records(connection, [person.id for person in people])
        return [Profile(person, records.get(person.id, Record())) for person in people]
