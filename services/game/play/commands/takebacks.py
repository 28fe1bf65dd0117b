"""Taking moves back: between people with consent if the rule set allows it, against the computer freely.

The game returns to its state after that half-move: position, history, counters, pockets and clock times. The turn
starts now, so that no deadline has passed already. The game becomes unrated, or against the computer counts as helped.
"""

from dataclasses import dataclass, replace
from typing import ClassVar

from services.domain.colour import Colour
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import Takeback
from services.domain.text import say
from services.domain.time_control import ClockControl
from services.game.play.change import Change, ChangeKind, Decision, changed, not_allowed, unrated
from services.game.play.command import PlayerAction, Sender
from services.game.play.commands.draws import note_offer, too_soon
from services.game.play.game import ZEROS, Game, Standing
from services.game.play.moment import Moment
from services.game.play.question import Question, Start, Verdict

NOTHING = not_allowed(say("play.nothing_to_take_back"))


@dataclass(frozen=True, slots=True)
class OfferTakeback(PlayerAction):
    """Ask to take the sender's last move back, or accept this request of the opponent."""

    def needs_past(self, game: Game, player_id: str) -> int | None:
        """If the sender accepts: the half-move to which the game returns; otherwise None."""
        side = game.side_of(player_id)
        if side is None or game.extra.takeback_offer is not side.other:
            return None
        return _past_ply(game, side.other)

    def refuse(self, game: Game, by: Sender, moment: Moment) -> Refusal | None:
        """The refusal to ask for a takeback or to accept one, or None."""
        refusal = _refuse_asking(game)
        if refusal is not None:
            return refusal
        if game.extra.held != ZEROS:
            return not_allowed(say("play.no_takeback_of_seat"))
        if game.extra.takeback_offer is by.side.other:
            return None
        if target_ply(game, by.side) < 0:
            return NOTHING
        if game.extra.takeback_offer is None and too_soon(game.extra.takeback_offered.of(by.side), game.ply):
            return not_allowed(say("play.takeback_asked"))
        return None

    def question(self, game: Game, by: Sender, moment: Moment) -> Question | None:
        """The question for the past position, or None."""
        return _standing_then(game, moment)

    def decide(self, game: Game, by: Sender, verdict: Verdict | None, moment: Moment) -> Decision:
        """An open request, or the game with the move taken back."""
        side = by.side
        if game.extra.takeback_offer is side.other:
            return _taken_back(game, side, verdict, moment)
        offered = note_offer(game.extra.takeback_offered, side, game.ply)
        extra = replace(game.extra, takeback_offer=side, takeback_offered=offered)
        return changed(game, ChangeKind.TAKEBACK_OFFERED, side, moment, extra)


@dataclass(frozen=True, slots=True)
class CloseTakeback(PlayerAction):
    """Decline the opponent's takeback request or withdraw the sender's."""

    def refuse(self, game: Game, by: Sender, moment: Moment) -> Refusal | None:
        """A refusal if this game has no takeback requests, or None."""
        return _refuse_asking(game)

    def decide(self, game: Game, by: Sender, verdict: Verdict | None, moment: Moment) -> Decision:
        """A change after which no request is open."""
        extra = replace(game.extra, takeback_offer=None)
        return changed(game, ChangeKind.TAKEBACK_CLOSED, by.side, moment, extra)


@dataclass(frozen=True, slots=True)
class Undo(PlayerAction):
    """Take back the sender's last move and the computer's answer. After the end of the game, this reopens it."""

    after_end: ClassVar[bool] = True

    def needs_past(self, game: Game, player_id: str) -> int | None:
        """The half-move to which the game returns, or None if there is no move to take back."""
        side = game.side_of(player_id)
        return None if side is None else _past_ply(game, side)

    def refuse(self, game: Game, by: Sender, moment: Moment) -> Refusal | None:
        """The refusal to undo a move, or None."""
        if not game.terms.against_computer:
            return not_allowed(say("play.undo_needs_computer"))
        if game.outcome is not None:
            if game.outcome.reason.aborts:
                return Refusal(RefusalCode.GAME_OVER, say("play.aborted"))
            if moment.now_ms >= (game.ended_ms or 0) + moment.limits.undo_ms:
                return Refusal(RefusalCode.GAME_OVER, say("play.over_too_long"))
        return NOTHING if target_ply(game, by.side) < 0 else None

    def question(self, game: Game, by: Sender, moment: Moment) -> Question | None:
        """The question for the past position, or None."""
        return _standing_then(game, moment)

    def decide(self, game: Game, by: Sender, verdict: Verdict | None, moment: Moment) -> Decision:
        """The game with the move taken back."""
        return _taken_back(game, by.side, verdict, moment)


def target_ply(game: Game, side: Colour) -> int:
    """The number of half-moves left after `side` takes its last move back; negative if it has not moved."""
    return game.ply - (2 if game.turn is side else 1)


def _past_ply(game: Game, side: Colour) -> int | None:
    ply = target_ply(game, side)
    return ply if ply >= 0 else None


def _refuse_asking(game: Game) -> Refusal | None:
    """A refusal if this game has no takeback requests, or None."""
    if game.terms.against_computer:
        return not_allowed(say("play.undo_instead"))
    if game.terms.rule_set.takeback is not Takeback.BY_CONSENT:
        return not_allowed(say("play.no_takebacks"))
    return None


def _standing_then(game: Game, moment: Moment) -> Start | None:
    """The question for the loaded past position: its moves replayed from the first position."""
    past = moment.facts.past
    if past is None:
        return None
    return Start(game.terms.variant, game.terms.rule_set, game.terms.initial_fen, moves=past.moves)


def _taken_back(game: Game, side: Colour, verdict: Verdict | None, moment: Moment) -> Decision:
    past = moment.facts.past
    if isinstance(verdict, Refusal):
        return verdict
    if past is None or not isinstance(verdict, Standing):
        return Refusal(RefusalCode.UNAVAILABLE, say("play.moves_unreadable"))
    timed = isinstance(game.clock.control, ClockControl)
    times = (past.white_ms, past.black_ms) if timed else (0, 0)
    clock = game.clock.taken_back(verdict.turn, past.ply, *times, moment.now_ms)
    extra = replace(
        game.extra,
        pause=None,
        takeback_offer=None,
        draw_offered=ZEROS,
        takeback_offered=ZEROS,
        takebacks=game.extra.takebacks + 1,
        rest_ms=0,
        rests_until_ms=0,
        helped=game.extra.helped or game.terms.against_computer,
    )
    back = replace(
        game,
        version=game.version + 1,
        standing=verdict,
        clock=clock,
        outcome=None,
        ended_ms=None,
        draw_offer=None,
        last_uci=past.last_uci,
        last_san=past.last_san,
        look_ms=clock.look_ms(moment.limits.of(game.terms)),
        extra=unrated(game, extra),
    )
    return Change(back, ChangeKind.TAKEN_BACK, side, clock.turn_started_ms, reopens=game.outcome is not None)
