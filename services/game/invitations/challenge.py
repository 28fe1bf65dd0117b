"""Challenges as values, and the decisions on them. Pure: time and random values are arguments."""

from dataclasses import dataclass, replace
from enum import IntEnum

from services.domain.colour import Colour
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import RuleSet
from services.domain.text import say
from services.domain.time_control import Correspondence, TimeControl, is_live
from services.game.play.person import Person

DECLINE_REASONS = (
    "generic",
    "later",
    "tooFast",
    "tooSlow",
    "timeControl",
    "rated",
    "casual",
    "standard",
    "variant",
    "noBot",
    "onlyBot",
)
"""The decline reasons of the public API. Any other text becomes the first."""


class Status(IntEnum):
    """The status of a challenge. The numbers equal those of ChallengeStatus."""

    CREATED = 1
    ACCEPTED = 2
    DECLINED = 3
    CANCELED = 4
    OFFLINE = 5
    """Expired."""


@dataclass(frozen=True, slots=True)
class Wish:
    """The wanted game. `colour` is the challenger's; None for a random one."""

    variant: str
    rule_set: RuleSet
    control: TimeControl
    rated: bool
    colour: Colour | None
    initial_fen: str


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge to `dest`, or an open one that anyone with its id may accept.

    `challenger` is None only for an open challenge without a challenger. `final_colour` is the challenger's.
    `white_id` and `black_id` are the seats taken so far. If `held` (see the function), `expires_ms` moves on while the
    challenger is connected.
    """

    id: str
    status: Status
    open: bool
    challenger: Person | None
    dest: Person | None
    wish: Wish
    final_colour: Colour
    name: str
    held: bool
    white_id: str | None
    black_id: str | None
    created_ms: int
    expires_ms: int
    decline_reason: str = ""
    rematch_of: str = ""
    """For a rematch: the id of the first game; otherwise empty."""
    counter_to: str = ""
    """The id of the challenge that this one answers with other terms, or empty."""
    user_ids: tuple[str, ...] = ()
    """The only two players who may accept an open challenge without a challenger, White first; empty: anyone may."""

    def as_of(self, now_ms: int) -> "Challenge":
        """The challenge at `now_ms`: expired if its time has passed, even if that is not stored yet."""
        if self.status is Status.CREATED and now_ms >= self.expires_ms:
            return replace(self, status=Status.OFFLINE)
        return self

    @property
    def sides(self) -> tuple[Person, ...]:
        """The people who get the challenge's events: challenger and `dest`."""
        return tuple(person for person in (self.challenger, self.dest) if person is not None)

    @property
    def seated(self) -> tuple[str | None, str | None]:
        """The ids of White and Black; None for a free seat."""
        return self.white_id, self.black_id

    def seat(self, player_id: str, side: Colour) -> "Challenge":
        """A copy with this player on `side`."""
        if side is Colour.WHITE:
            return replace(self, white_id=player_id)
        return replace(self, black_id=player_id)


@dataclass(frozen=True, slots=True)
class Paired:
    """Accepted: both seats are taken and the game begins."""

    challenge: Challenge


