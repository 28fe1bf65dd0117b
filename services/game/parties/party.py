"""A party as a value: who is in it, who may do what when, and who plays next. Pure: time and chance are arguments.

A party is a gathering by link. Its members stand in line; the first two who play are next, and go to the end of the
line when their game begins. One game is on at a time.
"""

from dataclasses import dataclass, replace

from services.domain.colour import Colour
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import PARTY, RuleSet
from services.domain.time_control import PER_MOVE_MS, PerMove, TimeControl, Unlimited
from services.domain.variant import Variant
from services.game.play.person import Person

TURN_LIMITS_MS = frozenset([0, *PER_MOVE_MS])
"""What a host may set: none, 30 or 60 s."""


@dataclass(frozen=True, slots=True)
class PartySettings:
    """What a party plays by. A game that is on keeps what it began with. `turn_ms` 0 is no limit."""

    turn_ms: int = 0
    legal_marks: bool = True
    swap_colours: bool = True
    variant: str = Variant.STANDARD.value
    rule_set: RuleSet = PARTY

    @property
    def control(self) -> TimeControl:
        """The time control of its games."""
        return PerMove(self.turn_ms) if self.turn_ms else Unlimited()


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody who is in. `last_colour` is that of the last game here; a spectator watches and is not paired."""

    person: Person
    joined_ms: int
    spectator: bool = False
    last_colour: Colour | None = None


@dataclass(frozen=True, slots=True)
class Board:
    """The newest game of a party, whose players may have left it since. One that was aborted is over, too."""

    game_id: str
    players: tuple[str, str]
    over: bool
    aborted: bool = False


@dataclass(frozen=True, slots=True)
class Party:
    """One version of a party. `members` are in line, those who play next first."""

    id: str
    host_id: str
    settings: PartySettings
    members: tuple[Member, ...]
    created_ms: int
    version: int = 1
    board: Board | None = None
    closed: bool = False

    @property
    def on(self) -> Board | None:
        """The game that is on."""
        return None if self.board is None or self.board.over else self.board

    @property
    def next_two(self) -> tuple[Member, Member] | None:
        """Who plays next; None while fewer than two want to play."""
        first_two = [member for member in self.members if not member.spectator][:2]
        return (first_two[0], first_two[1]) if len(first_two) == 2 else None

    def member(self, player_id: str) -> Member | None:
        """This player in it, or None."""
        return next((member for member in self.members if member.person.id == player_id), None)


@dataclass(frozen=True, slots=True)
class Changed:
    """What becomes of the party; its version counts when it is saved."""

    party: Party


@dataclass(frozen=True, slots=True)
class Begun:
    """The next game begins: the party with its line moved on, and who has which colour."""

    party: Party
    white: Person
    black: Person


@dataclass(frozen=True, slots=True)
class Unchanged:
    """It is so already."""

    party: Party


_CLOSED = Refusal(RefusalCode.NOT_ALLOWED, "This party is over.", "id")
_OUTSIDE = Refusal(RefusalCode.NOT_A_PLAYER, "Only members of this party may do that.", "id")
_HOST_ONLY = Refusal(RefusalCode.NOT_ALLOWED, "Only the host of this party may do that.", "id")


def refuse_settings(settings: PartySettings) -> Refusal | None:
    """Why no party can play by these, or None."""
    if settings.variant not in frozenset(Variant):
        return Refusal(RefusalCode.UNSUPPORTED_VARIANT, "This server does not play this variant.", "variant")
    if settings.turn_ms not in TURN_LIMITS_MS:
        return Refusal(RefusalCode.MALFORMED, "The turn limit is none, 30 or 60 seconds.", "turn_ms")
    return None


def join(party: Party, person: Person, spectator: bool, now_ms: int, members_max: int) -> Changed | Unchanged | Refusal:
    """Come in, or change between playing and watching. Whoever has the link may; players go to the end of the line."""
    if party.closed:
        return _CLOSED
    member = party.member(person.id)
    if member is None:
        if len(party.members) >= members_max:
            return Refusal(RefusalCode.LIMIT_REACHED, f"A party has at most {members_max} members.", "id")
        return Changed(_in_line(party, Member(person, now_ms, spectator)))
    if member.spectator is spectator:
        return Unchanged(party)
    if spectator:
        watching = replace(member, spectator=True)
        return Changed(replace(party, members=tuple(watching if other is member else other for other in party.members)))
    return Changed(_in_line(_without(party, person.id), replace(member, spectator=False)))


def leave(party: Party, player_id: str) -> Changed | Unchanged | Refusal:
    """Go out. A game of the leaver's goes on by its own rules; a host hands on to who has been here longest; the last
    one out closes the party."""
    if party.closed or party.member(player_id) is None:
        return Unchanged(party)
    rest = _without(party, player_id)
    if not rest.members:
        return Changed(replace(rest, closed=True))
    if player_id == party.host_id:
        rest = replace(rest, host_id=min(rest.members, key=lambda member: member.joined_ms).person.id)
    return Changed(rest)


def send_away(party: Party, player_id: str, other_id: str) -> Changed | Unchanged | Refusal:
    """The host puts somebody out (who may come back by the link)."""
    if other_id == player_id:
        return leave(party, player_id)
    return _by_host(party, player_id) or leave(party, other_id)


def set_up(party: Party, player_id: str, settings: PartySettings) -> Changed | Unchanged | Refusal:
    """The host changes what the next games are played by."""
    refusal = _by_host(party, player_id) or refuse_settings(settings)
    if refusal is not None:
        return refusal
    return Unchanged(party) if party.settings == settings else Changed(replace(party, settings=settings))


def hand_on(party: Party, player_id: str, other_id: str) -> Changed | Unchanged | Refusal:
    """The host makes another member the host."""
    refusal = _by_host(party, player_id)
    if refusal is not None:
        return refusal
    if party.member(other_id) is None:
        return Refusal(RefusalCode.NOT_FOUND, "There is no such member in this party.", "player")
    return Unchanged(party) if other_id == player_id else Changed(replace(party, host_id=other_id))


def close(party: Party, player_id: str) -> Changed | Unchanged | Refusal:
    """The host ends the party. A game that is on goes on."""
    if party.closed and player_id == party.host_id:
        return Unchanged(party)
    return _by_host(party, player_id) or Changed(replace(party, closed=True))


def start(party: Party, player_id: str, game_id: str, met: Colour | None, coin: Colour) -> Begun | Unchanged | Refusal:
    """Begin the next game: the host may, and the two who are next. While a game is on that is the one.

    `met` is the first one's colour in the last game of these two here, `coin` a drawn one.
    """
    refusal = _by_member(party, player_id)
    if refusal is not None:
        return refusal
    if party.on is not None:
        return Unchanged(party)
    party = _uncounted(party)
    two = party.next_two
    if two is None:
        return Refusal(RefusalCode.NOT_ALLOWED, "A game takes two members who do not only watch.", "id")
    if player_id != party.host_id and all(member.person.id != player_id for member in two):
        return Refusal(RefusalCode.NOT_ALLOWED, "The host begins the next game, or one of the two who are next.", "id")
    colour = colour_of_first(*two, swap=party.settings.swap_colours, met=met, coin=coin)
    first, second = replace(two[0], last_colour=colour), replace(two[1], last_colour=colour.other)
    waiting = tuple(member for member in party.members if member not in two)
    white, black = (first, second) if colour is Colour.WHITE else (second, first)
    board = Board(game_id, (white.person.id, black.person.id), over=False)
    return Begun(replace(party, members=(*waiting, first, second), board=board), white.person, black.person)


def colour_of_first(first: Member, second: Member, *, swap: bool, met: Colour | None, coin: Colour) -> Colour:
    """Who of two that are next has which colour.

    With `swap` each gets the other colour than in the own last game here, without it the same again. Where both would
    get the same one their last game with each other counts, and chance when there was none.
    """
    mine, others = _due(first.last_colour, swap), _due(second.last_colour, swap)
    if mine is not None and mine is not others:
        return mine
    if mine is None and others is not None:
        return others.other
    return _due(met, swap) or coin


def _uncounted(party: Party) -> Party:
    """The party with the colours that are still due to those whose game was aborted: it was none, so nothing swaps."""
    board = party.board
    if board is None or not board.aborted or not party.settings.swap_colours:
        return party
    members = tuple(
        replace(member, last_colour=member.last_colour.other)
        if member.last_colour is not None and member.person.id in board.players
        else member
        for member in party.members
    )
    return replace(party, members=members)


def _due(last: Colour | None, swap: bool) -> Colour | None:
    return last.other if swap and last is not None else last


def _in_line(party: Party, member: Member) -> Party:
    """The party with this member behind all others who wait; those at the board have had their turn."""
    playing = () if party.on is None else party.on.players
    waiting = tuple(other for other in party.members if other.person.id not in playing)
    at_board = tuple(other for other in party.members if other.person.id in playing)
    ordered = (*waiting, *at_board, member) if member.person.id in playing else (*waiting, member, *at_board)
    return replace(party, members=ordered)


def _without(party: Party, player_id: str) -> Party:
    return replace(party, members=tuple(other for other in party.members if other.person.id != player_id))


def _by_member(party: Party, player_id: str) -> Refusal | None:
    if party.closed:
        return _CLOSED
    return _OUTSIDE if party.member(player_id) is None else None


def _by_host(party: Party, player_id: str) -> Refusal | None:
    refusal = _by_member(party, player_id)
    return refusal or (None if player_id == party.host_id else _HOST_ONLY)
