"""The workers' own decisions, without a store, a port or a process."""

import random
import shlex
from collections.abc import Sequence
from typing import Any

import chess
import pytest

from services.domain.refusal import Refusal, RefusalCode
from services.pb.flagfall.v1 import events_pb2, game_pb2
from services.workers.broker import age_s
from services.workers.celery_app import ENQUEUED_HEADER, make_app
from services.workers.engine_pool import EnginePool, find_command
from services.workers.grpc_game import GameUnavailable, Swept
from services.workers.heartbeat import Heartbeat
from services.workers.mover import Mover
from services.workers.settings import WorkersSettings
from services.workers.turn import (
    HintAsked,
    Position,
    Turn,
    from_payload,
    hint_asked,
    hint_from_payload,
    newest_turns,
    to_payload,
    turn_of,
)
from services.workers.work import Work
from tests.stack.said import said

STARTED = events_pb2.GAME_STATUS_STARTED
TURN = Turn("game", 4, chess.STARTING_FEN, 3)


def position(fen: str = chess.STARTING_FEN, variant: str = "standard") -> Position:
    board = chess.Board(fen)
    return Position(variant, fen, (), fen, tuple(move.uci() for move in board.legal_moves))


@pytest.mark.parametrize(
    ("status", "level", "is_turn"),
    [(STARTED, 3, True), (STARTED, 0, False), (events_pb2.GAME_STATUS_ENDED, 3, False)],
)
def test_only_a_running_game_with_a_computer_to_move_leaves_a_turn(
    status: events_pb2.GameStatus, level: int, is_turn: bool
) -> None:
    state = events_pb2.GameState(game_id="game", ply=4, fen="f", status=status, computer_turn_level=level)
    assert (turn_of(state) == Turn("game", 4, "f", 3)) is is_turn


def test_the_highest_version_says_whose_turn_it_is() -> None:
    def state(version: int, level: int) -> events_pb2.GameState:
        return events_pb2.GameState(
            game_id="g", version=version, ply=version, status=STARTED, computer_turn_level=level
        )

    assert newest_turns([state(3, 0), state(2, 5)]) == []
    assert [turn.ply for turn in newest_turns([state(2, 5), state(4, 5), state(3, 0)])] == [4]


def test_names_of_a_turn_are_the_same_for_its_repeats_and_differ_otherwise() -> None:
    others = [
        Turn("other", 4, TURN.fen, 3),
        Turn("game", 6, TURN.fen, 3),
        Turn("game", 4, "8/8/8/8/8/8/8/K1k5 w - -", 3),
        Turn("game", 4, TURN.fen, 3, takebacks=1),
    ]
    assert len({turn.task_key for turn in (TURN, *others)}) == 5
    assert len({(turn.game_id, turn.command_id) for turn in (TURN, *others)}) == 5
    # Another level is another task, but one of the two moves is the turn's.
    other_level = Turn("game", 4, TURN.fen, 9)
    assert (other_level.task_key != TURN.task_key, other_level.command_id) == (True, TURN.command_id)
    assert TURN.command_id == f"turn-4-{TURN.position_key}-0"
    assert len(TURN.command_id) <= 64


def test_a_turn_survives_its_journey() -> None:
    later = Turn("game", 4, TURN.fen, 3, takebacks=2)
    assert [from_payload(to_payload(turn)) for turn in (TURN, later)] == [TURN, later]
    older = {name: value for name, value in to_payload(TURN).items() if name != "takebacks"}
    assert from_payload(older) == TURN


def test_a_hint_survives_its_journey_and_anything_else_is_none() -> None:
    hint = HintAsked("game", 4, TURN.fen, 1)
    assert hint_from_payload(to_payload(hint)) == hint
    for payload in (None, {}, {**to_payload(hint), "ply": "4"}, {**to_payload(hint), "takebacks": "1"}):
        with pytest.raises(ValueError, match=r"hint|takebacks"):
            hint_from_payload(payload)


