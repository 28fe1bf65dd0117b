"""A receiver of traces: OTLP over HTTP, as a collector has it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


@dataclass(frozen=True, slots=True)
class Told:
    """One span, as it came."""

    service: str
    name: str
    trace_id: str
    span_id: str
    parent_id: str
    links: tuple[str, ...]
    """Traces that it is linked to."""
    start_ns: int
    end_ns: int
    attributes: dict[str, str]


class Collector:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self._spans: list[Told] = []
        self._lock = threading.Lock()

    @property
    def spans(self) -> list[Told]:
        """What has come so far."""
        with self._lock:
            return list(self._spans)

    def take(self, body: bytes) -> None:
        """A request has come. Raises DecodeError when it is none."""
        found = []
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            names = {each.key: each.value.string_value for each in resource.resource.attributes}
            for scope in resource.scope_spans:
                found += [
                    Told(
                        names["service.name"],
                        span.name,
                        span.trace_id.hex(),
                        span.span_id.hex(),
                        span.parent_span_id.hex(),
                        tuple(link.trace_id.hex() for link in span.links),
                        span.start_time_unix_nano,
                        span.end_time_unix_nano,
                        {each.key: each.value.string_value for each in span.attributes},
                    )
                    for span in scope.spans
                ]
        with self._lock:
            self._spans += found


@contextmanager
def collecting() -> Iterator[tuple[Collector, str]]:
    """A collector, and the address for FLAGFALL_TRACES_URL."""
    collector = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            good = self.path == "/v1/traces" and self.headers["Content-Type"] == "application/x-protobuf"
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if good:
                collector.take(body)
            self.send_response(200 if good else 404)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, name="collector", daemon=True)
    thread.start()
    try:
        yield collector, f"http://127.0.0.1:{server.server_address[1]}/v1/traces"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
