"""The game service, PostgreSQL behind it, and the outbox."""

from deploy.observability.boards.board import Board, Row
from deploy.observability.boards.panel import Figure, Guide, Lines, Query, Unit, upto
from deploy.observability.boards.process_row import process_row
from deploy.observability.boards.promql import HERE, here, increase, or_zero, quantile, rate, top, total, used, worst

LOST = Row(
    "Is anything lost, or not told?",
    (
        Figure(
            "Commands the server failed to take",
            (Query(or_zero(increase("flagfall_commands_total", here('outcome="unavailable"')))),),
            Guide(
                "none; a few while a store or the rules service is away. They changed nothing and are sent again.",
                "The stages below show whether it is the rules service or PostgreSQL.",
                "slo.md#flagfallmovesfail",
            ),
            thresholds=upto(bad=10, watch=1e-9),
            decimals=0,
        ),
        Figure(
            "Batches that could not be saved",
            (Query(or_zero(increase("flagfall_saves_failed_total", HERE))),),
            Guide(
                "none; each was tried again command by command.",
                "PostgreSQL was unavailable, or one command makes its batch fail: the log names it.",
                "stores.md#flagfallsavesfail",
            ),
            thresholds=upto(bad=10, watch=1e-9),
            decimals=0,
        ),
        Figure(
            "Oldest event not told (below 2 s)",
            (Query(worst("flagfall_outbox_oldest_age_seconds")),),
            Guide(
                "0 s.",
                "Redis is unavailable, or the relay has stopped.",
                "slo.md#flagfalloutboxlate",
            ),
            Unit.SECONDS,
            upto(bad=2, watch=1),
            decimals=1,
            board="stores",
        ),
        Figure(
            "Pool in use",
            (
                Query(
                    total("flagfall_pool_connections_in_use", HERE)
                    + " / "
                    + total("flagfall_pool_connections_max", HERE)
                ),
            ),
            Guide(
                "below half.",
                "Near 100 %: statements are slow (see the stages), or there are too few replicas.",
                "stores.md#flagfallpoolexhausted",
            ),
            Unit.SHARE,
            upto(bad=0.9, watch=0.7),
            max=1,
            decimals=0,
        ),
        Figure(
            "PostgreSQL's connections in use",
            (Query(used("flagfall_database_connections", "flagfall_database_connections_max")),),
            Guide(
                "below 80 %: the budget of connections leaves room for a rollout.",
                "Another program connects too, or there are more replicas than the budget allows.",
                "stores.md#flagfallconnectionsfew",
            ),
            Unit.SHARE,
            upto(bad=0.9, watch=0.8),
            max=1,
            decimals=0,
        ),
        Figure(
            "Outages",
            (Query(or_zero(increase("flagfall_outages_total", HERE))),),
            Guide(
                "none; in each of them nobody could move and all got their time back.",
                "Look on the overview which service was not ready then.",
                "time.md#flagfalloutagerecorded",
            ),
            thresholds=upto(bad=2, watch=1e-9),
            decimals=0,
            board="overview",
        ),
    ),
)

COMMITS = Row(
    "How do commands go?",
    (
        Lines(
            "Commands that were accepted",
            (
                Query(
                    rate("flagfall_commands_total", here('outcome="accepted"'), by="action") + " > 0",
                    "{{action}}",
                ),
            ),
            Guide("almost all are moves.", "Many of another kind: a client in a loop, or a new client."),
            Unit.PER_SECOND,
            stacked=True,
        ),
        Lines(
            "Stages of the commit (p99)",
            (Query(quantile(0.99, "flagfall_move_stage_seconds", HERE, by="stage"), "{{stage}}"),),
            Guide(
                "each below 50 ms.",
                "load, save: PostgreSQL. judge: the rules service. publish: Redis. All at once: no processor left.",
                "slo.md#flagfallmovesslow",
            ),
            Unit.SECONDS,
            upto(bad=0.25),
            log=True,
            board="moves",
        ),
        Lines(
            "Decided once more",
            (
                Query(rate("flagfall_commit_retries_total", HERE, by="reason"), "{{reason}}"),
                Query(rate("flagfall_races_lost_total", HERE), "races lost", dashed=True),
            ),
            Guide(
                "race, memory: two replicas had the same game, which is allowed and costs one more read.",
                "As many as moves: the moves of one game always go to several replicas.",
            ),
            Unit.PER_SECOND,
        ),
    ),
)

