"""Real games through the whole stack, as two clients each: every position, clock and end is that of the file."""

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import chess
import pytest

from bench.replay import Expected, read_games, replay_all
from tests.conftest import MakeFlagfall
from tests.stack.running import RunningFlagfall

GAMES = 40
PLIES_MAX = 240
SHUFFLING_FROM_PLY = 90

Choose = Callable[[random.Random, chess.Board], chess.Move]


@pytest.fixture(scope="module")
def server(make_flagfall_for_session: MakeFlagfall) -> RunningFlagfall:
    """A stack on which one address may make many guests."""
    return make_flagfall_for_session({"FLAGFALL_SIGN_UPS_PER_HOUR": "10000"})


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
    assert (len(results), sum(played.moves for played in results)) == (7, 529)
