"""The gateway: sockets, the hub behind them, HTTP."""

from deploy.observability.boards.board import Board, Row
from deploy.observability.boards.panel import Figure, Guide, Lines, Query, Unit, at_least, upto
from deploy.observability.boards.process_row import process_row
from deploy.observability.boards.promql import (
    HERE,
    here,
    increase,
    or_none,
    or_zero,
    quantile,
    rate,
    share,
    top,
    total,
    within,
)

CUT_OFF = Row(
    "Is anybody cut off?",
    (
        Figure(
            "Sockets open",
            (Query(total("flagfall_ws_connections", HERE)),),
            Guide("follows the hour.", "A sudden drop without a deploy: the ingress or a gateway has failed."),
            decimals=0,
        ),
        Figure(
            "Streams open (bots)",
            (Query(total("flagfall_http_streams", HERE)),),
            Guide("one or two for each bot.", "A sudden drop without a deploy: as for sockets."),
            decimals=0,
        ),
        Figure(
            "Resumed in 2 s (goal 99.5 %)",
            (Query(within("2.0", "flagfall_ws_resume_duration_seconds", HERE)),),
            Guide(
                "above 99.5 %.",
                "The game service answers slowly, or all clients reconnect at once (see the close codes).",
                "slo.md#flagfallresumesslow",
            ),
            Unit.SHARE,
            at_least(good=0.995, watch=0.98),
            max=1,
        ),
        Figure(
            "Silent sockets dropped",
            (Query(or_zero(increase("flagfall_ws_closed_total", here('code="4000"')))),),
            Guide(
                "a few: phones in pockets. Nothing was heard for 30 s, so the connection was dead.",
                "Many at once: a proxy drops connections; look at its idle timeout.",
            ),
            thresholds=upto(bad=100, watch=20),
            decimals=0,
        ),
        Figure(
            "Slow readers cut off",
            (Query(or_zero(increase("flagfall_ws_slow_consumer_drops_total", HERE))),),
            Guide("a few: bad lines.", "Many at once: the gateway's network or loop."),
            thresholds=upto(bad=100, watch=10),
            decimals=0,
        ),
        Figure(
            "HTTP answers that were our fault",
            (
                Query(
                    share(
                        rate("flagfall_http_requests_total", here('status=~"5.."')),
                        rate("flagfall_http_requests_total", HERE),
                    )
                ),
            ),
            Guide("below 0.1 %.", "The panel below shows the routes; a full or draining gateway answers 503."),
            Unit.SHARE,
            upto(bad=0.01, watch=0.001),
            decimals=2,
        ),
    ),
)

SOCKETS = Row(
    "Who comes, who goes, who is up to date?",
    (
        Lines(
            "Sockets by replica",
            (Query(f"flagfall_ws_connections{{{HERE}}}", "{{instance}}"),),
            Guide(
                "about the same at each replica.",
                "After a rollout the numbers differ, and become even with time. A replica at 0 gets no traffic.",
            ),
            stacked=True,
        ),
        Lines(
            "Closed, by close code",
            (Query(rate("flagfall_ws_closed_total", HERE, by="code"), "{{code}}"),),
            Guide(
                "1000, 1001 and 1005: people leave. 1012: a rollout asks them to connect elsewhere.",
                "1006: torn connections. 4008: too slow. 4029: too many frames. 1011, 1013: our fault.",
            ),
            Unit.PER_SECOND,
            stacked=True,
        ),
        Lines(
            "Subscriptions answered",
            (Query(rate("flagfall_ws_resumes_total", HERE, by="result"), "{{result}}"),),
            Guide(
                "full: a first look. delta: came back and got what was missed.",
                "snapshot: more was missed than is kept, so the whole game was sent. gone: a game that is not there.",
            ),
            Unit.PER_SECOND,
            stacked=True,
        ),
        Lines(
            "Time until a subscription is answered (p99)",
            (Query(quantile(0.99, "flagfall_ws_resume_duration_seconds", HERE, by="result"), "{{result}}"),),
            Guide(
                "below 100 ms.",
                "The game service is slow, or many clients reconnect at once.",
                "slo.md#flagfallresumesslow",
            ),
            Unit.SECONDS,
            upto(bad=2),
            log=True,
        ),
        Lines(
            "Move on the opponent's socket",
            (
                Query(quantile(0.99, "flagfall_move_delivery_seconds", HERE), "p99"),
                Query(quantile(0.5, "flagfall_move_delivery_seconds", HERE), "median", dashed=True),
            ),
            Guide(
                "p99 below 150 ms; the objective is 500.",
                "Redis, or this gateway's loop.",
                "slo.md#flagfalldeliveryslow",
            ),
            Unit.SECONDS,
            upto(bad=0.5),
            soft_max=0.6,
            board="moves",
        ),
        Lines(
            "Slow and silent ones dropped",
            (
                Query(rate("flagfall_ws_slow_consumer_drops_total", HERE), "slow (4008)"),
                Query(rate("flagfall_ws_closed_total", here('code="4000"')), "silent (4000)"),
                Query(rate("flagfall_ws_closed_total", here('code="4029"')), "too many frames (4029)"),
            ),
            Guide("near 0.", "Many at once: the network or a proxy, not players."),
            Unit.PER_SECOND,
        ),
    ),
)

