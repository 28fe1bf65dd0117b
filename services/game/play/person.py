"""People as values: accounts, bots and guests, and the names that they may have."""

import re
import secrets
from dataclasses import dataclass

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.game.play.game import Seat

BOT_TITLE = "BOT"
GUEST_PREFIX = "guest"
DELETED_PREFIX = "deleted"
"""Prefix of the name that replaces a closed account's name in games."""
GUEST_CHARS = "23456789abcdefghjkmnpqrstuvwxyz"
"""Letters and digits that are not easily confused."""
GUEST_LENGTH = 8

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{1,29}")
_ID = re.compile(r"[a-z0-9][a-z0-9_-]{1,29}")
_RESERVED = frozenset(
    [
        *("admin", "administrator", "mod", "moderator", "owner", "root", "staff", "support", "system"),
        *("ai", "bot", "computer", "flagfall", "lichess", "server", "stockfish"),
        *("anonymous", "everybody", "nobody", "null", "undefined"),
        *("api", "black", "open", "white"),
    ]
)
"""Names that look like a part of the server, or that are words in its URLs."""


@dataclass(frozen=True, slots=True)
class Person:
    """A player. `id` is the name in lower case."""

    id: str
    name: str
    title: str
    guest: bool
    created_ms: int
    seen_ms: int
    rating: int = 0
    """Set only in a challenge: the rating for its variant and speed, rounded; otherwise 0."""
    provisional: bool = False

    def seat(self) -> Seat:
        """The seat of this person in a game, without a rating."""
        return Seat(self.id, self.name, self.title, self.guest)


@dataclass(frozen=True, slots=True)
class Credential:
    """A new token and its scopes. The token cannot be shown again later."""

    person: Person
    token: str
    scopes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """The numbers of a person's games, without aborted ones. `games` includes those that go on (`playing`)."""

    games: int = 0
    wins: int = 0
    losses: int = 0
    draws: int = 0
    playing: int = 0


def is_player_id(text: str) -> bool:
    """Whether `text` has the form of a player id."""
    return _ID.fullmatch(text) is not None


def refuse_name(name: str) -> Refusal | None:
    """A refusal if no account may have this name, or None."""
    if _NAME.fullmatch(name) is None:
        return Refusal(
            RefusalCode.MALFORMED,
            say("people.name_form"),
            "username",
        )
    if name.lower() in _RESERVED or name.lower().startswith((GUEST_PREFIX, DELETED_PREFIX)):
        return Refusal(RefusalCode.NAME_TAKEN, say("people.name_reserved"), "username")
    return None


def new_guest(now_ms: int) -> Person:
    """A guest with a random name."""
    letters = "".join(secrets.choice(GUEST_CHARS) for _ in range(GUEST_LENGTH))
    name = f"{GUEST_PREFIX.capitalize()}-{letters}"
    return Person(name.lower(), name, "", guest=True, created_ms=now_ms, seen_ms=now_ms)
