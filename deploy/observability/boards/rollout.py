"""A rollout: which versions run, is the new one ready, did anybody notice?"""

from deploy.observability.boards.board import Board, Row
from deploy.observability.boards.panel import (
    Colour,
    Figure,
    Guide,
    Lines,
    Query,
    States,
    Table,
    Thresholds,
    Unit,
    Word,
    upto,
)
from deploy.observability.boards.promql import OURS, RANGE, increase, or_zero, quantile, rate
from deploy.observability.boards.replicas import STATE, STATE_WORDS

NONE = (Word(0, "none", Colour.GOOD),)

HARMLESS = Row(
    "Is anybody losing a game by it?",
    (
        Figure(
            "Moves the server failed to take",
            (Query(or_zero(increase("flagfall_moves_total", 'outcome="unavailable"'))),),
            Guide(
                "none: replicas finish what they have begun, and clients send again.",
                "Stop the rollout; docs/upgrading.md says how to go back.",
                "slo.md#flagfallmovesfail",
            ),
            thresholds=upto(bad=10, watch=1e-9),
            words=NONE,
            decimals=0,
            board="moves",
        ),
        Figure(
            "Outages",
            (Query(or_zero(increase("flagfall_outages_total"))),),
            Guide(
                "none: there is always a replica that is ready.",
                "All replicas of a part were replaced at once: look at its strategy and its disruption budget.",
                "time.md#flagfalloutagerecorded",
            ),
            thresholds=upto(bad=2, watch=1e-9),
            words=NONE,
            decimals=0,
        ),
        Figure(
            "Versions that run",
            (Query("count(count by (version, revision) (flagfall_build_info))"),),
            Guide(
                "1; 2 while a rollout is under way.",
                "2 for long: it is stuck; look at what is not ready.",
                "availability.md#flagfallversionsmixed",
            ),
            thresholds=upto(bad=3, watch=2),
            decimals=0,
        ),
        Figure(
            "Not ready",
            (Query(or_zero(f'sum(flagfall_ready{{check="all", {OURS}}} == bool 0)')),),
            Guide(
                "none; those that start or drain in a rollout, for some seconds.",
                "/readyz on its admin port says what it waits for.",
                "availability.md#flagfallnotready",
            ),
            thresholds=upto(bad=3, watch=1e-9),
            words=NONE,
            decimals=0,
        ),
        Figure(
            "Sockets asked to move on",
            (Query(or_zero(increase("flagfall_ws_closed_total", 'code="1012"'))),),
            Guide(
                "as many as the replaced gateways had, spread over seconds.",
                "0 in a rollout of gateways: they were killed instead of asked; look at the grace.",
            ),
            thresholds=Thresholds(Colour.PLAIN),
            decimals=0,
            board="gateway",
        ),
        Figure(
            "Restarts",
            (Query(or_zero(f"sum(changes(process_start_time_seconds{{{OURS}}}[{RANGE}]))")),),
            Guide(
                "none: a rollout makes new pods. This counts processes that began again under their old name.",
                "Read the log of the previous container (kubectl logs --previous): out of memory, or a crash.",
                "availability.md#flagfallcrashlooping",
            ),
            thresholds=upto(bad=5, watch=1e-9),
            words=NONE,
            decimals=0,
        ),
    ),
)

