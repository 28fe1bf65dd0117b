"""The client of `make chaos` complains of another answer to the same command, whatever the command is."""

import random
from typing import Any

import pytest

from tests.chaos.facts import Command, Seat
from tests.chaos.mind import Style
from tests.chaos.player import Player

FIRST = {"t": "ack", "game": "game", "id": "one", "v": 3}


def player_of(command: Command) -> Player:
    """Somebody without a connection who has sent this, and never sends again what was answered."""
    seat = Seat("game", "anna", "white", {command.id: command})
    return Player((), 0, "", seat, Style((0.0, 0.0), repeats=0.0), random.Random(1))


@pytest.mark.parametrize("kind", ["move", "resign", "draw", "nodraw"])
@pytest.mark.parametrize(
    ("change", "complaints"),
    [({"repeated": True}, 0), ({"repeated": True, "v": 4}, 1), ({}, 1)],
    ids=["the same", "another version", "done anew"],
)
def test_a_repeated_command_gets_the_same_answer(kind: str, change: dict[str, Any], complaints: int) -> None:
    player = player_of(Command("one", kind, "", 0, 2, 0, acked=3))
    player._frame(FIRST | change)
    assert len(player.seat.complaints) == complaints
    assert player.repeated == 1


def test_a_version_is_thought_about_once() -> None:
    player = player_of(Command("one", "draw", "", 0, 2, 0))
    player._began_s["one"] = 0.0
    player._version = player._thought = 3
    player.state = {"status": "started", "turn": "white", "ply": 2, "drawOffer": "white"}
    player._frame(FIRST)
    assert player.seat.commands["one"].acked == 3
    assert not player._minds
