"""The rules service over real gRPC: batches, neighbours of bad questions, limits, health, drain."""

import asyncio
import json
import os
import re
import signal
import sys
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import chess
import grpc
import pytest

from services.channels import open_rules_channel
from services.domain.rule_set import CLAIMED
from services.pb.flagfall.v1 import rules_pb2 as pb
from services.pb.flagfall.v1.rules_pb2_grpc import RulesServiceStub
from services.runtime import rpc
from services.runtime.wire import rule_set_to_pb

if TYPE_CHECKING:
    from services.pb.flagfall.v1.rules_pb2_grpc import RulesServiceAsyncStub

pytestmark = pytest.mark.timeout(60)


@dataclass
class Running:
    """A rules process and its ports."""

    process: asyncio.subprocess.Process
    grpc_port: int
    admin_port: int

    def admin(self, path: str) -> tuple[int, str]:
        """Status and body of the admin port."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.admin_port}{path}", timeout=5) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()


@asynccontextmanager
async def rules_process() -> AsyncIterator[Running]:
    """A rules service of its own on free ports, ended with the block."""
    # A search is bounded by its positions: on a busy machine its time would be up first.
    settings = {"GRPC_PORT": "0", "ADMIN_PORT": "0", "LOG_FORMAT": "json", "ADJUDICATION_MS_MAX": "60000"}
    process = await asyncio.create_subprocess_exec(
        *[sys.executable, "-m", "services.rules", "serve"],
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, **{f"FLAGFALL_{name}": value for name, value in settings.items()}},
    )
    assert process.stderr is not None
    ports: dict[str, int] = {}
    lines: list[str] = []
    try:
        while len(ports) < 2:
            line = (await asyncio.wait_for(process.stderr.readline(), 20)).decode()
            assert line, "ended at boot: " + "".join(lines)
            lines.append(line)
            if found := re.fullmatch(r"(gRPC|admin) port is (\d+)", json.loads(line)["message"]):
                ports[found[1]] = int(found[2])
        yield Running(process, ports["gRPC"], ports["admin"])
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@asynccontextmanager
async def dialled(running: Running) -> AsyncIterator[tuple[grpc.aio.Channel, "RulesServiceAsyncStub"]]:
    """A channel and a stub."""
    async with open_rules_channel(f"127.0.0.1:{running.grpc_port}") as channel:
        yield channel, RulesServiceStub(channel)


def play(move: str, fen: str = chess.STARTING_FEN) -> pb.Question:
    position = pb.Position(variant="standard", fen=fen)
    return pb.Question(rule_set=rule_set_to_pb(CLAIMED), play=pb.Play(position=position, move=move))


async def test_answers_come_in_order_and_a_bad_question_harms_no_neighbour() -> None:
    async with rules_process() as running, dialled(running) as (_, stub):
        questions = [
            play("e4"),
            play("e5"),
            pb.Question(),
            play("Nf3" * 300_000),
            play("d4", "8/8/8/8/8/8/8/8 w - - 0 1"),
            pb.Question(ping=pb.Ping()),
            play("Nf3"),
        ]
        verdicts = (await stub.Judge(pb.JudgeRequest(questions=questions))).verdicts
        assert [verdict.WhichOneof("answer") for verdict in verdicts] == [
            *["played", "refusal", "refusal", "refusal", "refusal", "pong", "played"]
        ]
        assert [verdict.refusal.code for verdict in verdicts[1:5]] == [
            *["illegal_move", "malformed", "malformed", "bad_position"]
        ]
        assert verdicts[6].played.san == "Nf3"
        assert not (await stub.Judge(pb.JudgeRequest())).verdicts


async def test_a_game_to_mate_with_carried_keys() -> None:
    async with rules_process() as running, dialled(running) as (_, stub):
        start = pb.Question(rule_set=rule_set_to_pb(CLAIMED), start=pb.Start(variant="standard"))
        standing = (await stub.Judge(pb.JudgeRequest(questions=[start]))).verdicts[0].started.standing
        for move in ("e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7"):
            question = pb.Question(
                rule_set=rule_set_to_pb(CLAIMED), play=pb.Play(position=standing.position, move=move)
            )
            played = (await stub.Judge(pb.JudgeRequest(questions=[question]))).verdicts[0].played
            standing = played.standing
        assert (played.san, played.uci) == ("Qxf7#", "h5f7")
        assert standing.HasField("outcome")


async def test_too_many_questions_are_refused_as_a_whole() -> None:
    async with rules_process() as running, dialled(running) as (_, stub):
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await stub.Judge(pb.JudgeRequest(questions=[play("e4")] * 257))
        assert raised.value.code() is grpc.StatusCode.INVALID_ARGUMENT
        assert "at most 256" in (raised.value.details() or "")
        full = await stub.Judge(pb.JudgeRequest(questions=[play("e4")] * 256))
        assert len(full.verdicts) == 256


async def test_health_metrics_and_drain() -> None:
    async with rules_process() as running, dialled(running) as (channel, stub):
        await rpc.check_serving(channel)
        await stub.Judge(pb.JudgeRequest(questions=[play("e4"), play("e5")]))
        async with asyncio.timeout(10):
            while (await asyncio.to_thread(running.admin, "/readyz"))[0] != 200:
                await asyncio.sleep(0.02)
        assert (await asyncio.to_thread(running.admin, "/healthz"))[0] == 200
        _, metrics = await asyncio.to_thread(running.admin, "/metrics")
        assert 'flagfall_rules_verdicts_total{question="play",verdict="ok"} 1.0' in metrics
        assert 'flagfall_rules_verdicts_total{question="play",verdict="illegal_move"} 1.0' in metrics
        running.process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(running.process.wait(), 10) == 0


async def test_health_answers_while_full_batches_are_judged() -> None:
    async with rules_process() as running, dialled(running) as (channel, stub):
        full = pb.JudgeRequest(questions=[play("e4")] * 256)
        batches = [asyncio.ensure_future(stub.Judge(full)) for _ in range(8)]
        # more than 2,000 questions are under way; health does not wait for the last of them
        await rpc.check_serving(channel)
        waiting = sum(not batch.done() for batch in batches)
        assert waiting > 0
        assert {len((await batch).verdicts) for batch in batches} == {256}
