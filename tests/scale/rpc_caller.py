"""A client of the project's kind: `python -m tests.scale.rpc_caller TARGET CALLS_PER_S`, set up by FLAGFALL_.

It tells after each quarter of a second what became of its calls, a JSON object a line. At 0 calls a second it makes one
for each line that it reads.
"""

import asyncio
import json
import sys
import time
from collections import Counter

import grpc

from services.channels import open_rules_channel
from services.pb.flagfall.v1 import rules_pb2 as pb
from services.pb.flagfall.v1.rules_pb2_grpc import RulesServiceStub
from services.runtime.settings import Settings, load

TOLD_EVERY_S = 0.25
PING = pb.JudgeRequest(questions=[pb.Question(ping=pb.Ping())])


async def call(target: str, per_s: float) -> None:
    """For ever."""
    settings = load(Settings)
    async with open_rules_channel(target, settings) as channel:
        stub = RulesServiceStub(channel)
        outcomes: Counter[str] = Counter()
        under_way: set[asyncio.Task[None]] = set()

        async def once() -> None:
            try:
                await stub.Judge(PING, timeout=settings.call_timeout_ms / 1000)
            except grpc.aio.AioRpcError as error:
                outcomes[error.code().name] += 1
                print(error.details(), file=sys.stderr, flush=True)
            else:
                outcomes["OK"] += 1

        if per_s == 0:
            while await asyncio.to_thread(sys.stdin.readline):
                await once()
                _tell(outcomes)
            return
        next_s = told_s = time.monotonic()
        while True:
            task = asyncio.create_task(once())
            under_way.add(task)
            task.add_done_callback(under_way.discard)
            next_s += 1 / per_s
            await asyncio.sleep(max(0.0, next_s - time.monotonic()))
            if time.monotonic() - told_s >= TOLD_EVERY_S:
                told_s = time.monotonic()
                _tell(outcomes)


def _tell(outcomes: Counter[str]) -> None:
    print(json.dumps(outcomes), flush=True)
    outcomes.clear()


if __name__ == "__main__":
    asyncio.run(call(sys.argv[1], float(sys.argv[2])))
