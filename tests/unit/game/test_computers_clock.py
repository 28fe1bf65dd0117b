"""Case S03: the computer's clock stands until a worker has taken its turn, and its move is charged what it thought."""

import pytest

from services.domain.clock import DeadlineKind, Outages
from services.domain.outcome import EndReason, Outcome
from services.domain.refusal import RefusalCode
from services.domain.time_control import ClockControl, Correspondence, PerMove, TimeControl
from services.game.play.commands.flags import Flag
from services.game.play.commands.moving import Move, Resign
from services.game.play.game import COMPUTER_ID
from services.game.settings import GameSettings
from services.game.wire.messages import state_message
from services.game.wire.parsing import command_of
from services.pb.flagfall.v1 import game_pb2 as pb
from tests.unit.game.deciding import (
    COMPUTER,
    DAY,
    LIMITS,
    MINUTE,
    SECOND,
    B,
    W,
    after,
    attempt,
    code,
    game,
    its_flag_due,
)

FIFTEEN = ClockControl(15 * SECOND, 0)
BEGAN_MS = 3 * SECOND
"""When the computer's turn after three half-moves of a second each began."""


@pytest.mark.parametrize("control", [FIFTEEN, PerMove(30 * SECOND), Correspondence(1)])
def test_no_time_of_the_computer_passes_while_no_worker_plays(control: TimeControl) -> None:
    waiting = game(3, control, black=COMPUTER)
    assert waiting.deadline(LIMITS) is None
    assert code(attempt(waiting, "", Flag(waiting.version), 10 * DAY)) is RefusalCode.NOT_DUE
    moved = after(waiting, B, Move("e7e5", thought_ms=200), BEGAN_MS + 10 * DAY)
    assert moved.outcome is None
    assert moved.clock.black_ms == (waiting.clock.black_ms - 200 if control is FIFTEEN else 0)
    assert moved.deadline(LIMITS) is not None, "the person's clock runs"


def test_it_is_charged_what_it_thought_and_never_more_than_the_turn_took() -> None:
    waiting = game(3, FIFTEEN, black=COMPUTER)
    quick = after(waiting, B, Move("e7e5", thought_ms=5_000), BEGAN_MS + 300)
    assert quick.clock.black_ms == waiting.clock.black_ms - 300
    unsaid = after(waiting, B, Move("e7e5"), BEGAN_MS + 700)  # from a worker of the last release
    assert unsaid.clock.black_ms == waiting.clock.black_ms - 700


def test_a_person_cannot_say_how_long_it_thought() -> None:
    thinking = game(2, FIFTEEN)
    moved = after(thinking, W, Move("e2e4", thought_ms=1), 2 * SECOND + 4_000)
    assert moved.clock.white_ms == thinking.clock.white_ms - 4_000


def test_a_computer_that_has_used_up_its_time_by_thinking_loses() -> None:
    spent = its_flag_due()
    deadline = spent.deadline(LIMITS)
    assert deadline is not None
    assert deadline.kind is DeadlineKind.FLAG
    assert after(spent, None, Flag(0), BEGAN_MS + 100).outcome == Outcome(W, EndReason.FLAG)


def test_its_clock_is_shown_standing_and_stands_at_the_end_too() -> None:
    waiting = game(3, FIFTEEN, black=COMPUTER)
    shown = state_message(waiting, LIMITS, Outages(), BEGAN_MS + MINUTE)
    assert (shown.running, shown.black_ms, shown.deadline_ms) == (False, waiting.clock.black_ms, 0)
    resigned = after(waiting, W, Resign(), BEGAN_MS + MINUTE)
    assert resigned.clock.black_ms == waiting.clock.black_ms


def test_two_workers_that_find_the_same_move_send_the_same_command() -> None:
    def command(thought_ms: int, text: str = "e7e5") -> bytes:
        move = pb.Move(text=text, ply=3, takebacks=0, thought_ms=thought_ms)
        message = pb.Command(game_id="game0001", player_id=COMPUTER_ID, command_id="turn-3", move=move)
        read = command_of(message, 0, GameSettings())
        assert not hasattr(read, "code"), read
        return read.digest

    assert command(10) == command(900)
    assert command(10) != command(10, "d7d5")
