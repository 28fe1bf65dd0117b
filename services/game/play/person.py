"""People as values: accounts, bots and guests, and what they may be called."""

import re
import secrets
from dataclasses import dataclass

from services.domain.refusal import Refusal, RefusalCode
from services.game.play.game import Seat

BOT_TITLE = "BOT"
GUEST_PREFIX = "guest"
DELETED_PREFIX = "deleted"
"""Of what stands in games for somebody whose account was closed."""
GUEST_CHARS = "23456789abcdefghjkmnpqrstuvwxyz"
"""Letters and digits that are not mistaken for one another."""
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
"""Names that would be taken for a part of the server, or that are words in its addresses."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who plays. `id` is the name in lower case."""

    id: str
    name: str
    title: str
    guest: bool
    created_ms: int
    seen_ms: int
    rating: int = 0
    """As a side of a challenge: for its variant and speed, rounded; 0 for none, and wherever it is not asked for."""
    provisional: bool = False

    def seat(self) -> Seat:
        """This person at a board."""
        return Seat(self.id, self.name, self.title, self.guest)


@dataclass(frozen=True, slots=True)
class Credential:
    """A secret that was made now, and what it is good for. Nobody can be told it again."""

    person: Person
    token: str
    scopes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """The games of a person; aborted ones do not count. `playing` of the `games` are going on."""

    games: int = 0
    wins: int = 0
    losses: int = 0
    draws: int = 0
    playing: int = 0


def is_player_id(text: str) -> bool:
    """Whether anybody could have this id."""
    return _ID.fullmatch(text) is not None


def refuse_name(name: str) -> Refusal | None:
    """Why no account can have this name, or None."""
    if _NAME.fullmatch(name) is None:
        return Refusal(
            RefusalCode.MALFORMED,
            "A name has 2 to 30 letters (a-z), digits, '_' and '-', and starts with a letter or a digit.",
            "username",
        )
    if name.lower() in _RESERVED or name.lower().startswith((GUEST_PREFIX, DELETED_PREFIX)):
        return Refusal(RefusalCode.NAME_TAKEN, "This name is reserved.", "username")
    return None


def new_guest(now_ms: int) -> Person:
    """A guest with a name of chance."""
    letters = "".join(secrets.choice(GUEST_CHARS) for _ in range(GUEST_LENGTH))
    name = f"{GUEST_PREFIX.capitalize()}-{letters}"
    return Person(name.lower(), name, "", guest=True, created_ms=now_ms, seen_ms=now_ms)
