"""Games led at random through their whole life: what holds of every version, whoever did what before."""

from dataclasses import replace
from itertools import pairwise
from typing import cast

from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import RowMapping

from services.domain.rule_set import CLAIMED, FRIENDLY, PARTY, AbsentPlayer, RuleSet, Takeback
from services.domain.time_control import ClockControl, Correspondence, PerMove, TimeControl, Unlimited
from services.game.play.change import Change, ChangeKind
from services.game.play.game import Both, Game
from services.game.store.rows import CHANGING, changing_values, fixed_values, game_of
from tests.unit.game.deciding import BLACK, COMPUTER, DAY, LAWS, LIMITS, B, W, attempt, game
from tests.unit.game.game_states import COMMANDS, PLAYERS, SERVER

RULE_SETS = st.sampled_from(
    [
        *(CLAIMED, FRIENDLY, PARTY, LAWS, replace(FRIENDLY, takeback=Takeback.BY_CONSENT)),
        replace(PARTY, takeback=Takeback.BY_CONSENT),
        replace(LAWS, absent_player=AbsentPlayer.OPPONENT_CLAIMS),
    ]
)
CLOCK = ClockControl(60_000, 2_000)
CONTROLS: st.SearchStrategy[TimeControl] = st.sampled_from(
    [CLOCK, CLOCK, PerMove(30_000), Correspondence(3), Unlimited()]
)
WAITS = st.sampled_from([0, 500, 500, 500, 500, 5_000, 20_000, 35_000, 130_000, 3 * DAY, 8 * DAY, 15 * DAY])
AWAY = st.sampled_from([None, None, 0, 6_000, 25_000, 61_000, 700_000])
Step = tuple[int, int, Both[int | None]]
STEPS = st.lists(st.tuples(st.integers(0, 10**6), WAITS, st.builds(Both, AWAY, AWAY)), min_size=15, max_size=25)
ASKED = [(command, role) for command in COMMANDS for role in PLAYERS] + [(command, "") for command in SERVER]


def possible(game: Game, now_ms: int, away_ms: Both[int | None]) -> dict[ChangeKind, list[Change]]:
    """All that may be done now, by kind; an end only where little else is possible, so that games go on for long."""
    found: dict[ChangeKind, list[Change]] = {}
    for command, role in ASKED:
        side = B if role in ("black", "computer") else W
        action = COMMANDS[command](side) if role else SERVER[command]
        change = attempt(game, PLAYERS.get(role, ""), action, now_ms, away_ms)
        if isinstance(change, Change):
            found.setdefault(change.kind, []).append(change)
    if len(found) > 3:
        found.pop(ChangeKind.ENDED, None)
    return found


def kept(before: Game, after: Game) -> Game:
    """`after` as it comes out of the row that its game was made with."""
    row = fixed_values(before.terms) | dict(zip(CHANGING, changing_values(after, LIMITS), strict=True))
    return game_of(cast(RowMapping, row))


@given(RULE_SETS, CONTROLS, st.booleans(), st.booleans(), STEPS)
@settings(max_examples=80, deadline=None)
def test_every_version_holds_together(
    rule_set: RuleSet, control: TimeControl, computer: bool, rated: bool, steps: list[Step]
) -> None:
    made = game(0, control, rule_set, COMPUTER if computer else BLACK)
    made = replace(made, terms=replace(made.terms, rated=rated and not computer))
    line, now_ms = [made], 0
    earned_ms = {W: 0, B: 0}
    for number, wait_ms, away_ms in steps:
        now_ms += wait_ms
        kinds = list(possible(line[-1], now_ms, away_ms).values())
        if not kinds:
            continue
        changes = kinds[number % len(kinds)]
        change = changes[number // len(kinds) % len(changes)]
        line.append(change.game)
        if change.kind is ChangeKind.MOVE and change.by is not None:
            earned_ms[change.by] += 2_000
        assert kept(made, change.game) == change.game, "it is kept as it is"
    for before, after in pairwise(line):
        assert after.version == before.version + 1
        assert after.clock.turn_started_ms >= before.clock.turn_started_ms
    for version in line:
        _holds_together(version)
        if isinstance(control, ClockControl):
            for side in (W, B):
                most_ms = control.initial_ms + earned_ms[side] + version.extra.given_ms.of(side)
                assert 0 <= version.clock.left_ms(side) <= most_ms


def _holds_together(version: Game) -> None:
    """What holds of a version by itself."""
    extra, deadline = version.extra, version.deadline(LIMITS)
    assert version.standing.turn is version.clock.turn
    assert not (extra.held.white and extra.held.black), "two seats are never held"
    assert extra.held == Both(0, 0) or (version.draw_offer, extra.takeback_offer) == (None, None)
    assert not version.rated or not (extra.takebacks or extra.without_clock or extra.held != Both(0, 0))
    assert not extra.without_clock or version.clock.control == Unlimited()
    assert extra.given_ms.white <= LIMITS.given_ms_max
    if deadline is not None:
        assert version.look_ms <= deadline.at_ms, "whoever looks then is never late"
    if version.outcome is not None:
        assert (version.draw_offer, extra.takeback_offer, extra.pause, deadline) == (None, None, None, None)
        assert version.ended_ms is not None
        assert version.computer_turn_level == 0
    else:
        assert version.ended_ms is None
    if extra.pause is not None:
        assert version.computer_turn_level == 0
        assert deadline is not None
        assert (version.draw_offer, extra.takeback_offer) == (None, None)
