"""The path of a move, stage by stage."""

from deploy.observability.boards.board import Board, Row
from deploy.observability.boards.panel import Figure, Guide, Lines, Query, Spread, Unit, at_least, upto
from deploy.observability.boards.promql import RATE, increase, mean, or_none, or_zero, quantile, rate, within, worst

SERVED = increase("flagfall_moves_total", 'outcome=~"accepted|unavailable"')

THROUGH = Row(
    "Does every move get through, in time?",
    (
        Figure(
            "Taken, of right ones (goal 99.9 %)",
            (Query("1 - " + increase("flagfall_moves_total", 'outcome="unavailable"') + " / " + SERVED),),
            Guide(
                "above 99.9 %. What a player got wrong (illegal, too late) does not count.",
                "The refusals below show when it began; the states on the overview show which service was down.",
                "slo.md#flagfallmovesfail",
            ),
            Unit.SHARE,
            at_least(good=0.999, watch=0.99),
            max=1,
        ),
        Figure(
            "Acknowledged in 250 ms (goal 99 %)",
            (Query(within("0.25", "flagfall_move_duration_seconds")),),
            Guide(
                "above 99 %: received at the gateway to answered.",
                "See below which stage takes the time.",
                "slo.md#flagfallmovesslow",
            ),
            Unit.SHARE,
            at_least(good=0.99, watch=0.95),
            max=1,
        ),
        Figure(
            "Delivered in 500 ms (goal 99 %)",
            (Query(within("0.5", "flagfall_move_delivery_seconds")),),
            Guide(
                "above 99 %: received by the game service to written on the opponent's socket.",
                "Acknowledged fast but delivered late: Redis or the gateway.",
                "slo.md#flagfalldeliveryslow",
            ),
            Unit.SHARE,
            at_least(good=0.99, watch=0.95),
            max=1,
            board="gateway",
        ),
        Figure(
            "Moves a second",
            (Query(rate("flagfall_moves_total", 'outcome="accepted"')),),
            Guide("follows the hour.", "Zero while games go on: nobody can move."),
            Unit.PER_SECOND,
            decimals=1,
        ),
        Figure(
            "Moves proved (below 3 s ago)",
            (Query(worst("flagfall_beat_age_seconds")),),
            Guide(
                "1 to 2 s ago.",
                "Over 3 s nobody can move. Look for the part that is not ready on the overview.",
                "time.md#flagfallnobodycanmove",
            ),
            Unit.SECONDS,
            upto(bad=3, watch=2.5),
            decimals=1,
            board="overview",
        ),
        Figure(
            "Refused for want of room",
            (Query(or_zero(increase("flagfall_batch_refused_total"))),),
            Guide(
                "none: no queue on the path was full.",
                "The panel below names the hop whose queue was full; that service needs more replicas.",
            ),
            thresholds=upto(bad=10, watch=1e-9),
            decimals=0,
        ),
    ),
)

