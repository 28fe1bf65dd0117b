"""The clock: are flags on time, is any forgotten?"""

from deploy.observability.boards.board import Board, Row
from deploy.observability.boards.panel import (
    MUST_BE_ZERO,
    Colour,
    Figure,
    Guide,
    Lines,
    Query,
    Spread,
    Unit,
    Word,
    at_least,
    upto,
)
from deploy.observability.boards.process_row import process_row
from deploy.observability.boards.promql import HERE, RATE, here, increase, or_zero, quantile, rate, within, worst

NONE = (Word(0, "none", Colour.GOOD),)

WRONG = Row(
    "Does a wrong flag cost anybody a game, or does anybody wait for a flag that is due?",
    (
        Figure(
            "Flags fired too early",
            (Query(or_zero(increase("flagfall_early_fires_total"))),),
            Guide(
                "none, ever. Such a flag was refused: nobody has lost by it.",
                "Repair the time synchronisation of the machines and of the database.",
                "time.md#flagfallearlyflag",
            ),
            thresholds=MUST_BE_ZERO,
            words=NONE,
            decimals=0,
        ),
        Figure(
            "Games without a timer",
            (Query(worst("flagfall_games_without_timer")),),
            Guide(
                "none.",
                "A bug: such a game never ends by time. Keep its row and report it.",
                "time.md#flagfallgameswithouttimer",
            ),
            thresholds=MUST_BE_ZERO,
            words=NONE,
            decimals=0,
        ),
        Figure(
            "Undecided deadline (below 2 s)",
            (Query(worst("flagfall_oldest_overdue_seconds")),),
            Guide(
                "0 s past its grace.",
                "No clock service runs, or it cannot reach the game service. The sweep finds flags each second.",
                "slo.md#flagfallflagslate",
            ),
            Unit.SECONDS,
            upto(bad=2, watch=0.5),
            decimals=1,
        ),
        Figure(
            "Decided in 250 ms (goal 99.9 %)",
            (Query(within("0.25", "flagfall_flag_lateness_seconds")),),
            Guide(
                "above 99.9 %; 100 ms of it are the grace.",
                "See below: fired late, or answered late?",
                "slo.md#flagfallflagslate",
            ),
            Unit.SHARE,
            at_least(good=0.999, watch=0.99),
            max=1,
        ),
        Figure(
            "Alarms that stand",
            (Query(worst("flagfall_timers_outstanding")),),
            Guide(
                "about as many as live games that have begun.",
                "0 while games go on: Redis has lost them; they are set again from the database by themselves.",
                "slo.md#flagfallflagslate",
            ),
            decimals=0,
        ),
        Figure(
            "Rebuilt from the database",
            (Query(or_zero(increase("flagfall_rebuilds_total", 'reason!="start"'))),),
            Guide(
                "none beside a start.",
                "Redis was unavailable or lost its data. No game data is lost.",
                "stores.md#flagfallredisaway",
            ),
            thresholds=upto(bad=10, watch=1e-9),
            words=NONE,
            decimals=0,
            board="stores",
        ),
    ),
)

LATE = Row(
    "How late are flags?",
    (
        Lines(
            "From a deadline to its decision",
            (
                Query(quantile(0.999, "flagfall_flag_lateness_seconds", HERE), "p99.9"),
                Query(quantile(0.99, "flagfall_flag_lateness_seconds", HERE), "p99"),
                Query(quantile(0.5, "flagfall_flag_lateness_seconds", HERE), "median", dashed=True),
            ),
            Guide(
                "100 to 150 ms: the grace, and the way through the game service. Gaps: no flag fell.",
                "If batches of flags are slow too (below): the game service. If not: the clock's loop.",
                "slo.md#flagfallflagslate",
            ),
            Unit.SECONDS,
            upto(bad=0.25),
            width=12,
            soft_max=0.3,
        ),
        Spread(
            "All decisions, by lateness",
            (Query(f"sum by (le) (increase(flagfall_flag_lateness_seconds_bucket{{{HERE}}}[{RATE}]))", "{{le}}"),),
            Guide(
                "one band between 0.1 and 0.15 s.",
                "Far above: flags that fell while a dependency was unavailable.",
                "slo.md#flagfallflagslate",
            ),
            Unit.SECONDS,
            width=12,
        ),
        Lines(
            "Sending flags and alarms (p99)",
            (
                Query(
                    quantile(0.99, "flagfall_batch_duration_seconds", here('job="clock"'), by="hop"),
                    "{{hop}}",
                ),
            ),
            Guide("below 50 ms.", "flag: the game service is slow. alarm: Redis is."),
            Unit.SECONDS,
            upto(bad=0.25),
            log=True,
        ),
        Lines(
            "Alarms that stand",
            (Query(worst("flagfall_timers_outstanding", HERE, by="instance"), "{{instance}}"),),
            Guide("all replicas see the same number.", "They differ for long: one of them reads another Redis."),
        ),
        Lines(
            "Oldest undecided deadline",
            (Query(worst("flagfall_oldest_overdue_seconds", HERE, by="instance"), "{{instance}}"),),
            Guide(
                "0; a blip when many flags fall at once.",
                "Rising: nothing ends games by time.",
                "slo.md#flagfallflagslate",
            ),
            Unit.SECONDS,
            upto(bad=2),
            soft_max=2,
        ),
    ),
)

FIRES = Row(
    "What becomes of what is fired?",
    (
        Lines(
            "Fired for nothing",
            (
                Query(rate("flagfall_stale_fires_total", HERE), "overtaken by a move"),
                Query(rate("flagfall_moved_fires_total", HERE), "moved on by an outage"),
                Query(rate("flagfall_early_fires_total", HERE), "too early (must be 0)"),
            ),
            Guide(
                "overtaken: the move came at the last moment. Two replicas that fire the same also count here.",
                "Very many: alarms are not cleared; look at Redis.",
            ),
            Unit.PER_SECOND,
        ),
        Lines(
            "Tried again, by reason",
            (Query(rate("flagfall_fire_retries_total", HERE, by="reason"), "{{reason}}"),),
            Guide(
                "none.",
                "unavailable: the game service was away; it is tried until it is decided.",
                "slo.md#flagfallflagslate",
            ),
            Unit.PER_SECOND,
        ),
        Lines(
            "Complete rebuilds and refetches, by reason",
            (
                Query(rate("flagfall_rebuilds_total", HERE, by="reason"), "rebuilt: {{reason}}"),
                Query(
                    rate("flagfall_stream_refetches_total", here('job="clock"'), by="reason"),
                    "asked again: {{reason}}",
                    dashed=True,
                ),
            ),
            Guide("one at each start.", "redis_away, epoch, trimmed: Redis restarted, lost its data, or has no room."),
            Unit.PER_SECOND,
            board="stores",
        ),
    ),
)

BOARD = Board(
    name="clock",
    title="Clock",
    answers="Does every flag fall in time: never early, none forgotten, all decided soon?",
    rows=(WRONG, LATE, FIRES, process_row("clock")),
    jobs=("clock",),
)
