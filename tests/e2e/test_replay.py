"""Real games through the whole stack, as two clients each: every position, clock and end is that of the file."""

import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import chess
import pytest

from bench.pgn_games import Expected, read_games
from bench.replay import replay_all
from deploy.laptop.node import ROOT
from tests.conftest import MakeFlagfall
from tests.stack.running import RunningFlagfall

GAMES = 40
MASTER_GAMES = 7
SHORT_GAMES, SHORT_AT_ONCE = 60, 2
GUESTS = 2 * (GAMES + MASTER_GAMES + SHORT_AT_ONCE + 1)
FOOLS_MATE = "1. f3 e5 2. g4 Qh4# 0-1"
CLI_WITHIN_S = 60.0
PLIES_MAX = 240
SHUFFLING_FROM_PLY = 90

Choose = Callable[[random.Random, chess.Board], chess.Move]


@pytest.fixture(scope="module")
def server(make_flagfall_for_session: MakeFlagfall) -> RunningFlagfall:
    """A stack on which one address may make the guests that these tests need at once, and no more."""
    return make_flagfall_for_session({"FLAGFALL_SIGN_UPS_PER_HOUR": str(GUESTS)})


def any_move(chance: random.Random, board: chess.Board) -> chess.Move:
    return chance.choice(list(board.legal_moves))


def quiet_move(chance: random.Random, board: chess.Board) -> chess.Move:
    """Towards the draw by 75 moves without a capture or a pawn's move."""
    legal = list(board.legal_moves)
    return chance.choice([move for move in legal if not board.is_zeroing(move)] or legal)


def shuffling_move(chance: random.Random, board: chess.Board) -> chess.Move:
    """Late in the game back to where the piece came from: towards the draw by fivefold repetition."""
    if board.ply() > SHUFFLING_FROM_PLY:
        own = board.move_stack[-2]
        back = chess.Move(own.to_square, own.from_square)
        if board.is_legal(back) and not board.is_zeroing(back):
            return back
        return quiet_move(chance, board)
    return any_move(chance, board)


def generated_game(seed: int, choose: Choose) -> Expected:
    """A game to its end by the rules; else to the limit, and then given up or agreed drawn."""
    chance = random.Random(seed)
    board = chess.Board()
    while board.ply() < PLIES_MAX and not board.is_game_over():
        board.push(choose(chance, board))
    result = board.result() if board.is_game_over() else chance.choice(("1-0", "0-1", "1/2-1/2"))
    return Expected.of(f"generated game {seed} ({choose.__name__})", board.move_stack, result, chess.Board())


@pytest.mark.thorough
async def test_forty_generated_games_at_once(server: RunningFlagfall) -> None:
    kinds = (any_move, quiet_move, any_move, shuffling_move)
    games = [generated_game(seed, kinds[seed % len(kinds)]) for seed in range(GAMES)]
    results = await replay_all(games, server.address, at_once=GAMES)
    assert [line for played in results for line in played.differences] == []
    assert [played.moves for played in results] == [len(game.moves) for game in games]
    reasons = Counter(played.reason for played in results)
    # Every way to end that games of this length come to.
    assert reasons.keys() >= {"checkmate", "moveCount", "repetition", "resignation", "agreement"}, reasons


@pytest.mark.needs("conformance")
async def test_master_games(server: RunningFlagfall, conformance_folder: Path) -> None:
    """All standard games with moves of the public PGN files."""
    games: list[Expected] = []
    for path in sorted((conformance_folder / "pgn").glob("*.pgn")):
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            for game in read_games(file):
                game.name = f"{path.name}, {game.name}"
                games.append(game)
    results = await replay_all(games, server.address, at_once=len(games))
    assert [line for played in results for line in played.differences] == []
    # Six games of Kasparov and Deep Blue, one of Molinari and Bordais; the other files have variants, or no moves.
    assert (len(results), sum(played.moves for played in results)) == (MASTER_GAMES, 529)


def replayed(path: Path, url: str, *words: str) -> tuple[int, list[str], dict[str, int]]:
    """The exit status of `python -m bench.replay`, its lines of differences, and its last line."""
    command = (sys.executable, "-m", "bench.replay", str(path), "--url", url, *words)
    ran = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True, timeout=CLI_WITHIN_S)
    *lines, last = ran.stdout.splitlines()
    assert "Traceback" not in ran.stderr
    return ran.returncode, lines, json.loads(last)


async def test_more_games_than_the_address_may_make_guests_for(server: RunningFlagfall) -> None:
    moves = [chess.Move.from_uci(uci) for uci in ("f2f3", "e7e5", "g2g4", "d8h4")]
    games = [Expected.of(f"game {number}", moves, "0-1", chess.Board()) for number in range(SHORT_GAMES)]
    assert 2 * SHORT_GAMES > GUESTS
    results = await replay_all(games, server.address, SHORT_AT_ONCE)
    assert [line for played in results for line in played.differences] == []
    assert {played.reason for played in results} == {"checkmate"}


def test_from_a_file_with_a_game_that_is_cut(server: RunningFlagfall, tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(f'[Result "0-1"]\n\n{FOOLS_MATE}\n\n[Result "1-0"]\n\n1. e4 e5 2. Ke4 Nc6 1-0\n')
    status, (line,), last = replayed(path, server.address, "--at-once", "1")
    assert (status, last) == (1, {"games": 2, "moves": 6, "differences": 1})
    assert line.startswith("game 2 (line 5: ? - ?): cannot be read: ")
    assert "Ke4" in line


def test_a_server_that_is_not_there_is_told_as_lines(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(f'[Result "0-1"]\n\n{FOOLS_MATE}\n\n[Result "1-0"]\n\n1. Ke4 Nc6 1-0\n')
    status, lines, last = replayed(path, "http://127.0.0.1:1", "--at-once", "1")
    assert (status, last) == (1, {"games": 2, "moves": 0, "differences": 2})
    assert lines[0].startswith("game 1 (line 1: ? - ?): not played: POST /api/flagfall/guests: ConnectError(")
    assert lines[1].startswith("game 2 (line ")
