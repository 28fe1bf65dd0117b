"""The commit path: the only way from a batch of commands to committed versions.

A batch is loaded, judged by the rules service in one call, decided by `decision`, saved in one statement and published.
Each command has a result, `Committed` or `NotCommitted`; the servicers make messages of it. At most one command of a
game is in progress here; later ones wait in order of arrival. The save checks the version, which protects against other
replicas. A command that loses this race, or is refused on a cached state that may be old, is decided again from the
database. If a batch fails for any reason, its commands are tried one by one. If the answer to a COMMIT was lost, the
command's id shows whether it was committed.
"""

import asyncio
import logging
from collections import Counter, OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnectionFree
from sqlalchemy.ext.asyncio import AsyncEngine

from services.domain.clock import Outages
from services.domain.refusal import BUSY, Refusal, RefusalCode
from services.domain.text import say
from services.domain.time_control import mode_of
from services.game.commit import adjudication
from services.game.commit import metrics as commit_metrics
from services.game.commit import trace as commit_trace
from services.game.commit.adjudication import Adjudications
from services.game.commit.answering import answered
from services.game.commit.beats import Beats
from services.game.commit.gathering import Gathering, Presence
from services.game.commit.ports import Features, SearchingRules
from services.game.commit.publishing import Publishing
from services.game.commit.saving import Saving
from services.game.play.change import Change
from services.game.play.command import Command, ServerAction
from services.game.play.command_table import WORDS
from services.game.play.decision import decide, prepare
from services.game.play.game import COMPUTER_ID, Game
from services.game.play.moment import NO_FACTS, Facts
from services.game.play.question import Forfeit, Forfeited, Ping, Question, RulesUnavailable, Verdict
from services.game.play.refusals import NO_GAME
from services.game.play.result import Committed, NotCommitted
from services.game.settings import GameSettings
from services.game.store import sql_store
from services.game.store.database import STORE_ERRORS, meaning_of, single
from services.game.store.sql_store import Decided, Save
from services.game.wire.events import VersionEvent
from services.game.wire.replies import CommandResult
from services.runtime.batching import Batcher
from services.runtime.tracing import Span

log = logging.getLogger(__name__)

UNREADABLE = Refusal(RefusalCode.UNAVAILABLE, say("commit.unreadable"))
"""The refusal for a game that is damaged, or that a newer replica wrote."""


@dataclass(slots=True)
class _Work:
    """One command on its way through a batch."""

    command: Command
    result: CommandResult | None = None
    game: Game | None = None
    from_memory: bool = False
    verdict: Verdict | None = None
    facts: Facts = NO_FACTS
    span: Span | None = None


