"""A game is not begun by a rule set whose promise is not kept yet, and by any other it is."""

from dataclasses import replace

import pytest

from services.domain.rule_set import (
    AUTOMATIC,
    CLAIMED,
    EVERYDAY,
    FIDE,
    FRIENDLY,
    PARTY,
    AbsentPlayer,
    RatedDraw,
    Rematch,
    RuleSet,
    Takeback,
)
from services.domain.time_control import ClockControl, Correspondence, TimeControl, Unlimited
from services.game.unplayed import unplayed

CLOCK, DAYS, UNTIMED = ClockControl(60_000, 0), Correspondence(1), Unlimited()
CONSENT = replace(FIDE, takeback=Takeback.BY_CONSENT)
AWAY_60 = replace(FIDE, absent_player=AbsentPlayer.OPPONENT_CLAIMS)
LATER = replace(FIDE, rated_draw=RatedDraw.LEAVES_RATINGS, rematch=Rematch.RANDOM)
PEOPLE, COMPUTER = False, True


@pytest.mark.parametrize(
    ("rule_set", "control", "against_computer", "told"),
    [
        (FRIENDLY, CLOCK, PEOPLE, "fallenFlag: opponentDecides"),
        (FRIENDLY, CLOCK, COMPUTER, "fallenFlag: opponentDecides"),
        (FRIENDLY, DAYS, PEOPLE, "lateCorrespondence: opponentClaims"),
        (FRIENDLY, UNTIMED, PEOPLE, None),
        (FRIENDLY, UNTIMED, COMPUTER, None),
        (PARTY, CLOCK, PEOPLE, "absentPlayer: computerPlays"),
        (PARTY, CLOCK, COMPUTER, None),
        (PARTY, DAYS, PEOPLE, None),
        (PARTY, UNTIMED, PEOPLE, None),
        (AWAY_60, CLOCK, PEOPLE, "absentPlayer: opponentClaims"),
        (AWAY_60, CLOCK, COMPUTER, None),
        *((CONSENT, control, PEOPLE, "takeback: byConsent") for control in (CLOCK, DAYS, UNTIMED)),
        *((CONSENT, control, COMPUTER, None) for control in (CLOCK, UNTIMED)),
        *((kept, control, PEOPLE, None) for kept in (FIDE, CLAIMED, EVERYDAY, AUTOMATIC) for control in (CLOCK, DAYS)),
        (LATER, CLOCK, PEOPLE, None),
    ],
)
def test_what_is_not_kept_yet_is_refused_by_name(
    rule_set: RuleSet, control: TimeControl, against_computer: bool, told: str | None
) -> None:
    refusal = unplayed(rule_set, control, against_computer)
    if told is None:
        assert refusal is None
        return
    assert refusal is not None
    assert refusal.message.startswith(f"{told} is not played yet ")
    assert refusal.at.replace("_", "").casefold() == f"rule_set.{told.partition(':')[0]}".replace("_", "").casefold()
