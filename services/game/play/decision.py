"""The decisions on a game: pure, and the only place where a game's next version is made.

`prepare` says what must be asked of the rules service before; `decide` takes its answer and returns the change, or the
refusal. Time is `command.received_ms`, of the database's clock. Most kinds of command have their rules in files of
their own (`agreeing`, `time_up`, `taking_back`, `seats`); moves, resignations and what forbids all commands stand here.
"""

from dataclasses import replace
from typing import assert_never

from services.domain.clock import Outages
from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import Resignation
from services.domain.time_control import Correspondence
from services.game.play import draws, seats, takebacks, time_up
from services.game.play.change import Change, ChangeKind, Decision, ended, not_allowed
from services.game.play.command import (
    Abandon,
    Abort,
    ClaimDraw,
    ClaimWin,
    CloseDraw,
    CloseTakeback,
    Command,
    Flag,
    GiveTime,
    GoOn,
    Move,
    OfferDraw,
    OfferTakeback,
    Resign,
    Rest,
    ReturnSeat,
    SetLevel,
    StartClocks,
    TakeHint,
    TakeSeat,
    Undo,
)
from services.game.play.game import COMPUTER_ID, NO_EXTRA, ZEROS, Game, Limits
from services.game.play.moment import NO_FACTS, Facts, Moment
from services.game.play.question import Forfeit, Forfeited, ForfeitKind, Play, Played, Question, Verdict
from services.game.play.refusals import NOT_A_PLAYER


def needs_past(game: Game, command: Command) -> int | None:
    """The half-move at which the game must be known as it was, for this command; None when it need not."""
    if not isinstance(command.action, OfferTakeback | Undo):
        return None
    side = game.side_of(command.player_id)
    if side is None:
        return None
    if isinstance(command.action, OfferTakeback):
        if game.extra.takeback_offer is not side.other:
            return None
        side = side.other
    ply = takebacks.target_ply(game, side)
    return ply if ply >= 0 else None


def needs_answers(game: Game, command: Command) -> bool:
    """Whether the other side may have thought of an answer, or be on vacation: it is a move in correspondence."""
    return isinstance(command.action, Move) and isinstance(game.clock.control, Correspondence)


def needs_presence(game: Game, command: Command) -> bool:
    """Whether it must be known who is there, for this command."""
    match command.action:
        case Move():
            return command.player_id == COMPUTER_ID and game.extra.held != ZEROS
        case ClaimWin() | TakeSeat() | Abandon():
            return True
        case Flag():
            return time_up.plays_on(game)
        case _:
            return False


def prepare(game: Game, command: Command, limits: Limits, outages: Outages, facts: Facts = NO_FACTS) -> Question | None:
    """What has to be asked of the rules service for this command, or None."""
    moment = Moment(command.received_ms, limits, outages, facts)
    action = command.action
    if isinstance(action, Flag):
        if time_up.refuse_flag(game, action, moment) is not None:
            return None
        loser = time_up.flag_loser(game, moment)
        return None if loser is None else _forfeit(game, loser, ForfeitKind.FLAG)
    if isinstance(action, Abandon) or _refuse(game, command, moment) is not None:
        return None
    side = game.side_of(command.player_id)
    assert side is not None, "_refuse lets only players through"
    match action:
        case Move(text):
            return _play(game, text)
        case ClaimDraw(text) if text:
            return _play(game, text)
        case Resign() if game.terms.rule_set.resignation is Resignation.DRAW_IF_CANNOT_WIN:
            return _forfeit(game, side, ForfeitKind.RESIGNATION)
        case ClaimWin():
            loser = time_up.claim_loser(game, side, action)
            return None if loser is None else _forfeit(game, loser, ForfeitKind.FLAG)
        case OfferTakeback() | Undo():
            return takebacks.question(game, moment)
    return None


def _play(game: Game, text: str) -> Play:
    return Play(game.terms.variant, game.terms.rule_set, game.standing.fen, game.standing.keys, text)


def _forfeit(game: Game, loser: Colour, kind: ForfeitKind) -> Forfeit:
    return Forfeit(game.terms.variant, game.terms.rule_set, game.standing.fen, game.standing.keys, loser, kind)


def decide(
    game: Game, command: Command, verdict: Verdict | None, limits: Limits, outages: Outages, facts: Facts = NO_FACTS
) -> Decision:
    """The next version of `game`, or why there is none. `verdict` answers what `prepare` asked."""
    moment = Moment(command.received_ms, limits, outages, facts)
    action = command.action
    if isinstance(action, Flag):
        return time_up.flag(game, action, verdict, moment)
    if isinstance(action, Abandon):
        return time_up.abandon(game, action, moment)
    refusal = _refuse(game, command, moment)
    if refusal is not None:
        return refusal
    side = game.side_of(command.player_id)
    assert side is not None, "_refuse lets only players through"
    match action:
        case Move():
            return _move(game, action, side, command.player_id == COMPUTER_ID, verdict, moment)
        case Resign():
            return _resign(game, side, verdict, moment)
        case Abort():
            return ended(game, Outcome(None, EndReason.ABORT), side, moment)
        case OfferDraw():
            return draws.offer_draw(game, side, moment)
        case CloseDraw():
            return draws.close_draw(game, side, moment)
        case ClaimDraw(text):
            return draws.claim_draw(game, side, text, verdict, moment)
        case OfferTakeback():
            return takebacks.offer_takeback(game, side, verdict, moment)
        case CloseTakeback():
            return takebacks.close_takeback(game, side, moment)
        case Undo():
            return takebacks.undo(game, side, verdict, moment)
        case ClaimWin():
            return time_up.claim_win(game, side, action, verdict, moment)
        case GoOn():
            return time_up.go_on(game, side, moment)
        case GiveTime(ms):
            return time_up.give_time(game, side, ms, moment)
        case StartClocks():
            return time_up.start_clocks(game, side, moment)
        case SetLevel(level):
            return seats.level_set(game, side, level, moment)
        case TakeSeat(of):
            return seats.seat_taken(game, of, moment)
        case ReturnSeat():
            return seats.seat_returned(game, side, moment)
        case TakeHint():
            return seats.hint_taken(game, side, moment)
        case Rest(until_ms):
            return time_up.rest(game, side, until_ms, moment)
    assert_never(action)


