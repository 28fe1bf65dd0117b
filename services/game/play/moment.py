"""What a decision is made with besides the game and the command: the time, the limits, and facts from outside.

Facts are loaded before, and only for the commands that need them (`needs_past`, `needs_answers` and
`needs_presence` in `decision`).
"""

from dataclasses import dataclass

from services.domain.clock import Outages
from services.domain.rule_set import LateCorrespondence
from services.domain.time_control import Correspondence
from services.game.play.game import Both, Game, Limits


@dataclass(frozen=True, slots=True)
class Past:
    """How the game stood after `ply` half-moves, as far as it cannot be found by playing `moves` (UCI) again."""

    ply: int
    moves: tuple[str, ...]
    white_ms: int
    black_ms: int
    last_uci: str
    last_san: str


@dataclass(frozen=True, slots=True)
class Answers:
    """Conditional moves: lines in UCI, each a move of the opponent at half-move `ply`, the own answer, and so on."""

    ply: int
    lines: tuple[tuple[str, ...], ...]

    def after(self, uci: str) -> tuple[str, "Answers"] | None:
        """The answer to a move of the opponent, and the lines that go on behind it; None when none was thought of."""
        fitting = [line for line in self.lines if line[0] == uci]
        if not fitting:
            return None
        return fitting[0][1], Answers(self.ply + 2, tuple(line[2:] for line in fitting if len(line) > 2))


NO_ANSWERS = Answers(0, ())

UNKNOWN: Both[int | None] = Both(None, None)


@dataclass(frozen=True, slots=True)
class Facts:
    """What only the world outside of the game tells.

    `away_ms` is for how long each side is known to have been away; None when it is there, or when nothing is known.
    `answers` are the conditional moves of the side that is not to move, `rests_until_ms` the end of its vacation; 0
    without one.
    """

    past: Past | None = None
    answers: Answers | None = None
    rests_until_ms: int = 0
    away_ms: Both[int | None] = UNKNOWN


NO_FACTS = Facts()


@dataclass(frozen=True, slots=True)
class Moment:
    """The time of receipt and all that goes with it."""

    now_ms: int
    limits: Limits
    outages: Outages
    facts: Facts = NO_FACTS

    def after(self, start_ms: int) -> int:
        """The time of receipt, but never before a turn began."""
        return max(self.now_ms, start_ms)

    def outage_ms(self, game: Game) -> int:
        """How much of the turn until now nobody could move in."""
        started_ms = game.clock.turn_started_ms
        return self.outages.overlap_ms(started_ms, self.after(started_ms))

    def is_up(self, game: Game) -> bool:
        """Whether the time of this version is up."""
        due_ms = due(game, self.limits, self.outages)
        return due_ms is not None and self.now_ms >= due_ms

    def claimable(self, game: Game) -> bool:
        """Whether the limit of a correspondence game has passed that the opponent may claim and nobody has closed."""
        closes_ms = closes(game, self.limits, self.outages)
        return self.is_up(game) and closes_ms is not None and may_be_claimed(game) and self.now_ms < closes_ms


def due(game: Game, limits: Limits, outages: Outages) -> int | None:
    """The moment at which this version's time is up, outages given back; None without one."""
    deadline = game.deadline(limits)
    return None if deadline is None else outages.given_back(game.deadline_from_ms, deadline.at_ms)


def closes(game: Game, limits: Limits, outages: Outages) -> int | None:
    """The moment from which the deadline decides by itself: later than `due` where the opponent may claim first."""
    due_ms = due(game, limits, outages)
    if due_ms is None or not may_be_claimed(game):
        return due_ms
    return due_ms + limits.claim_days * limits.day_ms


def may_be_claimed(game: Game) -> bool:
    """Whether a limit that passes is the opponent's to claim: correspondence by such a rule set, between people."""
    return (
        game.terms.rule_set.late_correspondence is LateCorrespondence.OPPONENT_CLAIMS
        and not game.terms.against_computer
        and isinstance(game.clock.control, Correspondence)
    )
