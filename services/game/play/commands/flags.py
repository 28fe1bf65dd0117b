"""When time is up or a player has left: flag falls, pauses after them, and the claims of the waiting player.

FIDE 6.9 says who wins when a flag falls. The rule set says what the opponent needs to win, and who decides.
"""

from dataclasses import dataclass, replace
from typing import ClassVar

from services.domain.absence import has_lasted, have_both_lasted, is_claimed, left_ms
from services.domain.clock import DeadlineKind
from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import FallenFlag
from services.domain.text import say
from services.domain.time_control import PerMove, Unlimited, is_live
from services.game.play.change import Change, ChangeKind, Decision, changed, ended, not_allowed, unrated
from services.game.play.command import PlayerAction, Sender, ServerAction
from services.game.play.commands.seats import computer_may_play, seat_taken
from services.game.play.game import Game, Pause
from services.game.play.moment import Moment, closes
from services.game.play.question import Forfeit, Forfeited, ForfeitKind, Question, Verdict


@dataclass(frozen=True, slots=True)
class Flag(ServerAction):
    """The deadline of this version of the game has passed."""

    version: int

    def needs_presence(self, game: Game, player_id: str) -> bool:
        """True if a computer may play for an absent player."""
        return _plays_on(game)

    def refuse(self, game: Game, moment: Moment) -> Refusal | None:
        """A refusal if no deadline of this version has passed, or None."""
        if game.outcome is not None:
            return Refusal(RefusalCode.GAME_OVER, say("play.game_over"))
        if self.version != game.version:
            return Refusal(RefusalCode.STALE_VERSION, say("play.at_version", version=str(game.version)), "version")
        closes_ms = closes(game, moment.limits, moment.outages)
        if closes_ms is None or moment.now_ms < closes_ms + moment.limits.flag_grace_ms:
            return Refusal(RefusalCode.NOT_DUE, say("play.not_due"))
        return None

    def question(self, game: Game, moment: Moment) -> Question | None:
        """The question whether the opponent can win; None if the deadline cannot give a win."""
        deadline = game.deadline(moment.limits)
        if deadline is None or deadline.kind in (DeadlineKind.FIRST_MOVE, DeadlineKind.DECISION):
            return None
        if _plays_on(game) and not _is_there(game, game.turn, moment):
            return None
        return Forfeit.here(game, game.turn, ForfeitKind.FLAG)

    def decide(self, game: Game, verdict: Verdict | None, moment: Moment) -> Decision:
        """The effect of the passed deadline: an end, a pause, or a computer takes the seat."""
        deadline = game.deadline(moment.limits)
        assert deadline is not None, "refuse lets no game without a deadline through"
        if deadline.kind is DeadlineKind.FIRST_MOVE:
            return ended(game, Outcome(None, EndReason.NO_FIRST_MOVE), None, moment)
        if game.extra.pause is not None:
            return ended(game, game.extra.pause.outcome, None, moment)
        if _plays_on(game) and not _is_there(game, game.turn, moment):
            return _played_on(game, moment)
        if isinstance(verdict, Refusal):
            return verdict
        assert isinstance(verdict, Forfeited), "a flag is adjudicated before it is decided"
        reason = EndReason.EXPIRY if deadline.kind is DeadlineKind.EXPIRY else EndReason.FLAG
        outcome = Outcome(verdict.outcome.winner, reason)
        if deadline.kind is DeadlineKind.FLAG and game.terms.rule_set.fallen_flag is FallenFlag.OPPONENT_DECIDES:
            return _paused(game, outcome, moment)
        return ended(game, outcome, None, moment)


@dataclass(frozen=True, slots=True)
class Abandon(ServerAction):
    """Both players have left for good: the game ends without a result.

    In such a game a computer plays for an absent player, but here the other player is absent too.
    """

    version: int

    internal: ClassVar[bool] = True

    def needs_presence(self, game: Game, player_id: str) -> bool:
        """True: both players must be known to be away."""
        return True

    def refuse(self, game: Game, moment: Moment) -> Refusal | None:
        """A refusal if the game goes on, or None."""
        if game.outcome is not None:
            return Refusal(RefusalCode.GAME_OVER, say("play.game_over"))
        if self.version != game.version:
            return Refusal(RefusalCode.STALE_VERSION, say("play.at_version", version=str(game.version)), "version")
        if not computer_may_play(game):
            return not_allowed(say("play.absent_clock_runs"))
        if not _left_for_good(moment):
            return Refusal(RefusalCode.NOT_DUE, say("play.not_both_gone"))
        return None

    def decide(self, game: Game, verdict: Verdict | None, moment: Moment) -> Decision:
        """The change that ends the game without a result."""
        return ended(game, Outcome(None, EndReason.ABANDONED), None, moment)


