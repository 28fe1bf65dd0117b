"""Plays the games of a PGN file on a running server, with two clients for each, and compares everything with the file.

    python -m bench.replay FILE.pgn --url http://127.0.0.1:8000 [--games N] [--at-once N]

Every position (FEN), SAN, clock and the end are compared with python-chess's reading of the file. A game that the file
ends without a mate or an automatic draw is ended as its result says: by resignation or by agreement. Exit status 1 and
a line for each difference, with the game, its line in the file and the move; the last line is one JSON object. An
unreadable game, and anything that the server does not provide, is a difference too.
"""

import argparse
import asyncio
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from bench.pgn_games import Expected, read_games
from bench.replay_people import INCREMENT_S, LIMIT_S, NotArranged, People
from bench.socket_client import Frame, SocketClient

GAME_WITHIN_S = 300.0
RESULTS = {"white": "1-0", "black": "0-1", None: "1/2-1/2"}


@dataclass(slots=True)
class Played:
    """The result of one game on the server."""

    differences: list[str] = field(default_factory=list)
    moves: int = 0
    reason: str | None = None
    clocks_ms: dict[str, int] = field(default_factory=lambda: {"white": LIMIT_S * 1000, "black": LIMIT_S * 1000})


async def replay(expected: Expected, url: str, people: People) -> Played:
    """Play one game. If it cannot be read or started, that counts as a difference."""
    played = Played([f"{expected.name}: cannot be read: {error}" for error in expected.errors])
    if not expected.moves:
        return played
    try:
        tokens = await people.arrive()
        game_id = await people.game(expected.initial_fen)
    except NotArranged as error:
        played.differences.append(f"{expected.name}: not played: {error}")
        return played
    await follow(played, expected, url, tokens, game_id)
    return played


async def follow(played: Played, expected: Expected, url: str, tokens: tuple[str, str], game_id: str) -> None:
    """Play a game that was made as its two clients, and note what differs."""
    white, black = tokens
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
    one, two = SocketClient(socket_url, white, game_id, heard), SocketClient(socket_url, black, game_id, heard)
    async with one, two:
        waits = [asyncio.create_task(client.until(ends[client.token])) for client in (one, two)]
        done, late = await asyncio.wait(waits, timeout=GAME_WITHIN_S, return_when=asyncio.FIRST_EXCEPTION)
        for wait in late:
            wait.cancel()
        failed = [error for error in (wait.exception() for wait in done) if error is not None]
        if late and not failed:
            played.differences.append(f"{expected.where(played.moves)}: not over after {GAME_WITHIN_S:g} s")
    for client in (one, two):
        played.differences += [f"{expected.where(played.moves)}: refused: {frame}" for frame in client.refused]
        if client.failure is not None:
            played.differences.append(f"{expected.where(played.moves)}: the client failed: {client.failure!r}")
    if one.failure is None and two.failure is None:
        if one.state != two.state:
            played.differences.append(f"{expected.name}: the two clients end differently")
        compare_end(played, expected, one.state)


async def _finish(client: SocketClient, mine: int, expected: Expected, state: Frame) -> None:
    """End a game that is still running after its moves, with the result of the file."""
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
    result = RESULTS.get(state.get("winner", "none"), "none")
    if expected.result != "*" and result != expected.result:
        played.differences.append(f"{expected.where(played.moves)}: result {result} and not {expected.result}")
    right = expected.end() or ("agreement" if expected.result == "1/2-1/2" else "resignation")
    if played.reason != right:
        played.differences.append(f"{expected.where(played.moves)}: ended by {played.reason} and not by {right}")


async def replay_all(
    games: list[Expected], url: str, at_once: int, transport: httpx.AsyncBaseTransport | None = None
) -> list[Played]:
    """Play all games, at most `at_once` at a time, each of these with two guests for all of its games."""
    results: dict[int, Played] = {}
    left = iter(range(len(games)))

    async def play_on() -> None:
        async with People.of(url, transport) as people:
            for number in left:
                results[number] = await replay(games[number], url, people)
                if games[number].moves and people.tokens is None:
                    return  # without guests there is no further game; the others may have theirs

    await asyncio.gather(*(play_on() for _ in range(min(at_once, len(games)))))
    for number in left:
        results[number] = Played([f"{games[number].name}: not played: no guests were left"])
    return [results[number] for number in range(len(games))]


def main() -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.replay", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--url", default="http://127.0.0.1:8000", help="of the server")
    parser.add_argument("--games", type=int, help="the first N games of the file; default: all")
    parser.add_argument("--at-once", type=int, default=20, help="each signs up two guests; default: %(default)s")
    chosen = parser.parse_args()
    if chosen.at_once < 1:
        parser.error("--at-once is at least 1")
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
