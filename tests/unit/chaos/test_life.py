"""The checker of `make chaos` knows a game's whole life: takebacks, pauses, absence, conditional moves, ratings."""

from dataclasses import replace
from typing import Any

import pytest

from tests.chaos.facts import MOVE, PAUSED, TAKEN_BACK, Command, Control, Event, Game, Lines
from tests.chaos.ledger import Ledger
from tests.chaos.scores import Point, Scores
from tests.unit.chaos.test_answers import seats_of
from tests.unit.chaos.test_history import BEGAN, CLOCK, FALLS, LINE, RULES, flag, found, game_of, played

ASKS = BEGAN + 11_000


def then(events: list[Event], kind: str, at_ms: int, by: str, **own: Any) -> Event:
    """Something after these events that leaves the position."""
    last = events[-1]
    event = Event(last.version + 1, kind, at_ms, "started", last.ply, last.fen, by=by, takebacks=last.takebacks)
    return replace(event, player={"white": "anna", "black": "bert"}.get(by, ""), **own)


def taken_back(clock_ms: int = 58_500) -> list[Event]:
    """Black asks to take its second move back, White agrees at 12 s, and Black plays another one at 14 s."""
    events = played(*LINE)
    events.append(then(events, "takebackOffered", ASKS, "black"))
    events.append(then(events, TAKEN_BACK, BEGAN + 12_000, "white", ply=3, fen=events[3].fen, takebacks=1))
    again = played(*LINE[:3], ("d7d6", 14_000, clock_ms))[-1]
    # Black had 58 s after its first move; it thought for 2 s and has 1 s more.
    events.append(replace(again, version=8, takebacks=1, command="ws:move7"))
    return events


def test_a_takeback_by_consent_brings_clocks_back() -> None:
    assert found(game_of(taken_back(57_000))) == set()
    assert found(game_of(taken_back(56_990))) == {"charged too much"}
    assert found(game_of(taken_back(57_010))) == {"charged too little"}


def test_a_takeback_without_consent_or_of_other_moves() -> None:
    events = taken_back(57_000)
    assert found(game_of([*events[:5], then(events[:5], "drawOffered", ASKS, "black"), *events[6:]])) == {
        "taken back without consent"
    }
    assert "taken back without consent" in found(game_of([*events[:6], replace(events[6], by="black"), events[7]]))
    further = replace(events[6], ply=2, fen=events[2].fen)
    assert "wrong moves taken back" in found(game_of([*events[:6], further]))
    assert "takebacks miscounted" in found(game_of([*events[:6], replace(events[6], takebacks=0), events[7]]))


def test_a_whole_game_that_was_told_without_the_takeback() -> None:
    events = taken_back(57_000)
    white, black = seats_of(events)
    line = tuple(move[0] for move in LINE)
    white.wholes = [(6, line), (7, line[:3]), (8, (*line[:3], "d7d6"))]
    assert "seen otherwise" not in found(game_of(events), seats=(white,))
    black.wholes = [(7, line)]
    assert "seen otherwise" in found(game_of(events), seats=(black,))


def undone(*, computer: bool = True) -> Game:
    """A resignation that is undone, with the move before it."""
    events = played(*LINE)
    resigned = then(events, "ended", ASKS, "white", status="ended", reason="resignation", winner="black")
    events.append(resigned)
    events.append(then(events, TAKEN_BACK, BEGAN + 90_000, "white", ply=2, fen=events[2].fen, takebacks=1))
    return replace(game_of(events), against_computer=computer)


def test_an_end_is_undone_against_the_computer_alone() -> None:
    assert found(undone(), now_ms=BEGAN + 91_000) == set()
    assert "ended more than once" in found(undone(computer=False), now_ms=BEGAN + 91_000)


def test_time_that_was_given() -> None:
    events = played(*LINE)
    given = then(events, "timeGiven", ASKS, "black")
    late = flag([*events, given], FALLS + 15_100)
    assert found(game_of([*events, given, late])) == set()
    assert found(game_of([*events, given, replace(late, at_ms=FALLS + 100)])) == {"early flag"}


def paused() -> tuple[list[Event], Game]:
    """White's flag fell, and Black decides for 8 s."""
    events = played(*LINE)
    events.append(replace(then(events, PAUSED, FALLS + 100, "white"), player=""))
    return events, replace(game_of(events), decides=True)


