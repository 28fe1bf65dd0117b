"""Spans made by OpenTelemetry's SDK and sent by OTLP over HTTP. Imported only if traces are on (`tracing`)."""

import os
import socket
from collections.abc import Sequence

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_INSTANCE_ID, SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import Span as SdkSpan
from opentelemetry.sdk.trace import SpanLimits, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import ALWAYS_ON
from opentelemetry.trace import (
    Link,
    NonRecordingSpan,
    SpanContext,
    TraceFlags,
    set_span_in_context,
)

from services.runtime.settings import Settings

LINKS_MAX = 32
"""The most items that the span of a batch is linked to."""


class OtlpSpan:
    """See `tracing.Span`."""

    __slots__ = ("_span", "traceparent")

    def __init__(self, span: SdkSpan) -> None:
        self._span = span
        context = span.get_span_context()
        assert context is not None, "a span that is recorded"
        self.traceparent = f"00-{context.trace_id:032x}-{context.span_id:016x}-01"

    def end(self, **attributes: str | int) -> None:
        """See `tracing.Span`."""
        self._span.set_attributes(attributes)
        self._span.end()


class OtlpTracer:
    """See `tracing.Tracer`. A thread sends the spans from a bounded queue; a span that finds the queue full is lost."""

    def __init__(self, service: str, version: str, settings: Settings) -> None:
        instance = f"{socket.gethostname()}-{os.getpid()}"
        # All attributes are set here: nothing is read from the process or its environment.
        resource = Resource(
            {SERVICE_NAME: f"flagfall-{service}", SERVICE_VERSION: version, SERVICE_INSTANCE_ID: instance}
        )
        self._provider = TracerProvider(
            sampler=ALWAYS_ON,  # `tracing.root` has decided
            resource=resource,
            shutdown_on_exit=False,
            span_limits=SpanLimits(max_links=LINKS_MAX),
        )
        exporter = OTLPSpanExporter(endpoint=settings.traces_url, timeout=settings.traces_timeout_ms / 1000)
        self._provider.add_span_processor(
            BatchSpanProcessor(
                exporter,
                max_queue_size=settings.traces_waiting_max,
                schedule_delay_millis=settings.traces_period_ms,
                max_export_batch_size=min(512, settings.traces_waiting_max),
                export_timeout_millis=settings.traces_timeout_ms,
            )
        )
        self._tracer = self._provider.get_tracer("flagfall", version)

    def begin(
        self,
        name: str,
        parent: str,
        start_ns: int | None = None,
        links: Sequence[str] = (),
        attributes: dict[str, str | int] | None = None,
    ) -> OtlpSpan:
        """See `tracing.Tracer`."""
        span = self._tracer.start_span(
            name,
            context=set_span_in_context(NonRecordingSpan(_context(parent))) if parent else None,
            start_time=start_ns,
            links=[Link(_context(link)) for link in links[:LINKS_MAX]],
            attributes=attributes,
        )
        assert isinstance(span, SdkSpan), "the sampler takes all"
        return OtlpSpan(span)

    def close(self) -> None:
        """See `tracing.Tracer`."""
        self._provider.shutdown()


def _context(traceparent: str) -> SpanContext:
    _, trace_id, span_id, _ = traceparent.split("-")
    return SpanContext(int(trace_id, 16), int(span_id, 16), is_remote=True, trace_flags=TraceFlags(TraceFlags.SAMPLED))
