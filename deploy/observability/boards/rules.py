"""The rules service: judging moves, and the searches beside it."""

from deploy.observability.boards.board import Board, Row
from deploy.observability.boards.panel import Figure, Guide, Lines, Query, Spread, Unit, upto
from deploy.observability.boards.process_row import process_row
from deploy.observability.boards.promql import HERE, RATE, here, increase, mean, or_none, or_zero, quantile, rate

HELD_UP = Row(
    "Is any game held up by the rules?",
    (
        Figure(
            "Questions that could not be judged",
            (Query(or_zero(increase("flagfall_rules_verdicts_total", here('verdict="unavailable"')))),),
            Guide("none.", "A bug in a variant: the log has the position. Only that game is blocked."),
            thresholds=upto(bad=10, watch=1e-9),
            decimals=0,
        ),
        Figure(
            "A batch is judged in (p99)",
            (Query(quantile(0.99, "flagfall_rules_judge_seconds", HERE)),),
            Guide("below 25 ms.", "Too few replicas: add some.", "saturation.md#flagfalllooplag"),
            Unit.SECONDS,
            upto(bad=0.1, watch=0.05),
        ),
        Figure(
            "Questions a second",
            (Query(rate("flagfall_rules_verdicts_total", HERE)),),
            Guide("one for each move, and a ping each second for each gateway.", "0: no game service reaches it."),
            Unit.PER_SECOND,
            decimals=1,
        ),
        Figure(
            "Searches that got no answer",
            (Query(or_zero(increase("flagfall_rules_side_questions_total", here('result!="answered"')))),),
            Guide(
                "a few: a search that does not end in time. The forfeit is then decided without it.",
                "refused: too many at once, as after many imports.",
            ),
            thresholds=upto(bad=100, watch=10),
            decimals=0,
        ),
        Figure(
            "Side processes lost",
            (Query(or_zero(increase("flagfall_rules_side_processes_lost_total", HERE))),),
            Guide(
                "none. They search beside the judging of moves, and are started anew.",
                "Out of memory: raise the pod's limit.",
                "saturation.md#flagfallsideprocesslost",
            ),
            thresholds=upto(bad=5, watch=1e-9),
            decimals=0,
        ),
        Figure(
            "Busiest replica, of the mean",
            (
                Query(
                    f"max(sum by (instance) (rate(flagfall_rules_verdicts_total{{{HERE}}}[{RATE}])))"
                    f" / avg(sum by (instance) (rate(flagfall_rules_verdicts_total{{{HERE}}}[{RATE}])))"
                ),
            ),
            Guide(
                "below 1.5 x: calls take turns among the replicas.",
                "Far above: game services do not see all replicas. Look at the headless Service and its DNS.",
            ),
            Unit.TIMES,
            upto(bad=3, watch=1.7),
            decimals=1,
        ),
    ),
)

JUDGED = Row(
    "What is judged, how fast?",
    (
        Lines(
            "Questions, by kind",
            (Query(rate("flagfall_rules_verdicts_total", HERE, by="question"), "{{question}}"),),
            Guide("play: moves. start: new games and takebacks. ping: proofs.", "none of play while games go on."),
            Unit.PER_SECOND,
            stacked=True,
        ),
        Lines(
            "Verdicts other than well",
            (Query(rate("flagfall_rules_verdicts_total", here('verdict!="ok"'), by="verdict"), "{{verdict}}"),),
            Guide(
                "some illegal moves.", "Many: a client that sees other positions than the server. unavailable: a bug."
            ),
            Unit.PER_SECOND,
            stacked=True,
        ),
        Lines(
            "Time to judge a batch",
            (
                Query(quantile(0.99, "flagfall_rules_judge_seconds", HERE), "p99"),
                Query(quantile(0.5, "flagfall_rules_judge_seconds", HERE), "median", dashed=True),
            ),
            Guide(
                "median a few ms, p99 below 25.", "All replicas: add some. One: its node.", "slo.md#flagfallmovesslow"
            ),
            Unit.SECONDS,
            upto(bad=0.1),
            soft_max=0.12,
        ),
        Lines(
            "Questions, by replica",
            (Query(rate("flagfall_rules_verdicts_total", HERE, by="instance"), "{{instance}}"),),
            Guide("about the same at each.", "A new replica stays at 0: connections are not renewed (see Rollout)."),
            Unit.PER_SECOND,
            board="rollout",
        ),
        Lines(
            "Questions in a batch, mean",
            (Query(mean("flagfall_batch_size", here('job="rules"'), by="hop"), "{{hop}}"),),
            Guide("1 to 3, and more with more games.", "Near 64 all the time: at its end."),
        ),
        Spread(
            "Time to judge, all batches",
            (Query(f"sum by (le) (increase(flagfall_rules_judge_seconds_bucket{{{HERE}}}[{RATE}]))", "{{le}}"),),
            Guide("one band at a few ms.", "A second band far above: an expensive variant or import."),
            Unit.SECONDS,
        ),
    ),
)

ASIDE = Row(
    "What goes on beside it?",
    (
        Lines(
            "Searches and imports, by result",
            (
                Query(
                    rate("flagfall_rules_side_questions_total", HERE, by="work, result"),
                    "{{work}}: {{result}}",
                ),
            ),
            Guide(
                "adjudication: can the other side still win? pgn: an import.",
                "unanswered: it took too long. refused: too many were waiting.",
            ),
            Unit.PER_SECOND,
        ),
        Lines(
            "Side processes lost",
            (Query(rate("flagfall_rules_side_processes_lost_total", HERE, by="work"), "{{work}}"),),
            Guide(
                "none.",
                "The pod's memory, or a bug; the log says how the process ended.",
                "saturation.md#flagfallsideprocesslost",
            ),
            Unit.PER_SECOND,
        ),
        Lines(
            "Calls, by status",
            (Query(or_none(rate("flagfall_rpc_total", here('job="rules"'), by="code"), "code"), "{{code}}"),),
            Guide("OK.", "UNAVAILABLE: draining or overloaded. INTERNAL: a bug; the log has its traceback."),
            Unit.PER_SECOND,
            stacked=True,
        ),
    ),
)

BOARD = Board(
    name="rules",
    title="Rules",
    answers="Does judging of moves delay any game, and is the work spread over the replicas?",
    rows=(HELD_UP, JUDGED, ASIDE, process_row("rules")),
    jobs=("rules",),
)
