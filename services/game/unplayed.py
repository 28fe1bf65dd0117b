"""What a rule set may promise and Flagfall does not keep yet: such a game is not begun. Pure."""

from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import AbsentPlayer, FallenFlag, LateCorrespondence, RuleSet, Takeback
from services.domain.time_control import ClockControl, Correspondence, TimeControl


def unplayed(rule_set: RuleSet, control: TimeControl, against_computer: bool) -> Refusal | None:
    """Why a game cannot be played by this rule set yet, or None. A field that the game never needs may be anything."""
    people, clock = not against_computer, isinstance(control, ClockControl)
    if clock and rule_set.fallen_flag is not FallenFlag.DECIDES_AT_ONCE:
        return _refusal("fallen_flag", rule_set.fallen_flag, "with a clock")
    if isinstance(control, Correspondence) and rule_set.late_correspondence is not LateCorrespondence.CLOSED_AT_ONCE:
        return _refusal("late_correspondence", rule_set.late_correspondence, "in correspondence")
    if people and clock and rule_set.absent_player is not AbsentPlayer.CLOCK_RUNS:
        return _refusal("absent_player", rule_set.absent_player, "with a clock between people")
    if people and rule_set.takeback is not Takeback.NEVER:
        return _refusal("takeback", rule_set.takeback, "between people")
    return None


def _refusal(field: str, value: str, where: str) -> Refusal:
    first, *rest = field.split("_")
    name = first + "".join(map(str.capitalize, rest))
    return Refusal(RefusalCode.NOT_ALLOWED, f"{name}: {value} is not played yet {where}.", f"rule_set.{field}")
