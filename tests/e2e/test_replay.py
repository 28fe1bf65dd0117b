"""Real games through the whole stack, as two clients each: every position and the end are those of the file."""

import random
from pathlib import Path

import chess
import pytest

from bench.replay import Expected, read_games, replay_all
from tests.conftest import MakeFlagfall
from tests.stack.running import RunningFlagfall

PLIES_MAX = 300


@pytest.fixture(scope="module")
def server(make_flagfall_for_session: MakeFlagfall) -> RunningFlagfall:
    """A stack on which one address may make many guests."""
    return make_flagfall_for_session({"FLAGFALL_SIGN_UPS_PER_HOUR": "10000"})


def random_game(seed: int) -> Expected:
    """A random game to its end by mate, stalemate or dead material; else to the limit, and then agreed drawn."""
    chance = random.Random(seed)
    board = chess.Board()
    expected = Expected(f"random game {seed}", [], [], [], "1/2-1/2")
    while len(expected.moves) < PLIES_MAX and not board.is_game_over():
        move = chance.choice(list(board.legal_moves))
        expected.sans.append(board.san(move))
        board.push(move)
        expected.moves.append(move)
        expected.fens.append(board.fen())
    if board.is_game_over():
        expected.result = board.result()
    return expected


async def test_generated_games_at_once(server: RunningFlagfall) -> None:
    results = await replay_all([random_game(seed) for seed in range(12)], server.address, at_once=12)
    assert [line for played in results for line in played.differences] == []
    assert sum(played.moves for played in results) > 1_000


@pytest.mark.needs("conformance")
async def test_master_games(server: RunningFlagfall, conformance_folder: Path) -> None:
    with (conformance_folder / "pgn" / "kasparov-deep-blue-1997.pgn").open(encoding="utf-8-sig") as file:
        games = list(read_games(file))
    results = await replay_all(games, server.address, at_once=6)
    assert [line for played in results for line in played.differences] == []
    assert (len(results), sum(played.moves for played in results)) == (6, 519)