class CommitPath:
    """Decides and commits commands."""

    def __init__(
        self,
        engine: AsyncEngine,
        rules: SearchingRules,
        beats: Beats,
        publishing: Publishing,
        settings: GameSettings,
        features: Features,
        presence: Presence | None = None,
    ) -> None:
        self._engine = engine
        self._single = single(engine)
        self._rules = rules
        self._beats = beats
        self._publishing = publishing
        self._settings = settings
        self._timeout_s = settings.call_timeout_ms / 1000
        self._memory: OrderedDict[str, Game] = OrderedDict()
        self._proof: asyncio.Task[bool] | None = None
        self._adjudications = Adjudications(rules, self.submit, settings)
        self.limits = settings.limits()
        self._gathering = Gathering(self._single, presence, self._timeout_s, features)
        self._saving = Saving(engine, beats, self.limits, features)
        self._batcher: Batcher[Command, CommandResult] = Batcher(
            "commit",
            self._carry,
            size_max=settings.batch_size_max,
            waiting_max=settings.batch_waiting_max,
            under_way_max=settings.batches_under_way_max,
            key=lambda command: command.game_id,
        )

    async def submit(self, command: Command) -> CommandResult:
        """Decide and commit one command; returns its result. Raises Overloaded if too many commands wait."""
        return await self._batcher.call(command)

    def put(self, command: Command) -> "asyncio.Future[CommandResult]":
        """Like `submit`, but returns a future of the result at once."""
        return self._batcher.put(command)

    async def beat(self) -> None:
        """Check that the rules service and the database answer, and commit a beat. Raises if one does not answer."""
        await self._rules.judge([Ping()])
        async with asyncio.timeout(self._timeout_s):
            await self._beats.beat()

    async def drained(self) -> None:
        """Wait until no command and no search is in progress."""
        await self._adjudications.drained()
        await self._batcher.drained()
        if self._proof is not None:
            await self._proof

    def forget(self, game_id: str) -> None:
        """Remove a game from the cache."""
        self._memory.pop(game_id, None)

    async def _carry(self, commands: Sequence[Command]) -> list[CommandResult]:
        works = [_Work(self._adjudications.first(command)) for command in commands]
        with commit_trace.traced(works):
            return await self._see_through(works)

    async def _see_through(self, works: Sequence[_Work]) -> list[CommandResult]:
        if self._beats.ageing and any(_by_person(work.command) for work in works):
            if self._beats.fresh:
                self._prove_soon()
            elif not await self._proved():  # there may be a gap that is not recorded yet
                return [NotCommitted(BUSY) for _ in works]
        if not self._beats.fresh:
            # Players may have been unable to move: the clock and the computer must wait too.
            for work in works:
                work.result = NotCommitted(BUSY)
        for attempt in range(self._settings.race_retries_max):
            waiting = [work for work in works if work.result is None]
            if not waiting:
                break
            try:
                await self._round(waiting, use_memory=attempt == 0)
            except Exception as error:
                commit_metrics.SAVES_FAILED.inc()
                _tell(error, f"a batch of {len(waiting)}")
                await self._one_by_one([work for work in waiting if work.result is None])
        results = [work.result or NotCommitted(BUSY) for work in works]
        counts = Counter(
            (WORDS[type(work.command.action)], commit_metrics.outcome_of(result))
            for work, result in zip(works, results, strict=True)
        )
        for (action, outcome), count in counts.items():
            commit_metrics.decided(action, outcome).inc(count)
        return results

    def _prove_soon(self) -> None:
        """Commit a beat in the background: a command of a person shows that people reach this server."""
        if self._proof is None or self._proof.done():
            self._proof = asyncio.create_task(self._proved())

    async def _proved(self) -> bool:
        """Commit a beat if the whole path works, the rules service included; returns whether it did."""
        try:
            await self.beat()
        except RulesUnavailable as error:
            log.warning("no beat could be committed: the rules do not answer: %s", error.reason)
            return False
        except Exception as error:
            _tell(error, "a beat")
            return False
        return True

    async def _one_by_one(self, works: Sequence[_Work]) -> None:
        """Try the commands of a failed batch one by one, so that a bad one does not harm the others."""
        commit_metrics.AFTER_FAILURE.inc(len(works))
        for work in works:
            self.forget(work.command.game_id)
            away = False
            for _ in range(2):  # the second try finds by the command's id whether the first was committed
                try:
                    await self._round([work], use_memory=False)
                except Exception as error:
                    _tell(error, f"a command of game {work.command.game_id}")
                    away = _is_away(error)
                if work.result is not None:
                    break
            else:
                work.result = NotCommitted(BUSY)
                if away:
                    # The store is away, or this row is locked: try all others together, once.
                    await self._together([other for other in works if other.result is None])
                    break
        for work in works:
            work.result = work.result or NotCommitted(BUSY)

    async def _together(self, works: Sequence[_Work]) -> None:
        """One more round; a failure is only logged."""
        try:
            await self._round(works, use_memory=False)
        except Exception as error:
            _tell(error, f"the rest of a batch, {len(works)}")

    async def _round(self, works: Sequence[_Work], *, use_memory: bool) -> None:
        """Decide and save once. A work without a result after it lost a race or must be decided from the database."""
        with commit_trace.stage("load", commit_metrics.LOAD, works):
            await self._load(works, use_memory)
        open_works = [work for work in works if work.result is None]
        with commit_trace.stage("gather", commit_metrics.GATHER, open_works):
            await self._gather(open_works)
        outages = self._beats.outages  # the question and the decision must use the same outages
        with commit_trace.stage("judge", commit_metrics.JUDGE, open_works):
            await self._judge(open_works, outages)
        with commit_trace.stage("decide", commit_metrics.DECIDE, open_works):
            saves = self._decide(open_works, outages)
        if not self._beats.fresh:  # the rules service took long
            for work, _ in saves:
                if not _by_person(work.command):
                    work.result = NotCommitted(BUSY)
            saves = [(work, save) for work, save in saves if work.result is None]
        if any(work.facts.answers is not None for work, _ in saves):
            found = await answered([(save, work.facts) for work, save in saves], self._rules, self.limits, outages)
            asked, saves = saves, []
            for (work, _), save in zip(asked, found, strict=True):
                if isinstance(save, Save):
                    saves.append((work, save))
                else:
                    work.result = NotCommitted(save)
        if saves:
            with commit_trace.stage("save", commit_metrics.SAVE, [work for work, _ in saves]):
                await self._save(saves)

    def _decide(self, works: Sequence[_Work], outages: Outages) -> list[tuple[_Work, Save]]:
        saves: list[tuple[_Work, Save]] = []
        for work in works:
            if work.result is not None or work.game is None:
                continue
            decision = decide(work.game, work.command, work.verdict, self.limits, outages, work.facts)
            if isinstance(decision, Change):
                event = VersionEvent.of(decision, self.limits, outages)
                saves.append((work, Save(work.command, decision, event)))
            elif work.from_memory:
                self._decide_anew(work)  # the cached state may be old: refuse only on the database's state
            else:
                work.result = NotCommitted(decision)
        return saves

    async def _load(self, works: Sequence[_Work], use_memory: bool) -> None:
        missing: list[_Work] = []
        for work in works:
            work.verdict = None
            work.game = self._memory.get(work.command.game_id) if use_memory else None
            work.from_memory = work.game is not None
            if work.game is None:
                missing.append(work)
        if not missing:
            return
        async with asyncio.timeout(self._timeout_s), self._single.connect() as connection:
            games = await sql_store.load(connection, [work.command.game_id for work in missing])
            before = await sql_store.decided(connection, [work.command for work in missing])
        for work in missing:
            command = work.command
            work.game = games.get(command.game_id)
            known = before.get((command.game_id, command.player_id, command.command_id))
            if command.game_id not in games:
                work.result = NotCommitted(NO_GAME)
            elif work.game is None:
                work.result = NotCommitted(UNREADABLE)
            elif known is not None:
                work.result = self._again(command, known, work.game)

    async def _gather(self, works: Sequence[_Work]) -> None:
        asked = [(work.game, work.command) for work in works if work.game is not None]
        facts = await self._gathering.facts(asked)
        for work in works:
            work.facts = facts.get(work.command.game_id, NO_FACTS)

    async def _judge(self, works: Sequence[_Work], outages: Outages) -> None:
        asked: list[tuple[_Work, Question]] = []
        for work in works:
            if work.game is not None:
                question = prepare(work.game, work.command, self.limits, outages, work.facts)
                known = self._adjudications.known(question, work.command) if isinstance(question, Forfeit) else None
                if known is not None:
                    self._settle(work, known)
                elif question is not None:
                    asked.append((work, commit_trace.asked(question, work)))
        if not asked:
            return
        try:
            verdicts = await self._rules.judge([question for _, question in asked])
        except RulesUnavailable as error:
            refused = NotCommitted(error.refusal)
            for work, _ in asked:
                work.result = refused
            return
        for (work, question), verdict in zip(asked, verdicts, strict=True):
            if not isinstance(question, Forfeit) or not isinstance(verdict, Forfeited) or not verdict.undetermined:
                work.verdict = verdict
            elif work.from_memory:
                self._decide_anew(work)  # no search for a cached state that may be old
            else:
                self._settle(work, self._adjudications.begin(question, verdict, work.command))

    def _settle(self, work: _Work, known: Forfeited | Refusal) -> None:
        """Use the verdict of a forfeit, or answer that the search still runs (the command stays undecided)."""
        if isinstance(known, Forfeited):
            work.verdict = known
        elif work.from_memory:
            self._decide_anew(work)
        else:
            work.result = NotCommitted(known, searching=True)

    def _decide_anew(self, work: _Work) -> None:
        commit_metrics.AFTER_MEMORY.inc()
        self.forget(work.command.game_id)
        work.game = None

    async def _save(self, saves: Sequence[tuple[_Work, Save]]) -> None:
        gone = self._publishing.take_gone()
        try:
            async with asyncio.timeout(self._timeout_s):
                saved, told = await self._saving.commit([save for _, save in saves], gone)
        except BaseException:
            self._publishing.give_back(gone)
            raise
        events: list[VersionEvent] = []
        for work, save in saves:
            game = save.change.game
            if game.terms.id not in saved:
                commit_metrics.RACES_LOST.inc()
                commit_metrics.AFTER_RACE.inc()
                self.forget(game.terms.id)
                continue
            for committed in (save, save.then):
                if committed is not None:
                    commit_trace.carried(committed.event, work)
                    self._committed(committed, work)
                    events.append(committed.event)
            work.result = Committed(game, save.event)
        self._publishing.announce(events, told)

    def _committed(self, save: Save, work: _Work) -> None:
        """Put a committed version into the cache; if the game ended, count it."""
        game = save.change.game
        self._remember(game)
        if game.outcome is None:
            save.event.add_legal(game.standing.legal)
            return
        commit_metrics.finished(mode_of(game.terms.control), game.terms.variant, game.outcome.reason.value).inc()
        if isinstance(work.verdict, Forfeited):
            adjudication.count(work.verdict, game)

    def _again(self, command: Command, known: Decided, game: Game) -> CommandResult:
        """The result of a retry of a command that was decided before."""
        if known.digest != command.digest:
            return NotCommitted(Refusal(RefusalCode.COMMAND_CONFLICT, say("commit.id_used"), "id"))
        if known.version == game.version and game.outcome is None:
            known.event.add_legal(game.standing.legal)
        return Committed(game, known.event, repeated=True)

    def _remember(self, game: Game) -> None:
        self._memory[game.terms.id] = game
        self._memory.move_to_end(game.terms.id)
        if game.outcome is not None or len(self._memory) > self._settings.games_cached_max:
            self._memory.pop(game.terms.id if game.outcome is not None else next(iter(self._memory)), None)


def _by_person(command: Command) -> bool:
    """Whether a person sent this command through a gateway; then people can reach this server."""
    return not isinstance(command.action, ServerAction) and command.player_id != COMPUTER_ID


def _is_away(error: Exception) -> bool:
    """Whether the store failed, not the command."""
    meaning = meaning_of(error) if isinstance(error, DBAPIError) else error
    return isinstance(meaning, OSError | TimeoutError | NoConnectionFree)


def _tell(error: Exception, what: str) -> None:
    """Log a failure: one line if the store is away, otherwise an error with a traceback."""
    if isinstance(error, STORE_ERRORS):
        log.warning("%s failed: %s: %s", what, type(error).__name__, error)
    else:
        log.error("%s failed", what, exc_info=error)
