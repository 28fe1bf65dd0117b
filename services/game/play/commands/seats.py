"""Commands on seats: a computer plays for an absent player, or gives the seat back."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from services.domain.absence import computer_takes_seats, has_lasted
from services.domain.colour import Colour
from services.domain.refusal import Refusal
from services.domain.text import say
from services.domain.time_control import PerMove
from services.game.play.change import Change, ChangeKind, Decision, changed, not_allowed, unrated
from services.game.play.command import Bounds, PlayerAction, Sender
from services.game.play.game import Game
from services.game.play.moment import Moment
from services.game.play.question import Verdict
from services.game.play.refusals import malformed


@dataclass(frozen=True, slots=True)
class TakeSeat(PlayerAction):
    """Let a computer play for the player of `side`, who is away."""

    side: Colour

    @classmethod
    def read(cls, fields: Mapping[str, Any], bounds: Bounds) -> Self | Refusal:
        """The command, or a refusal if the side is missing."""
        return malformed(say("play.seat_side"), "side") if fields["side"] is None else cls(**fields)

    def needs_presence(self, game: Game, player_id: str) -> bool:
        """True: the player of the seat must be known to be away."""
        return True

    def refuse(self, game: Game, by: Sender, moment: Moment) -> Refusal | None:
        """A refusal if no computer may play for `side`, or None. Only the other player may send this command."""
        if by.side is self.side:
            return not_allowed(say("play.own_seat"), "side")
        if not computer_may_play(game):
            return not_allowed(say("play.no_computer_for_absent"))
        if game.extra.held.of(self.side):
            return not_allowed(say("play.seat_taken"), "side")
        if game.extra.held.of(by.side):
            return not_allowed(say("play.seat_first"))
        away_ms = moment.facts.away_ms.of(self.side)
        if not has_lasted(away_ms, moment.limits.seat_ms):
            return not_allowed(say("play.opponent_was_here"))
        return None

    def decide(self, game: Game, by: Sender, verdict: Verdict | None, moment: Moment) -> Decision:
        """A change after which the computer has the seat."""
        return seat_taken(game, self.side, moment)


@dataclass(frozen=True, slots=True)
class ReturnSeat(PlayerAction):
    """Take the sender's seat back from the computer."""

    def refuse(self, game: Game, by: Sender, moment: Moment) -> Refusal | None:
        """A refusal if the sender already has the seat, or None."""
        return None if game.extra.held.of(by.side) else not_allowed(say("play.seat_is_yours"))

    def decide(self, game: Game, by: Sender, verdict: Verdict | None, moment: Moment) -> Decision:
        """The player has the seat again. Later moves of the computer for this seat are refused."""
        extra = replace(game.extra, held=game.extra.held.with_(by.side, 0))
        return changed(game, ChangeKind.SEAT_RETURNED, by.side, moment, extra)


def computer_may_play(game: Game) -> bool:
    """Whether a computer may play for an absent player: the rule set allows it, and the game is unrated, not
    correspondence, and between people."""
    takes_seats = computer_takes_seats(game.terms.rule_set.absent_player, game.clock.control)
    return takes_seats and not game.rated and not game.terms.against_computer


def seat_taken(game: Game, side: Colour, moment: Moment) -> Change:
    """The computer plays for `side`. A limit per move restarts if it is that side's turn; open offers are closed."""
    extra = replace(game.extra, held=game.extra.held.with_(side, moment.limits.seat_level), takeback_offer=None)
    game = replace(game, draw_offer=None)
    if isinstance(game.clock.control, PerMove) and game.turn is side:
        game = replace(game, clock=game.clock.restarted(moment.now_ms), look_ms=0)
    return changed(game, ChangeKind.SEAT_TAKEN, side, moment, unrated(game, extra))


def refuse_computer(game: Game, side: Colour, moment: Moment) -> Refusal | None:
    """A refusal if the computer plays for the absent `side` and the other player is away too, or None."""
    alone = game.extra.held.of(side) > 0 and has_lasted(moment.facts.away_ms.of(side.other), moment.limits.seat_ms)
    return not_allowed(say("play.both_away")) if alone else None
