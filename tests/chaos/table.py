"""A place at which one game after the other is played: two people, or one and the computer."""

import asyncio
import random
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

import httpx

from tests.chaos.facts import Seat
from tests.chaos.player import Player, Style, now_ms

LIVE = Style((0.3, 2.0), resigns=0.004, offers=0.01)
FAST = Style((0.1, 1.2), resigns=0.002, offers=0.01)
RETRY_S = 0.5
REQUEST_S = 5.0
LINGER_S = 1.0
"""How long a finished game is still listened to: a second end would be heard."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What is played at a table. `sleepy`: the share of games in which one side stops moving."""

    name: str
    terms: Mapping[str, int]
    style: Style
    computer: bool = False
    account: bool = False
    sleepy: float = 0.0


KINDS = {
    kind.name: kind
    for kind in (
        Kind("live", {"clock.limit": 180, "clock.increment": 2}, LIVE),
        Kind("fast", {"clock.limit": 15, "clock.increment": 0}, FAST, sleepy=0.3),
        Kind("short", {"clock.limit": 30, "clock.increment": 1}, LIVE, sleepy=0.2),
        Kind("computer", {"clock.limit": 180, "clock.increment": 1}, Style((0.3, 2.0), resigns=0.01), computer=True),
        Kind("untimed", {}, LIVE),
        Kind("days", {"days": 1}, LIVE, account=True, sleepy=0.4),
    )
}
SHARES = ("live", "fast", "live", "computer", "fast", "live", "short", "computer", "days", "untimed")
"""Ten tables; more go on from the start."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who is signed in."""

    id: str
    token: str


@dataclass(slots=True)
class Table:
    """Use `run` as a task."""

    number: int
    kind: Kind
    gateways: Sequence[str]
    people: Sequence[Person]
    chance: random.Random
    seats: list[Seat] = field(default_factory=list)
    """Of all games that were played here, and of the one that goes on."""
    players: list[Player] = field(default_factory=list)
    """Of the game that goes on."""
    games: int = 0
    acks_ms: list[int] = field(default_factory=list)
    ack_s: list[float] = field(default_factory=list)
    repeated: int = 0
    reconnects: int = 0
    resting: bool = False
    """No new game."""
    began_ms: int = 0
    """When the latest game was made, or the latest ended."""

    @property
    def game_id(self) -> str | None:
        """The game that goes on."""
        return self.players[0].seat.game_id if self.players else None

    @property
    def asleep(self) -> bool:
        """Whether nothing will come but a fallen flag."""
        return any(player.asleep for player in self.players)

    @property
    def moved_ms(self) -> int:
        """When something last went on here."""
        return max([self.began_ms, *(player.moved_ms for player in self.players)])

    @property
    def whole(self) -> bool:
        """Whether everybody has come back."""
        return all(player.resumed for player in self.players)

    async def run(self, after_s: float) -> None:
        """Play until cancelled; what is done and seen stays in `seats`."""
        await asyncio.sleep(after_s)
        async with httpx.AsyncClient(timeout=REQUEST_S, verify=False) as client:
            while not self.resting:
                game_id, white_first = await self._arrange(client)
                await self._play(game_id, white_first)

    def rest(self) -> None:
        """Let nobody send anything new, and make no new game."""
        self.resting = True
        for player in self.players:
            player.resting = True

    async def _play(self, game_id: str, white_first: bool) -> None:
        people = self.people if white_first else tuple(reversed(self.people))
        sleeper = self.chance.randrange(2) if self.chance.random() < self.kind.sleepy else None
        colours = ("white",) if self.kind.computer else ("white", "black")
        async with AsyncExitStack() as stack:
            players = []
            for at, (colour, person) in enumerate(zip(colours, people, strict=False)):
                after = self.chance.randrange(2, 6) if sleeper == at else None
                style = Style(
                    self.kind.style.think_s, self.kind.style.resigns, self.kind.style.offers, sleeps_after=after
                )
                seat = Seat(game_id, person.id, colour)
                self.seats.append(seat)
                chance = random.Random(self.chance.random())
                gateway = self.number + at  # the opponent is at the other gateway
                player = Player(self.gateways, gateway, person.token, seat, style, chance)
                players.append(await stack.enter_async_context(player))
            for player in players:
                player.resting = self.resting
            self.players = players
            self.games += 1
            try:
                while not all(player.over and not player.owes for player in players):
                    await asyncio.sleep(0.2)
                await asyncio.sleep(LINGER_S)
            finally:
                for player in players:
                    self.acks_ms += player.acks_ms
                    self.ack_s += player.ack_s
                    self.repeated += player.repeated
                    self.reconnects += player.reconnects
                self.players = []
        self.began_ms = now_ms()

    async def _arrange(self, client: httpx.AsyncClient) -> tuple[str, bool]:
        """Make a game, however often that must be tried. What was made and not heard of is aborted by its clock."""
        while True:
            white_first = self.chance.random() < 0.5
            white, black = self.people if white_first else (self.people[1], self.people[0])
            address = self.chance.choice(self.gateways)
            try:
                if self.kind.computer:
                    game_id = await self._post(
                        client, address, "/api/challenge/ai", white, {"level": 1, "color": "white", **self.kind.terms}
                    )
                else:
                    terms = {"color": "white", **self.kind.terms}
                    game_id = await self._post(client, address, "/api/challenge/open", white, terms)
                    await self._post(client, address, f"/api/challenge/{game_id}/accept", black, {})
                self.began_ms = now_ms()
                return game_id, white_first
            except (httpx.HTTPError, KeyError):
                await asyncio.sleep(RETRY_S * self.chance.uniform(0.5, 1.5))

    async def _post(
        self, client: httpx.AsyncClient, address: str, path: str, who: Person, body: Mapping[str, object]
    ) -> str:
        answer = await client.post(address + path, json=body, headers={"Authorization": f"Bearer {who.token}"})
        answer.raise_for_status()
        return str(answer.json().get("id", ""))


async def sign_up(client: httpx.AsyncClient, address: str, name: str | None) -> Person:
    """A guest, or an account of that name."""
    if name is None:
        answer = await client.post(f"{address}/api/flagfall/guests")
    else:
        answer = await client.post(
            f"{address}/api/flagfall/accounts", json={"username": name, "password": "a long pass phrase"}
        )
    answer.raise_for_status()
    client.cookies.clear()
    credential = answer.json()
    return Person(credential["id"], credential["token"])
