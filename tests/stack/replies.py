"""The result of a command as its caller gets it, for tests that call the commit path without a server."""

from services.game.wire.replies import CommandResult, fill_reply
from services.pb.flagfall.v1.game_pb2 import Reply


def reply_message(result: CommandResult) -> Reply:
    """The answer to one command."""
    reply = Reply()
    fill_reply(reply, result)
    return reply
