"""What is traced, and what is not."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import pytest

from services.game.play.command import Command
from services.game.play.question import Play
from services.game.settings import GameSettings
from services.game.wire.parsing import command_of
from services.pb.flagfall.v1 import game_pb2 as pb
from services.runtime import tracing
from services.runtime.logs import _WithIds
from services.runtime.settings import Settings
from services.runtime.tracing import Attribute
from services.workers.turn import Turn, from_payload, to_payload

OFFERED = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
OTHER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@dataclass(slots=True)
class KeptSpan:
    """A span that stays here."""

    name: str
    parent: str
    links: Sequence[str]
    attributes: dict[str, Attribute]
    traceparent: str = OTHER
    ended: bool = False

    def end(self, **attributes: Attribute) -> None:
        """See tracing.Span."""
        self.attributes |= attributes
        self.ended = True


@dataclass(slots=True)
class Keeper:
    """A tracer that keeps its spans."""

    spans: list[KeptSpan] = field(default_factory=list)
    closed: bool = False

    def begin(
        self,
        name: str,
        parent: str,
        start_ns: int | None = None,
        links: Sequence[str] = (),
        attributes: dict[str, Attribute] | None = None,
    ) -> KeptSpan:
        """See tracing.Tracer."""
        self.spans.append(KeptSpan(name, parent, links, dict(attributes or {})))
        return self.spans[-1]

    def close(self) -> None:
        """See tracing.Tracer."""
        self.closed = True


@pytest.fixture
def keeper() -> Iterator[Keeper]:
    """Everything that begins is traced."""
    kept = Keeper()
    tracing.use(kept, 1.0)
    yield kept
    tracing.use(None, 0.0)


def ids_inside() -> dict[str, str]:
    """The ids that a line would carry that is logged now."""
    record = logging.LogRecord("x", logging.INFO, __file__, 1, "x", None, None)
    before = set(vars(record))
    _WithIds().filter(record)
    return {name: value for name, value in vars(record).items() if name not in before and name != "ids"}


def move(traceparent: str = "") -> Command:
    """A player's move as the game service takes it."""
    message = pb.Command(
        game_id="abcdefgh", player_id="somebody", command_id="x", move=pb.Move(text="e2e4"), traceparent=traceparent
    )
    command = command_of(message, 0, GameSettings.model_construct(command_id_chars_max=64, move_chars_max=16))
    assert isinstance(command, Command)
    return command


def test_nothing_is_traced_while_traces_are_off() -> None:
    with tracing.offered(OFFERED):
        assert (tracing.on, tracing.root("x"), tracing.child("x", OFFERED)) == (False, None, None)
    assert move(OFFERED).trace == ""


def test_a_client_does_not_decide_that_it_is_traced(keeper: Keeper) -> None:
    tracing.use(keeper, 0.0)
    with tracing.offered(OFFERED):
        assert tracing.root("x") is None
    assert keeper.spans == []


def test_a_clients_trace_is_taken_up_where_it_is_traced(keeper: Keeper) -> None:
    with tracing.offered(OFFERED):
        tracing.root("x", game="g")
    tracing.root("y")
    assert [(span.name, span.parent) for span in keeper.spans] == [("x", OFFERED), ("y", "")]


@pytest.mark.parametrize(
    "given", ["", "00-1-2-01", OFFERED + "x", OFFERED.replace("4bf9", "4BF9"), "00-" + "0" * 32 + OFFERED[35:]]
)
def test_what_is_no_traceparent_is_ignored(given: str, keeper: Keeper) -> None:
    with tracing.offered(given):
        tracing.root("x")
    assert keeper.spans[0].parent == ""
    assert move(given).trace == ""


def test_an_item_without_a_trace_has_no_span(keeper: Keeper) -> None:
    assert tracing.child("x", "") is None
    tracing.record("x", "", 1)
    assert keeper.spans == []


def test_a_batch_is_linked_to_its_traced_items_alone(keeper: Keeper) -> None:
    with tracing.batch("b", ["", OFFERED, ""]):
        assert not keeper.spans[0].ended
    assert keeper.spans == [KeptSpan("b", "", [OFFERED], {"items": 3, "items_traced": 1}, ended=True)]
    with tracing.batch("b", ["", ""]):
        pass
    assert len(keeper.spans) == 1


def test_lines_inside_carry_the_ids() -> None:
    with tracing.told(OFFERED):
        assert ids_inside() == {"trace_id": OFFERED[3:35], "span_id": OFFERED[36:52]}
    assert ids_inside() == {}


def test_shutting_down_sends_what_is_left_and_traces_no_more(keeper: Keeper) -> None:
    tracing.shut_down()
    assert (keeper.closed, tracing.on, tracing.root("x")) == (True, False, None)


def test_a_repetition_with_another_trace_is_the_same_command(keeper: Keeper) -> None:
    assert (move(OFFERED).trace, move(OTHER).trace) == (OFFERED, OTHER)
    assert move(OFFERED) == move(OTHER) == move()
    assert move(OFFERED).digest == move(OTHER).digest == move().digest


def test_a_question_and_a_turn_are_what_they_are_without_their_trace() -> None:
    question = Play("standard", None, "fen", b"", "e2e4")  # type: ignore[arg-type]
    assert replace(question, trace=OFFERED) == question
    turn = Turn("game", 3, "fen", 5, 0, 1_000, OFFERED)
    assert turn == Turn("game", 3, "fen", 5)
    assert from_payload(to_payload(turn)).trace == OFFERED
    assert from_payload({**to_payload(turn), "trace": "nonsense"}).trace == ""
    assert from_payload({key: value for key, value in to_payload(turn).items() if key != "trace"}).trace == ""


def test_a_platform_that_turns_the_library_off_turns_traces_off(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """With it off its spans are empty ones, on which every traced move would fail."""
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    tracing.set_up("game", "1", Settings(traces_url="http://127.0.0.1:9/v1/traces", traces_ratio=1.0))
    assert not tracing.on
    assert "OTEL_SDK_DISABLED" in caplog.text
