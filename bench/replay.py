"""Play the games of a PGN file through a running server, as two clients each, and compare all of it with the file.

    python -m bench.replay FILE.pgn --url http://127.0.0.1:8000 [--games N] [--at-once N]

Every position (FEN), SAN and the end are compared with python-chess's reading of the file. A game that the file ends
without a mate or an automatic draw is ended as its result says: by resignation or by agreement. Exit status 1 and a
line for each difference; the last line is one JSON object.
"""

import argparse
import asyncio
import itertools
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

import chess
import chess.pgn
import httpx

from bench.socket_client import Frame, SocketClient

GAME_WITHIN_S = 300.0
CLOCK = {"clock.limit": 10_800, "clock.increment": 60}


@dataclass(slots=True)
class Expected:
    """A game of the file: what was played, and the position after each move."""

    name: str
    moves: list[chess.Move]
    sans: list[str]
    fens: list[str]
    result: str
    initial_fen: str | None = None


@dataclass(slots=True)
class Played:
    """What became of one game on the server."""

    differences: list[str] = field(default_factory=list)
    moves: int = 0


def read_games(file: TextIO, most: int | None = None) -> Iterator[Expected]:
    """The main lines of standard games."""
    for number in itertools.count(1):
        game = chess.pgn.read_game(file)
        if game is None or (most is not None and number > most):
            return
        board = game.board()
        if type(board) is not chess.Board or board.chess960:
            continue
        expected = Expected(
            f"game {number} ({game.headers.get('White', '?')} - {game.headers.get('Black', '?')})",
            [],
            [],
            [],
            game.headers.get("Result", "*"),
            None if board.fen() == chess.STARTING_FEN else board.fen(),
        )
        for move in game.mainline_moves():
            expected.sans.append(board.san(move))
            board.push(move)
            expected.moves.append(move)
            expected.fens.append(board.fen())
        if expected.moves:
            yield expected


async def replay(expected: Expected, url: str) -> Played:
    """Play one game with two fresh guests."""
    white, black, game_id = await _arrange(url, expected)
    played = Played()
    ends = {white: asyncio.Event(), black: asyncio.Event()}
    first = 0 if expected.initial_fen is None or " w " in expected.initial_fen else 1

    async def heard(client: SocketClient, frame: Frame) -> None:
        mine = 0 if client.token == white else 1
        state = frame["state"]
        ply = state["ply"]
        if ply and mine == 0:  # one of the two compares
            played.moves = ply
            _compare(played, expected, ply, state)
        if state["status"] != "started":
            ends[client.token].set()
        elif ply == len(expected.moves):
            await _finish(client, mine, expected, state)
        elif (ply + first) % 2 == mine:
            await client.send("move", f"m{ply}", move=expected.moves[ply].uci(), ply=ply)

    socket_url = url.replace("http", "ws", 1) + "/api/flagfall/ws"
    async with (
        SocketClient(socket_url, white, game_id, heard) as one,
        SocketClient(socket_url, black, game_id, heard) as two,
    ):
        try:
            async with asyncio.timeout(GAME_WITHIN_S):
                await asyncio.gather(*(end.wait() for end in ends.values()))
        except TimeoutError:
            played.differences.append(f"{expected.name}: not over after {GAME_WITHIN_S:g} s, at ply {played.moves}")
        for client in (one, two):
            played.differences += [f"{expected.name}: refused: {frame}" for frame in client.refused]
        if one.state != two.state:
            played.differences.append(f"{expected.name}: the two clients end differently")
        _compare_end(played, expected, one.state)
    return played


async def _arrange(url: str, expected: Expected) -> tuple[str, str, str]:
    async with httpx.AsyncClient(base_url=url, timeout=30) as client:
        tokens = []
        for _ in range(2):
            client.cookies.clear()
            answer = await client.post("/api/flagfall/guests")
            answer.raise_for_status()
            tokens.append(answer.json()["token"])
        client.cookies.clear()
        terms = {**CLOCK, "color": "white", **({"fen": expected.initial_fen} if expected.initial_fen else {})}
        made = await client.post("/api/challenge/open", json=terms, headers={"Authorization": f"Bearer {tokens[0]}"})
        made.raise_for_status()
        game_id = made.json()["id"]
        accepted = await client.post(
            f"/api/challenge/{game_id}/accept", headers={"Authorization": f"Bearer {tokens[1]}"}
        )
        accepted.raise_for_status()
        return tokens[0], tokens[1], game_id


async def _finish(client: SocketClient, mine: int, expected: Expected, state: Frame) -> None:
    """End a game that the moves left open, as the file says it ended."""
    if expected.result == "1/2-1/2":
        if mine == 0 or state["drawOffer"] == "white":
            await client.send("draw", f"d{mine}")
    elif (expected.result == "1-0") == (mine == 1):
        await client.send("resign", "resign")


def _compare(played: Played, expected: Expected, ply: int, state: Frame) -> None:
    if state["fen"] != expected.fens[ply - 1]:
        played.differences.append(f"{expected.name}, ply {ply}: {state['fen']} and not {expected.fens[ply - 1]}")
    if state["lastMove"]["san"] != expected.sans[ply - 1]:
        played.differences.append(
            f"{expected.name}, ply {ply}: {state['lastMove']['san']}, not {expected.sans[ply - 1]}"
        )
    if min(state["clock"]["white"], state["clock"]["black"]) < 0:
        played.differences.append(f"{expected.name}, ply {ply}: a clock below zero")


def _compare_end(played: Played, expected: Expected, state: Frame) -> None:
    words = {"white": "1-0", "black": "0-1", None: "1/2-1/2"}
    result = words[state.get("winner")]
    if expected.result != "*" and result != expected.result:
        played.differences.append(f"{expected.name}: ended {result} and not {expected.result}")
    board = chess.Board(expected.fens[-1])
    if board.is_checkmate() and state.get("reason") != "checkmate":
        played.differences.append(f"{expected.name}: mate, and ended by {state.get('reason')}")


async def replay_all(games: list[Expected], url: str, at_once: int) -> list[Played]:
    """Play all games, at most `at_once` at a time."""
    gate = asyncio.Semaphore(at_once)

    async def one(expected: Expected) -> Played:
        async with gate:
            return await replay(expected, url)

    return await asyncio.gather(*(one(expected) for expected in games))


def main() -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.replay", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    parser.add_argument("--games", type=int)
    parser.add_argument("--at-once", type=int, default=20)
    chosen = parser.parse_args()
    with chosen.file.open(encoding="utf-8-sig", errors="replace") as file:
        games = list(read_games(file, chosen.games))
    results = asyncio.run(replay_all(games, chosen.url, chosen.at_once))
    differences = [line for played in results for line in played.differences]
    for line in differences:
        print(line)
    print(
        json.dumps(
            {"games": len(results), "moves": sum(played.moves for played in results), "differences": len(differences)}
        )
    )
    return 1 if differences or not results else 0


if __name__ == "__main__":
    sys.exit(main())
