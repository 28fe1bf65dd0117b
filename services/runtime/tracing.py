"""Traces: one command followed through all services. Off unless `traces_url` is set, and then for a share of them.

A span's context (W3C traceparent) rides in each item of a batch, since one batch holds commands of many. Where it is
absent nothing is traced: only `root`, which gateways and the clock call, decides that something is. Whoever asks with a
traceparent of its own does not decide it: that trace is taken up where ours is sampled. While traces are off, this is
all there is of them: no SDK is imported, no thread runs, and callers ask `on` before anything else.
"""

import logging
import os
import random
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from services.runtime.logs import bind
from services.runtime.settings import Settings

log = logging.getLogger(__name__)

Attribute = str | int

TRACEPARENT = re.compile(r"00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")


class Span(Protocol):
    """Something that takes a while."""

    @property
    def traceparent(self) -> str:
        """The context that rides along to whoever goes on with it."""
        ...

    def end(self, **attributes: Attribute) -> None:
        """It is over."""
        ...


class Tracer(Protocol):
    """Who keeps spans; see `otlp`."""

    def begin(
        self,
        name: str,
        parent: str,
        start_ns: int | None = None,
        links: Sequence[str] = (),
        attributes: dict[str, Attribute] | None = None,
    ) -> Span:
        """A span that is under way; without a parent it is the first of its trace."""

    def close(self) -> None:
        """Send what is left, in bounded time."""


on = False
"""Whether this process traces anything at all."""
_tracer: Tracer | None = None
_ratio = 0.0
_offered: ContextVar[str] = ContextVar("flagfall_offered_trace", default="")


def set_up(service: str, version: str, settings: Settings) -> None:
    """Trace from now on, if the settings say where to. Raises ImportError when the extra `traces` is not installed."""
    if settings.traces_url and os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
        log.warning("no traces: OTEL_SDK_DISABLED is set, which some platforms do")
    elif settings.traces_url:
        from services.runtime.otlp import OtlpTracer

        use(OtlpTracer(service, version, settings), settings.traces_ratio)


def use(tracer: Tracer | None, ratio: float) -> None:
    """Trace this share of what begins here with that tracer; None for no longer."""
    global on, _ratio, _tracer
    on, _ratio, _tracer = tracer is not None, ratio, tracer


def shut_down() -> None:
    """Send what is left."""
    if _tracer is not None:
        _tracer.close()
    use(None, 0.0)


@contextmanager
def offered(traceparent: str) -> Iterator[None]:
    """What begins inside belongs to a client's trace, if it is traced. Anything but a traceparent is ignored."""
    token = _offered.set(traceparent if TRACEPARENT.fullmatch(traceparent) else "")
    try:
        yield
    finally:
        _offered.reset(token)


def root(name: str, **attributes: Attribute) -> Span | None:
    """The first span of a trace here, for the share that is traced."""
    if _tracer is None or random.random() >= _ratio:
        return None
    return _tracer.begin(name, _offered.get(), None, (), attributes)


def child(name: str, parent: str, start_ns: int | None = None, **attributes: Attribute) -> Span | None:
    """A span in the trace that a traceparent names; None where nothing is traced."""
    if _tracer is None or not parent:
        return None
    return _tracer.begin(name, parent, start_ns, (), attributes)


def record(name: str, parent: str, start_ns: int, **attributes: Attribute) -> None:
    """The same for what ends now."""
    if (span := child(name, parent, start_ns, **attributes)) is not None:
        span.end()


@contextmanager
def batch(name: str, items: Iterable[str]) -> Iterator[None]:
    """A span, in a trace of its own, for a batch of which some items are traced: it is linked to these."""
    given = list(items)
    links = [item for item in given if item]
    if _tracer is None or not links:
        yield
        return
    span = _tracer.begin(name, "", None, links, {"items": len(given), "items_traced": len(links)})
    try:
        yield
    finally:
        span.end()


@contextmanager
def told(traceparent: str) -> Iterator[None]:
    """Lines that are logged inside carry the ids of the span that a traceparent names."""
    _, trace_id, span_id, _ = traceparent.split("-")
    with bind(trace_id=trace_id, span_id=span_id):
        yield


def now_ns() -> int:
    """The time that spans are told in."""
    return time.time_ns()
