"""Commands on clocks: give time, start the clocks before the first move, stop a turn for a vacation."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.domain.time_control import ClockControl, Correspondence, is_live
from services.game.play.change import ChangeKind, Decision, changed, not_allowed
from services.game.play.command import Bounds, PlayerAction, Sender
from services.game.play.game import Game
from services.game.play.moment import Moment
from services.game.play.question import Verdict
from services.game.play.refusals import malformed

CLOCKS = "clocks"
"""The `at` of the refusal that means: the clocks run already."""


@dataclass(frozen=True, slots=True)
class GiveTime(PlayerAction):
    """Give the opponent time, in ms."""

    ms: int

    @classmethod
    def read(cls, fields: Mapping[str, Any], bounds: Bounds) -> Self | Refusal:
        """The command, or a refusal: the time must be in whole seconds and within `bounds`."""
        ms = fields["ms"]
        if ms % 1000 or not bounds.given_ms_min <= ms <= bounds.given_ms_most:
            least, most = bounds.given_ms_min // 1000, bounds.given_ms_most // 1000
            return malformed(say("play.given_range", least=least, most=most), "ms")
        return cls(**fields)

    def refuse(self, game: Game, by: Sender, moment: Moment) -> Refusal | None:
        """The refusal to give the opponent time, or None."""
        if not isinstance(game.clock.control, ClockControl):
            return not_allowed(say("play.give_needs_clock"))
        if game.terms.against_computer:
            return not_allowed(say("play.no_time_for_computer"))
        most_ms = moment.limits.given_ms_max
        if game.extra.given_ms.of(by.side.other) + self.ms > most_ms:
            return not_allowed(say("play.given_max", seconds=most_ms // 1000), "ms")
        return None

    def decide(self, game: Game, by: Sender, verdict: Verdict | None, moment: Moment) -> Decision:
        """A change that adds the time to the opponent's clock."""
        to = by.side.other
        given_ms = game.extra.given_ms.with_(to, game.extra.given_ms.of(to) + self.ms)
        given = replace(game, clock=game.clock.given(to, self.ms))
        return changed(given, ChangeKind.TIME_GIVEN, by.side, moment, replace(game.extra, given_ms=given_ms))


@dataclass(frozen=True, slots=True)
class StartClocks(PlayerAction):
    """Start the clocks before the first move. Both players have agreed to it."""

    def refuse(self, game: Game, by: Sender, moment: Moment) -> Refusal | None:
        """The refusal to start the clocks, or None."""
        if not is_live(game.clock.control):
            return not_allowed(say("play.no_clock"))
        return not_allowed(say("play.clocks_run"), CLOCKS) if game.clock.running else None

    def decide(self, game: Game, by: Sender, verdict: Verdict | None, moment: Moment) -> Decision:
        """The clock of the side to move runs from now on. Until both have moved, a flag fall still aborts the game."""
        clock = game.clock.running_from(moment.now_ms)
        started = replace(game, clock=clock, look_ms=clock.look_ms(moment.limits.of(game.terms)))
        extra = replace(game.extra, clocks_started=True)
        return changed(started, ChangeKind.CLOCKS_STARTED, by.side, moment, extra)


@dataclass(frozen=True, slots=True)
class Rest(PlayerAction):
    """Stop the player's turn until the vacation ends at `until_ms`, later or sooner than it was to end.

    Only the server sends it, for that player.
    """

    until_ms: int

    internal: ClassVar[bool] = True

    def refuse(self, game: Game, by: Sender, moment: Moment) -> Refusal | None:
        """The refusal to stop this turn for a vacation, or None."""
        if not isinstance(game.clock.control, Correspondence):
            return not_allowed(say("play.rest_needs_correspondence"))
        return None if by.side is game.turn else Refusal(RefusalCode.NOT_YOUR_TURN, say("play.not_your_turn"))

    def decide(self, game: Game, by: Sender, verdict: Verdict | None, moment: Moment) -> Decision:
        """The turn stands still from now until the vacation ends. The time left then is at most one whole limit.

        So a player gains no more by several vacations than by the last one alone, and nothing by days given back.
        """
        rested_ms = game.extra.rest_ms
        counted_ms = game.extra.rests_until_ms  # the rest until then is in `rested_ms`
        if self.until_ms >= counted_ms:
            counted_ms = max(moment.now_ms, counted_ms)
        whole_ms = self.until_ms - game.clock.turn_started_ms
        rest_ms = max(0, min(rested_ms + self.until_ms - counted_ms, whole_ms))
        resting = replace(game, look_ms=game.look_ms + rest_ms - rested_ms)
        extra = replace(game.extra, rest_ms=rest_ms, rests_until_ms=self.until_ms)
        return changed(resting, ChangeKind.TIME_GIVEN, by.side, moment, extra)
