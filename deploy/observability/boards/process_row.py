"""The last row of every service's board: its processes."""

from deploy.observability.boards.board import Row
from deploy.observability.boards.panel import Guide, Lines, Query, Unit, upto
from deploy.observability.boards.promql import HERE, RATE, quantile


def process_row(*jobs: str, runbook: str = "") -> Row:
    """Loop, processor, memory and open files of each replica of some components."""
    only = f'job=~"{"|".join(jobs)}", {HERE}'
    return Row(
        "Are its processes well?",
        (
            Lines(
                "Event loop is late (p99)",
                (Query(quantile(0.99, "flagfall_event_loop_lag_seconds", only, by="instance"), "{{instance}}"),),
                Guide(
                    "below 50 ms; a late loop delays every move of its process.",
                    "One replica: too much work, or another busy pod on its node. All replicas: add more.",
                    runbook,
                ),
                Unit.SECONDS,
                upto(bad=0.25, watch=0.1),
                width=6,
                soft_max=0.1,
            ),
            Lines(
                "Processor",
                (Query(f"rate(process_cpu_seconds_total{{{only}}}[{RATE}])", "{{instance}}"),),
                Guide(
                    "below 0.7 of one processor: a process has one thread that matters, so 1 is its end.",
                    "Near 1 for minutes: add replicas; more processors for one process do not help.",
                ),
                Unit.COUNT,
                upto(bad=0.9, watch=0.7),
                width=6,
                soft_max=1,
            ),
            Lines(
                "Memory",
                (Query(f"process_resident_memory_bytes{{{only}}}", "{{instance}}"),),
                Guide(
                    "flat after the first hour; steps with the number of games and sockets.",
                    "Rising without end: keep /metrics and the logs, restart that replica, and report it.",
                ),
                Unit.BYTES,
                width=6,
            ),
            Lines(
                "Open files",
                (
                    Query(f"process_open_fds{{{only}}}", "{{instance}}"),
                    Query(f"min(process_max_fds{{{only}}})", "limit", dashed=True),
                ),
                Guide(
                    "a few dozen, and one for each connection at the gateway; far below the dashed limit.",
                    "Near the limit: raise it (nofile), or add gateways.",
                ),
                Unit.COUNT,
                width=6,
                log=True,
            ),
        ),
    )
