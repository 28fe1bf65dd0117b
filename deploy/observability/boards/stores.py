"""PostgreSQL and Redis, as the services see them."""

from deploy.observability.boards.board import Board, Row
from deploy.observability.boards.panel import Colour, Figure, Guide, Lines, Query, States, Thresholds, Unit, Word, upto
from deploy.observability.boards.promql import OURS, increase, or_zero, quantile, rate, used, worst

NONE = (Word(0, "none", Colour.GOOD),)
STORE_CHECKS = 'check=~"database|redis|broker|queue"'

LOST = Row(
    "Is a store unavailable or full, so that players are affected?",
    (
        Figure(
            "Replicas that miss a store",
            (Query(or_zero(f"sum(flagfall_ready{{{STORE_CHECKS}}} == bool 0)")),),
            Guide(
                "none.",
                "The states below show who cannot reach it. Without PostgreSQL nobody can move; without Redis all can.",
                "stores.md#flagfalldatabaseaway",
            ),
            thresholds=upto(bad=1e-9),
            words=NONE,
            decimals=0,
        ),
        Figure(
            "Fullest Redis",
            (Query(f"max({used('flagfall_redis_memory_used_bytes', 'flagfall_redis_memory_max_bytes', by='store')})"),),
            Guide(
                "below 50 % of its limit. It evicts nothing: when it is full it refuses to write.",
                "Raise its limit; look at queues that grow (workers) and at streams.",
                "stores.md#flagfallredisfull",
            ),
            Unit.SHARE,
            upto(bad=0.9, watch=0.7),
            max=1,
            decimals=1,
        ),
        Figure(
            "PostgreSQL's connections in use",
            (Query(used("flagfall_database_connections", "flagfall_database_connections_max")),),
            Guide(
                "below 80 %.",
                "Fewer replicas, smaller pools, or a pooler (docs/scaling.md).",
                "stores.md#flagfallconnectionsfew",
            ),
            Unit.SHARE,
            upto(bad=0.9, watch=0.8),
            max=1,
            decimals=0,
        ),
        Figure(
            "Waiting for PostgreSQL (p99)",
            (Query(quantile(0.99, "flagfall_pool_wait_seconds")),),
            Guide(
                "below 5 ms: until a transaction had its connection.",
                "Slow statements or too few connections; see the board of the game service.",
                "stores.md#flagfallpoolexhausted",
            ),
            Unit.SECONDS,
            upto(bad=0.25, watch=0.05),
            board="game",
        ),
        Figure(
            "Oldest event not told (below 2 s)",
            (Query(worst("flagfall_outbox_oldest_age_seconds")),),
            Guide("0 s.", "Redis accepts no events; they stay in PostgreSQL.", "stores.md#flagfalloutboxstuck"),
            Unit.SECONDS,
            upto(bad=2, watch=1),
            decimals=1,
            board="game",
        ),
        Figure(
            "Connections to Redis made anew",
            (Query(or_zero(increase("flagfall_redis_reconnects_total"))),),
            Guide(
                "none; one for each replica when Redis restarts or fails over.",
                "Again and again: a proxy or the network closes idle connections.",
                "stores.md#flagfallredisunsteady",
            ),
            thresholds=upto(bad=100, watch=1e-9),
            words=NONE,
            decimals=0,
        ),
    ),
)

SEEN = Row(
    "Who can reach what?",
    (
        States(
            "Stores, as each component sees them",
            (Query(f"min by (job, check) (flagfall_ready{{{STORE_CHECKS}}})", "{{job}}: {{check}}"),),
            Guide(
                "ok. broker and queue are the Redis of Celery; queue: a task came through lately.",
                "One component alone: its network or password. All: the store.",
                "stores.md#flagfalldatabaseaway",
            ),
            Unit.COUNT,
            Thresholds(Colour.BAD),
            (Word(0, "AWAY", Colour.BAD), Word(1, "ok", Colour.GOOD)),
            width=24,
            height=9,
        ),
    ),
)

