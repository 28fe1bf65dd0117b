"""The checker of `make chaos` compares what clients were told with the history, and outages with what was done."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.chaos.__main__ import options
from tests.chaos.facts import MOVE, Command, Event, Game, Seat, Seen, Span
from tests.chaos.faults import FAULTS
from tests.chaos.ledger import Ledger
from tests.unit.chaos.test_history import BEGAN, FALLS, LINE, RULES, flag, found, game_of, played


def seats_of(events: list[Event]) -> tuple[Seat, Seat]:
    """Two clients who made these moves, and saw all."""
    seats = Seat("game", "anna", "white"), Seat("game", "bert", "black")
    for event in events:
        for seat in seats:
            seat.seen[event.version] = Seen(event.kind, event.status, event.ply, event.fen, event.uci, event.san)
            if event.kind == MOVE and event.player == seat.player:
                name = event.command.removeprefix("ws:")
                seat.commands[name] = Command(
                    name, MOVE, event.uci, event.ply - 1, event.version - 1, event.at_ms, event.version
                )
    return seats


def broken(change: Callable[[Game, Seat], Game]) -> set[str]:
    """What is found in a sound game after a change to it or to what Black knows."""
    events = played(*LINE)
    seats = seats_of(events)
    return found(change(game_of(events), seats[1]), seats=seats)


def test_clients_who_saw_what_happened_pass() -> None:
    assert broken(lambda game, black: game) == set()


def test_an_acknowledged_move_that_is_lost() -> None:
    events = played(*LINE)
    seats = seats_of(events)
    for seat in seats:
        del seat.seen[5]
    assert found(game_of(events[:4]), seats=seats) == {"lost move"}


def test_a_lost_move_that_was_seen() -> None:
    events = played(*LINE)
    assert found(game_of(events[:4]), seats=seats_of(events)) == {"lost move", "seen and not there"}


@pytest.mark.parametrize(
    ("kind", "what"), [("draw", "lost draw command"), ("nodraw", "lost draw command"), ("resign", "lost command")]
)
def test_an_acknowledged_command_that_is_lost(kind: str, what: str) -> None:
    events = played(*LINE)
    last = events[-1]
    offer = replace(last, version=6, kind="drawOffered", uci="", san="", player="bert", command="ws:other5")
    if kind == "resign":
        offer = replace(offer, kind="ended", status="ended", reason="resignation")
    for line, violations in (([*events, offer], set[str]()), (events, {what})):
        seats = seats_of(events)
        seats[1].commands["other5"] = Command("other5", kind, "", 4, 5, last.at_ms, acked=6)
        assert found(game_of(line), seats=seats) == violations


def test_a_move_that_nobody_acknowledged_may_be_there_once_or_not() -> None:
    events = played(*LINE)
    seats = seats_of(events)
    seats[1].commands["move4"].acked = None
    assert found(game_of(events), seats=seats) == set()
    for seat in seats:
        del seat.seen[5]
    assert found(game_of(events[:4]), seats=seats) == set()


def test_a_move_acknowledged_as_another_version() -> None:
    def change(game: Game, black: Seat) -> Game:
        black.commands["move4"].acked = 4
        return game

    assert broken(change) == {"acknowledged as another version"}


def test_another_move_than_the_one_that_was_sent() -> None:
    def change(game: Game, black: Seat) -> Game:
        black.commands["move4"].text = "a7a6"
        return game

    assert broken(change) == {"another move"}


def test_a_refused_move_that_was_made() -> None:
    def change(game: Game, black: Seat) -> Game:
        black.commands["move4"].acked = None
        black.commands["move4"].refused = "illegal_move"
        return game

    assert broken(change) == {"refused and done"}


def test_a_move_that_nobody_sent() -> None:
    def change(game: Game, black: Seat) -> Game:
        del black.commands["move4"]
        return game

    assert broken(change) == {"a command that nobody sent"}


def test_a_version_seen_otherwise() -> None:
    def change(game: Game, black: Seat) -> Game:
        black.seen[3] = replace(black.seen[3], uci="e7e6")
        return game

    assert broken(change) == {"seen otherwise"}


@pytest.mark.parametrize("line", [("e2e4", "e7e5"), ("e2e4", "e7e5", "g1f3", "b8c6")])
def test_a_whole_game_with_other_moves(line: tuple[str, ...]) -> None:
    def change(game: Game, black: Seat) -> Game:
        black.wholes.append((4, line))
        return game

    assert broken(change) == {"seen otherwise"}


def test_what_a_client_complains_of() -> None:
    def change(game: Game, black: Seat) -> Game:
        black.complaints.append("version 5 after 3")
        return game

    assert broken(change) == {"client complains"}


@pytest.mark.parametrize(("answered_ms", "what"), [(FALLS - 1, {"refused in time"}), (FALLS, set())])
def test_time_is_up_before_it_was(answered_ms: int, what: set[str]) -> None:
    events = played(*LINE)
    seats = seats_of(events)
    sent = Command("move5", MOVE, "f1b5", 4, 5, FALLS - 20, refused="time_is_up", answered_ms=answered_ms)
    seats[0].commands["move5"] = sent
    assert found(game_of(events), seats=seats) == what


def test_game_over_before_it_was() -> None:
    events = played(*LINE)
    events.append(flag(events, FALLS + 100))
    for answered_ms, what in ((FALLS + 99, {"refused in a running game"}), (FALLS + 100, set())):
        seats = seats_of(events)
        sent = Command("move5", MOVE, "f1b5", 4, 5, FALLS - 20, refused="game_over", answered_ms=answered_ms)
        seats[0].commands["move5"] = sent
        assert found(game_of(events), seats=seats) == what


def outages(spans: list[Span], made: list[Span], acks_ms: list[int]) -> list[str]:
    """What the checker says of outages."""
    ledger = Ledger(RULES)
    ledger.check_outages(spans, made, acks_ms)
    return [violation.what for violation in ledger.violations]


def test_an_outage_that_was_made_is_recorded_once() -> None:
    made = Span(BEGAN, BEGAN + 6_000)
    assert outages([Span(BEGAN - 400, BEGAN + 8_000)], [made], []) == []
    assert outages([], [made], []) == ["outage not recorded"]
    assert outages([Span(BEGAN - 400, BEGAN + 3_000)], [made], []) == ["outage not recorded"]
    halves = [Span(BEGAN - 400, BEGAN + 3_000), Span(BEGAN + 3_000, BEGAN + 8_000)]
    assert outages(halves, [made], []) == ["outage recorded twice"]


def test_an_outage_that_is_recorded_twice() -> None:
    spans = [Span(BEGAN, BEGAN + 6_000), Span(BEGAN, BEGAN + 6_010)]
    assert outages(spans, [], []) == ["outage recorded twice"]


def test_a_gap_that_is_none() -> None:
    assert outages([Span(BEGAN, BEGAN + 3_000)], [], []) == ["no outage at all"]


def test_an_outage_while_people_could_move() -> None:
    span = Span(BEGAN, BEGAN + 6_000)
    all_along = list(range(BEGAN, BEGAN + 6_000, 400))
    assert outages([span], [], all_along) == ["outage while people could move"]
    assert outages([span], [], [at for at in all_along if not BEGAN + 900 < at < BEGAN + 4_500]) == []


def test_options() -> None:
    assert options(["--seed", "7"]).faults == tuple(FAULTS)
    one = options(["--seed", "7", "--gateways", "1"])
    assert "gateway-down" not in one.faults
    assert "gateways-down" in one.faults
    assert options(["--faults", "kill-game,everything"]).faults == ("kill-game", "everything")
    assert options(["--faults", "none"]).faults == ()
    with pytest.raises(SystemExit):
        options(["--faults", "kill-all-humans"])
