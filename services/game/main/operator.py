"""`python -m services.game close NAME | password NAME`: commands of the server's operator for a running service.

A new password is read from standard input, one line, so that it is not visible in the list of processes.
"""

import asyncio
import sys

import grpc

from services.channels import GameStubs, open_game_channel
from services.game.settings import GameSettings
from services.pb.flagfall.v1 import game_pb2 as pb

TIMEOUT_S = 20.0


def run(command: str, name: str, settings: GameSettings) -> int:
    """Run the command and print its result or its error. Returns the exit status."""
    password = sys.stdin.readline().rstrip("\r\n") if command == "password" else ""
    try:
        problem = asyncio.run(_run(command, name.lower(), password, settings))
    except grpc.aio.AioRpcError as error:
        said = f"{error.code().name.lower()}: {error.details()}"
        print(
            f"it is not known whether it was done; look, and repeat it. {settings.game_target}: {said}", file=sys.stderr
        )
        return 1
    if problem:
        print(f"nothing was done: {problem}", file=sys.stderr)
        return 1
    done = {
        "close": f"{name} is closed; within minutes its games have another name, and the rest is removed",
        "password": f"{name} has a new password, and is logged out everywhere within a minute",
    }
    print(done[command])
    return 0


async def _run(command: str, player_id: str, password: str, settings: GameSettings) -> str:
    """Run the command; returns the error, or an empty text for success."""
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
    return answer.refusal.message if answer.HasField("refusal") else ""
