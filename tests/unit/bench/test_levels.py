"""The match between levels: its arithmetic, its openings, and a few moves with the own small engine."""

import json
import os
import random
import sys
from itertools import islice
from typing import Any

import pytest

from bench import levels
from bench.level_games import OPENING_PLIES, Played, Player, openings, play_game
from bench.level_scores import Result, Score, percent, result_for
from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.workers.engine_pool import OWN_ENGINE
from services.workers.levels import LEVELS, Level
from services.workers.mover import Mover
from services.workers.turn import Position

WHITE, BLACK = Colour.WHITE, Colour.BLACK
PLIES = 10


class Line(Mover):
    """Plays the moves it was given, in their order, and notes what it was asked."""

    def __init__(self, *moves: str) -> None:
        self.moves = list(moves)
        self.asked: list[Position] = []

    async def choose(self, position: Position, level: Level) -> str:
        self.asked.append(position)
        return self.moves.pop(0)


def player(number: int, *moves: str) -> Player:
    return Player(LEVELS[number], Line(*moves))


@pytest.mark.parametrize(
    ("score", "share", "interval"),
    [
        (Score(70, 0, 30), 0.7, (60.4, 78.1)),
        (Score(50, 40, 10), 0.7, (60.4, 78.1)),  # a draw is half a point to each
        (Score(10, 0, 0), 1.0, (72.2, 100.0)),
        (Score(0, 0, 10), 0.0, (0.0, 27.8)),
        (Score(0, 1, 0), 0.5, (5.5, 94.5)),  # one game says next to nothing
    ],
)
def test_points_and_how_sure_they_are(score: Score, share: float, interval: tuple[float, float]) -> None:
    assert score.share == share
    assert tuple(percent(end) for end in score.interval) == interval


def test_more_games_say_more() -> None:
    few, many = Score(7, 0, 3).interval, Score(700, 0, 300).interval
    assert few[0] < many[0] < 0.7 < many[1] < few[1]


def test_no_game_has_no_score() -> None:
    with pytest.raises(ValueError, match="no game"):
        _ = Score().share


@pytest.mark.parametrize(
    ("outcome", "for_white", "for_black"),
    [
        (Outcome(WHITE, EndReason.CHECKMATE), Result.WIN, Result.LOSS),
        (Outcome(BLACK, EndReason.CHECKMATE), Result.LOSS, Result.WIN),
        (Outcome(None, EndReason.STALEMATE), Result.DRAW, Result.DRAW),
        (None, Result.DRAW, Result.DRAW),  # too long
    ],
)
def test_a_game_is_counted_for_the_side_that_was_held(
    outcome: Outcome | None, for_white: Result, for_black: Result
) -> None:
    assert (result_for(WHITE, outcome), result_for(BLACK, outcome)) == (for_white, for_black)


def test_results_are_added_up() -> None:
    score = Score()
    for result in (Result.WIN, Result.DRAW, Result.WIN, Result.LOSS, Result.WIN):
        score = score.plus(result)
    assert score == Score(3, 1, 1)
    assert score.games == 5


def test_openings_are_the_same_for_a_seed_and_differ_from_each_other() -> None:
    first, again, other = (list(islice(openings(random.Random(seed)), 40)) for seed in (1, 1, 2))
    assert first == again != other
    assert len(set(islice(openings(random.Random(1), 1), 20))) == 20  # all first moves there are
    assert {len(opening) for opening in first} == {OPENING_PLIES}


def test_no_opening_is_a_game_that_is_over() -> None:
    class Fool(random.Random):
        """Plays the shortest mate first."""

        line = iter(("f2f3", "e7e5", "g2g4", "d8h4"))

        def choice(self, seq: Any) -> Any:
            return next(self.line, None) or super().choice(seq)

    assert next(openings(Fool(1)))[:4] != ("f2f3", "e7e5", "g2g4", "d8h4")


async def test_a_game_ends_by_the_rules_and_its_players_are_told_all_of_it() -> None:
    white, black = player(1, "g2g4"), player(2, "d8h4")
    played = await play_game(white, black, ("f2f3", "e7e5"), 100)
    assert played.outcome == Outcome(BLACK, EndReason.CHECKMATE)
    assert played.moves == ("f2f3", "e7e5", "g2g4", "d8h4")
    assert isinstance(black.mover, Line)
    (asked,) = black.mover.asked
    assert (asked.variant, asked.initial_fen, asked.moves) == ("standard", "", ("f2f3", "e7e5", "g2g4"))
    assert asked.fen == "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"
    assert "d8h4" in asked.legal
    assert (white.moves, black.moves) == (1, 1)


