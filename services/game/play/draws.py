"""Draws by agreement and by claim (FIDE 5.2.3, 9.1 to 9.3): when they may be offered and claimed, and what follows."""

from dataclasses import replace

from services.domain.colour import Colour
from services.domain.outcome import Claim, EndReason, Outcome
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import Agreement, MoveCount, Repetition
from services.game.play.change import Change, ChangeKind, Decision, ended, not_allowed
from services.game.play.game import Both, Extra, Game
from services.game.play.moment import Moment
from services.game.play.question import Played, Verdict

OFFERS_APART = 2
"""Half-moves between two offers of one side: a move of each. The other side's offer in between makes it none."""


def refuse_offer(game: Game, side: Colour) -> Refusal | None:
    """What forbids an offer, or the acceptance of one."""
    if game.terms.against_computer or game.extra.held.of(side.other):
        return not_allowed("The computer takes no draw offers.")
    if game.extra.held.of(side):
        return not_allowed("The computer has your seat: take it back first.")
    if not may_agree(game, game.ply):
        return not_allowed("A draw can be agreed only after both sides have moved (FIDE 5.2.3).")
    if game.draw_offer is None and too_soon(game.extra.draw_offered.of(side), game.ply):
        return not_allowed("You have offered a draw already: make a move before you offer another.")
    return None


def offers_with_move(game: Game, side: Colour, ply: int) -> bool:
    """Whether an offer sent with a move, the `ply`th half-move, is one: where it is none, the move is made all the
    same."""
    return (
        not (game.terms.against_computer or game.extra.held.of(side.other))
        and may_agree(game, ply)
        and not too_soon(game.extra.draw_offered.of(side), ply)
    )


def may_agree(game: Game, ply: int) -> bool:
    """Whether a draw may be agreed once `ply` half-moves are played."""
    return ply >= 2 or game.terms.rule_set.agreement is Agreement.ANY_TIME


def too_soon(offered: int, ply: int) -> bool:
    """Whether a side whose last offer was before half-move `offered` (from 1, 0 for none) must wait with another."""
    return offered > 0 and ply + 1 < offered + OFFERS_APART


def note_offer(offers: Both[int], side: Colour, ply: int) -> Both[int]:
    """The last offers with one of `side` at `ply`, which sets the other side free to offer."""
    return Both(0, 0).with_(side, ply + 1) if offers.of(side) != ply + 1 or offers.of(side.other) else offers


def offer_draw(game: Game, side: Colour, moment: Moment) -> Decision:
    """Offer, accept, or claim a draw that is due."""
    if may_claim(game, side):
        return ended(game, Outcome(None, _claimed(game.standing.claims)), side, moment)
    if game.draw_offer is side.other:
        return ended(game, Outcome(None, EndReason.AGREEMENT), side, moment)
    offered = replace(game, version=game.version + 1, draw_offer=side, extra=offering(game.extra, side, game.ply))
    return Change(offered, ChangeKind.DRAW_OFFERED, side, moment.now_ms)


def offering(extra: Extra, side: Colour, ply: int) -> Extra:
    """`extra` with a draw offer noted."""
    return replace(extra, draw_offered=note_offer(extra.draw_offered, side, ply))


def close_draw(game: Game, side: Colour, moment: Moment) -> Change:
    """Decline or withdraw."""
    closed = replace(game, version=game.version + 1, draw_offer=None)
    return Change(closed, ChangeKind.DRAW_CLOSED, side, moment.now_ms)


def may_claim(game: Game, side: Colour) -> bool:
    """Whether a draw is due that `side` may claim: it is to move (FIDE 9.2, 9.3), or has just made a move of its own
    and nobody has replied."""
    return bool(game.standing.claims) and (side is game.turn or game.ply > 0)


def refuse_claim(game: Game, side: Colour, text: str) -> Refusal | None:
    """What forbids a claim that no rules need be asked about."""
    if text:
        if side is not game.turn:
            return Refusal(RefusalCode.NOT_YOUR_TURN, "A draw is claimed with a move by the side to move.", "move")
        return None
    if may_claim(game, side):
        return None
    rules = game.terms.rule_set
    by_itself = rules.repetition is Repetition.AUTOMATIC_THREE and rules.move_count is MoveCount.AUTOMATIC_FIFTY
    return not_allowed(
        "By the rules of this game a draw by repetition or move count comes by itself: there is nothing to claim."
        if by_itself
        else "There is no draw to claim: the position has not stood three times, nor have 50 moves of each side passed "
        "without a capture or a pawn move."
    )


def claim_draw(game: Game, side: Colour, text: str, verdict: Verdict | None, moment: Moment) -> Decision:
    """A claim ends the game before the move that it names; one that is not true changes nothing."""
    if not text:
        return ended(game, Outcome(None, _claimed(game.standing.claims)), side, moment)
    if isinstance(verdict, Refusal):
        return verdict
    assert isinstance(verdict, Played), "a claimed move is judged before it is decided"
    over = verdict.standing.outcome
    if over is not None and over.reason in (EndReason.REPETITION, EndReason.MOVE_COUNT):
        return ended(game, Outcome(None, over.reason), side, moment)
    if over is not None:
        return not_allowed(f"{verdict.san} ends the game by itself: play it.")
    if not verdict.standing.claims:
        return not_allowed(
            f"{verdict.san} makes no draw: the position would not have stood three times, nor would 50 moves of each "
            "side have passed without a capture or a pawn move."
        )
    return ended(game, Outcome(None, _claimed(verdict.standing.claims)), side, moment)


def _claimed(claims: frozenset[Claim]) -> EndReason:
    return EndReason.REPETITION if Claim.THREEFOLD in claims else EndReason.MOVE_COUNT