REDIS = Row(
    "Is Redis well?",
    (
        Lines(
            "Memory",
            (
                Query(worst("flagfall_redis_memory_used_bytes", by="store"), "{{store}}"),
                Query(worst("flagfall_redis_memory_max_bytes", by="store"), "{{store}}: limit", dashed=True),
            ),
            Guide(
                "flat: alarms, streams of some minutes, presence, tasks. A limit of 0 is none.",
                "Rising: tasks that no worker takes (broker), or streams that are not trimmed (redis).",
                "stores.md#flagfallredisfull",
            ),
            Unit.BYTES,
        ),
        Lines(
            "Connections made anew, by use",
            (Query(rate("flagfall_redis_reconnects_total", by="job, use"), "{{job}}: {{use}}"),),
            Guide(
                "none.",
                "All at once: Redis restarted. One again and again: a network.",
                "stores.md#flagfallredisunsteady",
            ),
            Unit.PER_SECOND,
        ),
        Lines(
            "Had to ask for everything, by reason",
            (Query(rate("flagfall_stream_refetches_total", by="job, reason"), "{{job}}: {{reason}}"),),
            Guide(
                "start: once for each process.",
                "epoch, rewound: Redis lost its data. trimmed: a listener was too slow. Nothing is lost by it.",
                "stores.md#flagfallpubsubgone",
            ),
            Unit.PER_SECOND,
        ),
        Lines(
            "Sent to Redis",
            (Query(rate("flagfall_events_published_total", by="outcome"), "{{outcome}}"),),
            Guide("sent; none failed.", "failed: it is away or full; they stay in the outbox."),
            Unit.PER_SECOND,
            stacked=True,
        ),
        Lines(
            "Events that wait in the outbox",
            (Query(worst("flagfall_outbox_pending"), "rows"),),
            Guide(
                "0.",
                "Rises while Redis is unavailable; falls within seconds when it is back.",
                "stores.md#flagfalloutboxpending",
            ),
            soft_max=10,
            board="game",
        ),
        Lines(
            "Sending to Redis (p99)",
            (Query(quantile(0.99, "flagfall_batch_duration_seconds", 'hop=~"publish|alarm.*"', by="hop"), "{{hop}}"),),
            Guide("below 10 ms.", "Redis or the network to it is slow: a long Lua script, or no processor time left."),
            Unit.SECONDS,
            upto(bad=0.25),
            log=True,
        ),
    ),
)

POSTGRES = Row(
    "Is PostgreSQL well?",
    (
        Lines(
            "Connections",
            (
                Query(worst("flagfall_database_connections"), "there are"),
                Query(worst("flagfall_database_connections_max"), "allowed", dashed=True),
            ),
            Guide(
                "the pools of all replicas, and a few.",
                "Near the dashed line: see docs/scaling.md.",
                "stores.md#flagfallconnectionsfew",
            ),
            width=6,
        ),
        Lines(
            "Size of the database",
            (Query(worst("flagfall_database_size_bytes"), "on disk"),),
            Guide("grows slowly with the games played.", "Fast: imports, or games are kept for ever."),
            Unit.BYTES,
            width=6,
        ),
        Lines(
            "Load and save (p99)",
            (Query(quantile(0.99, "flagfall_move_stage_seconds", 'stage=~"load|save"', by="stage"), "{{stage}}"),),
            Guide("below 25 ms.", "The disk (save) or memory (load) of PostgreSQL.", "slo.md#flagfallmovesslow"),
            Unit.SECONDS,
            upto(bad=0.25),
            width=6,
            soft_max=0.05,
        ),
        Lines(
            "Open files of the services",
            (Query(f"max by (job) (process_open_fds{{{OURS}}})", "{{job}}"),),
            Guide("flat; the gateway's follow its sockets.", "Rising without end: connections that are not closed."),
            width=6,
        ),
    ),
)

BOARD = Board(
    name="stores",
    title="Stores",
    answers="Can all services reach PostgreSQL and Redis, is either full, and which backlogs were worked off?",
    rows=(LOST, SEEN, REDIS, POSTGRES),
)
