"""Case G03: a premove names the ply it is for, and is never played for another one.

Two clients at each board, over real WebSockets, a real gateway and a real game service: each moves, queues its next
move in the same instant, sends that anything from too early to too late, and meanwhile moves by hand as well.
"""

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import chess
import orjson
from websockets.asyncio.client import ClientConnection, connect

from services.game.play.game import Seat
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.events_pb2 import GameEvent
from services.pb.flagfall.v1.game_pb2_grpc import GameServiceStub
from tests.integration.gateway.whole_api import gateway_before
from tests.integration.races.race_replicas import PATIENT, channel_to, new_chance, racing, rounds

PLIES = 24
JITTER_S = 0.03
WITHIN_S = 120.0
"""For all games; what never comes ends the test by it."""


@dataclass
class Client:
    """One player of one game, who knows what the frames have told."""

    socket: ClientConnection
    game_id: str
    player_id: str
    side: chess.Color
    chance: random.Random
    version: int = 0
    state: dict[str, Any] = field(default_factory=dict)
    sent: dict[str, tuple[int, str, str]] = field(default_factory=dict)
    """By command id: the ply it was for, the move, and how it was made."""
    answers: dict[str, str] = field(default_factory=dict)
    """By command id: `ack`, or the code of the refusal."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    later: "list[asyncio.Task[None]]" = field(default_factory=list)

    async def listen(self) -> None:
        """Take frames until the socket is closed."""
        async for text in self.socket:
            frame = orjson.loads(text)
            if frame["t"] in ("ack", "nack"):
                assert frame["id"] not in self.answers, "each command has one answer"
                self.answers[frame["id"]] = frame.get("code", "ack")
            for change in frame["events"] if frame["t"] == "events" else [frame]:
                if "state" in change and change["v"] > self.version:
                    self.version, self.state = change["v"], change["state"]
            self.changed.set()

    async def until_my_turn(self) -> bool:
        """Return once this side is to move; False when there is nothing to play any more."""
        while not self.state or self.state["turn"] != chess.COLOR_NAMES[self.side] or not self.state.get("legal"):
            if self.state and (self.state["status"] != "started" or self.state["ply"] >= PLIES):
                return False
            self.changed.clear()
            await self.changed.wait()
        return bool(self.state["status"] == "started" and self.state["ply"] < PLIES)

    async def send(self, ply: int, move: str, how: str, delay_s: float) -> None:
        """Send a move after a while."""
        await asyncio.sleep(delay_s)
        command_id = f"{chess.COLOR_NAMES[self.side][0]}{len(self.sent)}"
        self.sent[command_id] = ply, move, how
        frame = {"t": "move", "game": self.game_id, "id": command_id, "move": move, "ply": ply}
        await self.socket.send(orjson.dumps(frame).decode())

    def premove(self, ply: int, move: str) -> None:
        """Queue the move after this one: anything that could be legal by then."""
        board = chess.Board(self.state["fen"])
        board.push_uci(move)
        board.turn = self.side
        choices = [choice.uci() for choice in board.pseudo_legal_moves]
        if choices:
            delay_s = self.chance.choice((0.0, JITTER_S, 3 * JITTER_S)) * self.chance.random()
            self._later(self.send(ply + 2, self.chance.choice(choices), "premove", delay_s))

    async def play(self) -> None:
        """Every own turn until the end, by hand and by premoves at once."""
        played = -1
        while await self.until_my_turn():
            ply, move = self.state["ply"], self.chance.choice(self.state["legal"])
            if ply != played:
                played = ply
                self.premove(ply, move)
                self._later(self.send(ply, move, "by hand", JITTER_S * self.chance.random()))
            self.changed.clear()
            await self.changed.wait()
        await asyncio.gather(*self.later)
        while len(self.answers) < len(self.sent):
            self.changed.clear()
            await self.changed.wait()

    def _later(self, coroutine: Any) -> None:
        self.later.append(asyncio.create_task(coroutine))


async def _sit_down(door: str, guest: pb.Credential, game_id: str, side: chess.Color, chance: random.Random) -> Client:
    address = f"ws://{door}/api/flagfall/ws"
    socket = await connect(address, additional_headers={"Authorization": f"Bearer {guest.token}"}, compression=None)
    await socket.send(orjson.dumps({"t": "sub", "game": game_id, "v": 0}).decode())
    return Client(socket, game_id, guest.player.id, side, chance)


async def test_no_move_is_played_for_another_ply_than_it_was_sent_for(database_url: str, redis_url: str) -> None:
    chance, told = new_chance(), Counter[tuple[str, str]]()
    async with racing(database_url, redis_url, **PATIENT) as world, gateway_before(world) as door:
        service = GameServiceStub(channel_to(world.first.servicer))
        clients: list[Client] = []
        for _ in range(rounds(8)):
            guests = [(await service.CreateGuest(pb.CreateGuestRequest())).credential for _ in range(2)]
            seats = [Seat(guest.player.id, guest.player.name, guest=True) for guest in guests]
            game_id = await world.game(white=seats[0], black=seats[1])
            for side, guest in zip((chess.WHITE, chess.BLACK), guests, strict=True):
                clients.append(await _sit_down(door, guest, game_id, side, chance))
        ears = [asyncio.create_task(client.listen()) for client in clients]
        async with asyncio.timeout(WITHIN_S):
            await asyncio.gather(*(client.play() for client in clients))
        for client in clients:
            await client.socket.close()
        await asyncio.gather(*ears)

        wrong = 0
        for client in clients:
            told.update((how, client.answers[command_id]) for command_id, (_, _, how) in client.sent.items())
            rows = await world.rows(
                "SELECT command_id, uci, payload FROM game_event"
                " WHERE game_id = :id AND player_id = :player AND uci <> ''",
                id=client.game_id,
                player=client.player_id,
            )
            played = {
                command_id.rpartition(":")[2]: (GameEvent.FromString(payload).state.ply - 1, move)
                for command_id, move, payload in rows
            }
            wrong += sum(client.sent[command_id][:2] != applied for command_id, applied in played.items())
            assert set(played) == {command_id for command_id, answer in client.answers.items() if answer == "ack"}
        assert wrong == 0, "moves_played_for_wrong_ply"
        await world.one_history([client.game_id for client in clients], 0)
    assert {code for _, code in told} <= {"ack", "stale_version", "not_your_turn", "illegal_move", "game_over"}
    for seen in (("premove", "ack"), ("premove", "stale_version"), ("by hand", "ack"), ("by hand", "stale_version")):
        assert told[seen] > 0, f"this never happened: {seen}; {told}"
