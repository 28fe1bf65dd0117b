"""Searches for forfeits that the quick check cannot decide. They run beside the commit path, so no move waits for them.

A flag fall or a resignation whose winner may be unable to mate leaves its batch and is refused as `unavailable`; the
sender retries, as after any outage. Meanwhile the rules service searches, once per position, even if there are many
retries. Then the command goes through the commit path again, with the time of its first receipt. It finds the verdict
here if its question is still the same. If the search fails, the other side wins: it loses the win only if the search
proves that it cannot mate (FIDE 6.9).
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

from prometheus_client import Counter, Gauge

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.game.play.command import Action, Command
from services.game.play.game import Game
from services.game.play.question import Forfeit, Forfeited, RulesUnavailable, Verdict
from services.game.settings import GameSettings
from services.runtime.lifecycle import cancelled
from services.runtime.metrics import from_zero

log = logging.getLogger(__name__)

FORFEITS = Counter("flagfall_game_forfeits_total", "Flag falls and resignations, by result.", ["decided"])
SEARCHES = Counter(
    "flagfall_game_adjudications_total", "Flag falls and resignations searched outside the commit path.", ["outcome"]
)
from_zero(FORFEITS, ("win", "draw", "undetermined"))
from_zero(SEARCHES, ("decided", "undetermined", "failed", "crowded"))
UNDER_WAY = Gauge("flagfall_game_adjudications_under_way", "Such searches that wait or run.")

BEING_SEARCHED = Refusal(
    RefusalCode.UNAVAILABLE,
    say("commit.searching"),
)

ASK_AGAIN_S = 0.25
"""Seconds between retries while the rules service is away and a forfeit waits."""

_Key = tuple[str, str, str, Action]
"""What a command and its retries have in common: game, player, id and action."""


class Adjudicator(Protocol):
    """A rules service that can search."""

    async def adjudicate(self, question: Forfeit, timeout_s: float) -> Verdict:
        """The verdict: Forfeited or a refusal. Raises RulesUnavailable if there is no answer."""


@dataclass(slots=True)
class _Search:
    """One question, the commands that wait for its answer, and the answer when it is known."""

    commands: dict[_Key, Command] = field(default_factory=dict)
    verdict: Forfeited | None = None


class Adjudications:
    """The searches of this process. `again` sends a command through the commit path again; its result is not used."""

    def __init__(
        self, rules: Adjudicator, again: "Callable[[Command], Awaitable[object]]", settings: GameSettings
    ) -> None:
        self._rules = rules
        self._again = again
        self._room = asyncio.Semaphore(settings.adjudications_under_way_max)
        self._waiting_max = settings.adjudications_waiting_max
        self._timeout_s = settings.adjudication_timeout_ms / 1000
        self._drain_s = settings.drain_ms / 1000
        self._searches: dict[Forfeit, _Search] = {}
        self._first: dict[_Key, Command] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = False

    def first(self, command: Command) -> Command:
        """The first copy of a command that waits here, so that a retry keeps the time of the first receipt."""
        return self._first.get(_key(command), command) if self._first else command

    def known(self, question: Forfeit, command: Command) -> Forfeited | Refusal | None:
        """The verdict of the search for `question`. While it runs: a refusal; the command waits. None: no search."""
        search = self._searches.get(question)
        if search is None or search.verdict is not None:
            return None if search is None else search.verdict
        self._wait(search, command)
        return BEING_SEARCHED

    def begin(self, question: Forfeit, left_open: Forfeited, command: Command) -> Forfeited | Refusal:
        """Start a search for `question`; the command waits. If too many searches wait, return `left_open`."""
        known = self.known(question, command)
        if known is not None or self._closing:
            return known or BEING_SEARCHED  # this process stops: the retry goes to another one
        if len(self._searches) >= self._waiting_max:
            SEARCHES.labels("crowded").inc()
            return left_open
        search = self._searches[question] = _Search()
        self._wait(search, command)
        task = asyncio.create_task(self._see_to(question, left_open, search))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        UNDER_WAY.set(len(self._searches))
        return BEING_SEARCHED

    async def drained(self) -> None:
        """Wait until no search runs. Searches that take longer than `drain_ms` are cancelled; the senders retry."""
        self._closing = True
        if self._tasks:
            await asyncio.wait(tuple(self._tasks), timeout=self._drain_s)
        await asyncio.gather(*(cancelled(task) for task in tuple(self._tasks)))

    def _wait(self, search: _Search, command: Command) -> None:
        key = _key(command)
        if key in self._first or len(self._first) < self._waiting_max:
            search.commands[key] = self._first.setdefault(key, command)

    async def _see_to(self, question: Forfeit, left_open: Forfeited, search: _Search) -> None:
        try:
            search.verdict = await self._searched(question, left_open)
            results = await asyncio.gather(
                *(self._again(command) for command in search.commands.values()), return_exceptions=True
            )
            for command, result in zip(search.commands.values(), results, strict=True):
                if isinstance(result, BaseException):
                    log.warning("game %s: %s: %s", command.game_id, type(result).__name__, result)
        finally:
            del self._searches[question]
            for key in search.commands:  # the command may wait for another search, if the game has changed
                if not any(key in other.commands for other in self._searches.values()):
                    del self._first[key]
            UNDER_WAY.set(len(self._searches))

    async def _searched(self, question: Forfeit, left_open: Forfeited) -> Forfeited:
        """The verdict of the search, or `left_open` if there is none in time."""
        try:
            async with asyncio.timeout(self._timeout_s), self._room:
                verdict = await self._asked(question)
        except (RulesUnavailable, TimeoutError) as error:
            reason = error.reason if isinstance(error, RulesUnavailable) else "no answer in time"
            log.warning("a forfeit stays open (%s): %s %s", reason, question.variant, question.fen)
            SEARCHES.labels("failed").inc()
            return left_open
        if not isinstance(verdict, Forfeited):
            log.error("a forfeit stays open (%s): %s %s", verdict, question.variant, question.fen)
            SEARCHES.labels("failed").inc()
            return left_open
        SEARCHES.labels("undetermined" if verdict.undetermined else "decided").inc()
        return verdict

    async def _asked(self, question: Forfeit) -> Verdict:
        """The answer of the rules service. If it stops during the search, retry: a new one starts soon."""
        while True:
            try:
                return await self._rules.adjudicate(question, self._timeout_s)
            except RulesUnavailable as error:
                if not error.away:
                    raise
            await asyncio.sleep(ASK_AGAIN_S)


def count(verdict: Forfeited, game: Game) -> None:
    """Count the result of a forfeit: `win`, `draw`, or `undetermined` (a win, since the search did not decide)."""
    if verdict.undetermined:
        log.info("game %s is a win, since the search did not exclude a mate: %s", game.terms.id, game.standing.fen)
        FORFEITS.labels("undetermined").inc()
    else:
        FORFEITS.labels("draw" if verdict.outcome.winner is None else "win").inc()


def _key(command: Command) -> _Key:
    return command.game_id, command.player_id, command.command_id, command.action
