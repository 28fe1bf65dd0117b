"""`python -m services.game close NAME | password NAME`: commands of the server's operator for a running service.

A new password is read from standard input, one line, so that it is not visible in the list of processes.
"""

import asyncio
import sys

import grpc

from services.channels import GameStubs, open_game_channel
from services.domain.text import Text, say
from services.game.settings import GameSettings
from services.pb.flagfall.v1 import game_pb2 as pb
from services.runtime.wire import refusal_from_pb
from services.words.catalogue import sentence

TIMEOUT_S = 20.0


def run(command: str, name: str, settings: GameSettings) -> int:
    """Run the command and print its result or its error. Returns the exit status."""
    password = sys.stdin.readline().rstrip("\r\n") if command == "password" else ""
    try:
        problem = asyncio.run(_run(command, name.lower(), password, settings))
    except grpc.aio.AioRpcError as error:
        reason = f"{error.code().name.lower()}: {error.details()}"
        print(sentence(say("operator.unknown", server=settings.game_target, reason=reason)), file=sys.stderr)
        return 1
    if problem is not None:
        print(sentence(say("operator.nothing_done", problem=problem)), file=sys.stderr)
        return 1
    done = {
        "close": say("operator.closed", name=name),
        "password": say("operator.password_set", name=name),
    }
    print(sentence(done[command]))
    return 0


async def _run(command: str, player_id: str, password: str, settings: GameSettings) -> Text | str | None:
    """Run the command; returns why it was refused, or None for success."""
    channel = open_game_channel(settings.game_target, settings)
    try:
        stubs = GameStubs(channel)
        answer: pb.CloseAccountResponse | pb.SetPasswordResponse
        if command == "close":
            closing = pb.CloseAccountRequest(player_id=player_id, by_operator=True)
            answer = await stubs.personal_data.CloseAccount(closing, timeout=TIMEOUT_S)
        else:
            setting = pb.SetPasswordRequest(player_id=player_id, new_password=password, by_operator=True)
            answer = await stubs.players.SetPassword(setting, timeout=TIMEOUT_S)
    finally:
        await channel.close()
    return refusal_from_pb(answer.refusal).text if answer.HasField("refusal") else None
