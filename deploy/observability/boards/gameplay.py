"""What is played: for the organisers of a club or federation."""

from deploy.observability.boards.board import Board, Row
from deploy.observability.boards.panel import Bars, Figure, Guide, Lines, Query, Unit, upto
from deploy.observability.boards.promql import RANGE, increase, or_none, or_zero, rate, share, worst

ENDED = increase("flagfall_games_finished_total")
OTHERS = rate("flagfall_commands_total", 'outcome="accepted", action!~"move|flag|rest"', by="action")

FAIR = Row(
    "Is anybody losing a game who should not?",
    (
        Figure(
            "Games that go on",
            (Query(f"sum({worst('flagfall_games_active', by='mode')})"),),
            Guide("follows the hour.", "0 on an evening of play: nobody gets in."),
            decimals=0,
        ),
        Figure(
            "Ended by a flag, of all that ended",
            (Query(share(increase("flagfall_games_finished_total", 'reason="flag"'), ENDED)),),
            Guide(
                "a fifth to a third, more in bullet.",
                "Far more than usual: players could not move in time. Check moves and sockets.",
                "slo.md#flagfallmovesslow",
            ),
            Unit.SHARE,
            upto(bad=0.7, watch=0.5),
            max=1,
            decimals=0,
        ),
        Figure(
            "Aborted or left, of all that ended",
            (
                Query(
                    share(
                        increase("flagfall_games_finished_total", 'reason=~"abort|noFirstMove|absence|abandoned"'),
                        ENDED,
                    )
                ),
            ),
            Guide(
                "below a tenth.",
                "More: players lose their connection, or games start that nobody wanted.",
                "gateway.md#flagfallreconnectstorm",
            ),
            Unit.SHARE,
            upto(bad=0.4, watch=0.2),
            max=1,
            decimals=0,
        ),
        Figure(
            "Moves that were illegal",
            (Query(share(rate("flagfall_moves_total", 'outcome="illegal_move"'), rate("flagfall_moves_total"))),),
            Guide(
                "below 1 %: the page offers legal moves only, so these are bots.",
                "More: a client with other rules than the server, or with another position.",
                "gateway.md#flagfallclientsstuck",
            ),
            Unit.SHARE,
            upto(bad=0.1, watch=0.02),
            decimals=1,
        ),
        Figure(
            "Games started",
            (Query(or_zero(increase("flagfall_games_started_total"))),),
            Guide("in the time shown above.", "None while people are connected: challenges or the lobby do not work."),
            decimals=0,
        ),
        Figure(
            "Games ended",
            (Query(or_zero(ENDED)),),
            Guide("about as many as started.", "Far fewer: games do not end; look at the clock's board."),
            decimals=0,
            board="clock",
        ),
    ),
)

GAMES = Row(
    "Which games?",
    (
        Lines(
            "Going on, by kind of clock",
            (Query(worst("flagfall_games_active", by="mode"), "{{mode}}"),),
            Guide("clock: live. correspondence: days a move, grows slowly.", "A cliff: see the overview."),
            stacked=True,
        ),
        Lines(
            "Started, by variant",
            (Query(f"{rate('flagfall_games_started_total', by='variant')} * 3600", "{{variant}}"),),
            Guide("games in an hour.", "A variant drops to 0: try to start a game of it."),
            stacked=True,
        ),
        Lines(
            "Ended, by reason",
            (
                Query(
                    or_none(f"{rate('flagfall_games_finished_total', by='reason')} * 3600", "reason"),
                    "{{reason}}",
                ),
            ),
            Guide(
                "games in an hour; resignation, checkmate, flag.",
                "A jump of flag, absence or abort: players could not move.",
            ),
            stacked=True,
        ),
    ),
)

MOVES = Row(
    "Who moves?",
    (
        Lines(
            "Moves, by who made them",
            (Query(rate("flagfall_moves_total", 'outcome="accepted"', by="actor"), "{{actor}}"),),
            Guide("computer answers person and bot.", "No computer: see the board of workers."),
            Unit.PER_SECOND,
            stacked=True,
            board="workers",
        ),
        Lines(
            "Moves, by kind of clock",
            (Query(rate("flagfall_moves_total", 'outcome="accepted"', by="mode"), "{{mode}}"),),
            Guide("mostly clock.", "One kind at 0 that is usually not: report it."),
            Unit.PER_SECOND,
            stacked=True,
        ),
        Lines(
            "Other things done in games",
            (
                Query(
                    or_none(OTHERS + " > 0", "action"),
                    "{{action}}",
                ),
            ),
            Guide("resignations, draw offers, takebacks, hints.", "One at many a second: somebody's loop."),
            Unit.PER_SECOND,
            stacked=True,
        ),
    ),
)

SHARES = Row(
    "In the time shown",
    (
        Bars(
            "Games started, by variant",
            (Query(f"sum by (variant) (increase(flagfall_games_started_total[{RANGE}]))", "{{variant}}"),),
            Guide("standard by far.", "Nothing at all: nobody gets a game."),
            decimals=0,
            height=9,
        ),
        Bars(
            "Games ended, by reason",
            (Query(or_none(increase("flagfall_games_finished_total", by="reason"), "reason"), "{{reason}}"),),
            Guide("as above.", "As above."),
            decimals=0,
            height=9,
        ),
        Bars(
            "Computer's moves, by level",
            (Query(f"sum by (level) (increase(flagfall_engine_think_seconds_count[{RANGE}]))", "level {{level}}"),),
            Guide("any; level 0 is for hints.", "A level at 0 that is offered: see the board of workers."),
            decimals=0,
            height=9,
            board="workers",
        ),
    ),
)

BOARD = Board(
    name="gameplay",
    title="Gameplay",
    answers="What is played, by whom, and how do games end: are there more flags, aborts and absences than usual?",
    rows=(FAIR, GAMES, MOVES, SHARES),
)
