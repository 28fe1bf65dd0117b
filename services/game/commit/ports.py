"""What the commit path needs from others."""

from collections.abc import Sequence
from typing import Protocol

from services.game.commit.adjudication import Adjudicator
from services.game.play.question import Question, Verdict


class Rules(Protocol):
    """Who judges."""

    async def judge(self, questions: Sequence[Question]) -> list[Verdict]:
        """A verdict for each question; raises RulesUnavailable when there is no answer."""


class SearchingRules(Rules, Adjudicator, Protocol):
    """Who also searches where a quick look is not enough."""
