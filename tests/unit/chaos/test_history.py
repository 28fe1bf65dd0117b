"""The checker of `make chaos` finds what is wrong in a history. A sound one passes; each test breaks one thing."""

from dataclasses import replace

import chess
import pytest

from tests.chaos.facts import MOVE, Control, Event, Game, Rules, Seat, Span
from tests.chaos.history import lateness_ms
from tests.chaos.ledger import Ledger

RULES = Rules(grace_ms=100, first_move_ms=30_000, gap_ms=3_000, late_ms=5_000, expiry_late_ms=10_000)
CLOCK = Control("clock", initial_ms=60_000, increment_ms=1_000)
BEGAN = 1_000_000
LINE = (("e2e4", 2_000, 61_000), ("e7e5", 5_000, 58_000), ("g1f3", 9_000, 58_000), ("b8c6", 10_000, 58_000))
"""Each move, when after the beginning, and the mover's clock after it: 60 s and 1 s a move, the first free."""
FALLS = BEGAN + 10_000 + 58_000


def played(*line: tuple[str, int, int]) -> list[Event]:
    """The events of a game with these moves."""
    board = chess.Board()
    events = [Event(1, "created", BEGAN, "started", 0, board.fen(), white_ms=60_000, black_ms=60_000)]
    left = {True: 60_000, False: 60_000}
    for number, (uci, at_ms, clock_ms) in enumerate(line, 1):
        move = chess.Move.from_uci(uci)
        san, mover = board.san(move), board.turn
        board.push(move)
        left[mover] = clock_ms
        event = Event(number + 1, MOVE, BEGAN + at_ms, "started", number, board.fen(), uci=uci, san=san)
        who = "anna" if mover else "bert"
        event = replace(event, clock_ms=clock_ms, white_ms=left[True], black_ms=left[False], player=who)
        events.append(replace(event, command=f"ws:move{number}"))
    return events


def game_of(events: list[Event], control: Control = CLOCK) -> Game:
    """A game whose row agrees with its events."""
    last = events[-1]
    return Game(
        *("game", control, BEGAN, "anna", "bert", False, last.version, last.ply, last.fen, last.reason, False),
        events=tuple(events),
    )


def flag(events: list[Event], at_ms: int, winner: str | None = "black") -> Event:
    """White's time is up."""
    last = events[-1]
    return Event(last.version + 1, "ended", at_ms, "ended", last.ply, last.fen, "flag", winner)


def found(game: Game, *outages: Span, now_ms: int = BEGAN + 10_500, seats: tuple[Seat, ...] = ()) -> set[str]:
    """What the checker says."""
    ledger = Ledger(RULES)
    ledger.check_games([game], seats, seats, outages, now_ms, final=True)
    return {violation.what for violation in ledger.violations}


def test_a_sound_history_passes() -> None:
    events = played(*LINE)
    assert found(game_of(events)) == set()
    assert found(game_of([*events, flag(events, FALLS + 100)])) == set()


def test_a_gap_in_the_versions() -> None:
    events = played(*LINE)
    assert "versions with a gap" in found(game_of([*events[:2], *events[3:]]))


def test_a_version_of_the_row_that_no_event_has() -> None:
    game = game_of(played(*LINE))
    assert found(replace(game, version=6)) == {"row and events differ"}


def test_a_second_end() -> None:
    events = played(*LINE)
    events.append(flag(events, FALLS + 100))
    events.append(replace(flag(events, FALLS + 120), reason="resignation"))
    assert "ended more than once" in found(game_of(events))


def test_a_move_after_the_end() -> None:
    events = played(*LINE)
    events[3] = replace(events[3], status="ended", reason="resignation")
    assert "ended more than once" in found(game_of(events))


def test_a_doubled_move() -> None:
    events = played(*LINE, ("f3g1", 11_000, 58_000))
    events[5] = replace(events[5], command=events[3].command)
    assert found(game_of(events)) == {"command with two effects"}


def test_an_illegal_move() -> None:
    events = played(*LINE)
    events[2] = replace(events[2], uci="e7e4")
    assert found(game_of(events)) == {"illegal move"}


def test_a_position_that_is_another() -> None:
    events = played(*LINE)
    events[4] = replace(events[4], fen=chess.Board().fen())
    assert "wrong position" in found(game_of(events))


def test_a_mate_that_nobody_saw() -> None:
    line = (("f2f3", 1_000, 61_000), ("e7e5", 2_000, 60_000), ("g2g4", 3_000, 61_000), ("d8h4", 4_000, 60_000))
    events = played(*line)
    assert found(game_of(events)) == {"mate or stalemate not seen"}
    events[4] = replace(events[4], status="ended", reason="checkmate", winner="black")
    assert found(game_of(events)) == set()


