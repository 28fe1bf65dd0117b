"""A server of the project's kind with nothing behind it: `python -m tests.scale.rpc_server`, set up by FLAGFALL_."""

import asyncio
from typing import Any

import grpc

from services.pb.flagfall.v1 import rules_pb2 as pb
from services.pb.flagfall.v1.rules_pb2_grpc import RulesServiceServicer, add_RulesServiceServicer_to_server
from services.runtime import lifecycle
from services.runtime.lifecycle import Stop
from services.runtime.rpc import serving
from services.runtime.settings import Settings, load

TAKES_S = 0.2
"""So long that calls are always under way when a server ends."""


class Echo(RulesServiceServicer):
    """Takes its time to say that it lives."""

    async def Judge(self, request: pb.JudgeRequest, context: grpc.aio.ServicerContext[Any, Any]) -> pb.JudgeResponse:
        """A pong for each question, after a while."""
        await asyncio.sleep(TAKES_S)
        return pb.JudgeResponse(verdicts=[pb.Verdict(pong=pb.Pong()) for _ in request.questions])


async def serve(settings: Settings, stop: Stop) -> None:
    """Until asked to stop; then it drains as every service does."""
    async with lifecycle.admin(settings, stop) as health:

        def add(server: grpc.aio.Server) -> None:
            add_RulesServiceServicer_to_server(Echo(), server)  # type: ignore[abstract]

        async with serving(settings, add):
            await stop.wait()
            health.drain()


if __name__ == "__main__":
    lifecycle.run("echo", load(Settings), serve)