def _refuse(game: Game, command: Command, moment: Moment) -> Refusal | None:
    """What forbids a player's command before the rules are asked."""
    side = game.side_of(command.player_id)
    if side is None:
        return NOT_A_PLAYER
    action = command.action
    if command.player_id == COMPUTER_ID and not isinstance(action, Move):
        return not_allowed("The computer only moves.")
    if isinstance(action, Undo):
        return takebacks.refuse_undo(game, side, moment) or _refuse_late(game, action, moment)
    if game.outcome is not None:
        return Refusal(RefusalCode.GAME_OVER, "The game is over.")
    late = _refuse_late(game, action, moment)
    if late is not None:
        return late
    if game.extra.pause is not None and not isinstance(action, Resign | ClaimWin | GoOn):
        return time_up.IN_PAUSE
    match action:
        case Move(_, ply, _, known):
            if ply is not None and ply != game.ply:
                return Refusal(
                    RefusalCode.STALE_VERSION,
                    f"This move was meant for ply {ply}; the game is at ply {game.ply}.",
                    "ply",
                )
            if known is not None and known != game.extra.takebacks:
                return Refusal(RefusalCode.STALE_VERSION, "Moves were taken back before this one came.", "takebacks")
            if side is not game.turn:
                return Refusal(RefusalCode.NOT_YOUR_TURN, "It is not your turn.")
            if command.player_id == COMPUTER_ID:
                return seats.refuse_computer(game, side, moment)
        case Abort() if game.ply >= 2:
            return not_allowed("A game can be aborted only before both sides have moved.")
        case OfferDraw() if not draws.may_claim(game, side):
            return draws.refuse_offer(game, side)
        case ClaimDraw(text):
            return draws.refuse_claim(game, side, text)
        case OfferTakeback():
            return takebacks.refuse_takeback(game, side)
        case CloseTakeback():
            return takebacks.refuse_asking(game)
        case ClaimWin():
            return time_up.refuse_claim_win(game, side, action, moment)
        case GoOn():
            return time_up.refuse_go_on(game, side)
        case GiveTime(ms):
            return time_up.refuse_give_time(game, side, ms, moment)
        case StartClocks():
            return time_up.refuse_start_clocks(game)
        case SetLevel():
            return seats.refuse_level(game, side)
        case TakeSeat(of):
            return seats.refuse_take_seat(game, side, of, moment)
        case ReturnSeat():
            return seats.refuse_return_seat(game, side)
        case TakeHint():
            return seats.refuse_hint(game, side)
        case Rest():
            return time_up.refuse_rest(game, side)
    return None


def _refuse_late(game: Game, action: object, moment: Moment) -> Refusal | None:
    """What comes when time is up; where the opponent may claim, both may still give up or claim."""
    if not moment.is_up(game):
        return None
    if isinstance(action, ClaimWin | Resign) and moment.claimable(game):
        return None
    return Refusal(RefusalCode.TIME_IS_UP, "The time was up when this arrived.")


def _move(
    game: Game, move: Move, side: Colour, by_computer: bool, verdict: Verdict | None, moment: Moment
) -> Change | Refusal:
    if isinstance(verdict, Refusal):
        return verdict
    assert isinstance(verdict, Played), "a move is judged before it is decided"
    moved_ms = moment.after(game.clock.turn_started_ms)
    clock = game.clock.after_move(moved_ms, moment.outage_ms(game))
    over = verdict.standing.outcome
    # The own move keeps the own offer open and ends the opponent's.
    open_offer = game.draw_offer is side
    offers = move.offer_draw and not open_offer and draws.offers_with_move(game, side, clock.plies)
    if over is None and move.offer_draw and game.draw_offer is side.other and draws.may_agree(game, clock.plies):
        over = Outcome(None, EndReason.AGREEMENT)
    extra = draws.offering(game.extra, side, clock.plies) if offers else game.extra
    if extra is not NO_EXTRA:
        held = extra.held if by_computer else extra.held.with_(side, 0)
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
    held_seat = by_computer and game.terms.seat(side).computer_level == 0
    return Change(following, ChangeKind.MOVE, side, moved_ms, by_computer=held_seat)


def _resign(game: Game, side: Colour, verdict: Verdict | None, moment: Moment) -> Decision:
    """A loss; a draw where the rule set says so and the opponent could not win (FIDE 5.1.2)."""
    winner: Colour | None = side.other
    if game.terms.rule_set.resignation is Resignation.DRAW_IF_CANNOT_WIN:
        if isinstance(verdict, Refusal):
            return verdict
        assert isinstance(verdict, Forfeited), "such a resignation is adjudicated before it is decided"
        winner = verdict.outcome.winner
    return ended(game, Outcome(winner, EndReason.RESIGNATION), side, moment)
