"""The first two rows of the overview: violated guarantees, and problems that players notice."""

from deploy.observability.boards.board import Row
from deploy.observability.boards.panel import MUST_BE_ZERO, Colour, Figure, Guide, Query, Unit, Word, at_least, upto
from deploy.observability.boards.promql import increase, or_zero, within, worst

NOBODY = (Word(0, "none", Colour.GOOD),)

LOSING = Row(
    "Is anybody losing a game?",
    (
        Figure(
            "Flags fired too early",
            (Query(or_zero(increase("flagfall_early_fires_total"))),),
            Guide(
                "none, ever. The game service refuses such a flag, so that nobody has lost by it.",
                "Clocks of the machines and of the database differ: repair time synchronisation.",
                "time.md#flagfallearlyflag",
            ),
            thresholds=MUST_BE_ZERO,
            words=NOBODY,
            decimals=0,
            board="clock",
        ),
        Figure(
            "Games without a timer",
            (Query(worst("flagfall_games_without_timer")),),
            Guide(
                "none: each running clock has its deadline in the database.",
                "A bug: such a game never ends by time. Keep the game's row and report it.",
                "time.md#flagfallgameswithouttimer",
            ),
            thresholds=MUST_BE_ZERO,
            words=NOBODY,
            decimals=0,
            board="clock",
        ),
        Figure(
            "Undecided deadline (below 2 s)",
            (Query(worst("flagfall_oldest_overdue_seconds")),),
            Guide(
                "0 s. Somebody's flag has fallen and nobody has ended that game for so long.",
                "The clock cannot reach the game service or the database: see the clock's board.",
                "slo.md#flagfallflagslate",
            ),
            Unit.SECONDS,
            upto(bad=2, watch=0.5),
            decimals=1,
            board="clock",
        ),
        Figure(
            "Moves the server failed to take",
            (Query(or_zero(increase("flagfall_moves_total", 'outcome="unavailable"'))),),
            Guide(
                "none; a few while a replica dies. Clients send such a move again with the same id.",
                "See which stage of the path fails on the board of moves.",
                "slo.md#flagfallmovesfail",
            ),
            thresholds=upto(bad=10, watch=1e-9),
            words=NOBODY,
            decimals=0,
            board="moves",
        ),
        Figure(
            "Oldest event not told (below 2 s)",
            (Query(worst("flagfall_outbox_oldest_age_seconds")),),
            Guide(
                "0 s. The move is in the database, but the opponent's page has not heard of it by Redis.",
                "Redis is unavailable, or the relay has stopped. Gateways fetch from the game service meanwhile.",
                "slo.md#flagfalloutboxlate",
            ),
            Unit.SECONDS,
            upto(bad=2, watch=1),
            decimals=1,
            board="stores",
        ),
        Figure(
            "Moves proved (below 3 s ago)",
            (Query(worst("flagfall_beat_age_seconds")),),
            Guide(
                "1 to 2 s ago: gateways send a beat down the whole path each second.",
                "Over 3 s nobody can move; players get the time back afterwards. Look for the service that is down.",
                "time.md#flagfallnobodycanmove",
            ),
            Unit.SECONDS,
            upto(bad=3, watch=2.5),
            decimals=1,
            board="moves",
        ),
    ),
)

ANNOYED = Row(
    "Is anybody annoyed?",
    (
        Figure(
            "Outages",
            (Query(or_zero(increase("flagfall_outages_total"))),),
            Guide(
                "none; each is a time of over 3 s in which nobody could move and all got their time back.",
                "Look at the red marks on all boards, and at which service was not ready then.",
                "time.md#flagfallnobodycanmove",
            ),
            thresholds=upto(bad=2, watch=1e-9),
            words=NOBODY,
            decimals=0,
            board="rollout",
        ),
        Figure(
            "Wait for the computer (below 5 s)",
            (Query(worst("flagfall_queue_oldest_age_seconds")),),
            Guide(
                "below 1 s: how long the oldest task waits for a worker.",
                "Add workers, or find out why the existing ones take no tasks.",
                "computer.md#flagfallenginequeueold",
            ),
            Unit.SECONDS,
            upto(bad=5, watch=1),
            decimals=1,
            board="workers",
        ),
        Figure(
            "Resumed in 2 s (goal 99.5 %)",
            (Query(within("2.0", "flagfall_ws_resume_duration_seconds")),),
            Guide(
                "above 99.5 %: a page that comes back is up to date at once.",
                "The game service answers slowly, or all clients reconnect at once.",
                "slo.md#flagfallresumesslow",
            ),
            Unit.SHARE,
            at_least(good=0.995, watch=0.98),
            max=1,
            board="gateway",
        ),
        Figure(
            "Illegal moves sent again",
            (Query(or_zero(increase("flagfall_illegal_move_repeats_total"))),),
            Guide(
                "a few a day: somebody's program is stuck.",
                "Many: pages show another position than the server has. Look at resumes and at the last rollout.",
            ),
            thresholds=upto(bad=100, watch=10),
            words=NOBODY,
            decimals=0,
            board="moves",
        ),
        Figure(
            "Slow readers cut off",
            (Query(or_zero(increase("flagfall_ws_slow_consumer_drops_total"))),),
            Guide(
                "a few: people on bad lines; they come back and resume.",
                "Many at once: the gateway's network is saturated, or its event loop is late.",
            ),
            thresholds=upto(bad=100, watch=10),
            words=NOBODY,
            decimals=0,
            board="gateway",
        ),
        Figure(
            "Alerts that are on",
            (Query(or_zero('count(ALERTS{alertstate="firing", alertname=~"Flagfall.*"})')),),
            Guide("none.", "Open Alertmanager; each alert names its runbook."),
            thresholds=MUST_BE_ZERO,
            words=NOBODY,
            decimals=0,
        ),
    ),
)