def test_a_flag_that_pauses() -> None:
    events, game = paused()
    assert found(game, now_ms=FALLS + 1_000) == set()
    early = replace(events[-1], at_ms=FALLS + 99)
    assert found(replace(game, events=(*events[:-1], early)), now_ms=FALLS) == {"early flag"}
    assert found(replace(game, decides=False), now_ms=FALLS + 1_000) == {"wrong flag"}
    assert found(game, now_ms=FALLS + 100 + 8_000 + 5_101) == {"forgotten flag"}
    fallen = replace(game_of([*events[:-1], flag(events[:-1], FALLS + 100)]), decides=True)
    assert found(fallen, now_ms=FALLS + 1_000) == {"wrong flag"}


@pytest.mark.parametrize(
    ("at_ms", "by", "what"),
    [
        (8_100, "", set[str]()),
        (8_099, "", {"early flag"}),
        (1_000, "black", set[str]()),
        (1_000, "white", {"wrong flag"}),
        (8_000, "black", {"decided after the time was up"}),
    ],
)
def test_what_ends_a_pause(at_ms: int, by: str, what: set[str]) -> None:
    events, _ = paused()
    ends = then(events, "ended", FALLS + 100 + at_ms, by, status="ended", reason="flag", winner="black")
    assert found(replace(game_of([*events, ends]), decides=True)) == what


def test_going_on_without_a_clock() -> None:
    events, _ = paused()
    events.append(then(events, "goingOnOffered", FALLS + 500, "black"))
    events.append(then(events, "wentOn", FALLS + 900, "white"))
    game = replace(game_of(events), decides=True)
    assert found(game, now_ms=FALLS + 900_000) == set()
    fallen = then(events, "ended", FALLS + 900_000, "", status="ended", reason="flag", winner="black")
    assert "flag without a clock" in found(replace(game_of([*events, fallen]), decides=True))


def test_a_time_for_each_turn() -> None:
    control = Control("perMove", turn_ms=30_000)
    events = [replace(event, clock_ms=0, white_ms=0, black_ms=0) for event in played(*LINE)]
    fallen = flag(events, BEGAN + 40_100)
    assert found(game_of([*events, fallen], control)) == set()
    assert found(game_of([*events, replace(fallen, at_ms=BEGAN + 40_099)], control)) == {"early flag"}
    taken = replace(then(events, "seatTaken", BEGAN + 40_100, "white"), player="")
    anew = flag([*events, taken], BEGAN + 70_200)
    assert found(game_of([*events, taken, anew], control)) == set()
    assert found(game_of([*events, taken, replace(anew, at_ms=BEGAN + 70_199)], control)) == {"early flag"}


def absent(**own: Any) -> set[str]:
    """Black has won at 40 s since White had left, with what is known of White."""
    events = played(*LINE)
    won = then(events, "ended", BEGAN + 40_000, "black", status="ended", reason="absence", winner="black")
    events.append(replace(won, command="ws:win1"))
    seats = seats_of(events)
    seats[0].here, seats[0].left = [(BEGAN, BEGAN + 24_000)], [BEGAN + 24_000]
    for name, value in own.items():
        setattr(seats[0], name, value)
    return found(game_of(events), seats=seats) - {"a command that nobody sent"}


def test_a_win_over_somebody_who_had_left() -> None:
    assert absent() == set()
    assert absent(left=[BEGAN + 30_000]) == {"lost by absence while coming back"}
    assert absent(left=[]) == {"lost by absence while coming back"}
    assert absent(here=[(BEGAN, None)]) == {"gone though connected"}
    assert absent(here=[(BEGAN, BEGAN + 24_000), (BEGAN + 30_000, BEGAN + 31_000)]) == {"gone though connected"}


def answered(event: Event, *lines: Lines) -> set[str]:
    """White's second move is followed by this; Black had set these lines."""
    events = [replace(e, clock_ms=0, white_ms=0, black_ms=0, by="white") for e in played(*LINE[:3])]
    events[2] = replace(events[2], by="black")
    seats = seats_of(events)
    seats[1].lines = list(lines)
    events.append(replace(event, clock_ms=0, white_ms=0, black_ms=0, by="black"))
    return found(game_of(events, Control("correspondence", turn_ms=20_000)), seats=seats)


