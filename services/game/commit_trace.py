"""The spans of the commit path: one a traced command, one a stage of its batch, one for its event on its way out."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Protocol

from prometheus_client import Histogram

from services.domain.refusal import RefusalCode
from services.game.command import Command
from services.game.commit_metrics import ACTIONS, outcome_of
from services.game.question import Forfeit, Play, Question
from services.pb.flagfall.v1.events_pb2 import GameEvent
from services.pb.flagfall.v1.game_pb2 import Reply
from services.runtime import tracing
from services.runtime.tracing import Span

log = logging.getLogger(__name__)


class Traceable(Protocol):
    """A command on its way through a batch."""

    command: Command
    reply: Reply | None
    span: Span | None


@contextmanager
def traced(works: Sequence[Traceable]) -> Iterator[None]:
    """Follow those of a batch that somebody traces, to their replies."""
    if not tracing.on:
        yield
        return
    for work in works:
        action = ACTIONS[type(work.command.action)]
        work.span = tracing.child("game.command", work.command.trace, game=work.command.game_id, action=action)
    with tracing.batch("game.batch", [work.command.trace for work in works]):
        yield
    for work in works:
        if work.span is not None:
            outcome = RefusalCode.UNAVAILABLE if work.reply is None else outcome_of(work.reply)
            work.span.end(outcome=outcome)
            with tracing.told(work.span.traceparent):
                log.info("%s in game %s: %s", ACTIONS[type(work.command.action)], work.command.game_id, outcome)


@contextmanager
def stage(name: str, numbers: Histogram, works: Sequence[Traceable]) -> Iterator[None]:
    """Time a stage of a batch: for the numbers, and for each command in it that is traced."""
    if not tracing.on:
        with numbers.time():
            yield
        return
    start_ns = tracing.now_ns()
    with numbers.time():
        yield
    for work in works:
        if work.span is not None:
            tracing.record(f"game.{name}", work.span.traceparent, start_ns)


@contextmanager
def publishing(events: Sequence[GameEvent]) -> Iterator[None]:
    """The events that are traced go out as children of their commands, and are themselves parents of what follows."""
    spans = []
    if tracing.on:
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
