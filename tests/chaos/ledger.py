"""Collects all facts and runs all checks on them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tests.chaos import answers, history, outages, scores
from tests.chaos.absences import check_absences
from tests.chaos.conditionals import check_conditionals, is_conditional
from tests.chaos.facts import MOVE, Game, Rules, Seat, Span, Violation
from tests.chaos.scores import Scores

VIOLATIONS_KEPT = 200


@dataclass(slots=True)
class Ledger:
    """The violations without duplicates, and the games that need no further check before the end."""

    rules: Rules
    violations: list[Violation] = field(default_factory=list)
    settled: set[str] = field(default_factory=set)
    games: dict[str, Game] = field(default_factory=dict)
    """As last read, of those with a violation."""
    ended: Counter[str] = field(default_factory=Counter)
    late_ms: list[int] = field(default_factory=list)
    computer_moves: int = 0
    """In all games, counted at the end."""
    kinds: Counter[str] = field(default_factory=Counter)
    """Events by kind, `conditional` moves and `rated` games, counted at the end."""
    _known: set[tuple[str, str]] = field(default_factory=set)

    def note(self, violation: Violation) -> None:
        """Keep one of each kind for each game."""
        key = (violation.what, violation.game_id or violation.detail)
        if key not in self._known and len(self.violations) < VIOLATIONS_KEPT:
            self._known.add(key)
            self.violations.append(violation)

    def check_games(
        self,
        games: Sequence[Game],
        before: Sequence[Seat],
        after: Sequence[Seat],
        spans: Sequence[Span],
        now_ms: int,
        *,
        final: bool,
    ) -> None:
        """Check games as read from the database. `before` is what the clients knew before the read, which the games
        must contain; `after` is what they had sent after it: the games can contain no more. `now_ms`: when it was
        read."""
        told: dict[str, list[Seat]] = {}
        sent: dict[str, list[Seat]] = {}
        for seats, by_game in ((before, told), (after, sent)):
            for seat in seats:
                by_game.setdefault(seat.game_id, []).append(seat)
        found = {game.id for game in games}
        for game_id in told.keys() - found - self.settled:
            self.note(Violation("lost game", game_id))
        for game in games:
            seats = told.get(game.id, [])
            count = len(self.violations)
            for violation in (
                *history.check_versions(game),
                *history.check_takebacks(game),
                *history.check_clocks(game, spans, self.rules),
                *history.check_flags(game, spans, self.rules, now_ms),
                *(history.check_moves(game) if final or game.over else ()),
                *answers.check_unknown(game, sent.get(game.id, [])),
                *check_absences(game, sent.get(game.id, []), self.rules),
                *(found for seat in seats for found in check_conditionals(game, seat)),
                *(found for seat in seats for found in answers.check_commands(game, seat)),
                *(found for seat in seats for found in answers.check_seen(game, seat)),
                *(found for seat in seats for found in answers.check_refusals(game, seat, spans, self.rules)),
            ):
                self.note(violation)
            if len(self.violations) > count:
                self.games[game.id] = game
            if final:
                self.kinds.update(event.kind for event in game.events)
                told_lines = sent.get(game.id, [])
                self.kinds["conditional"] += sum(is_conditional(game, e, told_lines) for e in game.events[1:])
                self.kinds["rematch"] += game.rematch_of != ""
                self.kinds["rated"] += scores.counts(game)
            if final and game.against_computer:
                people = {seat.player for seat in seats}
                self.computer_moves += sum(e.kind == MOVE and e.player not in people for e in game.events)
            if final and game.over:
                self.ended[game.reason] += 1
                late_ms = history.lateness_ms(game, spans, self.rules)
                if late_ms is not None and game.control.kind == "clock":
                    self.late_ms.append(late_ms)

    def check_scores(self, games: Sequence[Game], found: Scores) -> None:
        """Check, for all games at the end, what follows from their ends."""
        for violation in (
            *scores.check_ratings(games, found),
            *scores.check_progress(games, found),
            *scores.check_rematches(games),
        ):
            self.note(violation)
            self.games |= {game.id: game for game in games if game.id == violation.game_id}

    def check_outages(self, spans: Sequence[Span], made: Sequence[Span], acks_ms: Sequence[int]) -> None:
        """Check the outages that were recorded against those that were made and against the answers in them."""
        for violation in (
            *outages.check_rows(spans, self.rules),
            *outages.check_made(spans, made, self.rules),
            *outages.check_earned(spans, acks_ms, self.rules),
        ):
            self.note(violation)


def frozen(seat: Seat) -> Seat:
    """What a client knows now."""
    return Seat(
        seat.game_id,
        seat.player,
        seat.colour,
        {command.id: replace(command) for command in seat.commands.values()},
        dict(seat.seen),
        list(seat.wholes),
        list(seat.here),
        list(seat.left),
        [replace(lines) for lines in seat.lines],
        list(seat.closed),
        list(seat.complaints),
    )
