"""Every status of a game, as values to try commands on: the columns of docs/lifecycle.md."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from services.domain.colour import Colour
from services.domain.outcome import Claim
from services.domain.refusal import Refusal
from services.domain.rule_set import FIDE, FRIENDLY, PARTY, AbsentPlayer
from services.domain.time_control import Correspondence, PerMove, Unlimited
from services.game.play.change import Decision
from services.game.play.command import Action
from services.game.play.commands.clocks import GiveTime, Rest, StartClocks
from services.game.play.commands.draws import ClaimDraw, CloseDraw, OfferDraw
from services.game.play.commands.flags import Abandon, ClaimWin, Flag, GoOn
from services.game.play.commands.hints import SetLevel, TakeHint
from services.game.play.commands.moving import Abort, Move, Resign
from services.game.play.commands.seats import ReturnSeat, TakeSeat
from services.game.play.commands.takebacks import CloseTakeback, OfferTakeback, Undo
from services.game.play.game import COMPUTER_ID, Both, Game, Seat
from services.game.play.moment import UNKNOWN
from tests.unit.game.deciding import (
    BLACK,
    COMPUTER,
    DAY,
    MINUTE,
    SECOND,
    B,
    W,
    after,
    attempt,
    game,
    its_flag_due,
    standing,
)

CLAIM_ABSENT = replace(FIDE, absent_player=AbsentPlayer.OPPONENT_CLAIMS)
PLAYERS = {"white": "anna", "black": "bert", "computer": COMPUTER_ID, "other": "carl"}

PEOPLE, WITH_COMPUTER, HELD = ("white", "black"), ("white", "computer"), ("white", "black", "computer")


@dataclass(frozen=True)
class Status:
    """A game, the time, who is known to be away for how long, and whose commands are told in which order."""

    game: Game
    now_ms: int
    away_ms: Both[int | None] = UNKNOWN
    roles: tuple[str, ...] = PEOPLE


UP_MS = 2 * SECOND + 61 * SECOND
"""When White's flag falls after two moves of a second each on `CLOCK`."""


def _paused(black: Seat = BLACK) -> Game:
    return after(game(2, rule_set=FRIENDLY, black=black), None, Flag(0), UP_MS + 100)


def _seat_held() -> Game:
    away: Both[int | None] = Both(None, 20 * SECOND)
    return after(game(3, PerMove(30 * SECOND), PARTY), W, TakeSeat(B), 4 * SECOND, away)


def _columns() -> Iterator[tuple[str, Status]]:
    running = game(2)
    yield "created", Status(game(), SECOND)
    yield "begun", Status(game(1), 2 * SECOND)
    yield "running", Status(running, 3 * SECOND)
    yield "drawOffered", Status(after(running, B, OfferDraw(), 3 * SECOND), 4 * SECOND)
    yield "drawDue", Status(replace(running, standing=standing(W, frozenset([Claim.THREEFOLD]))), 3 * SECOND)
    yield "takebackOffered", Status(after(running, B, OfferTakeback(), 3 * SECOND), 4 * SECOND)
    yield "timeUp", Status(running, UP_MS)
    yield "flagDue", Status(running, UP_MS + 100)

    yield "flagFalls", Status(game(2, rule_set=FRIENDLY), UP_MS + 100)
    paused = _paused()
    yield "paused", Status(paused, UP_MS + SECOND)
    yield "goingOnOffered", Status(after(paused, B, GoOn(), UP_MS + SECOND), UP_MS + 2 * SECOND)
    yield "undecided", Status(paused, UP_MS + 200 + 2 * MINUTE)
    going_on = after(after(paused, B, GoOn(), UP_MS + SECOND), W, GoOn(), UP_MS + 2 * SECOND)
    yield "withoutClock", Status(going_on, UP_MS + 3 * SECOND)

    days = game(2, Correspondence(3), FRIENDLY)
    yield "days", Status(days, DAY)
    yield "claimable", Status(days, 4 * DAY)
    yield "closable", Status(days, 11 * DAY)
    yield "untimed", Status(game(2, Unlimited()), DAY)
    yield "idle", Status(game(2, Unlimited()), 15 * DAY)

    yield "left", Status(game(2, rule_set=CLAIM_ABSENT), 3 * SECOND, Both(None, MINUTE))
    party = game(3, PerMove(30 * SECOND), PARTY)
    yield "seatEmpty", Status(party, 4 * SECOND, Both(None, 20 * SECOND))
    yield "seatHeld", Status(_seat_held(), 5 * SECOND, Both(None, 21 * SECOND), HELD)
    yield "turnUpAway", Status(party, 33 * SECOND + 100, Both(None, 6 * SECOND))
    yield "allGone", Status(_seat_held(), 20 * SECOND, Both(10 * MINUTE, 10 * MINUTE), HELD)
    yield "turnUpAllGone", Status(_seat_held(), 34 * SECOND + 100, Both(6 * SECOND, 6 * SECOND), HELD)

    alone = game(2, black=COMPUTER)
    yield "new", Status(game(black=COMPUTER), SECOND, roles=WITH_COMPUTER)
    yield "itsTurn", Status(game(1, black=COMPUTER), 2 * SECOND, roles=WITH_COMPUTER)
    yield "yourTurn", Status(alone, 3 * SECOND, roles=WITH_COMPUTER)
    yield "pausedWithIt", Status(_paused(COMPUTER), UP_MS + SECOND, roles=WITH_COMPUTER)
    its_flag = after(its_flag_due(FRIENDLY), None, Flag(0), UP_MS + MINUTE)
    yield "itsFlagFell", Status(its_flag, UP_MS + MINUTE + SECOND, roles=WITH_COMPUTER)
    over = after(alone, W, Resign(), 4 * SECOND)
    yield "lost", Status(over, 5 * SECOND, roles=WITH_COMPUTER)
    yield "lostLongAgo", Status(over, 4 * SECOND + DAY, roles=WITH_COMPUTER)

    yield "ended", Status(after(running, W, Resign(), 4 * SECOND), 5 * SECOND)
    yield "aborted", Status(after(game(1), W, Abort(), 2 * SECOND), 3 * SECOND)


