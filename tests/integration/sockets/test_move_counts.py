"""Under which kind of time control a gateway counts a move, whether or not it holds the game."""

from typing import Any

import pytest
from prometheus_client import REGISTRY

from services.gateway.game_calls.game_client import GameClient
from services.gateway.settings import GatewaySettings
from services.pb.flagfall.v1 import game_pb2
from tests.integration.gateway.fake_game import FakeGame, channel_to


class Answers(FakeGame):
    """A game service that answers each command alike."""

    def __init__(self, reply: game_pb2.Reply) -> None:
        super().__init__()
        self.reply = reply

    async def Submit(self, request: game_pb2.SubmitRequest, context: Any) -> game_pb2.SubmitResponse:
        """The same answer, whatever was asked."""
        return game_pb2.SubmitResponse(replies=[self.reply] * len(request.commands))


def counted(mode: str, outcome: str) -> float:
    """How many moves of persons were counted so."""
    labels = {"mode": mode, "actor": "person", "outcome": outcome}
    return REGISTRY.get_sample_value("flagfall_moves_total", labels) or 0.0


@pytest.mark.parametrize("mode", ["clock", "per_move", "correspondence", "unlimited"])
async def test_an_accepted_move_is_counted_as_its_answer_says(mode: str) -> None:
    accepted = game_pb2.Accepted(version=2, mode=mode)
    accepted.state.white_ms = accepted.state.black_ms = 20_000  # per-move games show these, too
    before = counted(mode, "accepted")
    await ask(game_pb2.Reply(accepted=accepted))
    assert counted(mode, "accepted") == before + 1


async def test_an_answer_that_says_no_mode_is_of_an_unknown_one() -> None:
    before = counted("unknown", "accepted")
    await ask(game_pb2.Reply(accepted=game_pb2.Accepted(version=2)))
    assert counted("unknown", "accepted") == before + 1


async def test_a_refused_move_is_counted_as_the_gateway_knows_the_game() -> None:
    reply = game_pb2.Reply()
    reply.refusal.code = "not_your_turn"
    before = counted("per_move", "not_your_turn"), counted("unknown", "not_your_turn")
    await ask(reply, known="per_move")
    await ask(reply)
    assert (counted("per_move", "not_your_turn"), counted("unknown", "not_your_turn")) == (before[0] + 1, before[1] + 1)


async def ask(reply: game_pb2.Reply, known: str | None = None) -> None:
    """Send a move that is answered so, by a gateway that knows the game to be of this mode."""
    async with channel_to(Answers(reply)) as channel:
        client = GameClient(channel, GatewaySettings())
        client.mode_of = lambda game_id: known
        await client.ask(game_pb2.Command(game_id="g1", player_id="anna", move=game_pb2.Move(text="e4")))
