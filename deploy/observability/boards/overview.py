"""The board to open first."""

from deploy.observability.boards.board import Board, Row
from deploy.observability.boards.first_look import ANNOYED, LOSING
from deploy.observability.boards.panel import (
    Bars,
    Colour,
    Guide,
    Lines,
    Query,
    States,
    Step,
    Thresholds,
    Unit,
    at_least,
    upto,
)
from deploy.observability.boards.promql import OURS, RATE, or_none, quantile, rate, total, worst
from deploy.observability.boards.replicas import STATE, STATE_WORDS

BURN = Thresholds(Colour.GOOD, (Step(1, Colour.WATCH), Step(14.4, Colour.BAD)))

BUDGETS = Row(
    "What is left of the error budgets?",
    (
        Bars(
            "Budget left, of 30 days",
            (Query("clamp_min(last_over_time(flagfall:slo_budget:left30d[15m]), 0)", "{{slo}}"),),
            Guide(
                "above half in the middle of a quiet month. 100 %: nothing went wrong; 0 %: the objective is missed.",
                "At 0: no risky rollouts until it has recovered. Find the cause on the board of its service.",
                "slo.md#flagfallbudgetspent",
            ),
            Unit.SHARE,
            at_least(good=0.5, watch=0.1),
            max=1,
            height=9,
        ),
        Lines(
            "Budget burning, last hour",
            (Query("flagfall:slo_errors:ratio_rate1h / (1 - flagfall:slo_objective)", "{{slo}}"),),
            Guide(
                "near 0. At 1 a month's budget lasts exactly the month, at 14.4 two days (which pages).",
                "Open the board of the part whose line is high; the runbook says where to look first.",
                "slo.md#flagfallbudgetspent",
            ),
            Unit.TIMES,
            BURN,
            soft_max=2,
            height=9,
        ),
        Bars(
            "Budget burning, three days",
            (Query("flagfall:slo_errors:ratio_rate3d / (1 - flagfall:slo_objective)", "{{slo}}"),),
            Guide(
                "below 1: the month's budget will last.",
                "Above 1 for days: a small but lasting fault. It is not urgent, but has to be fixed.",
                "slo.md#flagfallbudgetspent",
            ),
            Unit.TIMES,
            BURN,
            max=2,
            decimals=2,
            height=9,
        ),
    ),
)

FAST = Row(
    "How fast is it for players?",
    (
        Lines(
            "Move acknowledged",
            (
                Query(quantile(0.99, "flagfall_move_duration_seconds"), "p99"),
                Query(quantile(0.5, "flagfall_move_duration_seconds"), "median", dashed=True),
            ),
            Guide(
                "median below 20 ms, p99 below 100 ms. The objective: 99 % within 250 ms.",
                "See which stage takes the time on the board of moves.",
                "slo.md#flagfallmovesslow",
            ),
            Unit.SECONDS,
            upto(bad=0.25),
            width=6,
            soft_max=0.3,
            board="moves",
        ),
        Lines(
            "Move on the opponent's socket",
            (
                Query(quantile(0.99, "flagfall_move_delivery_seconds"), "p99"),
                Query(quantile(0.5, "flagfall_move_delivery_seconds"), "median", dashed=True),
            ),
            Guide(
                "p99 below 150 ms. The objective: 99 % within 500 ms.",
                "Acknowledged fast, delivered late: Redis, or the gateway's loop.",
                "slo.md#flagfalldeliveryslow",
            ),
            Unit.SECONDS,
            upto(bad=0.5),
            width=6,
            soft_max=0.6,
            board="gateway",
        ),
        Lines(
            "Flag decided after its deadline",
            (
                Query(quantile(0.999, "flagfall_flag_lateness_seconds"), "p99.9"),
                Query(quantile(0.5, "flagfall_flag_lateness_seconds"), "median", dashed=True),
            ),
            Guide(
                "100 to 150 ms, of which 100 are the grace. The objective: 99.9 % within 250 ms.",
                "The clock's board tells whether it fires late or the game service answers late.",
                "slo.md#flagfallflagslate",
            ),
            Unit.SECONDS,
            upto(bad=0.25),
            width=6,
            soft_max=0.3,
            board="clock",
        ),
        Lines(
            "Computer's move beyond its time",
            (
                Query(quantile(0.99, "flagfall_engine_reply_lateness_seconds"), "p99"),
                Query(quantile(0.5, "flagfall_engine_reply_lateness_seconds"), "median", dashed=True),
            ),
            Guide(
                "0: the computer answers within what an engine may think. The objective: 99 % within 500 ms more.",
                "Look at the queue first: tasks that wait there are late even with a fast engine.",
                "slo.md#flagfallcomputerslow",
            ),
            Unit.SECONDS,
            upto(bad=0.5),
            width=6,
            soft_max=0.6,
            board="workers",
        ),
    ),
)