def test_conditional_moves() -> None:
    answer = replace(played(*LINE[:3], ("b8c6", 9_000, 0))[-1], command="")
    lines = Lines(2, {"g1f3": "b8c6"}, BEGAN + 6_000, BEGAN + 7_000)
    assert answered(answer, lines) == set()
    assert answered(answer, replace(lines, acked_ms=None)) == set()
    assert answered(answer) == {"a command that nobody sent"}
    before = replace(lines, answers={"g1f3": "d7d6"})
    assert answered(answer, before, replace(lines, acked_ms=None)) == set()
    assert answered(answer, lines, before) == {"conditional move not played"}
    assert answered(answer, replace(lines, ply=0)) == {"a command that nobody sent"}
    late = replace(answer, at_ms=BEGAN + 9_500)
    assert answered(late, lines) == {"conditional move not played", "a command that nobody sent"}
    late = replace(late, command="ws:own")
    assert "conditional move not played" in answered(late, lines)


OWNERS = (("anna", "standard", "blitz"), ("bert", "standard", "blitz"))


def scored(scores: Scores, **own: Any) -> set[str]:
    """A rated game that Black won on time, which gave it 10 and took 10."""
    events = played(*LINE)
    events.append(replace(flag(events, FALLS + 100), diffs=(-10, 10)))
    ledger = Ledger(RULES)
    game = replace(game_of(events, CLOCK), rated=True)
    ledger.check_scores([replace(game, **own)], scores)
    return {violation.what for violation in ledger.violations}


def test_ratings_are_the_sum_of_their_games() -> None:
    points = (Point(OWNERS[0], "game", 1, 1490.2), Point(OWNERS[1], "game", 1, 1509.8))
    ratings = {OWNERS[0]: (1490.2, 1), OWNERS[1]: (1509.8, 1)}
    sound = Scores(ratings, points)
    assert scored(sound) == set()
    assert scored(replace(sound, points=points[:1])) == {"rated wrongly", "rating and points differ"}
    assert scored(replace(sound, ratings={**ratings, OWNERS[0]: (1490.2, 2)})) == {"rating and points differ"}
    other = replace(points[0], value=1480.0)
    assert scored(Scores({**ratings, OWNERS[0]: (1480.0, 1)}, (other, points[1]))) == {"told another rating"}
    assert scored(sound, rated=False) == {"rated wrongly", "rating difference missing or made up"}
    second = replace(points[0], number=2)
    assert "rating points with a gap" in scored(replace(sound, points=(second, points[1])))


def test_progress_and_rematches() -> None:
    assert scored(Scores(), rated=False, against_computer=True, white="computer") == {
        "progress differs",
        "rating difference missing or made up",
    }
    ledger = Ledger(RULES)
    first = game_of([*played(*LINE), flag(played(*LINE), FALLS + 100)])
    again = replace(game_of(played(*LINE)), id="again", created_ms=FALLS + 200, rematch_of="game")
    ledger.check_scores([first, again], Scores())
    assert ledger.violations == []
    ledger.check_scores([first, again, replace(again, id="third"), replace(again, id="early", created_ms=0)], Scores())
    assert {violation.what for violation in ledger.violations} == {"two rematches", "rematch before the end"}


def test_moves_that_were_overtaken_have_something_that_overtook_them() -> None:
    events = taken_back(57_000)
    events[6] = replace(events[6], command="ws:takeback7")
    white, _ = seats_of(events)
    agreed = Command("takeback7", "takeback", "", 4, 6, BEGAN + 12_000, acked=7)
    late = Command("late", MOVE, "f1b5", 4, 6, BEGAN + 12_000, refused="stale_version", answered_ms=BEGAN + 12_500)
    white.commands |= {"takeback7": agreed, "late": late}
    assert found(game_of(events), seats=(white,)) == set()
    late.answered_ms = BEGAN + 11_500
    assert found(game_of(events), seats=(white,)) == {"refused without a cause"}
    late.answered_ms, agreed.kind = BEGAN + 12_500, "notakeback"
    assert found(game_of(events), seats=(white,)) == {"another effect"}
