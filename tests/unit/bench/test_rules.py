"""The bench of the rules: it ends with all its figures, and its yardstick does what a judged move takes."""

import json
import sys

import chess
import pytest

from bench import rules
from bench.rules_beside import BOARDS, from_fen_alone, live_alone, live_whole_alone
from bench.rules_games import long_game, random_games
from bench.rules_perft import leaves_alone
from services.domain.variant import Variant
from services.rules.limits import LIMITS
from services.rules.server import answer
from services.rules.standing import Ruling


def test_its_last_line_has_the_costs_of_all_variants(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["bench.rules", "--repeat", "1", "--plies", "12", "--only", "costs"])
    monkeypatch.setattr(rules, "late_over_early", lambda repeat: 1.0)
    rules.main()
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert set(figures["variants"]) == set(Variant)
    for variant, costs in figures["variants"].items():
        for what in ("from_fen_us", "live_us", "live_whole_us"):
            assert costs[what] > 0
            assert (costs[f"chess_{what}"] is None) == (variant not in BOARDS)
        assert costs["live_us"] < costs["from_fen_us"]


@pytest.mark.parametrize("variant", list(BOARDS))
def test_the_yardstick_does_the_same_work(variant: str) -> None:
    for question in random_games(Variant(variant), 12):
        played = answer(question, "play", LIMITS).played
        san, legal, check, _, _ = from_fen_alone(question)()
        assert (san, legal, check) == live_whole_alone(question)()()[:3]
        assert san.rstrip("+#") == played.san.rstrip("+#").removeprefix("P" if "@" in played.san else " ")
        if played.standing.legal:
            assert legal == played.standing.legal.split()
        assert check == played.standing.check


@pytest.mark.parametrize("variant", list(BOARDS))
def test_the_live_yardstick_does_the_same_work(variant: str) -> None:
    for question in random_games(Variant(variant), 60):
        ruling = rules.live(question)()()
        assert isinstance(ruling, Ruling)
        can_move, check, _ = live_alone(question)()()
        assert check == ruling.check
        assert can_move or ruling.outcome is not None


def test_the_long_game_grows_its_history() -> None:
    game = long_game(60)
    assert len(game) == 60
    assert max(len(question.play.position.keys) for question in game) > 8 * 30


def test_the_yardstick_counts_right() -> None:
    assert leaves_alone(chess.Board(), 3) == 8_902
