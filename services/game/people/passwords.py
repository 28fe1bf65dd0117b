"""Passwords: argon2id in a few threads, with a bounded queue."""

import asyncio
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.game.settings import GameSettings
from services.runtime.batching import Overloaded

T = TypeVar("T")

CHARS_MIN = 8
CHARS_MAX = 200


def refuse_password(password: str) -> Refusal | None:
    """A refusal if this cannot be a password, or None."""
    if not CHARS_MIN <= len(password) <= CHARS_MAX:
        return Refusal(
            RefusalCode.MALFORMED, say("people.password_length", least=CHARS_MIN, most=CHARS_MAX), "password"
        )
    return None


class Passwords:
    """Hashes and checks passwords. `hash` and `fits` raise Overloaded if too many calls wait."""

    def __init__(self, settings: GameSettings) -> None:
        self._hasher = PasswordHasher(
            time_cost=settings.password_rounds, memory_cost=settings.password_memory_kib, parallelism=1
        )
        self._threads = ThreadPoolExecutor(settings.password_workers, thread_name_prefix="password")
        self._places = settings.password_workers + settings.password_waiting_max
        self._taken = 0
        # Checked for an unknown name, so that the answer takes equally long.
        self._nobodys = self._hasher.hash("nobody has this password")

    async def hash(self, password: str) -> str:
        """The hash of a password to store."""
        return await self._run(self._hasher.hash, _bytes(password))

    async def fits(self, kept: str | None, password: str) -> bool:
        """Whether the password fits the stored hash `kept`. None never fits, but takes equally long."""
        fits = await self._run(self._check, kept or self._nobodys, _bytes(password))
        return fits and kept is not None

    def outdated(self, kept: str) -> bool:
        """Whether a stored hash was made with other parameters than the present ones."""
        return self._hasher.check_needs_rehash(kept)

    def close(self) -> None:
        """Stop the threads and cancel waiting calls."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _check(self, kept: str, password: bytes) -> bool:
        try:
            return self._hasher.verify(kept, password)
        except (VerificationError, InvalidHashError):
            return False

    async def _run(self, work: Callable[..., T], *arguments: object) -> T:
        if self._taken >= self._places:
            raise Overloaded(f"{self._taken} passwords are waiting to be hashed")
        self._taken += 1
        future = asyncio.get_running_loop().run_in_executor(self._threads, work, *arguments)
        future.add_done_callback(self._left)
        return await future

    def _left(self, _: object) -> None:
        self._taken -= 1


def _bytes(password: str) -> bytes:
    """The bytes of a password, equal for all Unicode forms of the same accents."""
    return unicodedata.normalize("NFC", password).encode()
