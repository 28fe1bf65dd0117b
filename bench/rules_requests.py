"""Measures how many questions a second of processor time answers through gRPC, in batches and singly. The service runs
alone in a process."""

import asyncio
import os
import socket
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import grpc

from bench import processor_time
from bench.rules_games import random_games
from services.domain.variant import Variant
from services.pb.flagfall.v1 import rules_pb2 as pb
from services.pb.flagfall.v1.rules_pb2_grpc import RulesServiceStub

if TYPE_CHECKING:
    from services.pb.flagfall.v1.rules_pb2_grpc import RulesServiceAsyncStub

BATCHES = (1, 32)
PLIES = 300
SECONDS = 3.0
START_S = 20.0


def measure() -> dict[str, int]:
    """Questions for each second of the service's processor time, by batch size."""
    port, admin = _free_port(), _free_port()
    environment = {"FLAGFALL_GRPC_PORT": str(port), "FLAGFALL_ADMIN_PORT": str(admin), "PATH": os.defpath}
    command = [sys.executable, "-m", "services.rules", "serve"]
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as service:
        try:
            return asyncio.run(_measure(port, service.pid))
        finally:
            service.terminate()


async def _measure(port: int, pid: int) -> dict[str, int]:
    questions = random_games(Variant.STANDARD, PLIES)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        await asyncio.wait_for(channel.channel_ready(), START_S)
        stub: RulesServiceAsyncStub = RulesServiceStub(channel)
        return {f"batches_of_{size}": await _rate(stub, questions, size, pid) for size in BATCHES}


async def _rate(stub: "RulesServiceAsyncStub", questions: list[pb.Question], size: int, pid: int) -> int:
    asked, first = 0, 0
    before_s, until_s = processor_time.own_s(pid), time.monotonic() + SECONDS
    while time.monotonic() < until_s:
        batch = questions[first : first + size]
        first = (first + size) % (len(questions) - size)
        answered = await stub.Judge(pb.JudgeRequest(questions=batch))
        assert all(verdict.HasField("played") for verdict in answered.verdicts)
        asked += len(batch)
    rate = round(asked / (processor_time.own_s(pid) - before_s))
    print(f"batches of {size}: {rate} questions for each second of processor time", flush=True)
    return rate


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])
