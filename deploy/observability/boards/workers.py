"""Celery and the engine: does the computer move, do sweeps run?"""

from deploy.observability.boards.board import Board, Row
from deploy.observability.boards.panel import Colour, Figure, Guide, Lines, Query, Unit, Word, at_least, upto
from deploy.observability.boards.process_row import process_row
from deploy.observability.boards.promql import HERE, here, increase, or_none, or_zero, quantile, rate, within, worst

NONE = (Word(0, "none", Colour.GOOD),)

WAITING = Row(
    "Does anybody wait for the computer?",
    (
        Figure(
            "Longest wait in the queue (below 5 s)",
            (Query(worst("flagfall_queue_oldest_age_seconds", 'queue="engine"')),),
            Guide(
                "below 1 s.",
                "Too few workers, or the workers take no tasks (see their readiness).",
                "computer.md#flagfallenginequeueold",
            ),
            Unit.SECONDS,
            upto(bad=5, watch=1),
            decimals=1,
        ),
        Figure(
            "Answered in time + 0.5 s (goal 99 %)",
            (Query(within("0.5", "flagfall_engine_reply_lateness_seconds")),),
            Guide(
                "above 99 %: from the player's move to the computer's, beyond what an engine may think.",
                "Tasks wait in the queue: add workers. No wait: the engine itself is slow, see below.",
                "slo.md#flagfallcomputerslow",
            ),
            Unit.SHARE,
            at_least(good=0.99, watch=0.95),
            max=1,
        ),
        Figure(
            "Turns that were lost and found",
            (Query(or_zero(increase("flagfall_turns_enqueued_total", 'cause!="event"'))),),
            Guide(
                "none; some when a dispatcher or the broker died. None is lost for good.",
                "All the time: dispatchers cannot read the events, or the broker loses tasks.",
                "computer.md#flagfallturnslost",
            ),
            thresholds=upto(bad=50, watch=1e-9),
            words=NONE,
            decimals=0,
        ),
        Figure(
            "Engines that failed",
            (Query(or_zero(increase("flagfall_engine_failures_total"))),),
            Guide(
                "none. A failed engine is replaced at once, within the same move.",
                "The reasons are below; missing: the image has no engine, and the built-in search plays.",
                "computer.md#flagfallenginefails",
            ),
            thresholds=upto(bad=10, watch=1e-9),
            words=NONE,
            decimals=0,
        ),
        Figure(
            "Last sweep was sent (below 5 min)",
            (Query("time() - max(flagfall_beat_last_run_timestamp_seconds)"),),
            Guide(
                "as long ago as the sweep's period at the most (a minute).",
                "Beat has stopped: correspondence games do not end, and no reminders are sent.",
                "availability.md#flagfallbeatstale",
            ),
            Unit.SECONDS,
            upto(bad=300, watch=120),
            decimals=0,
        ),
        Figure(
            "Tasks that could not be done",
            (Query(or_zero(increase("flagfall_tasks_total", 'outcome=~"unavailable|refused|malformed"'))),),
            Guide(
                "none; unavailable while a game service is away (they come again).",
                "refused: the computer played something illegal. malformed: workers of different versions.",
                "computer.md#flagfalltasksrefused",
            ),
            thresholds=upto(bad=50, watch=1e-9),
            words=NONE,
            decimals=0,
        ),
    ),
)

QUEUE = Row(
    "Is the queue moving?",
    (
        Lines(
            "Tasks that wait, by queue",
            (Query(worst("flagfall_queue_depth", by="queue"), "{{queue}}"),),
            Guide(
                "0 to a few.",
                "Rising: too few workers. KEDA scales workers by this and by the age.",
                "computer.md#flagfallqueueold",
            ),
            soft_max=5,
        ),
        Lines(
            "Oldest task, by queue",
            (Query(worst("flagfall_queue_oldest_age_seconds", by="queue"), "{{queue}}"),),
            Guide(
                "below 1 s; the sweep's may be older, it is not urgent.",
                "Rising second by second: no worker reads this queue.",
                "computer.md#flagfallenginequeueold",
            ),
            Unit.SECONDS,
            upto(bad=5),
            soft_max=6,
        ),
        Lines(
            "Computer's turns put into the queue",
            (Query(rate("flagfall_turns_enqueued_total", by="cause"), "{{cause}}"),),
            Guide(
                "event: as they come.",
                "claimed: another dispatcher did not finish. reconciled: lost, and found in the database.",
                "computer.md#flagfallturnslost",
            ),
            Unit.PER_SECOND,
            stacked=True,
        ),
    ),
)

