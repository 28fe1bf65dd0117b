"""Ends games of correspondence whose limit has passed, when somebody reads them or moves too late.

The sweep would end them too, but only minutes later: until then a read would show a running game to the player whose
move was refused because time is up.
"""

import asyncio
import logging
from collections.abc import Iterable

from services.domain.clock import DeadlineKind
from services.domain.refusal import RefusalCode
from services.game.commit.beats import Beats
from services.game.commit.path import CommitPath
from services.game.play.command import Command
from services.game.play.commands.flags import Flag
from services.game.play.game import Game
from services.game.play.moment import closes
from services.game.play.result import Committed, NotCommitted
from services.game.store.database import STORE_ERRORS
from services.game.store.sql_games import Games
from services.game.wire.replies import CommandResult
from services.runtime.batching import Overloaded

log = logging.getLogger(__name__)


class Overdue:
    """Sends a Flag for each game whose limit has passed. Any number of readers may: one of them ends the game."""

    def __init__(self, games: Games, path: CommitPath, beats: Beats) -> None:
        self._games = games
        self._path = path
        self._beats = beats
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def end(self, games: Iterable[Game | None]) -> bool:
        """End those of these games whose time is up. Returns whether one was ended: then read again.

        It waits for the grace of a flag, for a move that another replica received in time. A game that cannot be ended
        now (the rules are away, a search runs) stays as it is.
        """
        limits, outages = self._path.limits, self._beats.outages
        late = [
            (game, closes_ms)
            for game in games
            if game is not None
            and (deadline := game.deadline(limits)) is not None
            and deadline.kind is DeadlineKind.EXPIRY
            and (closes_ms := closes(game, limits, outages)) is not None
            and closes_ms <= self._beats.now_ms()
        ]
        if not late:
            return False
        last_ms = max(closes_ms for _, closes_ms in late) + limits.flag_grace_ms
        await asyncio.sleep(max(0, last_ms - self._beats.now_ms()) / 1000)
        now_ms = self._beats.now_ms()
        results = await asyncio.gather(
            *(self._path.submit(Command(game.terms.id, "", "", Flag(game.version), b"", now_ms)) for game, _ in late),
            return_exceptions=True,
        )
        for result in results:
            if isinstance(result, BaseException) and not isinstance(result, Overloaded):
                raise result
        return any(_has_ended(result) for result in results)

    def after(self, command: Command, result: CommandResult) -> None:
        """End the game of a command that came too late, in the background: whoever follows the game is told at once."""
        late = isinstance(result, NotCommitted) and result.refusal.code is RefusalCode.TIME_IS_UP
        if late and command.game_id not in self._tasks:
            task = asyncio.create_task(self._look(command.game_id))
            self._tasks[command.game_id] = task
            task.add_done_callback(lambda _: self._tasks.pop(command.game_id, None))

    async def _look(self, game_id: str) -> None:
        try:
            await self.end((await self._games.load([game_id])).values())
        except STORE_ERRORS as error:
            log.warning("a game that is over is left to the sweep: %s: %s", type(error).__name__, error)


def _has_ended(result: CommandResult | BaseException) -> bool:
    """Whether the game was ended, by this flag or by another one, or went on meanwhile."""
    if isinstance(result, NotCommitted):
        return result.refusal.code in (RefusalCode.GAME_OVER, RefusalCode.STALE_VERSION)
    return isinstance(result, Committed)
