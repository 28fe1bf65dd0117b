"""Play the games of a PGN file through a running server, as two clients each, and compare all of it with the file.

    python -m bench.replay FILE.pgn --url http://127.0.0.1:8000 [--games N] [--at-once N]

Every position (FEN), SAN, clock and the end are compared with python-chess's reading of the file. A game that the file
ends without a mate or an automatic draw is ended as its result says: by resignation or by agreement. Exit status 1 and
a line for each difference, with the game, its line in the file and the move; the last line is one JSON object.
"""

import argparse
import asyncio
import itertools
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO, cast

import chess
import chess.pgn
import httpx

from bench.socket_client import Frame, SocketClient

GAME_WITHIN_S = 300.0
LIMIT_S, INCREMENT_S = 10_800, 60
CLOCK = {"clock.limit": LIMIT_S, "clock.increment": INCREMENT_S}
ENDS = {
    chess.Termination.CHECKMATE: "checkmate",
    chess.Termination.STALEMATE: "stalemate",
    chess.Termination.INSUFFICIENT_MATERIAL: "deadPosition",
    chess.Termination.SEVENTYFIVE_MOVES: "moveCount",
    chess.Termination.FIVEFOLD_REPETITION: "repetition",
}
RESULTS = {"white": "1-0", "black": "0-1", None: "1/2-1/2"}


@dataclass(slots=True)
class Expected:
    """A game of the file: what was played, and the position after each move."""

    name: str
    """With its place in the file."""
    moves: list[chess.Move]
    sans: list[str]
    fens: list[str]
    result: str
    initial_fen: str | None = None

    @classmethod
    def of(cls, name: str, moves: Iterable[chess.Move], result: str, board: chess.Board) -> "Expected":
        """The game of these moves from `board` on, which is played with."""
        fen = board.fen()
        expected = cls(name, [], [], [], result, None if fen == chess.STARTING_FEN else fen)
        for move in moves:
            expected.sans.append(board.san(move))
            board.push(move)
            expected.moves.append(move)
            expected.fens.append(board.fen())
        return expected

    def where(self, ply: int) -> str:
        """A place for people: the game and, from ply 1 on, the move."""
        if not 1 <= ply <= len(self.moves):
            return self.name
        before = self.fens[ply - 2] if ply > 1 else self.initial_fen or chess.STARTING_FEN
        _, turn, _, _, _, number = before.split()
        return f"{self.name}, {number}{'.' if turn == 'w' else '...'} {self.sans[ply - 1]} (ply {ply})"

    def end(self) -> str | None:
        """How the rules end the game after its last move, in the protocol's word; None: they do not."""
        board = chess.Board(self.initial_fen or chess.STARTING_FEN)
        for move in self.moves:
            board.push(move)
        outcome = board.outcome()
        return None if outcome is None else ENDS[outcome.termination]


@dataclass(slots=True)
class Played:
    """What became of one game on the server."""

    differences: list[str] = field(default_factory=list)
    moves: int = 0
    reason: str | None = None
    clocks_ms: dict[str, int] = field(default_factory=lambda: {"white": LIMIT_S * 1000, "black": LIMIT_S * 1000})


class _Lines:
    """A text file that counts the lines that were read of it."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self.read = 0

    def readline(self) -> str:
        line = self._file.readline()
        self.read += bool(line)
        return line


def read_games(file: TextIO, most: int | None = None) -> Iterator[Expected]:
    """The main lines of standard games."""
    lines = _Lines(file)
    for number in itertools.count(1):
        first_line = lines.read + 1
        game = chess.pgn.read_game(cast(TextIO, lines))
        if game is None or (most is not None and number > most):
            return
        board = game.board()
        if type(board) is not chess.Board or board.chess960:
            continue
        players = f"{game.headers.get('White', '?')} - {game.headers.get('Black', '?')}"
        name = f"game {number} (line {first_line}: {players})"
        expected = Expected.of(name, game.mainline_moves(), game.headers.get("Result", "*"), board)
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
            compare(played, expected, ply, state)
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
            played.differences.append(f"{expected.where(played.moves)}: not over after {GAME_WITHIN_S:g} s")
        for client in (one, two):
            played.differences += [f"{expected.where(played.moves)}: refused: {frame}" for frame in client.refused]
        if one.state != two.state:
            played.differences.append(f"{expected.name}: the two clients end differently")
        compare_end(played, expected, one.state)
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


def compare(played: Played, expected: Expected, ply: int, state: Frame) -> None:
    """Note where the state after `ply` moves differs from the file's. A later state of the same ply compares again."""
    seen: list[tuple[str, Any, Any]] = [
        ("position", state["fen"], expected.fens[ply - 1]),
        ("move", state["lastMove"]["san"], expected.sans[ply - 1]),
        ("move", state["lastMove"]["uci"], expected.moves[ply - 1].uci()),
    ]
    turn = "white" if expected.fens[ply - 1].split()[1] == "w" else "black"
    if state["status"] == "started":
        seen.append(("running clock", state["clock"]["running"], turn))
    played.differences += [
        f"{expected.where(ply)}: {what} {found!r} and not {right!r}" for what, found, right in seen if found != right
    ]
    if ply != played.moves:
        played.moves = ply
        mover = "black" if turn == "white" else "white"
        most_ms = played.clocks_ms[mover] + INCREMENT_S * 1000
        now_ms = played.clocks_ms[mover] = state["clock"][mover]
        if not most_ms - GAME_WITHIN_S * 1000 <= now_ms <= most_ms:
            played.differences.append(f"{expected.where(ply)}: clock {now_ms} ms and not up to {most_ms} ms")


def compare_end(played: Played, expected: Expected, state: Frame) -> None:
    """Note where the end differs from the file's: by the rules if they end the game, else by the file's result."""
    played.reason = state.get("reason")
    if state.get("status") != "ended":
        played.differences.append(f"{expected.where(played.moves)}: {state.get('status')!r} at the end")
        return
    if played.moves != len(expected.moves):
        played.differences.append(f"{expected.where(played.moves)}: over, of {len(expected.moves)} moves")
    result = RESULTS[state["winner"]]
    if expected.result != "*" and result != expected.result:
        played.differences.append(f"{expected.where(played.moves)}: result {result} and not {expected.result}")
    right = expected.end() or ("agreement" if expected.result == "1/2-1/2" else "resignation")
    if played.reason != right:
        played.differences.append(f"{expected.where(played.moves)}: ended by {played.reason} and not by {right}")


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
