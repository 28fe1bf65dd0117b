"""The book of a game, kept from its events alone: what they must have made of the moves and the clocks."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from services.domain.clock import DeadlineKind
from services.domain.colour import Colour
from services.domain.time_control import ClockControl, Correspondence, PerMove, Unlimited
from services.game.play.game import Game, Limits
from services.pb.flagfall.v1 import events_pb2
from services.runtime.wire import colour_from_pb

KINDS = {value: name.removeprefix("GAME_EVENT_KIND_") for name, value in events_pb2.GameEventKind.items()}


@dataclass
class Book:
    """A second reckoning of one game, by plain sums: for games without outages."""

    started_ms: int
    left: dict[Colour, int]
    line: list[str] = field(default_factory=list)
    times: list[dict[Colour, int]] = field(default_factory=list)
    """What both sides had left after each half-move, from none on."""
    moved: dict[Colour, int] = field(default_factory=lambda: {Colour.WHITE: 0, Colour.BLACK: 0})
    given: dict[Colour, int] = field(default_factory=lambda: {Colour.WHITE: 0, Colour.BLACK: 0})
    timed: bool = True
    version: int = 0
    over: bool = False
    paused: bool = False
    ends: int = 0
    begins: int = 0

    @classmethod
    def of(cls, game: Game) -> "Book":
        """The book of a game at its beginning, of which it has heard nothing."""
        control = game.terms.control
        initial_ms = control.initial_ms if isinstance(control, ClockControl) else 0
        return cls(game.terms.created_ms, {Colour.WHITE: initial_ms, Colour.BLACK: initial_ms})

    def hear(self, event: events_pb2.GameEvent, game: Game, gifts_ms: Mapping[int, int]) -> None:
        """Enter an event; raises AssertionError where it does not fit what came before. `gifts_ms`: by version."""
        state, kind, by = event.state, KINDS[event.kind], colour_from_pb(event.by)
        what = (kind, state.version)
        assert state.version == self.version + 1, what
        self.version += 1
        assert not self.over or kind == "TAKEN_BACK", (*what, "after the end")
        control = game.terms.control
        clock = control if isinstance(control, ClockControl) and self.timed else None
        turn = colour_from_pb(state.turn)
        assert turn is not None
        was_paused, was_over = self.paused, self.over
        self.paused = state.HasField("pause")
        self.over = state.status != events_pb2.GAME_STATUS_STARTED
        self.begins += kind == "CREATED" or (was_over and not self.over)
        self.ends += self.over
        match kind:
            case "CREATED":
                self.times = [dict(self.left)]
            case "MOVE":
                assert by is turn.other, what
                assert by is not None
                assert not was_paused, what
                assert state.at_ms >= self.started_ms, what
                if clock is not None:
                    spent_ms = state.at_ms - self.started_ms if self.line else 0
                    assert spent_ms < self.left[by] or self._stands(by, game), (*what, "moved after its time")
                    self.left[by] = max(0, self.left[by] - spent_ms) + clock.increment_ms
                self.line.append(state.last_uci)
                self.times.append(dict(self.left))
                self.moved[by] += 1
                self.started_ms = state.at_ms
            case "TAKEN_BACK":
                assert state.ply < len(self.line), what
                del self.line[state.ply :]
                del self.times[state.ply + 1 :]
                if clock is not None:
                    self.left = dict(self.times[-1])
                self.started_ms = state.at_ms
            case "TIME_GIVEN" if isinstance(control, ClockControl):
                assert by is not None
                self.left[by.other] += gifts_ms[state.version]
                self.given[by.other] += gifts_ms[state.version]
            case "TIME_GIVEN" if isinstance(control, PerMove):
                assert by is None, what
                self.started_ms = state.at_ms
            case "PAUSED":
                self._stop(clock, turn, state.pause.since_ms, game)
                assert clock is None or self.left[turn] == 0, (*what, "a flag fell with time left")
            case "WENT_ON":
                assert was_paused, what
                self.timed = False
                self.started_ms = max(state.at_ms, self.started_ms)
            case "SEAT_TAKEN" if isinstance(control, PerMove) and by is turn:
                self.started_ms = max(state.at_ms, self.started_ms)
            case "ENDED" if not was_paused:
                self._stop(clock, turn, state.ended_ms, game)
            case _:
                pass
        assert state.ply == len(self.line), what
        self._shown(state, clock if self.timed else None, turn, game, what)

    def _stands(self, turn: Colour, game: Game) -> bool:
        """Whether this turn waits for a worker: the moves here come without the time of thinking."""
        timed = isinstance(game.terms.control, ClockControl)
        return game.terms.seat(turn).computer_level > 0 and (not timed or self.left[turn] > 0)

    def _stop(self, clock: ClockControl | None, turn: Colour, at_ms: int, game: Game) -> None:
        if clock is not None and self.line and not self._stands(turn, game):
            self.left[turn] = max(0, self.left[turn] - (at_ms - self.started_ms))

    def _shown(
        self,
        state: events_pb2.GameState,
        clock: ClockControl | None,
        turn: Colour,
        game: Game,
        what: tuple[object, ...],
    ) -> None:
        if self.over:
            assert state.ended_ms > 0, what
            assert state.outcome.reason, what
        else:
            assert not state.ended_ms, what
            assert not state.HasField("outcome"), what
        if self.over or self.paused:
            offers = (state.draw_offer, state.takeback_offer, state.computer_turn_level, state.running)
            assert offers == (0, 0, 0, False), what
        assert not (self.over and self.paused), what
        if clock is None:
            return
        runs = self.line and not self.over and not self.paused and not self._stands(turn, game)
        spent_ms = max(0, state.at_ms - self.started_ms) if runs else 0
        for side, shown_ms in ((Colour.WHITE, state.white_ms), (Colour.BLACK, state.black_ms)):
            expected_ms = max(0, self.left[side] - (spent_ms if side is turn else 0))
            assert shown_ms == expected_ms, (*what, side, shown_ms, expected_ms)

    def agrees(self, game: Game, limits: Limits) -> None:
        """Assert that the row says what the events have made, and that its deadline is the one of these sums."""
        assert (game.version, game.ply) == (self.version, len(self.line))
        assert game.clock.turn_started_ms == self.started_ms
        assert game.last_uci == (self.line[-1] if self.line else "")
        assert (game.outcome is not None, game.extra.pause is not None) == (self.over, self.paused)
        assert (game.ended_ms is None) == (game.outcome is None)
        control = game.terms.control
        if isinstance(control, ClockControl) and self.timed:
            for side in Colour:
                most_ms = control.initial_ms + control.increment_ms * self.moved[side] + self.given[side]
                assert game.clock.left_ms(side) == self.left[side], side
                assert 0 <= self.left[side] <= most_ms, side
                assert game.extra.given_ms.of(side) == self.given[side] <= limits.given_ms_max, side
        deadline = game.deadline(limits)
        found = None if deadline is None else (deadline.kind, deadline.at_ms)
        assert found == self._deadline(game, limits), found
        if deadline is not None:
            assert game.look_ms <= deadline.at_ms, "it would not be looked at before its time is up"

    def _deadline(self, game: Game, limits: Limits) -> tuple[DeadlineKind, int] | None:
        if self.over:
            return None
        if game.extra.pause is not None:
            return DeadlineKind.DECISION, game.extra.pause.since_ms + limits.decision_ms
        match game.terms.control if self.timed else Unlimited():
            case Unlimited():
                return None
            case _ if self._stands(game.turn, game):
                return None
            case Correspondence(days):
                return DeadlineKind.EXPIRY, self.started_ms + days * limits.day_ms + game.extra.rest_ms
            case ClockControl() | PerMove() as control:
                turn_ms = control.turn_ms if isinstance(control, PerMove) else self.left[game.turn]
                falls_ms = self.started_ms + turn_ms if self.line else None
                if game.terms.against_computer or len(self.line) >= 2:
                    return None if falls_ms is None else (DeadlineKind.FLAG, falls_ms)
                first_ms = self.started_ms + limits.first_move_ms
                return DeadlineKind.FIRST_MOVE, first_ms if falls_ms is None else min(first_ms, falls_ms)
