"""Turns of correspondence that stand still for a vacation."""

from dataclasses import replace

from services.domain.clock import Deadline, DeadlineKind, Outages
from services.domain.colour import Colour
from services.domain.time_control import Correspondence
from services.game.play.commands.clocks import Rest
from services.game.play.commands.moving import Move
from services.game.play.commands.takebacks import OfferTakeback
from services.game.play.game import Game
from services.game.play.moment import NO_ANSWERS, Facts
from services.game.wire.messages import state_message
from tests.unit.game.deciding import DAY, LAWS, LIMITS, SECOND, B, W, after, ask, changed, game, played

LETTERS = game(2, Correspondence(3), LAWS)
BEGAN_MS = 2 * SECOND
REST = Rest(BEGAN_MS + 11 * DAY)


def due_ms(game: Game) -> int:
    deadline = game.deadline(LIMITS)
    assert deadline is not None
    assert deadline.kind is DeadlineKind.EXPIRY
    return deadline.at_ms


def test_a_turn_stands_still_until_the_vacation_ends() -> None:
    resting = after(LETTERS, W, REST, BEGAN_MS + DAY)
    assert due_ms(resting) == BEGAN_MS + 13 * DAY, "two days were left, and two are left on the eleventh"
    assert resting.look_ms == LETTERS.look_ms + 10 * DAY


def test_vacations_that_are_begun_again_and_again_do_not_add_up() -> None:
    resting = LETTERS
    for day in range(1, 6):
        resting = after(resting, W, Rest(BEGAN_MS + (10 + day) * DAY), BEGAN_MS + day * DAY)
    assert due_ms(resting) == BEGAN_MS + 15 * DAY + 2 * DAY, "what was left before the first is left after the last"


def test_a_vacation_that_ends_sooner_takes_the_rest_back() -> None:
    """Case S17."""
    resting = after(LETTERS, W, REST, BEGAN_MS + DAY)
    sooner = after(resting, W, Rest(BEGAN_MS + 3 * DAY), BEGAN_MS + 2 * DAY + 1)
    assert due_ms(sooner) == BEGAN_MS + 5 * DAY, "two days were left on the first, and two are left on the third"
    assert sooner.look_ms == LETTERS.look_ms + 2 * DAY
    again = after(sooner, W, Rest(BEGAN_MS + 3 * DAY), BEGAN_MS + 2 * DAY + 2)
    assert due_ms(again) == due_ms(sooner), "a repeated command changes nothing"
    later = after(again, W, REST, BEGAN_MS + 2 * DAY + 3)
    assert due_ms(later) == due_ms(resting)


def test_a_turn_that_began_in_the_vacation_ends_with_it_too() -> None:
    facts = Facts(answers=NO_ANSWERS, rests_until_ms=BEGAN_MS + 10 * DAY)
    moved = changed(ask(LETTERS, "anna", Move("e2e4"), BEGAN_MS + DAY, played(B), facts=facts))
    assert due_ms(moved) == BEGAN_MS + 13 * DAY
    sooner = after(moved, B, Rest(BEGAN_MS + 2 * DAY), BEGAN_MS + DAY + 1)
    assert due_ms(sooner) == BEGAN_MS + 5 * DAY
    over = after(moved, B, Rest(BEGAN_MS + 2 * DAY), BEGAN_MS + 12 * DAY)
    assert due_ms(over) == BEGAN_MS + 5 * DAY, "the end, however late its command comes"


def test_a_rest_of_an_older_release_grows_alone() -> None:
    resting = after(LETTERS, W, REST, BEGAN_MS + DAY)
    old = replace(resting, extra=replace(resting.extra, rests_until_ms=0))
    assert due_ms(after(old, W, Rest(BEGAN_MS + 12 * DAY), BEGAN_MS + 2 * DAY)) == BEGAN_MS + 15 * DAY


def test_it_ends_with_the_turn() -> None:
    resting = after(LETTERS, W, REST, BEGAN_MS + DAY)
    moved = after(resting, W, Move("e2e4"), BEGAN_MS + 2 * DAY)
    assert moved.deadline(LIMITS) == Deadline(BEGAN_MS + 5 * DAY, DeadlineKind.EXPIRY)
    back = after(after(resting, B, OfferTakeback(), BEGAN_MS + 2 * DAY), W, OfferTakeback(), BEGAN_MS + 2 * DAY)
    assert (back.turn, due_ms(back)) == (Colour.BLACK, BEGAN_MS + 5 * DAY)


def test_a_clock_is_shown_running_also_by_a_replica_whose_own_clock_is_behind() -> None:
    for now_ms, resting in ((BEGAN_MS - 5, LETTERS), (BEGAN_MS + 12 * DAY, after(LETTERS, W, REST, BEGAN_MS + DAY))):
        assert state_message(resting, LIMITS, Outages(), now_ms).running
    assert not state_message(after(LETTERS, W, REST, BEGAN_MS + DAY), LIMITS, Outages(), BEGAN_MS + 2 * DAY).running
