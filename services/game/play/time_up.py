"""When time is up, or a player is gone: flags that decide and flags that pause, claims of those who wait, given time.

FIDE 6.9 says who wins when a flag falls; the rule set says what the opponent needs for it, and who decides.
"""

from dataclasses import replace

from services.domain.absence import has_lasted, have_both_lasted, is_claimed, left_ms
from services.domain.clock import DeadlineKind
from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import FallenFlag
from services.domain.time_control import ClockControl, Correspondence, PerMove, Unlimited, is_live
from services.game.play.change import Change, ChangeKind, Decision, changed, ended, not_allowed, unrated
from services.game.play.command import Abandon, ClaimWin, Flag
from services.game.play.game import Game, Pause
from services.game.play.moment import Moment, closes
from services.game.play.question import Forfeited, Verdict
from services.game.play.seats import computer_may_play, seat_taken

CLOCKS = "clocks"
"""The place of a refusal that means: what was asked for is so already."""
IN_PAUSE = not_allowed("The game is paused, since a flag has fallen: the player with time left decides.")


def refuse_flag(game: Game, flag: Flag, moment: Moment) -> Refusal | None:
    """Why no deadline decides now, or None."""
    if game.outcome is not None:
        return Refusal(RefusalCode.GAME_OVER, "The game is over.")
    if flag.version != game.version:
        return Refusal(RefusalCode.STALE_VERSION, f"The game is at version {game.version}.", "version")
    closes_ms = closes(game, moment.limits, moment.outages)
    if closes_ms is None or moment.now_ms < closes_ms + moment.limits.flag_grace_ms:
        return Refusal(RefusalCode.NOT_DUE, "No deadline of this version has passed.")
    return None


def flag_loser(game: Game, moment: Moment) -> Colour | None:
    """The side that a due deadline is adjudicated against; None when nothing need be adjudicated."""
    deadline = game.deadline(moment.limits)
    if deadline is None or deadline.kind in (DeadlineKind.FIRST_MOVE, DeadlineKind.DECISION):
        return None
    return None if plays_on(game) and not _is_there(game, game.turn, moment) else game.turn


def plays_on(game: Game) -> bool:
    """Whether a turn that is up need not lose: a computer plays for whoever is away (seed 004)."""
    return isinstance(game.clock.control, PerMove) and computer_may_play(game)


def _is_there(game: Game, side: Colour, moment: Moment) -> bool:
    """Whether `side` has its own seat and is not known to be away."""
    return not game.extra.held.of(side) and not has_lasted(moment.facts.away_ms.of(side), moment.limits.gone_ms)


def flag(game: Game, action: Flag, verdict: Verdict | None, moment: Moment) -> Decision:
    """What a deadline does that has passed."""
    refusal = refuse_flag(game, action, moment)
    if refusal is not None:
        return refusal
    deadline = game.deadline(moment.limits)
    assert deadline is not None, "refuse_flag lets no game without a deadline through"
    if deadline.kind is DeadlineKind.FIRST_MOVE:
        return ended(game, Outcome(None, EndReason.NO_FIRST_MOVE), None, moment)
    if game.extra.pause is not None:
        return ended(game, game.extra.pause.outcome, None, moment)
    if plays_on(game) and not _is_there(game, game.turn, moment):
        return _played_on(game, moment)
    if isinstance(verdict, Refusal):
        return verdict
    assert isinstance(verdict, Forfeited), "a flag is adjudicated before it is decided"
    reason = EndReason.EXPIRY if deadline.kind is DeadlineKind.EXPIRY else EndReason.FLAG
    outcome = Outcome(verdict.outcome.winner, reason)
    if deadline.kind is DeadlineKind.FLAG and game.terms.rule_set.fallen_flag is FallenFlag.OPPONENT_DECIDES:
        return _paused(game, outcome, moment)
    return ended(game, outcome, None, moment)


