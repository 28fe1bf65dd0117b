"""Moves, and the commands with which one player ends a game: resign and abort."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import Resignation
from services.domain.text import say
from services.domain.time_control import Correspondence
from services.game.play.change import Change, ChangeKind, Decision, ended, not_allowed
from services.game.play.command import Bounds, PlayerAction, Sender, refuse_move_text
from services.game.play.commands import draws
from services.game.play.commands.seats import refuse_computer
from services.game.play.game import COMPUTER_ID, NO_EXTRA, ZEROS, Game
from services.game.play.moment import Moment
from services.game.play.question import Forfeit, Forfeited, ForfeitKind, Play, Played, Question, Verdict


@dataclass(frozen=True, slots=True)
class Move(PlayerAction):
    """Play `text` (UCI or SAN). `ply` is the half-move that the sender expects, or None for the current one.

    After a takeback the same ply may be another position. `takebacks` is the number that the sender knows, or None.
    `thought_ms`: for how long a worker thought about a move of the computer's own seat; None: the whole turn.
    """

    text: str
    ply: int | None = None
    offer_draw: bool = False
    takebacks: int | None = None
    thought_ms: int | None = None

    for_computer: ClassVar[bool] = True

    @classmethod
    def read(cls, fields: Mapping[str, Any], bounds: Bounds) -> Self | Refusal:
        """The command, or a refusal of the text's length. The rules service checks the move itself."""
        return refuse_move_text(fields["text"], bounds) or cls(**fields)

    def needs_answers(self, game: Game) -> bool:
        """True in correspondence: the other side may have a conditional move, or be on vacation."""
        return isinstance(game.clock.control, Correspondence)

    def needs_presence(self, game: Game, player_id: str) -> bool:
        """True if the computer plays for an absent player: it moves only while the other player is present."""
        return player_id == COMPUTER_ID and game.extra.held != ZEROS

    def refuse(self, game: Game, by: Sender, moment: Moment) -> Refusal | None:
        """A refusal if the move is for another position or it is not the sender's turn, or None."""
        if self.ply is not None and self.ply != game.ply:
            return Refusal(
                RefusalCode.STALE_VERSION,
                say("play.other_ply", meant=str(self.ply), ply=str(game.ply)),
                "ply",
            )
        if self.takebacks is not None and self.takebacks != game.extra.takebacks:
            return Refusal(RefusalCode.STALE_VERSION, say("play.taken_back_since"), "takebacks")
        if by.side is not game.turn:
            return Refusal(RefusalCode.NOT_YOUR_TURN, say("play.not_your_turn"))
        return refuse_computer(game, by.side, moment) if by.computer else None

    def question(self, game: Game, by: Sender, moment: Moment) -> Question:
        """The question whether the move is legal, and what the position is after it."""
        return Play.here(game, self.text)

    def decide(self, game: Game, by: Sender, verdict: Verdict | None, moment: Moment) -> Decision:
        """The game after the move: the new position, the pressed clock and the draw offer that is open then."""
        if isinstance(verdict, Refusal):
            return verdict
        assert isinstance(verdict, Played), "a move is judged before it is decided"
        side = by.side
        moved_ms = moment.after(game.clock.turn_started_ms)
        thought_ms = moved_ms if self.thought_ms is None else max(0, self.thought_ms)
        clock = game.clock.after_move(moved_ms, moment.uncharged_ms(game, thought_ms))
        over = verdict.standing.outcome
        # A move keeps the mover's own offer open and closes the opponent's offer.
        open_offer = game.draw_offer is side
        offers = self.offer_draw and not open_offer and draws.offers_with_move(game, side, clock.plies)
        if over is None and self.offer_draw and game.draw_offer is side.other and draws.may_agree(game, clock.plies):
            over = Outcome(None, EndReason.AGREEMENT)
        extra = draws.offering(game.extra, side, clock.plies) if offers else game.extra
        if extra is not NO_EXTRA:
            held = extra.held if by.computer else extra.held.with_(side, 0)
            extra = replace(extra, takeback_offer=None, held=held)
        rest_ms = max(0, moment.facts.rests_until_ms - moved_ms)
        if rest_ms or extra.rest_ms:
            extra = replace(extra, rest_ms=rest_ms, rests_until_ms=moment.facts.rests_until_ms if rest_ms else 0)
        following = Game(
            game.terms,
            game.version + 1,
            verdict.standing,
            clock,
            outcome=over,
            ended_ms=moved_ms if over is not None else None,
            draw_offer=side if over is None and (open_offer or offers) else None,
            last_uci=verdict.uci,
            last_san=verdict.san,
            look_ms=clock.look_ms(moment.limits.of(game.terms), game.look_ms) + rest_ms,
            extra=extra,
        )
        held_seat = by.computer and game.terms.seat(side).computer_level == 0
        return Change(following, ChangeKind.MOVE, side, moved_ms, by_computer=held_seat)


@dataclass(frozen=True, slots=True)
class Resign(PlayerAction):
    """Resign: a loss, or a draw if the rule set says so and the opponent cannot win (FIDE 5.1.2)."""

    while_claimable: ClassVar[bool] = True
    in_pause: ClassVar[bool] = True

    def question(self, game: Game, by: Sender, moment: Moment) -> Question | None:
        """The question whether the opponent can win; None if the rule set does not ask."""
        return Forfeit.here(game, by.side, ForfeitKind.RESIGNATION) if _may_draw(game) else None

    def decide(self, game: Game, by: Sender, verdict: Verdict | None, moment: Moment) -> Decision:
        """The change that ends the game."""
        winner: Colour | None = by.side.other
        if _may_draw(game):
            if isinstance(verdict, Refusal):
                return verdict
            assert isinstance(verdict, Forfeited), "such a resignation is adjudicated before it is decided"
            winner = verdict.outcome.winner
        return ended(game, Outcome(winner, EndReason.RESIGNATION), by.side, moment)


def _may_draw(game: Game) -> bool:
    """Whether a resignation can be a draw by the rule set."""
    return game.terms.rule_set.resignation is Resignation.DRAW_IF_CANNOT_WIN


@dataclass(frozen=True, slots=True)
class Abort(PlayerAction):
    """End the game without a result, before both have moved."""

    def refuse(self, game: Game, by: Sender, moment: Moment) -> Refusal | None:
        """A refusal if both sides have moved, or None."""
        if game.both_have_moved:
            return not_allowed(say("play.too_late_to_abort"))
        return None

    def decide(self, game: Game, by: Sender, verdict: Verdict | None, moment: Moment) -> Decision:
        """The change that ends the game without a result."""
        return ended(game, Outcome(None, EndReason.ABORT), by.side, moment)