async def test_a_third_repetition_is_a_draw() -> None:
    played = await play_game(player(1, *["g1f3", "f3g1"] * 3), player(2, *["g8f6", "f6g8"] * 3), (), 100)
    assert played.outcome == Outcome(None, EndReason.REPETITION)
    assert len(played.moves) == 8


async def test_a_game_that_takes_too_long_has_no_outcome() -> None:
    played = await play_game(player(1, "g1f3", "f3g1"), player(2, "g8f6", "f6g8"), (), 4)
    assert played.outcome is None
    assert len(played.moves) == 4


async def test_a_move_that_the_rules_refuse_ends_the_measure() -> None:
    with pytest.raises(ValueError, match="e2e5"):
        await play_game(player(1, "e2e5"), player(2), (), 10)


async def test_each_opening_is_played_with_both_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    seats: list[tuple[int, int, tuple[str, ...]]] = []

    async def play(white: Player, black: Player, opening: tuple[str, ...], plies_max: int) -> Played:
        seats.append((white.level.number, black.level.number, opening))
        return Played(Outcome(WHITE, EndReason.CHECKMATE), opening)

    monkeypatch.setattr(levels, "play_game", play)
    match = levels.Match(player(3), player(2))
    await levels.play_match(match, 4, 100, 1, float("inf"))
    assert [seat[:2] for seat in seats] == [(3, 2), (2, 3)] * 2
    openings_played = [seat[2] for seat in seats]
    assert openings_played[0] == openings_played[1] != openings_played[2] == openings_played[3]
    assert match.score == Score(wins=2, losses=2)  # White won all, and each held White twice


async def test_no_game_is_begun_after_the_time_but_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(*_: object) -> Played:
        return Played(None, ())

    monkeypatch.setattr(levels, "play_game", play)
    match = levels.Match(player(3), player(2))
    await levels.play_match(match, 10, 100, 1, 0.0)
    assert (match.score, match.capped) == (Score(draws=1), 1)


def test_pairs_are_read_and_what_is_none_is_refused() -> None:
    assert levels.pairs_of("10-9,2-1") == [(LEVELS[10], LEVELS[9]), (LEVELS[2], LEVELS[1])]
    for text in ("1-2", "3-3", "11-10", "3", "", "a-b"):
        with pytest.raises(ValueError, match=r"level|int"):
            levels.pairs_of(text)


async def test_two_levels_play_a_few_real_moves_and_all_is_told() -> None:
    figures = await levels.measure([(LEVELS[3], LEVELS[1])], OWN_ENGINE, 2, PLIES, 1, float("inf"))
    (name,) = figures
    told = json.loads(json.dumps(figures[name]))
    assert name == "3-1"
    assert told["games"] == told["wins"] + told["draws"] + told["losses"] == 2
    assert told["capped"] == 2
    assert told["plies_a_game"] == PLIES
    assert sum(told["by"].values()) == 2 * (PLIES - OPENING_PLIES)
    assert set(told["by"]) == {"chance", "engine"}, "no move came from anything that stands in for an engine"
    assert set(told["mean_ms_a_move"]) == {"1", "3"}
    assert told["cpu_ms_a_move"] > 0


async def test_a_player_leaves_no_engine_behind() -> None:
    async with levels.seated(LEVELS[5], OWN_ENGINE, 1) as seated:
        pool = seated.mover._engines
        (engine,) = pool._idle
        os.kill(engine._process.pid, 0)  # it is there
    with pytest.raises(ProcessLookupError):
        os.kill(engine._process.pid, 0)


async def test_what_stands_in_for_an_engine_is_not_measured_in_its_place() -> None:
    with pytest.raises(RuntimeError, match="cannot be started"):
        async with levels.seated(LEVELS[5], ("/nowhere/engine",), 1):
            pass


def test_without_an_engine_nothing_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FLAGFALL_ENGINE_COMMAND", "none")
    monkeypatch.setattr(sys, "argv", ["levels", "--games", "1"])
    with pytest.raises(SystemExit):
        levels.main()
    assert "no engine" in capsys.readouterr().err


def test_the_engine_is_the_named_one_or_the_installed_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FLAGFALL_ENGINE_COMMAND", raising=False)
    monkeypatch.setattr(levels, "engine_command", lambda _: ("installed",))
    assert levels.engine_of("") == ("installed",)
    assert levels.engine_of("own") == OWN_ENGINE
    assert levels.engine_of("some engine") == ("some", "engine")
    monkeypatch.setenv("FLAGFALL_ENGINE_COMMAND", "set already")
    assert levels.engine_of("") == ("set", "already")
