"""The spans of the commit path: one per traced command, one per stage of its batch, one for publishing its event."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from typing import Protocol

from prometheus_client import Histogram

from services.domain.refusal import RefusalCode
from services.game.commit.metrics import outcome_of
from services.game.play.command import Command
from services.game.play.command_table import WORDS
from services.game.play.question import Forfeit, Play, Question
from services.game.wire.events import VersionEvent
from services.game.wire.replies import CommandResult
from services.runtime import tracing
from services.runtime.tracing import Span

log = logging.getLogger(__name__)

NOTHING = nullcontext()
"""Used while tracing is off."""


class Traceable(Protocol):
    """A command on its way through a batch."""

    command: Command
    result: CommandResult | None
    span: Span | None


def traced(works: Sequence[Traceable]) -> AbstractContextManager[None]:
    """A context that makes a span for each traced command of a batch, up to its result."""
    return _traced(works) if tracing.on else NOTHING


def stage(name: str, numbers: Histogram, works: Sequence[Traceable]) -> AbstractContextManager[object]:
    """A context that times one stage of a batch: for the histogram, and for each traced command."""
    return _stage(name, numbers, works) if tracing.on else numbers.time()


def publishing(events: Sequence[VersionEvent]) -> AbstractContextManager[None]:
    """A context that makes a span for each traced event: a child of its command, and the parent of later spans."""
    return _publishing(events) if tracing.on else NOTHING


@contextmanager
def _traced(works: Sequence[Traceable]) -> Iterator[None]:
    for work in works:
        action = WORDS[type(work.command.action)]
        work.span = tracing.child("game.command", work.command.trace, game=work.command.game_id, action=action)
    try:
        with tracing.batch("game.batch", [work.command.trace for work in works]):
            yield
    finally:
        for work in works:
            if work.span is not None:
                outcome = RefusalCode.UNAVAILABLE if work.result is None else outcome_of(work.result)
                work.span.end(outcome=outcome)
                with tracing.told(work.span.traceparent):
                    log.info("%s in game %s: %s", WORDS[type(work.command.action)], work.command.game_id, outcome)


@contextmanager
def _stage(name: str, numbers: Histogram, works: Sequence[Traceable]) -> Iterator[None]:
    start_ns = tracing.now_ns()
    with numbers.time():
        yield
    for work in works:
        if work.span is not None:
            tracing.record(f"game.{name}", work.span.traceparent, start_ns)


@contextmanager
def _publishing(events: Sequence[VersionEvent]) -> Iterator[None]:
    spans = []
    for event in events:
        if (span := tracing.child("game.publish", event.traceparent)) is not None:
            event.traceparent = span.traceparent
            spans.append(span)
    try:
        yield
    finally:
        for span in spans:
            span.end()


def asked(question: Question, work: Traceable) -> Question:
    """The question with the traceparent of its command, if that is traced."""
    if work.span is None or not isinstance(question, Play | Forfeit):
        return question
    return replace(question, trace=work.span.traceparent)


def carried(event: VersionEvent, work: Traceable) -> None:
    """Put the traceparent of the command into its committed event. The stored event does not have it."""
    if work.span is not None:
        event.traceparent = work.span.traceparent
