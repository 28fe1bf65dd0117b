"""Every status of an invitation, as values to try answers on: the columns of docs/lifecycle.md."""

from collections.abc import Callable
from dataclasses import replace

from services.domain.colour import Colour
from services.domain.refusal import Refusal
from services.domain.rule_set import FIDE
from services.domain.time_control import ClockControl, Correspondence
from services.game.invitations.challenge import (
    Challenge,
    Closed,
    Paired,
    Status,
    Unchanged,
    Waiting,
    Wish,
    accept,
    cancel,
    counter,
    decline,
)
from services.game.play.person import Person

DAY = 86_400_000


def _person(name: str, *, guest: bool = False) -> Person:
    return Person(name, name, "", guest, 0, 0)


MAKER, ASKED, OTHER, GUEST = (
    _person("maker"),
    _person("asked"),
    _person("other"),
    _person("guest", guest=True),
)
WISH = Wish("standard", FIDE, ClockControl(300_000, 0), False, None, "")
TO_PERSON = Challenge(
    "chal0001", Status.CREATED, False, MAKER, ASKED, WISH, Colour.WHITE, "", False, None, None, 0, 14 * DAY
)
OPEN = replace(TO_PERSON, open=True, dest=None)
NOBODYS = replace(OPEN, challenger=None)

Answered = Paired | Waiting | Unchanged | Closed | Refusal
ANSWERS: dict[str, Callable[[Challenge, Person], Answered]] = {
    "accept": lambda challenge, person: accept(challenge, person, None, Colour.WHITE, DAY),
    "decline": lambda challenge, person: decline(challenge, person, "later", DAY),
    "counter": lambda challenge, person: counter(challenge, person, DAY),
    "cancel": lambda challenge, person: cancel(challenge, person, DAY),
}
PEOPLE = {"maker": MAKER, "asked": ASKED, "other": OTHER, "guest": GUEST}


def _accepted(challenge: Challenge) -> Challenge:
    return replace(challenge, status=Status.ACCEPTED, white_id="maker", black_id="asked")


STATUSES = {
    "to a person": TO_PERSON,
    "to a person, days": replace(TO_PERSON, wish=replace(WISH, control=Correspondence(3)), dest=replace(GUEST)),
    "to a person, time passed": replace(TO_PERSON, expires_ms=DAY),
    "to a person, accepted": _accepted(TO_PERSON),
    "to a person, declined": replace(TO_PERSON, status=Status.DECLINED),
    "to a person, canceled": replace(TO_PERSON, status=Status.CANCELED),
    "to a person, lapsed": replace(TO_PERSON, status=Status.OFFLINE),
    "open link": OPEN,
    "open link, rated": replace(OPEN, wish=replace(WISH, rated=True)),
    "open link, time passed": replace(OPEN, expires_ms=DAY),
    "open link, accepted": _accepted(OPEN),
    "open link, canceled": replace(OPEN, status=Status.CANCELED),
    "open link, lapsed": replace(OPEN, status=Status.OFFLINE),
    "nobody's link": NOBODYS,
    "nobody's link, one seat taken": NOBODYS.seat("asked", Colour.WHITE),
    "nobody's link, accepted": replace(NOBODYS, status=Status.ACCEPTED, white_id="asked", black_id="other"),
    "nobody's link, lapsed": replace(NOBODYS, status=Status.OFFLINE),
}
GROUPS = {
    "Invitations to a person": [name for name in STATUSES if name.startswith("to a person")],
    "Open links": [name for name in STATUSES if "link" in name],
}


def told(answered: Answered) -> str:
    """What came of an answer, in capitals, or the refusal's code."""
    return answered.code.value if isinstance(answered, Refusal) else type(answered).__name__.upper()


def table(names: list[str]) -> str:
    """The rows `names` in Markdown: in each cell the answers to maker, asked, other and guest."""
    lines = [["", *ANSWERS], ["---"] * (len(ANSWERS) + 1)]
    for name in names:
        cells = []
        for answer in ANSWERS.values():
            answers = [told(answer(STATUSES[name], person)) for person in PEOPLE.values()]
            cells.append(answers[0] if len(set(answers)) == 1 else " / ".join(answers))
        lines.append([name, *cells])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