TIME = Row(
    "Where does the time go?",
    (
        Lines(
            "From received to answered",
            (
                Query(quantile(0.99, "flagfall_move_duration_seconds"), "p99"),
                Query(quantile(0.9, "flagfall_move_duration_seconds"), "p90"),
                Query(quantile(0.5, "flagfall_move_duration_seconds"), "median", dashed=True),
            ),
            Guide(
                "median below 20 ms, p99 below 100 ms.",
                "The two panels to the right split it up.",
                "slo.md#flagfallmovesslow",
            ),
            Unit.SECONDS,
            upto(bad=0.25),
            soft_max=0.3,
        ),
        Lines(
            "Stages of the commit, mean",
            (Query(mean("flagfall_move_stage_seconds", by="stage"), "{{stage}}"),),
            Guide(
                "load and save a few ms (PostgreSQL), judge a few ms (the rules service), decide below 1 ms.",
                "load, save: PostgreSQL or its pool. judge: the rules service. publish (after the answer): Redis.",
                "slo.md#flagfallmovesslow",
            ),
            Unit.SECONDS,
            stacked=True,
            board="game",
        ),
        Lines(
            "Stages of the commit, p99",
            (Query(quantile(0.99, "flagfall_move_stage_seconds", by="stage"), "{{stage}}"),),
            Guide(
                "each below 50 ms.",
                "Look at the service of the slowest stage. If all are slow, there is no processor time left.",
                "slo.md#flagfallmovesslow",
            ),
            Unit.SECONDS,
            upto(bad=0.25),
            log=True,
            board="game",
        ),
        Spread(
            "Received to answered, all of them",
            (Query(f"sum by (le) (increase(flagfall_move_duration_seconds_bucket[{RATE}]))", "{{le}}"),),
            Guide(
                "one bright band below 25 ms. A second band above it is a second kind of move.",
                "A band at 1 s and more: commands that were retried while a game service was unavailable.",
            ),
            Unit.SECONDS,
            width=12,
        ),
        Lines(
            "Acknowledged, by kind of game (p99)",
            (Query(quantile(0.99, "flagfall_move_duration_seconds", by="mode"), "{{mode}}"),),
            Guide("no kind of game slower than the others.", "One alone is slow: report it, with the time."),
            Unit.SECONDS,
            upto(bad=0.25),
            width=6,
            soft_max=0.3,
        ),
        Lines(
            "On the opponent's socket (p99)",
            (
                Query(quantile(0.99, "flagfall_move_delivery_seconds"), "p99"),
                Query(quantile(0.5, "flagfall_move_delivery_seconds"), "median", dashed=True),
            ),
            Guide(
                "p99 below 150 ms.",
                "Look at the gateway's board and at the stage publish.",
                "slo.md#flagfalldeliveryslow",
            ),
            Unit.SECONDS,
            upto(bad=0.5),
            width=6,
            soft_max=0.6,
            board="gateway",
        ),
    ),
)

REFUSED = Row(
    "What is refused, what is tried again?",
    (
        Lines(
            "Moves that were refused",
            (Query(rate("flagfall_moves_total", 'outcome!="accepted"', by="outcome"), "{{outcome}}"),),
            Guide(
                "some illegal and late ones: people and bots err.",
                "unavailable: the server failed. not_your_turn, stale_version in masses: clients that do not refresh.",
                "slo.md#flagfallmovesfail",
            ),
            Unit.PER_SECOND,
            stacked=True,
        ),
        Lines(
            "Illegal again, of the same player in the same game",
            (Query(rate("flagfall_illegal_move_repeats_total"), "repeats"),),
            Guide("near 0.", "A stuck bot; or pages that show another position than the server has."),
            Unit.PER_SECOND,
        ),
        Lines(
            "Tried again",
            (
                Query(rate("flagfall_submit_retries_total"), "gateway: game service away"),
                Query(rate("flagfall_commit_retries_total", by="reason"), "game: {{reason}}"),
                Query(rate("flagfall_races_lost_total"), "races lost", dashed=True),
            ),
            Guide(
                "race and memory now and then: two replicas had the same game.",
                "gateway: replicas of the game service come and go. failed: PostgreSQL.",
            ),
            Unit.PER_SECOND,
        ),
    ),
)

BATCHES = Row(
    "Do moves travel together?",
    (
        Lines(
            "Mean size of a batch, by hop",
            (Query(mean("flagfall_batch_size", by="hop"), "{{hop}}"),),
            Guide(
                "1 to 3 when it is quiet, and more with more games: that is how a hop keeps up.",
                "Near its limit (64) and slow: that service is overloaded, add replicas.",
            ),
        ),
        Lines(
            "Time of a batch, by hop (p99)",
            (Query(quantile(0.99, "flagfall_batch_duration_seconds", by="hop"), "{{hop}}"),),
            Guide(
                "submit holds commit, commit holds judge.",
                "The innermost slow one is the cause.",
                "slo.md#flagfallmovesslow",
            ),
            Unit.SECONDS,
            upto(bad=0.25),
            log=True,
        ),
        Lines(
            "Refused for want of room, by hop",
            (Query(or_none(rate("flagfall_batch_refused_total", by="hop"), "hop"), "{{hop}}"),),
            Guide("none.", "That service is overloaded: add replicas."),
            Unit.PER_SECOND,
        ),
    ),
)

BOARD = Board(
    name="moves",
    title="Path of a move",
    answers="Is every move handled in time, and if not, which stage delays it?",
    rows=(THROUGH, TIME, REFUSED, BATCHES),
)
