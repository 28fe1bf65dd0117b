"""The spans of the commit path: one a traced command, one a stage of its batch, one for its event on its way out."""

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
from services.pb.flagfall.v1.events_pb2 import GameEvent
from services.pb.flagfall.v1.game_pb2 import Reply
from services.runtime import tracing
from services.runtime.tracing import Span

log = logging.getLogger(__name__)

NOTHING = nullcontext()
"""While traces are off."""


class Traceable(Protocol):
    """A command on its way through a batch."""

    command: Command
    reply: Reply | None
    span: Span | None


def traced(works: Sequence[Traceable]) -> AbstractContextManager[None]:
    """Follow those of a batch that somebody traces, to their replies."""
    return _traced(works) if tracing.on else NOTHING


def stage(name: str, numbers: Histogram, works: Sequence[Traceable]) -> AbstractContextManager[object]:
    """Time a stage of a batch: for the numbers, and for each command in it that is traced."""
    return _stage(name, numbers, works) if tracing.on else numbers.time()


def publishing(events: Sequence[GameEvent]) -> AbstractContextManager[None]:
    """The events that are traced go out as children of their commands, and are themselves parents of what follows."""
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
                outcome = RefusalCode.UNAVAILABLE if work.reply is None else outcome_of(work.reply)
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
def _publishing(events: Sequence[GameEvent]) -> Iterator[None]:
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
    """The question with what traces it."""
    if work.span is None or not isinstance(question, Play | Forfeit):
        return question
    return replace(question, trace=work.span.traceparent)


def carried(event: GameEvent, work: Traceable) -> None:
    """Let a committed event go on with what traces its command. What is stored of it does not tell."""
    if work.span is not None:
        event.traceparent = work.span.traceparent
