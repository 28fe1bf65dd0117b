"""The floor: the lower bound of a move's cost, with the project's own code, measured on moves and games of the run.

Rules work in process, one frame in and two out over real sockets, and one item's share of a committed batch, client
and PostgreSQL together. No gRPC, no Redis, nothing done twice.
"""

import random
import socket
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass

import orjson
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine
from websockets.client import ClientProtocol
from websockets.frames import Frame
from websockets.protocol import OPEN
from websockets.server import ServerProtocol
from websockets.uri import parse_uri

from bench.processor_time import sample
from bench.rules import best_us, from_fen
from bench.stack import BenchStack
from services.channels import open_rules_channel
from services.domain.clock import Outages
from services.domain.rule_set import FIDE
from services.game.play.change import Change
from services.game.play.command import Command
from services.game.play.commands.moving import Move
from services.game.play.decision import decide, prepare
from services.game.play.game import Game, Limits
from services.game.settings import GameSettings
from services.game.store import sql_store
from services.game.store.database import open_engine, transaction
from services.game.store.sql_store import OUTBOX_GAME, OutboxKey, Save
from services.game.wire.events import VersionEvent
from services.game.wire.grpc_rules import GrpcRules
from services.gateway.protocol.shapes import EventFrame as Shape
from services.gateway.socket_settings import SocketSettings
from services.gateway.sockets.effects import Now, Send, Submit, Viewer
from services.gateway.sockets.session import Session
from services.pb.flagfall.v1 import game_pb2, rules_pb2
from services.pb.flagfall.v1.events_pb2 import GameEvent, Player
from services.rules.limits import LIMITS
from services.rules.server import answer
from services.runtime.wire import rule_set_to_pb

GAMES_JUDGED = 20
JUDGED_TIMES = 3
FRAMES = 2_000
ROUNDS = 40
START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


@dataclass(frozen=True, slots=True)
class Floor:
    """Microseconds of processor time a move."""

    rules_us: float
    frames_us: float
    save_us: float
    batch: int

    @property
    def total_us(self) -> float:
        """The sum."""
        return self.rules_us + self.frames_us + self.save_us


async def measure(stack: BenchStack, batch: int) -> Floor:
    """Measure all three. The games of the stack must stand still, and are not to be played on afterwards."""
    settings = GameSettings(database_url=stack.database_url)
    engine = open_engine(settings, "flagfall-bench")
    channel = open_rules_channel(stack.rules_target, stack.settings)
    try:
        lines, payloads = await _played(engine)
        games = await _running(engine, batch)
        rules = GrpcRules(channel, 5_000)
        limits = Limits(settings.day_ms, 3_600_000, settings.flag_grace_ms)
        rounds = await _rounds(games, rules, limits)
        return Floor(rules_us(lines), frames_us(payloads), await _save_us(stack, engine, rounds, limits), len(games))
    finally:
        await channel.close()
        await engine.dispose()


async def _played(engine: AsyncEngine) -> tuple[list[list[str]], list[bytes]]:
    """The moves of a few games from their beginning, and events of moves as they were published."""
    moves = sa.text("""
        SELECT array_agg(uci ORDER BY version) AS line FROM game_event WHERE uci <> ''
        GROUP BY game_id ORDER BY count(*) DESC LIMIT :most
    """)
    events = sa.text("SELECT payload FROM game_event WHERE uci <> '' ORDER BY at_ms DESC LIMIT :most")
    async with transaction(engine) as connection:
        lines = [list(row.line) for row in await connection.execute(moves, {"most": GAMES_JUDGED})]
        payloads = [bytes(row.payload) for row in await connection.execute(events, {"most": 200})]
    return lines, payloads


def rules_us(lines: Sequence[Sequence[str]]) -> float:
    """Judging each of these moves once: the mean over the moves of the best of a few tries."""
    times = []
    for line in lines:
        position = rules_pb2.Position(variant="standard", fen=START_FEN)
        for uci in line:
            play = rules_pb2.Play(position=position, move=uci)
            question = rules_pb2.Question(rule_set=rule_set_to_pb(FIDE), play=play)
            times.append(best_us(from_fen(question), JUDGED_TIMES))
            position = answer(question, "play", LIMITS).played.standing.position
    return statistics.fmean(times)


