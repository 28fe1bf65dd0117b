"""A table at which both sides play by the HTTP API alone. The knights go out and home again until the position has
stood there five times, which ends the game by itself (FIDE 9.6.1); then comes the next game.

White's moves have an `id`, so a repetition gets the same answer; Black plays as bots do and looks into the game when an
answer is not heard."""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice

import httpx

from tests.chaos.arranging import Made, Person, by_link, sign_up

KNIGHTS = ("g1f3", "g8f6", "f3g1", "f6g8")
PLIES = 16
"""After so many the first position stands there for the fifth time."""
TERMS = {"clock.limit": 180, "clock.increment": 2}
REQUEST_S = 5.0
RETRY_S = 0.3
THINK_S = 0.4
BUSY = frozenset([429, 500, 502, 503, 504])


@dataclass(slots=True)
class HttpTable:
    """Use `run` as a task."""

    gateways: Sequence[str]
    games: int = 0
    moves: int = 0
    """Acknowledged ones."""
    sent_again: int = 0
    complaints: list[str] = field(default_factory=list)
    _at: int = 0

    async def run(self) -> None:
        """Play until cancelled."""
        async with httpx.AsyncClient(timeout=REQUEST_S) as client:
            people = [await self._sign_up(client) for _ in range(2)]
            while True:
                await self._play(client, await self._arrange(client, people), people)

    def _gateway(self) -> str:
        """The next one: no two requests in a row go to the same."""
        self._at += 1
        return self.gateways[self._at]

    async def _sign_up(self, client: httpx.AsyncClient) -> Person:
        while True:
            with contextlib.suppress(httpx.HTTPError):
                return await sign_up(client, self._gateway(), None)
            await asyncio.sleep(RETRY_S)

    async def _arrange(self, client: httpx.AsyncClient, people: Sequence[Person]) -> Made:
        while True:
            with contextlib.suppress(httpx.HTTPError):
                return await by_link(client, self._gateway(), people, TERMS)
            await asyncio.sleep(RETRY_S)

    async def _play(self, client: httpx.AsyncClient, made: Made, people: Sequence[Person]) -> None:
        wanted = list(islice(cycle(KNIGHTS), PLIES))
        for ply, move in enumerate(wanted):
            done = await self._move(client, made.id, people[ply % 2], ply, move)
            if not done:
                return
            await asyncio.sleep(THINK_S)
        stood, status = await self._stands(client, made.id, people[0])
        if stood != wanted or status == "started":
            self.complaints.append(f"game {made.id} has the moves {stood} and is {status}")
        self.games += 1

    async def _move(self, client: httpx.AsyncClient, game_id: str, who: Person, ply: int, move: str) -> bool:
        """Make a move, however often it must be sent."""
        sendings = 0
        while True:
            sendings += 1
            try:
                answer = await self._send(client, game_id, who, ply, move)
            except httpx.TransportError:
                answer = None
            if answer is not None and answer.is_success:
                self.moves += 1
                return True
            if answer is not None and answer.status_code not in BUSY:
                stood, status = await self._stands(client, game_id, who)
                if ply % 2 and sendings > 1 and stood[ply:] == [move]:
                    return True  # it had been made before, unheard
                what = f"{move} at ply {ply} of {game_id}, sending {sendings}"
                self.complaints.append(f"{what}: {answer.status_code} {answer.text[:200]}; it has {stood}, {status}")
                return False
            self.sent_again += 1
            await asyncio.sleep(RETRY_S)

    async def _send(self, client: httpx.AsyncClient, game_id: str, who: Person, ply: int, move: str) -> httpx.Response:
        headers = {"Authorization": f"Bearer {who.token}"}
        if ply % 2:
            return await client.post(f"{self._gateway()}/api/board/game/{game_id}/move/{move}", headers=headers)
        body = {"move": move, "ply": ply, "id": f"ply-{ply}"}
        return await client.post(f"{self._gateway()}/api/flagfall/games/{game_id}/moves", json=body, headers=headers)

    async def _stands(self, client: httpx.AsyncClient, game_id: str, who: Person) -> tuple[list[str], str]:
        """The moves of a game, and its status."""
        headers = {"Authorization": f"Bearer {who.token}"}
        while True:
            with contextlib.suppress(httpx.TransportError):
                answer = await client.get(f"{self._gateway()}/api/flagfall/games/{game_id}", headers=headers)
                if answer.is_success:
                    game = answer.json()
                    return [each["uci"] for each in game["moves"]], str(game["state"]["status"])
            await asyncio.sleep(RETRY_S)