@pytest.mark.parametrize(("clock_ms", "what"), [(57_990, "charged too much"), (58_010, "charged too little")])
def test_a_clock_that_was_charged_otherwise(clock_ms: int, what: str) -> None:
    events = played(*LINE[:3], ("b8c6", 10_000, clock_ms))
    assert found(game_of(events)) == {what}


def test_a_charge_to_the_player_who_is_not_to_move() -> None:
    events = played(*LINE)
    events[4] = replace(events[4], white_ms=57_000)
    assert found(game_of(events)) == {"clocks differ"}


def test_a_charged_outage() -> None:
    # Black thinks from 9 s to 20 s, of which nobody could move for 8 s.
    outage = Span(BEGAN + 10_000, BEGAN + 18_000)
    assert found(game_of(played(*LINE[:3], ("b8c6", 20_000, 56_000))), outage) == set()
    assert found(game_of(played(*LINE[:3], ("b8c6", 20_000, 48_000))), outage) == {"charged for an outage"}


def test_an_outage_that_is_still_young_need_not_be_known() -> None:
    # The move comes 2 s after the last beat, which nobody can know to be the last for long.
    outage = Span(BEGAN + 10_000, BEGAN + 18_000)
    for clock_ms in (56_000, 58_000):
        assert found(game_of(played(*LINE[:3], ("b8c6", 12_000, clock_ms))), outage) == set()
    assert found(game_of(played(*LINE[:3], ("b8c6", 12_000, 55_990))), outage) == {"charged too much"}
    # A move of 3 s after it ends the outage itself, and must not be charged with it.
    assert found(game_of(played(*LINE[:3], ("b8c6", 13_000, 55_000))), outage) == {"charged for an outage"}


def test_an_early_flag() -> None:
    events = played(*LINE)
    assert found(game_of([*events, flag(events, FALLS + 99)])) == {"early flag"}


def test_a_flag_within_an_outage_or_before_it_is_given_back() -> None:
    events = played(*LINE)
    outage = Span(FALLS - 10_000, FALLS - 5_000)
    assert found(game_of([*events, flag(events, FALLS + 100)]), outage) == {"early flag"}
    assert found(game_of([*events, flag(events, FALLS + 5_100)]), outage) == set()


def test_a_flag_of_the_wrong_side_or_without_a_win() -> None:
    events = played(*LINE)
    assert found(game_of([*events, flag(events, FALLS + 100, "white")])) == {"wrong flag"}
    assert found(game_of([*events, flag(events, FALLS + 100, None)])) == {"wrong flag"}


def test_a_flag_before_both_have_moved() -> None:
    events = played(LINE[0])
    ended = Event(3, "ended", BEGAN + 32_100, "aborted", 1, events[1].fen, "noFirstMove", None)
    assert found(game_of([*events, ended])) == set()
    assert found(game_of([*events, replace(ended, reason="flag", winner="white")])) == {"wrong flag"}


def test_a_flag_without_a_clock() -> None:
    events = [replace(event, clock_ms=0, white_ms=0, black_ms=0) for event in played(*LINE)]
    game = game_of([*events, flag(events, FALLS + 100)], Control("unlimited"))
    assert found(game) == {"flag without a clock"}


def test_a_late_flag_and_a_forgotten_one() -> None:
    events = played(*LINE)
    late = game_of([*events, flag(events, FALLS + 5_101)])
    assert found(late) == {"late flag"}
    assert lateness_ms(late, (), RULES) == 5_001
    assert found(game_of(events), now_ms=FALLS + 5_100) == set()
    assert found(game_of(events), now_ms=FALLS + 5_101) == {"forgotten flag"}
    # Nobody is late while nobody could move.
    assert found(game_of(events), Span(FALLS - 1_000, FALLS + 4_000), now_ms=FALLS + 5_101) == set()


def test_an_expiry() -> None:
    days = Control("correspondence", turn_ms=20_000)
    events = [replace(event, clock_ms=0, white_ms=0, black_ms=0) for event in played(*LINE)]
    ended = replace(flag(events, BEGAN + 30_100), reason="expiry")
    assert found(game_of([*events, ended], days)) == set()
    assert found(game_of([*events, replace(ended, at_ms=BEGAN + 30_099)], days)) == {"early flag"}
    assert found(game_of(events, days), now_ms=BEGAN + 40_101) == {"forgotten flag"}


def test_a_move_after_the_time_was_up() -> None:
    events = played(*LINE, ("f1b5", 68_000, 1_000))
    assert found(game_of(events)) == {"decided after the time was up"}


def test_a_lost_game() -> None:
    ledger = Ledger(RULES)
    seat = Seat("gone", "anna", "white")
    ledger.check_games([], [seat], [seat], (), BEGAN, final=True)
    assert [violation.what for violation in ledger.violations] == ["lost game"]