def test_which_events_ask_for_a_hint() -> None:
    state = events_pb2.GameState(game_id="g", ply=2, fen="f", takebacks=1, status=STARTED)
    hinted = events_pb2.GameEvent(kind=events_pb2.GAME_EVENT_KIND_HINTED, state=state)
    assert hint_asked(hinted) == HintAsked("g", 2, "f", 1)
    assert hint_asked(events_pb2.GameEvent(kind=events_pb2.GAME_EVENT_KIND_MOVE, state=state)) is None
    state.status = events_pb2.GAME_STATUS_ENDED
    assert hint_asked(events_pb2.GameEvent(kind=events_pb2.GAME_EVENT_KIND_HINTED, state=state)) is None


@pytest.mark.parametrize(
    "payload",
    [None, 5, "turn", [], {}, {"game_id": "g"}, {**to_payload(TURN), "ply": "4"}, {**to_payload(TURN), "level": 11}],
)
def test_anything_else_is_no_turn(payload: object) -> None:
    with pytest.raises(ValueError, match=r"turn|level"):
        from_payload(payload)


def test_the_engine_is_the_setting_or_a_known_program_or_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_command("none") is None
    assert find_command("node --flag 'a b.js'") == ("node", "--flag", "a b.js")
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr("services.workers.engine_pool.FOLDERS", "/nowhere")
    assert find_command("") is None


@pytest.mark.parametrize(
    ("redis_url", "broker_url", "broker"),
    [
        ("redis://:secret@host:6379/0", "", "redis://:secret@host:6379/1"),
        ("redis://host:6379", "", "redis://host:6379/1"),
        ("redis://host:6379/4", "amqp://rabbit//", "amqp://rabbit//"),
    ],
)
def test_the_broker_is_the_next_database_unless_named(redis_url: str, broker_url: str, broker: str) -> None:
    assert WorkersSettings(redis_url=redis_url, broker_url=broker_url).broker == broker


def test_tasks_survive_their_worker_and_wait_for_no_time() -> None:
    settings = WorkersSettings()
    conf = make_app(settings).conf
    assert (conf.task_acks_late, conf.task_reject_on_worker_lost, conf.worker_prefetch_multiplier) == (True, True, 1)
    options = conf.broker_transport_options
    assert options["visibility_timeout"] * 1000 > 2 * (settings.engine_start_ms + settings.engine_move_ms)
    assert (options["unacked_restore_interval"], options["unacked_restore_throttle"]) == (1, 1)
    for entry in conf.beat_schedule.values():
        assert not {"eta", "countdown"} & set(entry["options"])


def test_the_age_of_a_queued_task() -> None:
    message = b'{"headers": {"%s": 1000}}' % ENQUEUED_HEADER.encode()
    assert age_s(message, 3_500) == 2.5
    assert age_s(message, 500) == 0
    assert age_s(None, 3_500) == 0
    assert age_s(b'{"headers": {}}', 3_500) == 0


class Answers:
    """A game service that gives prepared answers."""

    def __init__(self, *submits: game_pb2.Accepted | Refusal | Exception, here: Position | None = None) -> None:
        self.submits = list(submits)
        self.here = here
        self.submitted: list[str] = []
        self.sweeps: list[Swept | Exception] = []

    async def position(self, turn: Turn | HintAsked) -> Position | None:
        return self.here

    async def give_hint(self, hint: HintAsked, move: str) -> Refusal | None:
        self.submitted.append(move)
        answer = self.submits.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, Refusal) else None

    async def submit(self, turn: Turn, move: str, thought_ms: int) -> game_pb2.Accepted | Refusal:
        self.submitted.append(move)
        answer = self.submits.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def sweep(self, limit: int) -> Swept:
        answer = self.sweeps.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def waiting_turns(self, waiting_ms: int, limit: int) -> Sequence[Turn]:
        raise AssertionError("the dispatcher's call")