def _played_on(game: Game, moment: Moment) -> Change:
    """A turn that passed while its player is away: the computer has it.

    With both away it begins anew, until they have left for good: turns that pass keep such a game from ever being idle.
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
        clock=game.clock.stopped(paused_ms, moment.outage_ms(game)),
        draw_offer=None,
        look_ms=paused_ms + moment.limits.decision_ms,
    )
    extra = replace(game.extra, pause=Pause(game.turn, paused_ms, outcome), takeback_offer=None)
    return changed(stopped, ChangeKind.PAUSED, None, moment, extra)


def refuse_claim_win(game: Game, side: Colour, claim: ClaimWin, moment: Moment) -> Refusal | None:
    """Why there is nothing to claim, or None."""
    if game.extra.pause is not None:
        if game.extra.pause.flagged is side:
            return not_allowed("Your flag has fallen: the player with time left decides.")
        return not_allowed("A fallen flag is no draw to be chosen.", "draw") if claim.draw else None
    if game.terms.against_computer:
        return not_allowed("Nothing is claimed from the computer.")
    if _late(game, side, moment):
        return not_allowed("A passed limit is no draw to be chosen.", "draw") if claim.draw else None
    if not is_live(game.clock.control):
        if side is game.turn:
            return not_allowed("It is your turn.")
        days = moment.limits.idle_days
        limit = f"{days} days" if isinstance(game.clock.control, Unlimited) else "the limit"
        return not_allowed(f"Your opponent may still move: {limit} for a move has not passed.")
    return _refuse_absence(game, side, moment)


def _refuse_absence(game: Game, side: Colour, moment: Moment) -> Refusal | None:
    if not is_claimed(game.terms.rule_set.absent_player):
        return not_allowed("By the rules of this game nothing is claimed from a player who has left.")
    if game.ply < 2:
        return not_allowed("Before both sides have moved a game is aborted, not claimed.")
    away_ms = moment.facts.away_ms.of(side.other)
    if away_ms is None:
        return not_allowed("Your opponent has not left, as far as is known.")
    if not has_lasted(away_ms, moment.limits.absence_ms):
        left_s = -(-left_ms(away_ms, moment.limits.absence_ms) // 1000)
        return not_allowed(f"Your opponent has not been away for long enough: {left_s} s more.")
    return None


def _late(game: Game, side: Colour, moment: Moment) -> bool:
    """Whether the other side has let its limit pass: in correspondence by such a rule set, or untimed for two weeks."""
    if side is game.turn:
        return False
    if isinstance(game.clock.control, Unlimited):
        idle_ms = moment.now_ms - game.clock.turn_started_ms - moment.outage_ms(game)
        return idle_ms >= moment.limits.idle_days * moment.limits.day_ms
    return moment.claimable(game)


def claim_loser(game: Game, side: Colour, claim: ClaimWin) -> Colour | None:
    """The side that a claim is adjudicated against; None when nothing need be adjudicated."""
    return None if game.extra.pause is not None or claim.draw else side.other


def claim_win(game: Game, side: Colour, claim: ClaimWin, verdict: Verdict | None, moment: Moment) -> Decision:
    """Take what waiting has earned."""
    if game.extra.pause is not None:
        return ended(game, game.extra.pause.outcome, side, moment)
    reason = EndReason.ABSENCE if is_live(game.clock.control) else EndReason.EXPIRY
    if claim.draw:
        return ended(game, Outcome(None, reason), side, moment)
    if isinstance(verdict, Refusal):
        return verdict
    assert isinstance(verdict, Forfeited), "a claim is adjudicated before it is decided"
    return ended(game, Outcome(verdict.outcome.winner, reason), side, moment)


def refuse_go_on(game: Game, side: Colour) -> Refusal | None:
    """What forbids to go on without a clock."""
    pause = game.extra.pause
    if pause is None:
        return not_allowed("No flag has fallen.")
    if game.terms.against_computer or pause.going_on_offered or side is not pause.flagged:
        return None
    return not_allowed("It is for the player with time left to offer to go on.")


def go_on(game: Game, side: Colour, moment: Moment) -> Change:
    """Offer to go on without a clock, or accept it; a computer agrees at once."""
    pause = game.extra.pause
    assert pause is not None, "refuse_go_on lets only paused games through"
    if side is not pause.flagged and not game.terms.against_computer:
        extra = replace(game.extra, pause=replace(pause, going_on_offered=True))
        return changed(game, ChangeKind.GOING_ON_OFFERED, side, moment, extra)
    extra = unrated(game, replace(game.extra, pause=None, without_clock=True))
    untimed = replace(game, clock=game.clock.gone_on(moment.now_ms), look_ms=0)
    return changed(untimed, ChangeKind.WENT_ON, side, moment, extra)


def refuse_give_time(game: Game, side: Colour, ms: int, moment: Moment) -> Refusal | None:
    """What forbids to give the opponent time."""
    if not isinstance(game.clock.control, ClockControl):
        return not_allowed("Time is given in games with a clock.")
    if game.terms.against_computer:
        return not_allowed("The computer takes no time.")
    if game.extra.given_ms.of(side.other) + ms > moment.limits.given_ms_max:
        return not_allowed(f"A player is given {moment.limits.given_ms_max // 1000} s in a game at the most.", "ms")
    return None


def give_time(game: Game, side: Colour, ms: int, moment: Moment) -> Change:
    """The opponent's clock gets more."""
    to = side.other
    extra = replace(game.extra, given_ms=game.extra.given_ms.with_(to, game.extra.given_ms.of(to) + ms))
    return changed(replace(game, clock=game.clock.given(to, ms)), ChangeKind.TIME_GIVEN, side, moment, extra)