PLAYED = Row(
    "How much is played?",
    (
        Lines(
            "Games that go on",
            (Query(worst("flagfall_games_active", by="mode"), "{{mode}}"),),
            Guide("follows the hour and the day of the week.", "A sudden drop: clients cannot reach the server."),
            stacked=True,
            width=6,
            board="gameplay",
        ),
        Lines(
            "Moves",
            (Query(rate("flagfall_moves_total", 'outcome="accepted"', by="actor"), "{{actor}}"),),
            Guide(
                "follows the number of games; computers answer people.",
                "Players move and the computer does not: see the board of workers.",
            ),
            Unit.PER_SECOND,
            stacked=True,
            width=6,
            board="gameplay",
        ),
        Lines(
            "Connections",
            (
                Query(total("flagfall_ws_connections"), "sockets"),
                Query(total("flagfall_http_streams"), "streams of lines (bots)"),
            ),
            Guide(
                "follows the number of people; a short dip in a rollout, when sockets move to other gateways.",
                "A sudden drop without a deploy: the ingress or a gateway has failed.",
            ),
            width=6,
            board="gateway",
        ),
        Lines(
            "Games ended, by reason",
            (Query(or_none(rate("flagfall_games_finished_total", by="reason"), "reason"), "{{reason}}"),),
            Guide(
                "mostly resignation, checkmate and flag.",
                "A jump of flag, absence or abort: players could not move, even if everything else is green.",
            ),
            Unit.PER_SECOND,
            stacked=True,
            width=6,
            board="gameplay",
        ),
    ),
)

WELL = Row(
    "Is every part well?",
    (
        States(
            "Replicas",
            (Query(STATE, "{{job}} {{instance}}"),),
            Guide(
                "all ready; draining for some seconds in a rollout.",
                "Not ready: /readyz on its admin port says which dependency fails. Down: read its last log lines.",
                "availability.md#flagfallnotready",
            ),
            Unit.COUNT,
            Thresholds(Colour.BAD),
            STATE_WORDS,
            width=12,
            height=10,
            board="rollout",
        ),
        Lines(
            "Event loop is late (p99)",
            (Query(quantile(0.99, "flagfall_event_loop_lag_seconds", by="job"), "{{job}}"),),
            Guide(
                "below 50 ms; above it that part delays every move.",
                "Add replicas of the part whose line is high, or find what blocks it.",
            ),
            Unit.SECONDS,
            upto(bad=0.25, watch=0.1),
            width=6,
            height=10,
            soft_max=0.1,
        ),
        Lines(
            "Busiest replica's processor",
            (Query(f"max by (job) (rate(process_cpu_seconds_total{{{OURS}}}[{RATE}]))", "{{job}}"),),
            Guide(
                "below 0.7: a process has one thread that matters, so 1 is its end.",
                "Near 1: add replicas of that part (the autoscaler does so where it is on).",
            ),
            Unit.COUNT,
            upto(bad=0.9, watch=0.7),
            width=6,
            height=10,
            soft_max=1,
        ),
    ),
)

BOARD = Board(
    name="overview",
    title="Overview",
    answers="Does anybody lose a game or wait, what is left of each error budget, and which service is the cause?",
    rows=(LOSING, ANNOYED, BUDGETS, FAST, PLAYED, WELL),
)
