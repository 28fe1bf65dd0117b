"""Commands as they come in: what the database could not even be asked for is refused before."""

import pytest

from services.domain.refusal import Refusal
from services.game.play.command import Command
from services.game.play.commands.draws import ClaimDraw
from services.game.play.commands.moving import Move
from services.game.settings import GameSettings
from services.game.wire.parsing import command_of
from services.pb.flagfall.v1 import game_pb2 as pb


def message(**fields: str) -> pb.Command:
    named = {"game_id": "abcdEF12", "player_id": "ann", "command_id": "ws:a_1-b", **fields}
    return pb.Command(game_id=named["game_id"], player_id=named["player_id"], command_id=named["command_id"], move=E4)


E4 = pb.Move(text="e4", ply=0)


def test_a_command_is_read() -> None:
    command = command_of(message(), 17, GameSettings())
    assert isinstance(command, Command)
    assert (command.game_id, command.player_id, command.command_id) == ("abcdEF12", "ann", "ws:a_1-b")
    assert (command.action, command.received_ms) == (Move("e4", 0, False), 17)


@pytest.mark.parametrize(
    ("fields", "code", "at"),
    [
        ({"game_id": "abcd\0F12"}, "not_found", "game_id"),
        ({"game_id": ""}, "not_found", "game_id"),
        ({"game_id": "abcdEF123"}, "not_found", "game_id"),
        ({"command_id": "a\0b"}, "malformed", "command_id"),
        ({"command_id": "a b"}, "malformed", "command_id"),
        ({"command_id": "é"}, "malformed", "command_id"),
        ({"command_id": "a" * 65}, "malformed", "command_id"),
        ({"player_id": "an\0n"}, "malformed", "player_id"),
        ({"player_id": ""}, "malformed", "player_id"),
    ],
)
def test_a_name_that_nothing_can_have_is_refused(fields: dict[str, str], code: str, at: str) -> None:
    refusal = command_of(message(**fields), 17, GameSettings())
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.at) == (code, at)


@pytest.mark.parametrize(
    ("move", "expected"),
    [("", ClaimDraw()), ("Ng8", ClaimDraw("Ng8")), ("e", None), ("x" * 33, None)],
)
def test_a_claim_comes_with_a_move_or_without(move: str, expected: ClaimDraw | None) -> None:
    claim = pb.Command(game_id="abcdEF12", player_id="ann", claim_draw=pb.ClaimDraw(move=move))
    command = command_of(claim, 17, GameSettings())
    if expected is None:
        assert isinstance(command, Refusal)
        assert (command.code, command.at) == ("malformed", "move")
    else:
        assert isinstance(command, Command)
        assert command.action == expected
