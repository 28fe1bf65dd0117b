"""A party as a value: its members, their rights, and who plays next. Pure: time and random values are arguments.

People join a party by a link. Its members are in a queue. The first two players in it play next, and move to its end
when their game begins. One game runs at a time.
"""

from dataclasses import dataclass, replace

from services.domain.colour import Colour
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import PARTY, RuleSet
from services.domain.text import say
from services.domain.time_control import PER_MOVE_MS, PerMove, TimeControl, Unlimited
from services.domain.variant import Variant
from services.game.play.person import Person

TURN_LIMITS_MS = frozenset([0, *PER_MOVE_MS])
"""The limits per move that a host may choose, in ms: none (0), 30 s or 60 s."""


@dataclass(frozen=True, slots=True)
class PartySettings:
    """The settings of a party's games. A running game keeps its settings. `turn_ms` 0 is no limit."""

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
    """A member. `last_colour` is the colour in the member's last game here. A spectator is not paired."""

    person: Person
    joined_ms: int
    spectator: bool = False
    last_colour: Colour | None = None


@dataclass(frozen=True, slots=True)
class Board:
    """The newest game of a party. Its players may have left the party since. An aborted game is over too."""

    game_id: str
    players: tuple[str, str]
    over: bool
    aborted: bool = False


@dataclass(frozen=True, slots=True)
class Party:
    """One version of a party. `members` is the queue, those who play next first."""

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
        """The running game, or None."""
        return None if self.board is None or self.board.over else self.board

    @property
    def next_two(self) -> tuple[Member, Member] | None:
        """The two who play next; None if there are fewer than two players."""
        first_two = [member for member in self.members if not member.spectator][:2]
        return (first_two[0], first_two[1]) if len(first_two) == 2 else None

    def member(self, player_id: str) -> Member | None:
        """The member with this player id, or None."""
        return next((member for member in self.members if member.person.id == player_id), None)


@dataclass(frozen=True, slots=True)
class Changed:
    """The changed party. Its version goes up when it is saved."""

    party: Party


@dataclass(frozen=True, slots=True)
class Begun:
    """The next game begins: the party with the new queue, and the players of the colours."""

    party: Party
    white: Person
    black: Person


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The party is already as requested."""

    party: Party


_CLOSED = Refusal(RefusalCode.NOT_ALLOWED, say("parties.over"), "id")
_OUTSIDE = Refusal(RefusalCode.NOT_A_PLAYER, say("parties.members_only"), "id")
_HOST_ONLY = Refusal(RefusalCode.NOT_ALLOWED, say("parties.host_only"), "id")


def refuse_settings(settings: PartySettings) -> Refusal | None:
    """A refusal if no party can have these settings, or None."""
    if settings.variant not in frozenset(Variant):
        return Refusal(RefusalCode.UNSUPPORTED_VARIANT, say("request.variant"), "variant")
    if settings.turn_ms not in TURN_LIMITS_MS:
        return Refusal(RefusalCode.MALFORMED, say("parties.turn_limit"), "turn_ms")
    return None


def join(party: Party, person: Person, spectator: bool, now_ms: int, members_max: int) -> Changed | Unchanged | Refusal:
    """Join, or change between player and spectator. Anyone with the link may; players go to the end of the queue."""
    if party.closed:
        return _CLOSED
    member = party.member(person.id)
    if member is None:
        if len(party.members) >= members_max:
            return Refusal(RefusalCode.LIMIT_REACHED, say("parties.members_max", most=members_max), "id")
        return Changed(_in_line(party, Member(person, now_ms, spectator)))
    if member.spectator is spectator:
        return Unchanged(party)
    if spectator:
        watching = replace(member, spectator=True)
        return Changed(replace(party, members=tuple(watching if other is member else other for other in party.members)))
    return Changed(_in_line(_without(party, person.id), replace(member, spectator=False)))


def leave(party: Party, player_id: str) -> Changed | Unchanged | Refusal:
    """Leave the party. A running game of the leaver goes on. If the host leaves, the oldest member becomes host. If the
    last member leaves, the party is closed."""
    if party.closed or party.member(player_id) is None:
        return Unchanged(party)
    rest = _without(party, player_id)
    if not rest.members:
        return Changed(replace(rest, closed=True))
    if player_id == party.host_id:
        rest = replace(rest, host_id=min(rest.members, key=lambda member: member.joined_ms).person.id)
    return Changed(rest)


def send_away(party: Party, player_id: str, other_id: str) -> Changed | Unchanged | Refusal:
    """The host removes a member, who may join again by the link."""
    if other_id == player_id:
        return leave(party, player_id)
    return _by_host(party, player_id) or leave(party, other_id)


def set_up(party: Party, player_id: str, settings: PartySettings) -> Changed | Unchanged | Refusal:
    """The host changes the settings of the next games."""
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
        return Refusal(RefusalCode.NOT_FOUND, say("parties.no_member"), "player")
    return Unchanged(party) if other_id == player_id else Changed(replace(party, host_id=other_id))


def close(party: Party, player_id: str) -> Changed | Unchanged | Refusal:
    """The host closes the party. A running game goes on."""
    if party.closed and player_id == party.host_id:
        return Unchanged(party)
    return _by_host(party, player_id) or Changed(replace(party, closed=True))


def start(party: Party, player_id: str, game_id: str, met: Colour | None, coin: Colour) -> Begun | Unchanged | Refusal:
    """Begin the next game; the host and the two next players may. Unchanged while a game is running.

    `met`: the first player's colour in the last game of these two here. `coin`: a random colour.
    """
    refusal = _by_member(party, player_id)
    if refusal is not None:
        return refusal
    if party.on is not None:
        return Unchanged(party)
    party = _uncounted(party)
    two = party.next_two
    if two is None:
        return Refusal(RefusalCode.NOT_ALLOWED, say("parties.two_players"), "id")
    if player_id != party.host_id and all(member.person.id != player_id for member in two):
        return Refusal(RefusalCode.NOT_ALLOWED, say("parties.who_begins"), "id")
    colour = colour_of_first(*two, swap=party.settings.swap_colours, met=met, coin=coin)
    first, second = replace(two[0], last_colour=colour), replace(two[1], last_colour=colour.other)
    waiting = tuple(member for member in party.members if member not in two)
    white, black = (first, second) if colour is Colour.WHITE else (second, first)
    board = Board(game_id, (white.person.id, black.person.id), over=False)
    return Begun(replace(party, members=(*waiting, first, second), board=board), white.person, black.person)


def colour_of_first(first: Member, second: Member, *, swap: bool, met: Colour | None, coin: Colour) -> Colour:
    """The colour of the first of the two next players.

    With `swap` each gets the other colour than in the last game here, without it the same. If both would get the same
    colour, their last game with each other decides (`met`), or `coin` if there was none.
    """
    mine, others = _due(first.last_colour, swap), _due(second.last_colour, swap)
    if mine is not None and mine is not others:
        return mine
    if mine is None and others is not None:
        return others.other
    return _due(met, swap) or coin


def _uncounted(party: Party) -> Party:
    """The party with colours as before an aborted game: such a game does not count for the swap."""
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
    """The party with this member behind all others who wait, but before the two who play now."""
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