HUB = Row(
    "Does the hub hear everything?",
    (
        Lines(
            "Held for listeners",
            (
                Query(total("flagfall_hub_games", HERE), "games"),
                Query(total("flagfall_hub_players", HERE), "players"),
                Query(total("flagfall_hub_listeners", HERE), "listeners"),
                Query(total("flagfall_hub_late_games", HERE), "games, delayed", dashed=True),
            ),
            Guide("follows the sockets.", "Rising while sockets fall: a leak; restart that replica and report it."),
        ),
        Lines(
            "Asked the game service, by reason",
            (Query(rate("flagfall_hub_fetches_total", HERE, by="reason"), "{{reason}}"),),
            Guide(
                "load and subscribed: somebody opens a game. silence: a quiet game is looked at now and then.",
                "gap, torn, epoch: events were missed between the servers; Redis was away or lost its data.",
            ),
            Unit.PER_SECOND,
            stacked=True,
        ),
        Lines(
            "Redis: made anew, heard twice",
            (
                Query(rate("flagfall_redis_reconnects_total", here('job="gateway"')), "connection made anew"),
                Query(rate("flagfall_hub_duplicates_total", HERE), "events heard twice", dashed=True),
            ),
            Guide(
                "no new connections; events twice when the relay sends what was sent already.",
                "Reconnects: Redis restarts, or a proxy closes connections.",
            ),
            Unit.PER_SECOND,
            board="stores",
        ),
    ),
)

HTTP = Row(
    "How is HTTP?",
    (
        Lines(
            "Requests, by what was answered",
            tuple(
                Query(or_zero(rate("flagfall_http_requests_total", f'status=~"{only}", {HERE}')), name)
                for only, name in (
                    ("2..", "well (2xx)"),
                    ("3..|4..|0", "asked wrongly, gone (3xx, 4xx)"),
                    ("5..", "our fault (5xx)"),
                )
            ),
            Guide(
                "mostly well.", "5xx: see the routes. A jump of 4xx: a client's new version, or somebody tries doors."
            ),
            Unit.PER_SECOND,
            stacked=True,
        ),
        Lines(
            "Slowest routes (p99)",
            (
                Query(
                    top(
                        6,
                        quantile(
                            0.99,
                            "flagfall_http_request_duration_seconds",
                            here('route!~".*stream.*|.*/seek"'),
                            by="route",
                        ),
                    ),
                    "{{route}}",
                ),
            ),
            Guide(
                "below 250 ms; sign-up and log-in take longer on purpose. Streams of lines are not counted.",
                "One route: a query behind it. All: the game service or PostgreSQL.",
            ),
            Unit.SECONDS,
            log=True,
        ),
        Lines(
            "Our fault, by route",
            (
                Query(
                    or_none(rate("flagfall_http_requests_total", here('status=~"5.."'), by="route"), "route"),
                    "{{route}}",
                ),
            ),
            Guide("none.", "The gateway's log has a line with the request's id for each."),
            Unit.PER_SECOND,
        ),
        Lines(
            "Requests by route",
            (Query(top(8, rate("flagfall_http_requests_total", HERE, by="route")), "{{route}}"),),
            Guide("moves, the lists on the page, streams that open.", "A route that jumps: somebody's loop."),
            Unit.PER_SECOND,
            width=12,
        ),
        Lines(
            "Streams of lines",
            (Query(total("flagfall_http_streams", HERE, by="kind"), "{{kind}}"),),
            Guide(
                "events: one for each bot. game: one for each game it plays. watched: sites that follow games.",
                "Rising without end: a client opens streams and never closes them; there is a limit by address.",
            ),
            width=12,
            stacked=True,
        ),
    ),
)

BOARD = Board(
    name="gateway",
    title="Gateway and sockets",
    answers="Are clients disconnected, does every client that reconnects get what it missed, and does HTTP work?",
    rows=(CUT_OFF, SOCKETS, HUB, HTTP, process_row("gateway")),
    jobs=("gateway",),
)