RUNNING = Row(
    "What runs?",
    (
        States(
            "Replicas",
            (Query(STATE, "{{job}} {{instance}}"),),
            Guide(
                "ready. In a rollout: a new one not ready for some seconds, then an old one draining.",
                "NOT READY for over a minute stops the rollout, as intended; players are not affected.",
                "availability.md#flagfallnotready",
            ),
            Unit.COUNT,
            Thresholds(Colour.BAD),
            STATE_WORDS,
            width=14,
            height=11,
        ),
        Table(
            "Versions now",
            (
                Query(
                    "sum by (job, version, revision, schema) (flagfall_build_info)",
                ),
            ),
            Guide(
                "one row for each component, with the same version.",
                "Two rows for a component: old and new side by side. Schema: the newest that this version knows.",
                "availability.md#flagfallschemamismatch",
            ),
            width=10,
            height=11,
            columns=(("job", "Component"), ("version", "Version"), ("revision", "Commit"), ("schema", "Schema")),
            value="Replicas",
        ),
        Lines(
            "Replicas, by component",
            (Query(f"count by (job) (up{{{OURS}}} == 1)", "{{job}}"),),
            Guide(
                "steps when something scales; never below what the disruption budget says.", "Falls: nodes are gone."
            ),
            width=8,
        ),
        Lines(
            "Age of each process",
            (Query(f"time() - process_start_time_seconds{{{OURS}}}", "{{job}} {{instance}}"),),
            Guide(
                "lines that rise; each begins at a deploy.",
                "One begins again and again: it crashes.",
                "availability.md#flagfallcrashlooping",
            ),
            Unit.SECONDS,
            width=8,
            log=True,
        ),
        Lines(
            "Ready, by component",
            (Query(f'min by (job) (flagfall_ready{{check="all", {OURS}}})', "all of {{job}}"),),
            Guide("1; 0 while one of its replicas starts or drains.", "0 for long: see the states above."),
            width=8,
            max=1,
        ),
    ),
)

FELT = Row(
    "Did players notice?",
    (
        Lines(
            "Sockets closed, by code",
            (Query(rate("flagfall_ws_closed_total", by="code"), "{{code}}"),),
            Guide("1012 in a rollout, spread over seconds.", "1006 in a rollout: killed instead of drained."),
            Unit.PER_SECOND,
            stacked=True,
            width=6,
        ),
        Lines(
            "Came back, and how",
            (Query(rate("flagfall_ws_resumes_total", by="result"), "{{result}}"),),
            Guide(
                "delta follows 1012 within seconds.",
                "snapshot: they were away for long. No delta: they do not come back.",
                "slo.md#flagfallresumesslow",
            ),
            Unit.PER_SECOND,
            stacked=True,
            width=6,
        ),
        Lines(
            "Move acknowledged (p99)",
            (Query(quantile(0.99, "flagfall_move_duration_seconds"), "p99"),),
            Guide("a bump below 250 ms at most.", "Above: too few replicas are left while one is replaced."),
            Unit.SECONDS,
            upto(bad=0.25),
            width=6,
            soft_max=0.3,
        ),
        Lines(
            "Tried again",
            (
                Query(rate("flagfall_submit_retries_total"), "commands, game service away"),
                Query(rate("flagfall_moves_total", 'outcome="unavailable"'), "moves answered: unavailable"),
            ),
            Guide(
                "a few tries; no move was answered: unavailable.",
                "Many, although clients retry: stop the rollout.",
                "slo.md#flagfallmovesfail",
            ),
            Unit.PER_SECOND,
            width=6,
        ),
    ),
)

SPREAD = Row(
    "Does the new one get its share?",
    (
        Lines(
            "Calls of the game service, by replica",
            (Query(rate("flagfall_rpc_total", 'job="game"', by="instance"), "{{instance}}"),),
            Guide(
                "a new replica has its share within the age of a connection (5 min).",
                "It stays at 0: look at the headless Service and its DNS.",
            ),
            Unit.PER_SECOND,
        ),
        Lines(
            "Calls of the rules service, by replica",
            (Query(rate("flagfall_rpc_total", 'job="rules"', by="instance"), "{{instance}}"),),
            Guide("as to the left.", "As to the left."),
            Unit.PER_SECOND,
            board="rules",
        ),
        Lines(
            "Sockets, by gateway",
            (Query("flagfall_ws_connections", "{{instance}}"),),
            Guide("a new gateway fills as people come and go.", "0 for long: the ingress does not know it."),
            stacked=True,
            board="gateway",
        ),
    ),
)

BOARD = Board(
    name="rollout",
    title="Rollout",
    answers="Which versions run, is the new one ready, does it get its share of the load, and did players notice?",
    rows=(HARMLESS, RUNNING, FELT, SPREAD),
)