STATUSES = dict(_columns())
GROUPS = {
    "Between people, on the clock": "created begun running drawOffered drawDue takebackOffered timeUp flagDue",
    "A flag fell, and its opponent decides": "flagFalls paused goingOnOffered undecided withoutClock",
    "Days for a move, and no limit": "days claimable closable untimed idle",
    "Somebody has left": "left seatEmpty seatHeld turnUpAway allGone turnUpAllGone",
    "Against the computer": "new itsTurn yourTurn pausedWithIt itsFlagFell lost lostLongAgo",
    "Over": "ended aborted",
}
"""How the columns stand together."""

COMMANDS: dict[str, Callable[[Colour], Action]] = {
    "Move": lambda _: Move("e2e4"),
    "Resign": lambda _: Resign(),
    "Abort": lambda _: Abort(),
    "OfferDraw": lambda _: OfferDraw(),
    "CloseDraw": lambda _: CloseDraw(),
    "ClaimDraw": lambda _: ClaimDraw(),
    "ClaimDraw with a move": lambda _: ClaimDraw("e2e4"),
    "OfferTakeback": lambda _: OfferTakeback(),
    "CloseTakeback": lambda _: CloseTakeback(),
    "Undo": lambda _: Undo(),
    "ClaimWin": lambda _: ClaimWin(),
    "ClaimWin, a draw": lambda _: ClaimWin(draw=True),
    "GoOn": lambda _: GoOn(),
    "GiveTime": lambda _: GiveTime(15_000),
    "StartClocks": lambda _: StartClocks(),
    "SetLevel": lambda _: SetLevel(7),
    "TakeSeat": lambda side: TakeSeat(side.other),
    "ReturnSeat": lambda _: ReturnSeat(),
    "TakeHint": lambda _: TakeHint(),
    "Rest": lambda _: Rest(30 * DAY),
}
SERVER: dict[str, Action] = {"Flag": Flag(0), "Abandon": Abandon(0)}
"""What the server itself asks."""


SHORT = {
    "not_allowed": "no",
    "not_your_turn": "turn",
    "time_is_up": "late",
    "game_over": "over",
    "not_due": "early",
    "not_a_player": "stranger",
}
"""Refusals as the table has them."""


def told(decision: Decision) -> str:
    """A decision as the table has it: what came of it in capitals, or the refusal's code in short."""
    if isinstance(decision, Refusal):
        return SHORT[decision.code.value]
    game, kind = decision.game, decision.kind.value
    if game.outcome is None:
        return kind
    if game.outcome.reason.aborts:
        return f"ENDED {game.outcome.reason.value}"
    score = {W: "1-0", B: "0-1", None: "draw"}[game.outcome.winner]
    return f"ENDED {score} {game.outcome.reason.value}"


def cell(command: str, status: Status) -> str:
    """What comes of a command in a status, by role in its order; once where that is the same for all."""
    if command in SERVER:
        return told(attempt(status.game, "", SERVER[command], status.now_ms, status.away_ms))
    answers = [told(attempt_by(role, command, status)) for role in status.roles]
    return answers[0] if len(set(answers)) == 1 else " / ".join(answers)


def attempt_by(role: str, command: str, status: Status) -> Decision:
    """What becomes of a command by whoever has a role."""
    side = W if role == "white" else B
    return attempt(status.game, PLAYERS[role], COMMANDS[command](side), status.now_ms, status.away_ms)


def table(names: list[str]) -> str:
    """The columns `names` in Markdown."""
    lines = [["", *names], ["---"] * (len(names) + 1)]
    lines += [[command, *(cell(command, STATUSES[name]) for name in names)] for command in (*COMMANDS, *SERVER)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
