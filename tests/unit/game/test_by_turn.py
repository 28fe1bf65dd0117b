"""In which order somebody's games are listed that go on."""

from dataclasses import replace

import pytest

from services.domain.clock import ChessClock
from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.rule_set import FIDE
from services.domain.time_control import Correspondence, TimeControl, Unlimited
from services.game.play.game import Extra, Game, Pause, Seat, Standing, Terms
from services.game.search.search import by_turn, turn_of

DAILY = Correspondence(3)
ANN, BOB = Seat("ann", "Ann"), Seat("bob", "Bob")


def game(id: str, turn: Colour, since_ms: int, control: TimeControl = DAILY) -> Game:
    """A game in which ann has White."""
    terms = Terms(id, "standard", FIDE, control, ANN, BOB, False, "friend", "", 0)
    standing = Standing("", b"", turn, False, "", frozenset(), None)
    return Game(terms, 1, standing, ChessClock(control, 0, 0, turn, 2, since_ms))


def test_own_turns_come_first_by_deadline_and_then_the_others_by_how_long_they_wait() -> None:
    games = [
        game("theirs-long", Colour.BLACK, 5),
        game("mine-later", Colour.WHITE, 1),
        game("theirs-short", Colour.BLACK, 9),
        game("mine-untimed-short", Colour.WHITE, 7, Unlimited()),
        game("mine-soon", Colour.WHITE, 8),
        game("mine-untimed-long", Colour.WHITE, 2, Unlimited()),
    ]
    due_ms = {"mine-later": 900, "mine-soon": 800, "theirs-long": 10, "theirs-short": 20}
    expected = ["mine-soon", "mine-later", "mine-untimed-long", "mine-untimed-short", "theirs-long", "theirs-short"]
    for order in (games, games[::-1]):
        assert [listed.terms.id for listed in by_turn(order, "ann", due_ms)] == expected
    assert [listed.terms.id for listed in by_turn(games, "bob", due_ms)][:2] == ["theirs-long", "theirs-short"]


@pytest.mark.parametrize("flagged", Colour)
def test_in_a_pause_it_is_the_turn_of_whoever_decides(flagged: Colour) -> None:
    pause = Pause(flagged, 5, Outcome(flagged.other, EndReason.FLAG))
    paused = replace(game("paused01", Colour.WHITE, 1), extra=Extra(pause=pause))
    assert turn_of(paused, "ann") == (flagged is Colour.BLACK)
    assert turn_of(paused, "bob") == (flagged is Colour.WHITE)