TASKS = Row(
    "What becomes of tasks?",
    (
        Lines(
            "Moves of the computer, by outcome",
            (Query(rate("flagfall_tasks_total", here('task="engine_move"'), by="outcome"), "{{outcome}}"),),
            Guide(
                "played. repeated and outdated after a worker died: the move was there already.",
                "late: the player's opponent had no time left. refused: a bug in an engine.",
            ),
            Unit.PER_SECOND,
            stacked=True,
        ),
        Lines(
            "Hints and sweeps, by what came of them",
            (
                Query(
                    rate("flagfall_tasks_total", here('task!="engine_move"'), by="task, outcome"),
                    "{{task}}: {{outcome}}",
                ),
            ),
            Guide("given; done, one each period.", "more: a sweep found more than one pass takes, and goes on."),
            Unit.PER_SECOND,
            stacked=True,
        ),
        Lines(
            "Time of a task (p99)",
            (Query(quantile(0.99, "flagfall_task_duration_seconds", HERE, by="task"), "{{task}}"),),
            Guide(
                "engine_move: below what an engine may think (2 s). sweep_expired: far below a second.",
                "Long sweeps: many correspondence games end at once. Long moves: too little processor time.",
            ),
            Unit.SECONDS,
            log=True,
        ),
    ),
)

ENGINE = Row(
    "Is the engine well?",
    (
        Lines(
            "Thinking, by level (p99)",
            (Query(quantile(0.99, "flagfall_engine_think_seconds", HERE, by="level"), "level {{level}}"),),
            Guide(
                "higher levels think longer; 0 is a hint. The lower levels hardly think at all.",
                "All levels longer than usual: more engines than processors. Fewer at once, or more workers.",
                "slo.md#flagfallcomputerslow",
            ),
            Unit.SECONDS,
            width=6,
        ),
        Lines(
            "Computer's move beyond its time",
            (
                Query(quantile(0.99, "flagfall_engine_reply_lateness_seconds", HERE), "p99"),
                Query(quantile(0.5, "flagfall_engine_reply_lateness_seconds", HERE), "median", dashed=True),
            ),
            Guide("0.", "This includes the wait in the queue: look there first.", "slo.md#flagfallcomputerslow"),
            Unit.SECONDS,
            upto(bad=0.5),
            width=6,
            soft_max=0.6,
        ),
        Lines(
            "Moves found, by what",
            (Query(rate("flagfall_computer_moves_total", HERE, by="by"), "{{by}}"),),
            Guide(
                "engine; chance at the lowest levels; small_search for variants the engine does not know.",
                "last_resort, or small_search in standard games: the engine is missing or dies.",
                "computer.md#flagfallenginemissing",
            ),
            Unit.PER_SECOND,
            width=6,
            stacked=True,
        ),
        Lines(
            "Engines that failed, by reason",
            (Query(or_none(rate("flagfall_engine_failures_total", HERE, by="reason"), "reason"), "{{reason}}"),),
            Guide(
                "none.",
                "stalled: no processor. died: memory. garbage, illegal: a broken engine. missing, start: the image.",
                "computer.md#flagfallenginefails",
            ),
            Unit.PER_SECOND,
            width=6,
        ),
    ),
)

BOARD = Board(
    name="workers",
    title="Celery and engine",
    answers="Does the computer move in time, are tasks taken from the queue, do the sweeps of limits run?",
    rows=(WAITING, QUEUE, TASKS, ENGINE, process_row("worker", "dispatcher", "beat")),
    jobs=("worker", "dispatcher", "beat"),
)
