"""Results of commands as protobuf messages, for callers."""

from typing import TypeAlias

from services.domain.time_control import mode_of
from services.game.play.result import Committed, NotCommitted
from services.game.wire.events import VersionEvent
from services.pb.flagfall.v1.game_pb2 import Accepted, Reply
from services.runtime.wire import refusal_to_pb

CommandResult: TypeAlias = Committed[VersionEvent] | NotCommitted
"""What the commit path returns for a command."""


def fill_reply(reply: Reply, result: CommandResult) -> None:
    """Put the answer to one command into an empty message, in place: protobuf would otherwise copy each state."""
    if isinstance(result, NotCommitted):
        reply.refusal.CopyFrom(refusal_to_pb(result.refusal))
        reply.searching = result.searching
    else:
        fill_accepted(reply.accepted, result)


def fill_accepted(accepted: Accepted, committed: Committed[VersionEvent]) -> None:
    """Put what a command has committed into an empty message, in place."""
    committed.event.fill(accepted)
    accepted.mode = mode_of(committed.game.terms.control)
    accepted.repeated = committed.repeated
