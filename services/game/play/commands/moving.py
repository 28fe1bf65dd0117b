"""Moves, and what ends a game by the word of one player: resigning and aborting."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import Resignation
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
    """Play `text` (UCI or SAN). `ply` is the half-move it is for, or None for whatever it is now.

    After a takeback the same ply may be another position: `takebacks` is how many the mover knew of, or None.
    """

    text: str
    ply: int | None = None
    offer_draw: bool = False
    takebacks: int | None = None

    for_computer: ClassVar[bool] = True

    @classmethod
    def read(cls, fields: Mapping[str, Any], bounds: Bounds) -> Self | Refusal:
        """Only the length is checked here: the rules read the text."""
        return refuse_move_text(fields["text"], bounds) or cls(**fields)

    def needs_answers(self, game: Game) -> bool:
        """In correspondence the other side may have thought of an answer, or be on vacation."""
        return isinstance(game.clock.control, Correspondence)

    def needs_presence(self, game: Game, player_id: str) -> bool:
        """A computer in a seat that it holds plays only while somebody is there."""
        return player_id == COMPUTER_ID and game.extra.held != ZEROS

    def refuse(self, game: Game, by: Sender, moment: Moment) -> Refusal | None:
        """It is meant for this position, and it is the sender's turn."""
        if self.ply is not None and self.ply != game.ply:
            return Refusal(
                RefusalCode.STALE_VERSION,
                f"This move was meant for ply {self.ply}; the game is at ply {game.ply}.",
                "ply",
            )
        if self.takebacks is not None and self.takebacks != game.extra.takebacks:
            return Refusal(RefusalCode.STALE_VERSION, "Moves were taken back before this one came.", "takebacks")
        if by.side is not game.turn:
            return Refusal(RefusalCode.NOT_YOUR_TURN, "It is not your turn.")
        return refuse_computer(game, by.side, moment) if by.computer else None

    def question(self, game: Game, by: Sender, moment: Moment) -> Question:
        """Is it legal, and what arises?"""
        return Play.here(game, self.text)

    def decide(self, game: Game, by: Sender, verdict: Verdict | None, moment: Moment) -> Decision:
        """The position after it, with the clock pressed and the offers as the move leaves them."""
        if isinstance(verdict, Refusal):
            return verdict
        assert isinstance(verdict, Played), "a move is judged before it is decided"
        side = by.side
        moved_ms = moment.after(game.clock.turn_started_ms)
        clock = game.clock.after_move(moved_ms, moment.outage_ms(game))
        over = verdict.standing.outcome
        # The own move keeps the own offer open and ends the opponent's.
        open_offer = game.draw_offer is side
        offers = self.offer_draw and not open_offer and draws.offers_with_move(game, side, clock.plies)
        if over is None and self.offer_draw and game.draw_offer is side.other and draws.may_agree(game, clock.plies):
            over = Outcome(None, EndReason.AGREEMENT)
        extra = draws.offering(game.extra, side, clock.plies) if offers else game.extra
        if extra is not NO_EXTRA:
            held = extra.held if by.computer else extra.held.with_(side, 0)
            extra = replace(extra, takeback_offer=None, held=held)
        rest_ms = max(0, moment.facts.rests_until_ms - moved_ms)
        if rest_ms != extra.rest_ms:
            extra = replace(extra, rest_ms=rest_ms)
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
    """Give the game up: a loss, or a draw where the rule set says so and the opponent could not win (FIDE 5.1.2)."""

    while_claimable: ClassVar[bool] = True
    in_pause: ClassVar[bool] = True

    def question(self, game: Game, by: Sender, moment: Moment) -> Question | None:
        """Could the opponent win?"""
        return Forfeit.here(game, by.side, ForfeitKind.RESIGNATION) if _may_draw(game) else None

    def decide(self, game: Game, by: Sender, verdict: Verdict | None, moment: Moment) -> Decision:
        """The end."""
        winner: Colour | None = by.side.other
        if _may_draw(game):
            if isinstance(verdict, Refusal):
                return verdict
            assert isinstance(verdict, Forfeited), "such a resignation is adjudicated before it is decided"
            winner = verdict.outcome.winner
        return ended(game, Outcome(winner, EndReason.RESIGNATION), by.side, moment)


def _may_draw(game: Game) -> bool:
    """Whether the rule set makes some resignations a draw."""
    return game.terms.rule_set.resignation is Resignation.DRAW_IF_CANNOT_WIN


@dataclass(frozen=True, slots=True)
class Abort(PlayerAction):
    """End the game without a result, before both have moved."""

    def refuse(self, game: Game, by: Sender, moment: Moment) -> Refusal | None:
        """Both have moved."""
        if game.both_have_moved:
            return not_allowed("A game can be aborted only before both sides have moved.")
        return None

    def decide(self, game: Game, by: Sender, verdict: Verdict | None, moment: Moment) -> Decision:
        """The end, without a result."""
        return ended(game, Outcome(None, EndReason.ABORT), by.side, moment)
