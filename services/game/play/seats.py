"""Who sits where: the computer's level, a computer that plays for somebody who is away, help from the computer."""

from dataclasses import replace

from services.domain.absence import computer_takes_seats, has_lasted
from services.domain.colour import Colour
from services.domain.refusal import Refusal, RefusalCode
from services.domain.time_control import PerMove
from services.game.play.change import Change, ChangeKind, changed, not_allowed, unrated
from services.game.play.game import Game, computer_seat
from services.game.play.moment import Moment


def computer_may_play(game: Game) -> bool:
    """Whether a computer plays for whoever is away: by such a rule set, unrated, not over days, between people."""
    takes_seats = computer_takes_seats(game.terms.rule_set.absent_player, game.clock.control)
    return takes_seats and not game.rated and not game.terms.against_computer


def refuse_take_seat(game: Game, by: Colour, side: Colour, moment: Moment) -> Refusal | None:
    """Why no computer plays for `side`, or None. It is the other player who is there to say so."""
    if by is side:
        return not_allowed("You are there.", "side")
    if not computer_may_play(game):
        return not_allowed("By the rules of this game no computer plays for a player who is away.")
    if game.extra.held.of(side):
        return not_allowed("The computer has this seat already.", "side")
    if game.extra.held.of(by):
        return not_allowed("The computer has your seat: take it back first.")
    if not has_lasted(moment.facts.away_ms.of(side), moment.limits.seat_ms):
        return not_allowed("Your opponent has not been away for long enough, as far as is known.")
    return None


def seat_taken(game: Game, side: Colour, moment: Moment) -> Change:
    """The computer plays for `side`; a turn of its own limit begins anew for it, and what was offered is closed."""
    extra = replace(game.extra, held=game.extra.held.with_(side, moment.limits.seat_level), takeback_offer=None)
    game = replace(game, draw_offer=None)
    if isinstance(game.clock.control, PerMove) and game.turn is side:
        game = replace(game, clock=game.clock.restarted(moment.now_ms), look_ms=0)
    return changed(game, ChangeKind.SEAT_TAKEN, side, moment, unrated(game, extra))


def refuse_computer(game: Game, side: Colour, moment: Moment) -> Refusal | None:
    """Why the computer makes no move for `side`: in a seat that it holds it plays with nobody (seed 004)."""
    alone = game.extra.held.of(side) > 0 and has_lasted(moment.facts.away_ms.of(side.other), moment.limits.seat_ms)
    return not_allowed("Both players are away.") if alone else None


def refuse_return_seat(game: Game, side: Colour) -> Refusal | None:
    """Why there is no seat to take back, or None."""
    return None if game.extra.held.of(side) else not_allowed("You have your seat.")


def seat_returned(game: Game, side: Colour, moment: Moment) -> Change:
    """The player is back; a move that the computer still sends is nobody's."""
    extra = replace(game.extra, held=game.extra.held.with_(side, 0))
    return changed(game, ChangeKind.SEAT_RETURNED, side, moment, extra)


def refuse_level(game: Game, side: Colour) -> Refusal | None:
    """Why the level stands (row 106), or None."""
    if not game.terms.against_computer:
        return not_allowed("Nobody here has a level.")
    untouched = game.extra.takebacks == 0 and (game.ply == 0 or (game.ply == 1 and game.turn is side))
    return None if untouched else not_allowed("The level holds from your first move on.")


def level_set(game: Game, side: Colour, level: int, moment: Moment) -> Change:
    """The computer plays at another level."""
    seat = computer_seat(level)
    terms = replace(game.terms, black=seat) if side is Colour.WHITE else replace(game.terms, white=seat)
    extra = replace(game.extra, level=level)
    return changed(replace(game, terms=terms), ChangeKind.LEVEL_CHANGED, side, moment, extra)


def refuse_hint(game: Game, side: Colour) -> Refusal | None:
    """Why there is no hint (row 110), or None."""
    if not game.terms.against_computer:
        return not_allowed("Hints are given only against the computer.")
    return None if side is game.turn else Refusal(RefusalCode.NOT_YOUR_TURN, "It is not your turn.")


def hint_taken(game: Game, side: Colour, moment: Moment) -> Change:
    """The game keeps that there was help (row 111)."""
    return changed(game, ChangeKind.HINTED, side, moment, replace(game.extra, helped=True))
