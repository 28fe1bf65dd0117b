"""Draws by agreement and by claim (FIDE 5.2.3, 9.1 to 9.3): who may offer or claim when, and the result."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from services.domain.clock import both_have_moved
from services.domain.colour import Colour
from services.domain.outcome import Claim, EndReason, Outcome
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import Agreement, MoveCount, Repetition
from services.domain.text import say
from services.game.play.change import Change, ChangeKind, Decision, ended, not_allowed
from services.game.play.command import Bounds, PlayerAction, Sender, refuse_move_text
from services.game.play.game import Both, Extra, Game
from services.game.play.moment import Moment
from services.game.play.question import Play, Played, Question, Verdict

OFFERS_APART = 2
"""Half-moves between two offers of one side: one move of each side. An offer of the opponent resets this wait."""


@dataclass(frozen=True, slots=True)
class OfferDraw(PlayerAction):
    """Offer a draw, accept the opponent's offer, or claim a draw that is possible now."""

    def refuse(self, game: Game, by: Sender, moment: Moment) -> Refusal | None:
        """The refusal to offer or accept a draw, or None."""
        side = by.side
        if may_claim(game, side):
            return None
        if game.terms.against_computer or game.extra.held.of(side.other):
            return not_allowed(say("play.computer_no_draw"))
        if game.extra.held.of(side):
            return not_allowed(say("play.seat_first"))
        if not may_agree(game, game.ply):
            return not_allowed(say("play.draw_too_early"))
        if game.draw_offer is None and too_soon(game.extra.draw_offered.of(side), game.ply):
            return not_allowed(say("play.draw_offered"))
        return None

    def decide(self, game: Game, by: Sender, verdict: Verdict | None, moment: Moment) -> Decision:
        """The end of the game by a draw, or an open offer."""
        side = by.side
        if may_claim(game, side):
            return ended(game, Outcome(None, _claimed(game.standing.claims)), side, moment)
        if game.draw_offer is side.other:
            return ended(game, Outcome(None, EndReason.AGREEMENT), side, moment)
        offered = replace(game, version=game.version + 1, draw_offer=side, extra=offering(game.extra, side, game.ply))
        return Change(offered, ChangeKind.DRAW_OFFERED, side, moment.now_ms)


@dataclass(frozen=True, slots=True)
class CloseDraw(PlayerAction):
    """Decline the opponent's draw offer or withdraw the sender's."""

    def decide(self, game: Game, by: Sender, verdict: Verdict | None, moment: Moment) -> Decision:
        """A change after which no draw offer is open."""
        closed = replace(game, version=game.version + 1, draw_offer=None)
        return Change(closed, ChangeKind.DRAW_CLOSED, by.side, moment.now_ms)


@dataclass(frozen=True, slots=True)
class ClaimDraw(PlayerAction):
    """Claim a draw by repetition or move count (FIDE 9.2, 9.3).

    The claim is for the current position, or for the position after `move` (UCI or SAN). The move is not played.
    """

    move: str = ""

    @classmethod
    def read(cls, fields: Mapping[str, Any], bounds: Bounds) -> Self | Refusal:
        """The command, or a refusal of the move's length. The move may be empty."""
        refusal = refuse_move_text(fields["move"], bounds) if fields["move"] else None
        return refusal or cls(**fields)

    def refuse(self, game: Game, by: Sender, moment: Moment) -> Refusal | None:
        """The refusal of a claim that needs no question to the rules service, or None."""
        if self.move:
            if by.side is not game.turn:
                return Refusal(RefusalCode.NOT_YOUR_TURN, say("play.claim_needs_turn"), "move")
            return None
        if may_claim(game, by.side):
            return None
        rules = game.terms.rule_set
        by_itself = rules.repetition is Repetition.AUTOMATIC_THREE and rules.move_count is MoveCount.AUTOMATIC_FIFTY
        return not_allowed(say("play.draw_comes_by_itself") if by_itself else say("play.no_draw_to_claim"))

    def question(self, game: Game, by: Sender, moment: Moment) -> Question | None:
        """The question what position the named move leads to; None without a move."""
        return Play.here(game, self.move) if self.move else None

    def decide(self, game: Game, by: Sender, verdict: Verdict | None, moment: Moment) -> Decision:
        """A correct claim ends the game before the named move. A wrong claim is refused."""
        if not self.move:
            return ended(game, Outcome(None, _claimed(game.standing.claims)), by.side, moment)
        if isinstance(verdict, Refusal):
            return verdict
        assert isinstance(verdict, Played), "a claimed move is judged before it is decided"
        over = verdict.standing.outcome
        if over is not None and over.reason in (EndReason.REPETITION, EndReason.MOVE_COUNT):
            return ended(game, Outcome(None, over.reason), by.side, moment)
        if over is not None:
            return not_allowed(say("play.move_ends_game", move=verdict.san))
        if not verdict.standing.claims:
            return not_allowed(say("play.move_makes_no_draw", move=verdict.san))
        return ended(game, Outcome(None, _claimed(verdict.standing.claims)), by.side, moment)


def offers_with_move(game: Game, side: Colour, ply: int) -> bool:
    """Whether a draw offer sent with half-move `ply` counts. If it does not count, the move is still made."""
    return (
        not (game.terms.against_computer or game.extra.held.of(side.other))
        and may_agree(game, ply)
        and not too_soon(game.extra.draw_offered.of(side), ply)
    )


def may_agree(game: Game, ply: int) -> bool:
    """Whether the players may agree to a draw after `ply` half-moves."""
    return both_have_moved(ply) or game.terms.rule_set.agreement is Agreement.ANY_TIME


def too_soon(offered: int, ply: int) -> bool:
    """Whether a side must wait with a new offer; `offered` is the half-move of its last offer (from 1; 0 for none)."""
    return offered > 0 and ply + 1 < offered + OFFERS_APART


def note_offer(offers: Both[int], side: Colour, ply: int) -> Both[int]:
    """`offers` after a new offer of `side` at `ply`. The other side need not wait any longer."""
    return Both(0, 0).with_(side, ply + 1) if offers.of(side) != ply + 1 or offers.of(side.other) else offers


def offering(extra: Extra, side: Colour, ply: int) -> Extra:
    """`extra` after a draw offer of `side` at `ply`."""
    return replace(extra, draw_offered=note_offer(extra.draw_offered, side, ply))


def may_claim(game: Game, side: Colour) -> bool:
    """Whether `side` may claim a draw now: it is to move (FIDE 9.2, 9.3), or it has just moved and there is no
    reply yet."""
    return bool(game.standing.claims) and (side is game.turn or game.ply > 0)


def _claimed(claims: frozenset[Claim]) -> EndReason:
    return EndReason.REPETITION if Claim.THREEFOLD in claims else EndReason.MOVE_COUNT
