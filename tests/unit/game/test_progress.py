"""Badges are data: which wins each takes, and when it was earned."""

from dataclasses import replace

import pytest

from services.domain.colour import Colour
from services.domain.level import LEVELS
from services.domain.outcome import EndReason, Outcome
from services.domain.variant import Variant
from services.game.computer.progress import Badge, Beaten, badges, win_of
from services.game.play.game import Extra, computer_seat
from tests.unit.game.deciding import new_game

KEYED = {badge.key: badge for badge in badges()}


def won(level: int, at_ms: int, *, variant: str = "standard", helped: bool = False) -> Beaten:
    return Beaten(variant, level, 1, int(not helped), at_ms, None if helped else at_ms)


def test_every_badge_can_be_earned_by_beating_everything_and_none_by_nothing() -> None:
    everything = [won(level, 5, variant=variant) for variant in Variant for level in LEVELS]
    assert len(KEYED) == len(badges()) > 5
    for badge in badges():
        assert badge.earned_ms([]) is None
        assert badge.earned_ms(everything) == 5
        assert badge.name
        assert badge.description


def test_help_spoils_only_what_is_for_wins_without_it() -> None:
    helped = [won(10, 7, helped=True)]
    assert KEYED["firstWin"].earned_ms(helped) == 7
    assert KEYED["onYourOwn"].earned_ms(helped) is None
    assert KEYED["master"].earned_ms(helped) is None
    # A later win without help counts from that win on.
    row = Beaten("standard", 10, 2, 1, 7, 9)
    assert (KEYED["firstWin"].earned_ms([row]), KEYED["master"].earned_ms([row])) == (7, 9)


def test_a_badge_is_earned_with_the_last_win_that_it_takes() -> None:
    ladder = [won(level, 100 - level) for level in LEVELS]
    assert KEYED["ladder"].earned_ms(ladder) == 99
    assert KEYED["ladder"].earned_ms(ladder[1:]) is None
    assert KEYED["ladder"].earned_ms([*ladder[1:], won(1, 500, variant="atomic")]) is None
    two = [won(5, 3, variant="shatranj"), won(9, 8, variant="chaturanga")]
    assert KEYED["oldMaster"].earned_ms(two) == 8
    assert KEYED["oldMaster"].earned_ms([won(4, 3, variant="shatranj"), two[1]]) is None


def test_a_higher_level_counts_for_a_badge_from_a_level_on_and_a_lower_one_does_not() -> None:
    assert KEYED["clubPlayer"].earned_ms([won(9, 1)]) == 1
    assert KEYED["clubPlayer"].earned_ms([won(5, 1)]) is None


@pytest.mark.parametrize(
    ("winner", "reason", "counts"),
    [
        (Colour.WHITE, EndReason.CHECKMATE, True),
        (Colour.WHITE, EndReason.FLAG, True),
        (Colour.BLACK, EndReason.CHECKMATE, False),
        (None, EndReason.STALEMATE, False),
        (None, EndReason.ABORT, False),
    ],
)
def test_which_ends_are_wins_of_a_person(winner: Colour | None, reason: EndReason, counts: bool) -> None:
    game = replace(new_game(black=computer_seat(4)), outcome=Outcome(winner, reason), ended_ms=77)
    row = win_of(replace(game, extra=Extra(helped=True)))
    if not counts:
        assert row is None
        return
    assert row == {
        "game_id": game.terms.id,
        "player_id": "anna",
        "variant": "standard",
        "level": 4,
        "helped": True,
        "at_ms": 77,
    }


def test_a_win_against_a_person_is_no_progress() -> None:
    game = replace(new_game(), outcome=Outcome(Colour.WHITE, EndReason.CHECKMATE), ended_ms=77)
    assert win_of(game) is None


@pytest.mark.parametrize(
    ("variant", "fen", "counts"),
    [
        (Variant.STANDARD, "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", False),
        (Variant.STANDARD, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", True),
        (Variant.CHESS960, "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1", True),
        (Variant.CHESS960, "4k3/8/8/8/8/8/8/R3K2Q w - - 0 1", False),
        (Variant.SHATRANJ, "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1", True),
        (Variant.SHATRANJ, "rnbkqbnr/pppppppp/8/8/8/8/8/RNBKQBNR w - - 0 1", False),
    ],
)
def test_only_a_game_from_the_array_is_progress(variant: Variant, fen: str, counts: bool) -> None:
    game = replace(new_game(black=computer_seat(10)), outcome=Outcome(Colour.WHITE, EndReason.CHECKMATE), ended_ms=77)
    game = replace(game, terms=replace(game.terms, variant=variant, initial_fen=fen))
    assert (win_of(game) is not None) is counts


def test_a_badge_may_ask_for_any_variant() -> None:
    badge = Badge("k", "n", "d", (), (frozenset([3]),), without_help=False)
    assert badge.earned_ms([won(3, 4, variant="atomic"), won(3, 2, variant="shatranj")]) == 2