@dataclass(frozen=True, slots=True)
class ClaimWin(PlayerAction):
    """Claim the win after a flag fall, a passed limit or two weeks without a move, or when the opponent has left.

    `draw`: claim a draw instead; only when the opponent has left.
    """

    draw: bool = False

    while_claimable: ClassVar[bool] = True
    in_pause: ClassVar[bool] = True

    def needs_presence(self, game: Game, player_id: str) -> bool:
        """True: the claim may depend on the opponent's absence."""
        return True

    def refuse(self, game: Game, by: Sender, moment: Moment) -> Refusal | None:
        """A refusal if there is nothing to claim, or None."""
        if game.extra.pause is not None:
            if game.extra.pause.flagged is by.side:
                return not_allowed(say("play.own_flag"))
            return not_allowed(say("play.no_draw_after_flag"), "draw") if self.draw else None
        if game.terms.against_computer:
            return not_allowed(say("play.no_claim_from_computer"))
        if _late(game, by.side, moment):
            return not_allowed(say("play.no_draw_after_limit"), "draw") if self.draw else None
        if not is_live(game.clock.control):
            if by.side is game.turn:
                return not_allowed(say("play.own_turn"))
            if isinstance(game.clock.control, Unlimited):
                return not_allowed(say("play.not_idle", days=moment.limits.idle_days))
            return not_allowed(say("play.limit_not_passed"))
        return _refuse_absence(game, by.side, moment)

    def question(self, game: Game, by: Sender, moment: Moment) -> Question | None:
        """The question whether the sender can win; None if that is known or a draw is claimed."""
        if game.extra.pause is not None or self.draw:
            return None
        return Forfeit.here(game, by.side.other, ForfeitKind.FLAG)

    def decide(self, game: Game, by: Sender, verdict: Verdict | None, moment: Moment) -> Decision:
        """The end of the game with the claimed result."""
        if game.extra.pause is not None:
            return ended(game, game.extra.pause.outcome, by.side, moment)
        reason = EndReason.ABSENCE if is_live(game.clock.control) else EndReason.EXPIRY
        if self.draw:
            return ended(game, Outcome(None, reason), by.side, moment)
        if isinstance(verdict, Refusal):
            return verdict
        assert isinstance(verdict, Forfeited), "a claim is adjudicated before it is decided"
        return ended(game, Outcome(verdict.outcome.winner, reason), by.side, moment)


@dataclass(frozen=True, slots=True)
class GoOn(PlayerAction):
    """Offer to continue without a clock after a flag fall, or accept this offer. A computer agrees at once."""

    in_pause: ClassVar[bool] = True

    def refuse(self, game: Game, by: Sender, moment: Moment) -> Refusal | None:
        """The refusal to continue without a clock, or None."""
        pause = game.extra.pause
        if pause is None:
            return not_allowed(say("play.no_flag"))
        if game.terms.against_computer or pause.going_on_offered or by.side is not pause.flagged:
            return None
        return not_allowed(say("play.not_yours_to_go_on"))

    def decide(self, game: Game, by: Sender, verdict: Verdict | None, moment: Moment) -> Decision:
        """An open offer, or the game continued without a clock and unrated."""
        pause = game.extra.pause
        assert pause is not None, "refuse lets only paused games through"
        if by.side is not pause.flagged and not game.terms.against_computer:
            extra = replace(game.extra, pause=replace(pause, going_on_offered=True))
            return changed(game, ChangeKind.GOING_ON_OFFERED, by.side, moment, extra)
        extra = unrated(game, replace(game.extra, pause=None, without_clock=True))
        untimed = replace(game, clock=game.clock.gone_on(moment.now_ms), look_ms=0)
        return changed(untimed, ChangeKind.WENT_ON, by.side, moment, extra)


def _plays_on(game: Game) -> bool:
    """Whether a passed turn limit may not lose: a computer may play for an absent player."""
    return isinstance(game.clock.control, PerMove) and computer_may_play(game)


def _is_there(game: Game, side: Colour, moment: Moment) -> bool:
    """Whether `side` plays for itself and is not known to be away."""
    return not game.extra.held.of(side) and not has_lasted(moment.facts.away_ms.of(side), moment.limits.gone_ms)


def _played_on(game: Game, moment: Moment) -> Change:
    """The limit of a turn passed while its player is away: the computer takes the seat.

    If both are away, the turn restarts until both have left for good; then the game ends. Such a game is never idle,
    because its turns restart.
    """
    if _is_there(game, game.turn.other, moment):
        return seat_taken(game, game.turn, moment)
    if _left_for_good(moment):
        return ended(game, Outcome(None, EndReason.ABANDONED), None, moment)
    again = replace(game, clock=game.clock.restarted(moment.now_ms))
    return changed(again, ChangeKind.TIME_GIVEN, None, moment, game.extra)


def _paused(game: Game, outcome: Outcome, moment: Moment) -> Change:
    paused_ms = moment.after(game.clock.turn_started_ms)
    stopped = replace(
        game,
        clock=game.clock.stopped(paused_ms, moment.uncharged_ms(game)),
        draw_offer=None,
        look_ms=paused_ms + moment.limits.decision_ms,
    )
    extra = replace(game.extra, pause=Pause(game.turn, paused_ms, outcome), takeback_offer=None)
    return changed(stopped, ChangeKind.PAUSED, None, moment, extra)


def _refuse_absence(game: Game, side: Colour, moment: Moment) -> Refusal | None:
    if not is_claimed(game.terms.rule_set.absent_player):
        return not_allowed(say("play.no_claim_of_absent"))
    if not game.both_have_moved:
        return not_allowed(say("play.abort_instead"))
    away_ms = moment.facts.away_ms.of(side.other)
    if away_ms is None:
        return not_allowed(say("play.opponent_here"))
    if not has_lasted(away_ms, moment.limits.absence_ms):
        left_s = -(-left_ms(away_ms, moment.limits.absence_ms) // 1000)
        return not_allowed(say("play.absence_too_short", seconds=left_s))
    return None


def _late(game: Game, side: Colour, moment: Moment) -> bool:
    """Whether the opponent of `side` has passed the limit: a claimable correspondence limit, or `idle_days` untimed."""
    if side is game.turn:
        return False
    if isinstance(game.clock.control, Unlimited):
        idle_ms = moment.now_ms - game.clock.turn_started_ms - moment.outage_ms(game)
        return idle_ms >= moment.limits.idle_days * moment.limits.day_ms
    return moment.claimable(game)


def _left_for_good(moment: Moment) -> bool:
    """Whether both players are known to have been away for at least `abandoned_ms`."""
    away_ms = moment.facts.away_ms
    return have_both_lasted(away_ms.white, away_ms.black, moment.limits.abandoned_ms)