@pytest.mark.parametrize(
    ("answers", "outcome"),
    [
        ([game_pb2.Accepted()], "given"),
        ([GameUnavailable("away")], "unavailable"),
        ([Refusal(RefusalCode.STALE_VERSION, said("late"))], "late"),
    ],
)
async def test_what_becomes_of_a_hint(answers: list[game_pb2.Accepted | Refusal | Exception], outcome: str) -> None:
    game = Answers(*answers, here=position())
    assert await work_of(game).find_hint(HintAsked("game", 4, TURN.fen)) == outcome
    assert len(game.submitted) == 1
    assert set(game.submitted) <= set(position().legal)


async def test_a_hint_for_a_position_that_is_gone_is_not_searched() -> None:
    game = Answers(here=None)
    assert await work_of(game).find_hint(HintAsked("game", 4, TURN.fen)) == "outdated"
    assert game.submitted == []


def work_of(game: Answers) -> Work:
    settings = WorkersSettings(submit_tries_max=3, submit_pause_ms=1, sweep_rounds_max=4)
    mover = Mover(EnginePool(None, settings), EnginePool(None, settings), 50, random.Random(1))
    return Work(game, mover, settings)


@pytest.mark.parametrize(
    ("answers", "outcome"),
    [
        ([game_pb2.Accepted(version=2)], "played"),
        ([game_pb2.Accepted(version=2, repeated=True)], "repeated"),
        ([Refusal(RefusalCode.STALE_VERSION, said(""))], "late"),
        ([Refusal(RefusalCode.GAME_OVER, said(""))], "late"),
        ([Refusal(RefusalCode.TIME_IS_UP, said(""))], "late"),
        ([Refusal(RefusalCode.COMMAND_CONFLICT, said(""))], "late"),
        ([Refusal(RefusalCode.ILLEGAL_MOVE, said(""))], "refused"),
        ([GameUnavailable("away"), game_pb2.Accepted(version=2)], "played"),
        ([Refusal(RefusalCode.UNAVAILABLE, said("")), game_pb2.Accepted(version=2)], "played"),
        ([GameUnavailable("away")] * 3, "unavailable"),
    ],
)
async def test_what_comes_of_a_turn(answers: list[Any], outcome: str) -> None:
    game = Answers(*answers, here=position())
    assert await work_of(game).engine_move(TURN) == outcome
    assert len(set(game.submitted)) == 1, "one search, and the same move each time"
    assert len(game.submitted) == len(answers)


async def test_a_turn_that_was_played_already_is_not_searched() -> None:
    game = Answers(here=None)
    assert await work_of(game).engine_move(TURN) == "outdated"
    assert game.submitted == []


@pytest.mark.parametrize(
    ("sweeps", "outcome"),
    [
        ([Swept(5, 0, True), Swept(2, 1, False)], "done"),
        ([Swept(5, 0, True)] * 4, "more"),  # bounded
        ([Swept(5, 0, True), GameUnavailable("away"), Swept(0, 0, False)], "done"),
        ([GameUnavailable("away")] * 3, "unavailable"),
    ],
)
async def test_a_sweep_goes_on_while_there_is_more_but_not_for_ever(
    sweeps: list[Swept | Exception], outcome: str
) -> None:
    game = Answers()
    game.sweeps = list(sweeps)
    assert await work_of(game).sweep_expired() == outcome
    assert game.sweeps == []


async def test_a_heartbeat_grows_stale() -> None:
    now_s = [100.0]
    settings = WorkersSettings(heartbeat_fresh_ms=20_000)
    app: Any = None
    broker: Any = None
    heartbeat = Heartbeat(app, broker, "own", settings, lambda: now_s[0])
    with pytest.raises(TimeoutError):
        await heartbeat.check()
    heartbeat.came_back()
    now_s[0] = 119.0
    await heartbeat.check()
    now_s[0] = 121.0
    with pytest.raises(TimeoutError):
        await heartbeat.check()


def test_commands_with_blanks_survive_the_environment() -> None:
    words = ("/a folder/node", "--require", "/b folder/x.js")
    assert find_command(shlex.join(words)) == words