def refuse_start_clocks(game: Game) -> Refusal | None:
    """Why no clock can be started, or None."""
    if not is_live(game.clock.control):
        return not_allowed("This game has no clock.")
    return not_allowed("The clocks run already.", CLOCKS) if game.clock.running else None


def start_clocks(game: Game, side: Colour, moment: Moment) -> Change:
    """The clock of the side to move runs from now on; until both have moved a fallen one still aborts."""
    clock = game.clock.running_from(moment.now_ms)
    started = replace(game, clock=clock, look_ms=clock.look_ms(moment.limits.of(game.terms)))
    extra = replace(game.extra, clocks_started=True)
    return changed(started, ChangeKind.CLOCKS_STARTED, side, moment, extra)


def refuse_rest(game: Game, side: Colour) -> Refusal | None:
    """Why this turn does not stand still for a vacation, or None."""
    if not isinstance(game.clock.control, Correspondence):
        return not_allowed("Only correspondence stands still for a vacation.")
    return None if side is game.turn else Refusal(RefusalCode.NOT_YOUR_TURN, "It is not your turn.")


def rest(game: Game, side: Colour, until_ms: int, moment: Moment) -> Change:
    """The turn stands still from now until the vacation ends: then no more is left than a whole limit.

    So vacations that are begun again and again stand still no longer than the last of them.
    """
    rested_ms = game.extra.rest_ms
    whole_ms = max(0, until_ms - game.clock.turn_started_ms)
    rest_ms = max(rested_ms, min(rested_ms + max(0, until_ms - moment.now_ms), whole_ms))
    resting = replace(game, look_ms=game.look_ms + rest_ms - rested_ms)
    return changed(resting, ChangeKind.TIME_GIVEN, side, moment, replace(game.extra, rest_ms=rest_ms))


def abandon(game: Game, action: Abandon, moment: Moment) -> Decision:
    """No result: by such rules a computer would play for whoever is away, but nobody is there to play with."""
    if game.outcome is not None:
        return Refusal(RefusalCode.GAME_OVER, "The game is over.")
    if action.version != game.version:
        return Refusal(RefusalCode.STALE_VERSION, f"The game is at version {game.version}.", "version")
    if not computer_may_play(game):
        return not_allowed("By the rules of this game an absent player's clock runs.")
    if not _left_for_good(moment):
        return Refusal(RefusalCode.NOT_DUE, "It is not known that both players have left for good.")
    return ended(game, Outcome(None, EndReason.ABANDONED), None, moment)


def _left_for_good(moment: Moment) -> bool:
    """Whether both players are known to have been away for so long that the game has no result."""
    away_ms = moment.facts.away_ms
    return have_both_lasted(away_ms.white, away_ms.black, moment.limits.abandoned_ms)