def frames_us(payloads: Sequence[bytes]) -> float:
    """A frame `move` read from a socket and understood; `ack` and `event` made and written to two sockets."""
    (mover, served), (opponent, served_too) = socket.socketpair(), socket.socketpair()
    client = ClientProtocol(parse_uri("ws://bench/"), state=OPEN)
    server, other = ServerProtocol(state=OPEN), ServerProtocol(state=OPEN)
    now = Now(0, 0)
    session = Session(SocketSettings(socket_frames_per_s=1e9, socket_frames_burst=1_000_000), now)
    session.opened(Viewer(Player(id="bench"), True), None, now)
    events = [GameEvent.FromString(payload) for payload in payloads]
    spent_s = 0.0
    try:
        for number in range(FRAMES):
            event = events[number % len(events)]
            frame = {"t": "move", "game": event.state.game_id, "id": str(number), "move": "e2e4", "ply": 0}
            client.send_text(orjson.dumps(frame))
            mover.sendall(b"".join(client.data_to_send()))
            reply = game_pb2.Reply(accepted=game_pb2.Accepted(version=event.state.version, state=event.state))
            began_s = time.thread_time()
            server.receive_data(served.recv(65_536))
            (received,) = server.events_received()
            assert isinstance(received, Frame)
            (submit,) = session.received(bytes(received.data).decode(), now)
            assert isinstance(submit, Submit)
            change = Shape(event, "clock")
            (ack,) = session.decided(submit, reply, change)
            assert isinstance(ack, Send)
            server.send_text(ack.frame)
            served.sendall(b"".join(server.data_to_send()))
            other.send_text(change.frame)
            served_too.sendall(b"".join(other.data_to_send()))
            spent_s += time.thread_time() - began_s
            mover.recv(65_536)
            opponent.recv(65_536)
    finally:
        for end in (mover, served, opponent, served_too):
            end.close()
    return spent_s * 1e6 / FRAMES


async def _running(engine: AsyncEngine, count: int) -> list[Game]:
    """Games that go on, those with most moves first."""
    chosen = sa.text("SELECT id FROM game WHERE end_reason = 0 AND ply > 1 ORDER BY ply DESC, id LIMIT :most")
    async with transaction(engine) as connection:
        ids = [row.id for row in await connection.execute(chosen, {"most": count})]
        games = (await sql_store.load(connection, ids)).values()
        return [game for game in games if game is not None]


async def _rounds(games: Sequence[Game], rules: GrpcRules, limits: Limits) -> list[list[Save]]:
    """Saves of `ROUNDS` further moves of each game, judged and decided. A game that ends is left out from there on."""
    chance = random.Random(1)
    rounds: list[list[Save]] = []
    outages = Outages()
    for _ in range(ROUNDS):
        commands, questions = [], []
        for game in games:
            legal = chance.choice(game.standing.legal.split(" "))
            player_id = game.terms.seat(game.turn).player_id
            received_ms = time.time_ns() // 1_000_000
            command = Command(game.terms.id, player_id, f"floor:{game.version}", Move(legal), b"12345678", received_ms)
            question = prepare(game, command, limits, outages)
            assert question is not None, "its players' time is up"
            commands.append(command)
            questions.append(question)
        saves = []
        for game, command, verdict in zip(games, commands, await rules.judge(questions), strict=True):
            change = decide(game, command, verdict, limits, outages)
            assert isinstance(change, Change)
            if change.game.outcome is None:
                saves.append(Save(command, change, VersionEvent.of(change, limits, outages)))
        rounds.append(saves)
        games = [save.change.game for save in saves]
    return rounds


async def _save_us(stack: BenchStack, engine: AsyncEngine, rounds: Sequence[Sequence[Save]], limits: Limits) -> float:
    """One item's share of a batch, in this process and in PostgreSQL. Each round removes the outbox rows of the one
    before, as a busy game service does."""
    postgres = {"postgres": stack.pids()["postgres"]}
    gone: list[OutboxKey] = []
    for warm in (True, False):
        chosen = rounds[:4] if warm else rounds[4:]
        before_s, own_s = sample(postgres)["postgres"], 0.0
        for saves in chosen:
            began_s = time.process_time()
            async with engine.begin() as connection:
                saved = await sql_store.save(connection, saves, limits, gone)
            own_s += time.process_time() - began_s
            assert len(saved) == len(saves), f"{len(saved)} of {len(saves)} games saved"
            gone = [(OUTBOX_GAME, save.change.game.terms.id, save.change.game.version) for save in saves]
        spent_s = sample(postgres)["postgres"] - before_s + own_s
    return spent_s * 1e6 / sum(len(saves) for saves in rounds[4:])
