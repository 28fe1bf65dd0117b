"""Whole games and positions of known worth, from the public data."""

import json
from pathlib import Path

import chess
import chess.pgn
import pytest

from services.domain.colour import Colour
from services.domain.rule_set import CLAIMED
from services.rules.families.family import STANDARD
from services.rules.families.material import cannot_win
from services.rules.judge import Play, Played, Position, Start, judge
from services.rules.limits import LIMITS
from services.rules.notation.fen import read_fen
from services.rules.notation.position_check import check_position
from services.rules.standing import Standing

pytestmark = pytest.mark.needs("conformance")


def follow(board: chess.Board, moves: list[chess.Move], spelled_as_san: bool) -> None:
    """Play a game here and with the library and compare what is known after each move."""
    standing = judge(Start("standard", board.fen()), CLAIMED, LIMITS)
    assert isinstance(standing, Standing)
    for move in moves:
        san = board.san(move)
        question = Play(Position("standard", standing.fen, standing.keys), san if spelled_as_san else move.uci())
        played = judge(question, CLAIMED, LIMITS)
        assert isinstance(played, Played), f"{board.fen()} {san}: {played}"
        assert (played.uci, played.san) == (move.uci(), san)
        board.push(move)
        standing = played.standing
        assert standing.fen == board.fen()
        assert standing.check == board.is_check()
        if standing.outcome is None:
            assert list(standing.legal) == sorted(reply.uci() for reply in board.legal_moves)


def test_the_long_random_game(conformance_folder: Path) -> None:
    games = json.loads((conformance_folder / "games" / "random_games_310plies_8variants.json").read_text())
    game = games["chess"]
    moves = [chess.Move.from_uci(text) for text in game["moves"]]
    assert len(moves) == 310
    for spelled_as_san in (False, True):
        follow(chess.Board(game["fen"]), moves, spelled_as_san)


@pytest.mark.parametrize(("name", "games_at_least"), [("kasparov-deep-blue-1997", 6), ("molinari-bordais-1979", 1)])
def test_master_games(conformance_folder: Path, name: str, games_at_least: int) -> None:
    followed = 0
    with (conformance_folder / "pgn" / f"{name}.pgn").open() as file:
        while game := chess.pgn.read_game(file):
            follow(game.board(), list(game.mainline_moves()), True)
            followed += 1
    assert followed >= games_at_least


def test_no_real_flag_was_against_certain_material(conformance_folder: Path) -> None:
    """The sides that won real games on time could all still mate by what their material says, but for a few."""
    lines = (conformance_folder / "unwinnable" / "timeouts.txt").read_text().splitlines()
    surely_not = 0
    for fen in lines:
        board = read_fen(fen, LIMITS, STANDARD)
        check_position(board, STANDARD)
        surely_not += cannot_win(board, Colour.BLACK if board.turn else Colour.WHITE)
    assert len(lines) == 1_000
    assert surely_not < 10