OUTBOX = Row(
    "Is everybody told?",
    (
        Lines(
            "Events that wait to be told",
            (Query(worst("flagfall_outbox_pending"), "rows"),),
            Guide(
                "0: what was told is deleted with the next commit.",
                "Rising: Redis is unavailable. The events are published in order when it is back.",
                "stores.md#flagfalloutboxpending",
            ),
            soft_max=10,
        ),
        Lines(
            "Age of the oldest one",
            (Query(worst("flagfall_outbox_oldest_age_seconds"), "oldest"),),
            Guide(
                "0 s. The objective: below 2 s in 99.9 % of minutes.",
                "As on the left. Gateways fetch running games from the game service meanwhile.",
                "stores.md#flagfalloutboxstuck",
            ),
            Unit.SECONDS,
            upto(bad=2),
            soft_max=3,
        ),
        Lines(
            "Sent to Redis",
            (Query(rate("flagfall_events_published_total", HERE, by="outcome"), "{{outcome}}"),),
            Guide("as many as commits; none failed.", "failed: Redis does not take them; see the board of stores."),
            Unit.PER_SECOND,
            stacked=True,
            board="stores",
        ),
    ),
)

DATABASE = Row(
    "Is PostgreSQL well?",
    (
        Lines(
            "Waiting for a connection of the pool (p99)",
            (Query(quantile(0.99, "flagfall_pool_wait_seconds", HERE, by="instance"), "{{instance}}"),),
            Guide(
                "below 5 ms.",
                "Long: all connections are in use. Statements are slow, or there are too few connections.",
                "stores.md#flagfallpoolexhausted",
            ),
            Unit.SECONDS,
            upto(bad=0.25),
            width=6,
            log=True,
        ),
        Lines(
            "Connections of the pool at work",
            (
                Query(f"flagfall_pool_connections_in_use{{{HERE}}}", "{{instance}}"),
                Query(worst("flagfall_pool_connections_max", HERE), "limit of one replica", dashed=True),
            ),
            Guide("one or two of each replica.", "At the dashed limit: commands wait."),
            width=6,
        ),
        Lines(
            "Connections to PostgreSQL",
            (
                Query(worst("flagfall_database_connections"), "there are"),
                Query(worst("flagfall_database_connections_max"), "allowed", dashed=True),
            ),
            Guide(
                "the pools of all replicas, and a few.",
                "Near the dashed line: fewer replicas or smaller pools, or a pooler (docs/scaling.md).",
                "stores.md#flagfallconnectionsfew",
            ),
            width=6,
        ),
        Lines(
            "Size of the database",
            (Query(worst("flagfall_database_size_bytes"), "on disk"),),
            Guide(
                "grows slowly with the games played.", "Fast: look for large imports, and set how long games are kept."
            ),
            Unit.BYTES,
            width=6,
        ),
    ),
)

CALLS = Row(
    "How do its calls go?",
    (
        Lines(
            "Slowest calls (p99)",
            (
                Query(
                    top(6, quantile(0.99, "flagfall_rpc_duration_seconds", here('job="game"'), by="method")),
                    "{{method}}",
                ),
            ),
            Guide("below 100 ms; passwords are slow on purpose.", "One list is slow: look at its query in PostgreSQL."),
            Unit.SECONDS,
            log=True,
        ),
        Lines(
            "Calls that failed, by status",
            (Query(rate("flagfall_rpc_total", here('job="game", code!="OK"'), by="code"), "{{code}}"),),
            Guide(
                "CANCELLED and INVALID_ARGUMENT now and then.",
                "UNAVAILABLE: a store is unavailable. INTERNAL: a bug; the log has its traceback.",
            ),
            Unit.PER_SECOND,
            stacked=True,
        ),
        Lines(
            "Forfeits that take a search",
            (
                Query(total("flagfall_game_adjudications_under_way", HERE), "under way"),
                Query(
                    increase("flagfall_game_adjudications_total", here('outcome!="decided"'), over="5m"),
                    "not decided, 5 min",
                ),
            ),
            Guide(
                "0 to 2. After a flag in a strange position a search tells whether the other side could still win.",
                "Many undecided: the child processes of the rules service are overloaded or die.",
                "saturation.md#flagfallsideprocesslost",
            ),
            board="rules",
        ),
    ),
)

BOARD = Board(
    name="game",
    title="Game, PostgreSQL, outbox",
    answers="Is every accepted command in the database and every event published, and does PostgreSQL keep up?",
    rows=(LOST, COMMITS, OUTBOX, DATABASE, CALLS, process_row("game")),
    jobs=("game",),
)
