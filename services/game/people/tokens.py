"""Tokens: secrets that identify a player. Only their SHA-256 is stored."""

import re
import secrets
import string
from collections.abc import Sequence
from hashlib import sha256

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.game.people import scopes as known_scopes
from services.game.play.person import Credential, Person
from services.game.play.refusals import NO_PLAYER
from services.game.settings import GameSettings
from services.game.store import sql_players
from services.game.store.database import transaction
from services.game.store.sql_players import Holder

PREFIX = "ff_"
"""The prefix of tokens, so that scanners find tokens in published code."""
SECRET_LENGTH = 40
_SECRET_CHARS = string.ascii_letters + string.digits
_SHAPE = re.compile(r"[A-Za-z0-9_]{8,512}")


def new_token() -> str:
    """A new random token of 238 bits."""
    return PREFIX + "".join(secrets.choice(_SECRET_CHARS) for _ in range(SECRET_LENGTH))


def hash_of(token: str) -> bytes:
    """The hash of a token to store."""
    return sha256(token.encode()).digest()


async def issue(
    connection: AsyncConnection,
    person: Person,
    scopes: Sequence[str],
    now_ms: int,
    *,
    description: str = "",
    sign_in: bool = False,
) -> Credential:
    """Make a token of a person in the caller's transaction."""
    token = new_token()
    await sql_players.insert_token(connection, hash_of(token), person.id, scopes, description, sign_in, now_ms)
    return Credential(person, token, tuple(scopes))


class Tokens:
    """Resolves, creates and revokes tokens."""

    def __init__(self, engine: AsyncEngine, settings: GameSettings) -> None:
        self._engine = engine
        self._settings = settings

    async def resolve(self, tokens: Sequence[str], now_ms: int) -> list[Holder | None]:
        """The owner of each token, in order, or None; one statement for all. Marks the owners as seen now."""
        hashes = [hash_of(token) if _SHAPE.fullmatch(token) else None for token in tokens]
        asked = sorted({entry for entry in hashes if entry is not None})
        if not asked:
            return [None] * len(tokens)
        async with transaction(self._engine) as connection:
            found = await sql_players.holders(connection, asked)
            period_ms = self._settings.seen_period_ms
            unseen = [held.person.id for held in found.values() if held.person.seen_ms < now_ms - period_ms]
            if unseen:
                await sql_players.touch(connection, unseen, now_ms, period_ms)
        return [None if entry is None else found.get(entry) for entry in hashes]

    async def create(
        self, player_id: str, description: str, scopes: Sequence[str], now_ms: int
    ) -> Credential | Refusal:
        """Make a token of an account with these scopes, or return a refusal."""
        unknown = sorted(set(scopes) - set(known_scopes.ALL))
        if unknown:
            return Refusal(RefusalCode.MALFORMED, say("people.no_scope", scope=unknown[0][:60]), "scopes")
        chosen = [scope for scope in known_scopes.ALL if scope in scopes]
        async with transaction(self._engine) as connection:
            person = (await sql_players.lock(connection, [player_id])).get(player_id)
            if person is None:
                return NO_PLAYER
            if person.guest:
                return Refusal(RefusalCode.ACCOUNT_NEEDED, say("people.guest_token"))
            if await sql_players.count_tokens(connection, player_id) >= self._settings.tokens_max:
                return Refusal(RefusalCode.LIMIT_REACHED, say("people.tokens_max", count=self._settings.tokens_max))
            return await issue(connection, person, chosen, now_ms, description=description)

    async def revoke(self, token: str) -> None:
        """Delete a token; an unknown one is no error."""
        if _SHAPE.fullmatch(token):
            async with transaction(self._engine) as connection:
                await sql_players.delete_token(connection, hash_of(token))
