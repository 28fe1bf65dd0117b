"""Traces: one command followed through all services. Off unless `traces_url` is set; then a share is sampled.

Each item of a batch carries a span's context (W3C traceparent), since one batch holds commands of many callers. Without
a context nothing is traced. Only `root`, which gateways and the clock call, decides what is sampled. A traceparent from
a client does not decide it: if we sample, our spans join the client's trace. While traces are off, no SDK is imported
and no thread runs; callers check `on` first.
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
    """An operation with a start and an end."""

    @property
    def traceparent(self) -> str:
        """The context of this span, to be sent to the next service."""
        ...

    def end(self, **attributes: Attribute) -> None:
        """End the span now and add these attributes."""
        ...


class Tracer(Protocol):
    """Makes spans and sends them; see `otlp`."""

    def begin(
        self,
        name: str,
        parent: str,
        start_ns: int | None = None,
        links: Sequence[str] = (),
        attributes: dict[str, Attribute] | None = None,
    ) -> Span:
        """Start a span, at `start_ns` or now. With an empty `parent` it is the first span of a new trace."""

    def close(self) -> None:
        """Send the remaining spans, in bounded time."""


on = False
"""Whether traces are on in this process."""
_tracer: Tracer | None = None
_ratio = 0.0
_offered: ContextVar[str] = ContextVar("flagfall_offered_trace", default="")


def set_up(service: str, version: str, settings: Settings) -> None:
    """Turn traces on if `traces_url` is set. Raises ImportError if the extra `traces` is not installed."""
    if settings.traces_url and os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
        log.warning("no traces: OTEL_SDK_DISABLED is set, which some platforms do")
    elif settings.traces_url:
        from services.runtime.otlp import OtlpTracer

        use(OtlpTracer(service, version, settings), settings.traces_ratio)


def use(tracer: Tracer | None, ratio: float) -> None:
    """Use this tracer for the share `ratio` (0 to 1) of the traces that begin here; None turns traces off."""
    global on, _ratio, _tracer
    on, _ratio, _tracer = tracer is not None, ratio, tracer


def shut_down() -> None:
    """Turn traces off and send the remaining spans."""
    if _tracer is not None:
        _tracer.close()
    use(None, 0.0)


@contextmanager
def offered(traceparent: str) -> Iterator[None]:
    """Sampled traces that begin inside join the client's trace `traceparent`. An invalid traceparent is ignored."""
    token = _offered.set(traceparent if TRACEPARENT.fullmatch(traceparent) else "")
    try:
        yield
    finally:
        _offered.reset(token)


def root(name: str, **attributes: Attribute) -> Span | None:
    """Start the first span of a trace here; None if this trace is not sampled."""
    if _tracer is None or random.random() >= _ratio:
        return None
    return _tracer.begin(name, _offered.get(), None, (), attributes)


def child(name: str, parent: str, start_ns: int | None = None, **attributes: Attribute) -> Span | None:
    """Start a span under the traceparent `parent`; None if `parent` is empty or traces are off."""
    if _tracer is None or not parent:
        return None
    return _tracer.begin(name, parent, start_ns, (), attributes)


def record(name: str, parent: str, start_ns: int, **attributes: Attribute) -> None:
    """Record a span under the traceparent `parent`, from `start_ns` until now; nothing if `parent` is empty."""
    if (span := child(name, parent, start_ns, **attributes)) is not None:
        span.end()


@contextmanager
def batch(name: str, items: Iterable[str]) -> Iterator[None]:
    """Put a span around the body, in a new trace, linked to the traced items. `items` are traceparents or empty."""
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
    """Lines logged inside carry the trace id and the span id of `traceparent`."""
    _, trace_id, span_id, _ = traceparent.split("-")
    with bind(trace_id=trace_id, span_id=span_id):
        yield


def now_ns() -> int:
    """The current time for spans, in ns since 1970."""
    return time.time_ns()
