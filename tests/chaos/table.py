"""A place at which one game after the other is played: two people, or one and the computer."""

import asyncio
import random
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from typing import Any

import httpx

from tests.chaos.arranging import Made, Person, again, by_link, from_lobby, with_computer
from tests.chaos.facts import Seat
from tests.chaos.line import now_ms
from tests.chaos.mind import Style
from tests.chaos.player import Player

THINK_S = (0.3, 2.0)
PLAIN = Style(THINK_S, resigns=0.004, offers=0.01)
RETRY_S = 0.5
REQUEST_S = 5.0
LINGER_S = 1.0
"""How long a client still listens to a finished game, to detect a second end."""
AWAY_S = (12.0, 25.0)
REMATCH_TRIES = 4
REMATCHES = 0.5
"""The chance that a game is followed by a rematch, if one can be had at once."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What is played at a table. `sleepy`, `leaving`: the shares of games in which one side stops moving, or leaves."""

    name: str
    terms: Mapping[str, Any]
    style: Style
    computer: bool = False
    account: bool = False
    lobby: bool = False
    sleepy: float = 0.0
    leaving: float = 0.0


def _clock(limit_s: int, increment_s: int, **own: Any) -> dict[str, Any]:
    return {"clock.limit": limit_s, "clock.increment": increment_s, **own}


CONSENT = {"preset": "fide", "takeback": "byConsent"}
CLAIMS = {"preset": "fide", "absentPlayer": "opponentClaims"}
TAKES_BACK = Style(THINK_S, resigns=0.02, offers=0.01, takebacks=0.02)
GIVES = Style((0.1, 1.2), resigns=0.01, offers=0.01, gives=0.02)
LEAVES = Style(THINK_S, resigns=0.004, claims=True)
HELPED = Style(THINK_S, resigns=0.01, undoes=0.06, hints=0.06, revives=0.5)
DAYS = Style(THINK_S, resigns=0.004, offers=0.01, foresees=True)
KINDS = {
    kind.name: kind
    for kind in (
        Kind("live", _clock(180, 2, rated=True, ruleSet=CONSENT), TAKES_BACK, account=True),
        Kind("fast", _clock(15, 0, rated=True), GIVES, account=True, sleepy=0.3),
        Kind("leaving", _clock(180, 2, ruleSet=CLAIMS), LEAVES, leaving=0.7),
        Kind("computer", _clock(180, 1), HELPED, computer=True),
        Kind("friendly", _clock(15, 0, ruleSet="friendly"), replace(PLAIN, resigns=0.02), sleepy=0.6),
        Kind("turns", {"perMove": 30, "ruleSet": "party"}, PLAIN, leaving=0.8),
        Kind("lobby", {"time": 0.5}, PLAIN, lobby=True, sleepy=0.2),
        Kind("days", {"days": 1}, DAYS, account=True, sleepy=0.4),
        Kind("untimed", {}, PLAIN),
    )
}
SHARES = ("live", "fast", "leaving", "computer", "friendly", "turns", "lobby", "computer", "days", "untimed")
"""Ten tables; more go on from the start."""


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
    _last: str = ""
    """The latest game."""
    began_ms: int = 0
    """When the latest game was made, or the latest ended."""

    @property
    def game_id(self) -> str | None:
        """The game that goes on."""
        return self.players[0].seat.game_id if self.players else None

    @property
    def asleep(self) -> bool:
        """Whether only a flag fall, or the end of a pause, can come next."""
        if any("paused" in player.state for player in self.players):
            return True
        away = any(player.away and player.state.get("turn") == player.seat.colour for player in self.players)
        return away or any(player.asleep for player in self.players)

    @property
    def moved_ms(self) -> int:
        """The time of the last progress at this table."""
        return max([self.began_ms, *(player.moved_ms for player in self.players)])

    @property
    def whole(self) -> bool:
        """Whether all clients are connected."""
        return all(player.resumed or player.away for player in self.players)

    async def run(self, after_s: float) -> None:
        """Play until cancelled; what is done and seen stays in `seats`."""
        await asyncio.sleep(after_s)
        async with httpx.AsyncClient(timeout=REQUEST_S, verify=False) as client:
            while not self.resting:
                await self._play(await self._arrange(client))

    def rest(self) -> None:
        """Stop all new commands and new games."""
        self.resting = True
        for player in self.players:
            player.resting = True

    async def _play(self, made: Made) -> None:
        people = sorted(self.people, key=lambda person: person.id != made.white)
        sleeper = self.chance.randrange(2) if self.chance.random() < self.kind.sleepy else None
        leaver = self.chance.randrange(2) if sleeper is None and self.chance.random() < self.kind.leaving else None
        colours: tuple[str, ...] = ("white", "black")
        if self.kind.computer:
            people = list(self.people[:1])
            colours = ("white",) if made.white == people[0].id else ("black",)
        async with AsyncExitStack() as stack:
            players = []
            for at, (colour, person) in enumerate(zip(colours, people, strict=False)):
                style = self._style(sleeper == at, leaver == at)
                seat = Seat(made.id, person.id, colour)
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

    async def _arrange(self, client: httpx.AsyncClient) -> Made:
        """Make a game, however often that must be tried."""
        tried = 0
        while True:
            address = self.chance.choice(self.gateways)
            pair = self.people if self.chance.random() < 0.5 else tuple(reversed(self.people))
            terms, tried = self.kind.terms, tried + 1
            try:
                if self._last and tried <= REMATCH_TRIES and self.chance.random() < REMATCHES:
                    people = self.people[:1] if self.kind.computer else pair
                    made = await again(client, address, people, self._last)
                elif self.kind.computer:
                    made = await with_computer(client, address, self.people[0], terms)
                elif self.kind.lobby:
                    made = await from_lobby(client, address, pair, {**terms, "increment": 1 + self.number % 60})
                else:
                    made = await by_link(client, address, pair, terms)
                self._last, self.began_ms = made.id, now_ms()
                return made
            except (httpx.HTTPError, KeyError):
                await asyncio.sleep(RETRY_S * self.chance.uniform(0.5, 1.5))

    def _style(self, sleeps: bool, leaves: bool) -> Style:
        """The table's, for one game."""
        after = self.chance.randrange(2, 6) if sleeps else None
        if not leaves:
            return replace(self.kind.style, sleeps_after=after)
        away_s = self.chance.uniform(*AWAY_S)
        return replace(self.kind.style, leaves=self.chance.randrange(2, 6), away_s=away_s)
