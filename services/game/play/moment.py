"""The inputs of a decision besides the game and the command: the time, the limits, and facts from outside.

Facts are loaded before the decision, and only for commands that need them (`needs_past`, `needs_answers` and
`needs_presence` in `decision`).
"""

from dataclasses import dataclass

from services.domain.clock import Outages
from services.domain.rule_set import LateCorrespondence
from services.domain.time_control import Correspondence
from services.game.play.game import Both, Game, Limits


@dataclass(frozen=True, slots=True)
class Past:
    """The state after `ply` half-moves: the `moves` (UCI) to replay, and what a replay cannot give."""

    ply: int
    moves: tuple[str, ...]
    white_ms: int
    black_ms: int
    last_uci: str
    last_san: str


@dataclass(frozen=True, slots=True)
class Answers:
    """Conditional moves as lines in UCI: the opponent's move at half-move `ply`, the player's answer, and so on."""

    ply: int
    lines: tuple[tuple[str, ...], ...]

    def after(self, uci: str) -> tuple[str, "Answers"] | None:
        """The answer to the opponent's move, and the rest of the matching lines; None if no line matches."""
        fitting = [line for line in self.lines if line[0] == uci]
        if not fitting:
            return None
        return fitting[0][1], Answers(self.ply + 2, tuple(line[2:] for line in fitting if len(line) > 2))


NO_ANSWERS = Answers(0, ())

UNKNOWN: Both[int | None] = Both(None, None)


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts that the game itself does not contain.

    `away_ms`: how long each side has been away; None if it is present or its presence is unknown.
    `answers`: the conditional moves of the side that is not to move. `rests_until_ms`: the end of that side's vacation;
    0 for none.
    """

    past: Past | None = None
    answers: Answers | None = None
    rests_until_ms: int = 0
    away_ms: Both[int | None] = UNKNOWN


NO_FACTS = Facts()


@dataclass(frozen=True, slots=True)
class Moment:
    """The time at which a command was received, with the limits, outages and facts that apply."""

    now_ms: int
    limits: Limits
    outages: Outages
    facts: Facts = NO_FACTS

    def after(self, start_ms: int) -> int:
        """The time of receipt, but not before `start_ms`."""
        return max(self.now_ms, start_ms)

    def outage_ms(self, game: Game) -> int:
        """The ms of outages in the turn until now, in which nobody could move."""
        started_ms = game.clock.turn_started_ms
        return self.outages.overlap_ms(started_ms, self.after(started_ms))

    def uncharged_ms(self, game: Game, thought_ms: int = 0) -> int:
        """The ms of the turn until now that nobody is charged: of a standing clock all but `thought_ms`."""
        outage_ms = self.outage_ms(game)
        if not game.stands:
            return outage_ms
        elapsed_ms = self.after(game.clock.turn_started_ms) - game.clock.turn_started_ms
        return elapsed_ms - min(thought_ms, elapsed_ms - outage_ms)

    def is_up(self, game: Game) -> bool:
        """Whether the deadline of this version has passed."""
        due_ms = due(game, self.limits, self.outages)
        return due_ms is not None and self.now_ms >= due_ms

    def claimable(self, game: Game) -> bool:
        """Whether a correspondence limit has passed and the opponent may claim the win now."""
        closes_ms = closes(game, self.limits, self.outages)
        return self.is_up(game) and closes_ms is not None and may_be_claimed(game) and self.now_ms < closes_ms


def due(game: Game, limits: Limits, outages: Outages) -> int | None:
    """The deadline of this version in ms, with the time of outages given back; None for no deadline."""
    deadline = game.deadline(limits)
    return None if deadline is None else outages.given_back(game.deadline_from_ms, deadline.at_ms)


def closes(game: Game, limits: Limits, outages: Outages) -> int | None:
    """The time in ms from which the server decides by itself: later than `due` if the opponent may claim first."""
    due_ms = due(game, limits, outages)
    if due_ms is None or not may_be_claimed(game):
        return due_ms
    return due_ms + limits.claim_days * limits.day_ms


def may_be_claimed(game: Game) -> bool:
    """Whether the opponent may claim a passed limit: a correspondence game of people whose rule set says so."""
    return (
        game.terms.rule_set.late_correspondence is LateCorrespondence.OPPONENT_CLAIMS
        and not game.terms.against_computer
        and isinstance(game.clock.control, Correspondence)
    )