@dataclass(frozen=True, slots=True)
class Waiting:
    """The first seat of an open challenge without a challenger is taken; it waits for the second player."""

    challenge: Challenge


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The same answer was given before; nothing changes."""

    challenge: Challenge


@dataclass(frozen=True, slots=True)
class Closed:
    """Declined or canceled."""

    challenge: Challenge


_GONE = Refusal(RefusalCode.NOT_FOUND, say("invitations.gone"), "id")


def held(wish: Wish, *, open: bool, keep_alive: bool) -> bool:
    """Whether a challenge expires soon after the challenger disconnects.

    True for a challenge to a person if the game is live, or if the challenger keeps a connection for it (`keep_alive`).
    """
    return not open and (keep_alive or is_live(wish.control))


def refuse_guests(wish: Wish, people: tuple[Person | None, ...]) -> Refusal | None:
    """A refusal if a guest may not play this game, or None: correspondence and rated games need accounts."""
    if any(person is not None and person.guest for person in people):
        if isinstance(wish.control, Correspondence):
            return Refusal(RefusalCode.ACCOUNT_NEEDED, say("people.accounts_for_correspondence"), "days")
        if wish.rated:
            return Refusal(RefusalCode.ACCOUNT_NEEDED, say("people.accounts_for_rated"), "rated")
    return None


def accept(
    challenge: Challenge, person: Person, wanted: Colour | None, coin: Colour, now_ms: int
) -> Paired | Waiting | Unchanged | Refusal:
    """The result when `person` accepts. `wanted`: the colour chosen in an open challenge; `coin`: a random colour."""
    challenge = challenge.as_of(now_ms)
    if challenge.status is Status.ACCEPTED:
        if person.id in challenge.seated:
            return Unchanged(challenge)
        if challenge.open:
            return Refusal(RefusalCode.NOT_ALLOWED, say("invitations.accepted_by_other"), "id")
    if challenge.status is not Status.CREATED:
        return _GONE
    if challenge.challenger is not None and person.id == challenge.challenger.id:
        return Refusal(RefusalCode.NOT_ALLOWED, say("invitations.own"), "id")
    if not challenge.open and (challenge.dest is None or person.id != challenge.dest.id):
        return Refusal(RefusalCode.NOT_FOUND, say("invitations.for_other"), "id")
    if challenge.user_ids and person.id not in challenge.user_ids:
        return Refusal(RefusalCode.NOT_ALLOWED, say("invitations.for_two_others"), "id")
    refusal = refuse_guests(challenge.wish, (person,))
    if refusal is not None:
        return refusal
    if challenge.user_ids:
        wanted = Colour.WHITE if person.id == challenge.user_ids[0] else Colour.BLACK
    if challenge.challenger is None:
        return _take_seat(challenge, person, wanted, coin)
    mine = challenge.final_colour.other
    if challenge.open and wanted is not None and wanted is not mine:
        if challenge.wish.colour is not None:
            return _taken(wanted)
        mine = wanted
    paired = challenge.seat(person.id, mine).seat(challenge.challenger.id, mine.other)
    return Paired(replace(paired, status=Status.ACCEPTED, final_colour=mine.other))


def _take_seat(
    challenge: Challenge, person: Person, wanted: Colour | None, coin: Colour
) -> Paired | Waiting | Unchanged | Refusal:
    if person.id in challenge.seated:
        return Unchanged(challenge)
    taken = {Colour.WHITE: challenge.white_id, Colour.BLACK: challenge.black_id}
    side = wanted or (coin if taken[coin] is None else coin.other)
    if taken[side] is not None:
        return _taken(side)
    seated = challenge.seat(person.id, side)
    if None in seated.seated:
        return Waiting(seated)
    return Paired(replace(seated, status=Status.ACCEPTED))


def _taken(side: Colour) -> Refusal:
    return Refusal(RefusalCode.NOT_ALLOWED, say("invitations.side_taken", side=side.value), "color")


def decline(challenge: Challenge, person: Person, reason: str, now_ms: int) -> Closed | Unchanged | Refusal:
    """The result when `person` declines."""
    challenge = challenge.as_of(now_ms)
    if challenge.dest is None or person.id != challenge.dest.id:
        return Refusal(RefusalCode.NOT_FOUND, say("invitations.not_to_you"), "id")
    if challenge.status is Status.DECLINED:
        return Unchanged(challenge)
    if challenge.status is Status.ACCEPTED:
        return Refusal(RefusalCode.NOT_ALLOWED, say("invitations.accepted"), "id")
    if challenge.status is not Status.CREATED:
        return _GONE
    known = reason if reason in DECLINE_REASONS else DECLINE_REASONS[0]
    return Closed(replace(challenge, status=Status.DECLINED, decline_reason=known))


def counter(challenge: Challenge, person: Person, now_ms: int) -> Closed | Refusal:
    """The result for a challenge when `person` answers it with another one: it is declined if it still waits."""
    decision = decline(challenge, person, "generic", now_ms)
    if isinstance(decision, Unchanged):
        return Refusal(RefusalCode.NOT_ALLOWED, say("invitations.declined"), "id")
    return decision


def cancel(challenge: Challenge, person: Person, now_ms: int) -> Closed | Unchanged | Refusal:
    """The result when `person` cancels."""
    challenge = challenge.as_of(now_ms)
    if challenge.challenger is None or person.id != challenge.challenger.id:
        return Refusal(RefusalCode.NOT_FOUND, say("invitations.not_yours"), "id")
    if challenge.status is Status.CANCELED:
        return Unchanged(challenge)
    if challenge.status is Status.ACCEPTED:
        return Refusal(RefusalCode.NOT_ALLOWED, say("invitations.accepted_abort"), "id")
    if challenge.status is not Status.CREATED:
        return _GONE
    return Closed(replace(challenge, status=Status.CANCELED))
