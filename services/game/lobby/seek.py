"""Seeks as values, and whether two of them fit. Pure: time and random values are arguments."""

from dataclasses import dataclass

from services.domain.colour import Colour
from services.domain.rating import VALUE_MAX
from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import Text, say
from services.domain.time_control import is_live
from services.game.invitations.challenge import Wish, refuse_guests
from services.game.play.person import Person

RATING_BOUND_MAX = int(VALUE_MAX)
"""The highest possible rating."""


@dataclass(frozen=True, slots=True)
class Range:
    """The ratings that an opponent may have, bounds included; 0 is no bound."""

    least: int = 0
    most: int = 0

    def admits(self, rating: int) -> bool:
        """Whether an opponent with this rating fits. One without a rating (0) fits only if there is no bound."""
        if not rating:
            return not self.least and not self.most
        return self.least <= rating <= (self.most or RATING_BOUND_MAX)


@dataclass(frozen=True, slots=True)
class Seek:
    """A request for an opponent. `rating` is the seeker's for this variant and speed; 0 for a guest."""

    id: str
    person: Person
    wish: Wish
    rating: int
    range: Range
    created_ms: int
    expires_ms: int

    @property
    def live(self) -> bool:
        """Whether this seek is valid only while its maker is connected."""
        return is_live(self.wish.control)


def problem_of(range: Range) -> Text | None:
    """What is wrong with a requested range, or None."""
    if not all(0 <= bound <= RATING_BOUND_MAX for bound in (range.least, range.most)):
        return say("lobby.rating", most=str(RATING_BOUND_MAX))
    if range.most and range.least > range.most:
        return say("lobby.range_order")
    return None


def refuse(seek: Seek, person: Person, rating: int) -> Refusal | None:
    """A refusal if this person with this rating may not accept the seek, or None."""
    if person.id == seek.person.id:
        return Refusal(RefusalCode.NOT_ALLOWED, say("lobby.own_seek"), "id")
    refusal = refuse_guests(seek.wish, (person,))
    if refusal is None and not seek.range.admits(rating):
        return Refusal(RefusalCode.NOT_ALLOWED, say("lobby.other_ratings"), "id")
    return refusal


def side_of(seek: Colour | None, other: Colour | None, coin: Colour) -> Colour:
    """The side of the seeker if the opponent wants `other`; `coin` is used if neither wants a colour.

    The two must not want the same colour.
    """
    if seek is not None:
        return seek
    return coin if other is None else other.other
