"""Commands in a game against the computer: change its level, get a hint."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from services.domain.colour import Colour
from services.domain.level import LEVELS
from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.game.play.change import ChangeKind, Decision, changed, not_allowed
from services.game.play.command import Bounds, PlayerAction, Sender
from services.game.play.game import Game, computer_seat
from services.game.play.moment import Moment
from services.game.play.question import Verdict
from services.game.play.refusals import malformed


@dataclass(frozen=True, slots=True)
class SetLevel(PlayerAction):
    """Play against another level of the computer."""

    level: int

    @classmethod
    def read(cls, fields: Mapping[str, Any], bounds: Bounds) -> Self | Refusal:
        """The command, or a refusal if there is no such level."""
        return (
            cls(**fields)
            if fields["level"] in LEVELS
            else malformed(say("play.levels", least=LEVELS[0], most=LEVELS[-1]), "level")
        )

    def refuse(self, game: Game, by: Sender, moment: Moment) -> Refusal | None:
        """A refusal after the player's first move, or None."""
        if not game.terms.against_computer:
            return not_allowed(say("play.no_computer"))
        untouched = game.extra.takebacks == 0 and (game.ply == 0 or (game.ply == 1 and game.turn is by.side))
        return None if untouched else not_allowed(say("play.level_is_fixed"))

    def decide(self, game: Game, by: Sender, verdict: Verdict | None, moment: Moment) -> Decision:
        """A change after which the computer plays at the new level."""
        seat = computer_seat(self.level)
        white = by.side is Colour.WHITE
        terms = replace(game.terms, black=seat) if white else replace(game.terms, white=seat)
        extra = replace(game.extra, level=self.level)
        return changed(replace(game, terms=terms), ChangeKind.LEVEL_CHANGED, by.side, moment, extra)


@dataclass(frozen=True, slots=True)
class TakeHint(PlayerAction):
    """Let the computer show a move. The game records that the player had help."""

    def refuse(self, game: Game, by: Sender, moment: Moment) -> Refusal | None:
        """The refusal to give a hint, or None."""
        if not game.terms.against_computer:
            return not_allowed(say("play.hint_needs_computer"))
        return None if by.side is game.turn else Refusal(RefusalCode.NOT_YOUR_TURN, say("play.not_your_turn"))

    def decide(self, game: Game, by: Sender, verdict: Verdict | None, moment: Moment) -> Decision:
        """A change that records the help."""
        return changed(game, ChangeKind.HINTED, by.side, moment, replace(game.extra, helped=True))
