"""Who may do what in a party when, who plays next, and with which colour."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.domain.colour import Colour
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import PARTY
from services.domain.time_control import PerMove, Unlimited
from services.game.parties import party as decisions
from services.game.parties.party import Begun, Board, Changed, Member, Party, PartySettings, Unchanged
from services.game.play.person import Person

NOW_MS = 1_000
MOST = 4
WHITE, BLACK = Colour.WHITE, Colour.BLACK
FASTER = PartySettings(turn_ms=30_000)


def person(name: str) -> Person:
    return Person(name, name.title(), "", guest=True, created_ms=0, seen_ms=0)


def gathering(names: str, watching: str = "") -> Party:
    """A party of one-letter people in line, the first one the host."""
    members = tuple(Member(person(name), place, name in watching) for place, name in enumerate(names))
    return Party("party0000001", names[0], PartySettings(), members, 0)


def line(party: Party) -> str:
    return "".join(member.person.id for member in party.members)


def begun(party: Party, by: str = "", met: Colour | None = None, coin: Colour = WHITE) -> Begun:
    """The next game of a party, which must begin."""
    decided = decisions.start(party, by or party.host_id, "game0001", met, coin)
    assert isinstance(decided, Begun), decided
    return decided


def over(party: Party) -> Party:
    """The party when its game has ended."""
    assert party.board is not None
    return replace(party, board=replace(party.board, over=True))


def changed(decided: object) -> Party:
    assert isinstance(decided, Changed), decided
    return decided.party


def code(decided: object) -> RefusalCode | None:
    return decided.code if isinstance(decided, Refusal) else None


def test_the_defaults_are_those_of_a_gathering() -> None:
    settings = PartySettings()
    assert (settings.legal_marks, settings.swap_colours, settings.variant) == (True, True, "standard")
    assert settings.rule_set == PARTY
    assert settings.control == Unlimited()
    assert FASTER.control == PerMove(30_000)


@pytest.mark.parametrize("turn_ms", [0, 30_000, 60_000])
def test_the_host_sets_no_limit_or_30_or_60_seconds(turn_ms: int) -> None:
    wanted = PartySettings(turn_ms=turn_ms)
    decided = decisions.set_up(replace(gathering("ab"), settings=PartySettings(legal_marks=False)), "a", wanted)
    assert changed(decided).settings == wanted


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (PartySettings(turn_ms=15_000), RefusalCode.MALFORMED),
        (PartySettings(turn_ms=-1), RefusalCode.MALFORMED),
        (PartySettings(variant="draughts"), RefusalCode.UNSUPPORTED_VARIANT),
    ],
)
def test_what_no_party_can_play_by_is_refused(settings: PartySettings, expected: RefusalCode) -> None:
    assert code(decisions.set_up(gathering("ab"), "a", settings)) is expected


NOT_A_PLAYER, NOT_ALLOWED, NOT_FOUND = RefusalCode.NOT_A_PLAYER, RefusalCode.NOT_ALLOWED, RefusalCode.NOT_FOUND
ACTIONS: dict[str, Callable[[Party, str], Any]] = {
    "join": lambda party, who: decisions.join(party, person(who), False, NOW_MS, 8),
    "watch": lambda party, who: decisions.join(party, person(who), True, NOW_MS, 8),
    "leave": decisions.leave,
    "send away": lambda party, who: decisions.send_away(party, who, "d"),
    "set up": lambda party, who: decisions.set_up(party, who, FASTER),
    "hand on": lambda party, who: decisions.hand_on(party, who, "d"),
    "start": lambda party, who: decisions.start(party, who, "game0001", None, WHITE),
    "close": decisions.close,
}
# The party is a (host), b, c, d in line; a and b are next. x is nobody in it. Words: the class of a decision or a code.
WAITING: dict[str, dict[str, Any]] = {
    "join": {"a": Unchanged, "b": Unchanged, "d": Unchanged, "x": Changed},
    "watch": {"a": Changed, "b": Changed, "d": Changed, "x": Changed},
    "leave": {"a": Changed, "b": Changed, "d": Changed, "x": Unchanged},
    "send away": {"a": Changed, "b": NOT_ALLOWED, "d": Changed, "x": NOT_A_PLAYER},
    "set up": {"a": Changed, "b": NOT_ALLOWED, "d": NOT_ALLOWED, "x": NOT_A_PLAYER},
    "hand on": {"a": Changed, "b": NOT_ALLOWED, "d": NOT_ALLOWED, "x": NOT_A_PLAYER},
    "start": {"a": Begun, "b": Begun, "d": NOT_ALLOWED, "x": NOT_A_PLAYER},
    "close": {"a": Changed, "b": NOT_ALLOWED, "d": NOT_ALLOWED, "x": NOT_A_PLAYER},
}
PLAYING = WAITING | {"start": {"a": Unchanged, "b": Unchanged, "d": Unchanged, "x": NOT_A_PLAYER}}
CLOSED: dict[str, dict[str, Any]] = {
    "join": dict.fromkeys("abdx", NOT_ALLOWED),
    "watch": dict.fromkeys("abdx", NOT_ALLOWED),
    "leave": dict.fromkeys("abdx", Unchanged),
    # Sending oneself away is leaving.
    "send away": {"a": NOT_ALLOWED, "b": NOT_ALLOWED, "d": Unchanged, "x": NOT_ALLOWED},
    "set up": dict.fromkeys("abdx", NOT_ALLOWED),
    "hand on": dict.fromkeys("abdx", NOT_ALLOWED),
    "start": dict.fromkeys("abdx", NOT_ALLOWED),
    "close": {"a": Unchanged, "b": NOT_ALLOWED, "d": NOT_ALLOWED, "x": NOT_ALLOWED},
}
STATES = {
    "waiting": (gathering("abcd"), WAITING),
    "playing": (replace(gathering("cdab"), host_id="a", board=Board("game0000", ("a", "b"), over=False)), PLAYING),
    "closed": (replace(gathering("abcd"), closed=True), CLOSED),
}


@pytest.mark.parametrize(
    ("state", "action", "who"),
    [(state, action, who) for state, (_, table) in STATES.items() for action, row in table.items() for who in row],
)
def test_who_may_do_what_when(state: str, action: str, who: str) -> None:
    party, table = STATES[state]
    decided = ACTIONS[action](party, who)
    expected = table[action][who]
    assert (code(decided) or type(decided)) == expected


def test_the_table_is_whole() -> None:
    for _, table in STATES.values():
        assert set(table) == set(ACTIONS)
        assert {frozenset(row) for row in table.values()} == {frozenset("abdx")}


def test_a_party_holds_so_many_and_those_who_are_in_stay_in() -> None:
    full = gathering("abcd")
    assert code(decisions.join(full, person("e"), False, NOW_MS, MOST)) is RefusalCode.LIMIT_REACHED
    assert code(decisions.join(full, person("e"), True, NOW_MS, MOST)) is RefusalCode.LIMIT_REACHED
    assert isinstance(decisions.join(full, person("d"), False, NOW_MS, MOST), Unchanged)
    assert changed(decisions.join(full, person("d"), True, NOW_MS, MOST)).member("d") is not None


def test_two_play_and_the_others_wait_in_line() -> None:
    party, pairs = gathering("abc"), []
    for _ in range(4):
        decided = begun(party)
        pairs.append({decided.white.id, decided.black.id})
        party = over(decided.party)
    assert pairs == [{"a", "b"}, {"c", "a"}, {"b", "c"}, {"a", "b"}]


def test_spectators_are_never_paired() -> None:
    decided = begun(gathering("abcd", watching="ac"))
    assert {decided.white.id, decided.black.id} == {"b", "d"}
    assert code(decisions.start(gathering("abc", watching="ac"), "a", "game0001", None, WHITE)) is NOT_ALLOWED


def test_who_comes_during_a_game_is_before_those_who_play_it() -> None:
    playing = begun(gathering("abc")).party
    assert line(playing) == "cab"
    assert line(changed(decisions.join(playing, person("x"), False, NOW_MS, 8))) == "cxab"
    assert line(changed(decisions.join(over(playing), person("x"), False, NOW_MS, 8))) == "cabx"


def test_who_stops_watching_goes_to_the_end_and_keeps_the_colour_that_is_due() -> None:
    party = over(begun(gathering("ab")).party)
    watching = changed(decisions.join(party, person("a"), True, NOW_MS, 8))
    assert watching.next_two is None
    back = changed(decisions.join(watching, person("a"), False, NOW_MS, 8))
    assert line(back) == "ba"
    assert begun(back).black.id == "a"


def test_a_player_who_leaves_is_out_of_the_line_and_the_game_is_still_on() -> None:
    playing = begun(gathering("abc")).party
    left = changed(decisions.leave(playing, "b"))
    assert line(left) == "ca"
    assert left.on == playing.on
    assert isinstance(decisions.start(left, "a", "game0002", None, WHITE), Unchanged)
    again = begun(over(left))
    assert {again.white.id, again.black.id} == {"c", "a"}


def test_a_host_who_leaves_hands_on_to_who_has_been_here_longest() -> None:
    party = over(begun(gathering("abcd")).party)
    assert line(party) == "cdab"
    assert changed(decisions.leave(party, "a")).host_id == "b"
    assert changed(decisions.leave(party, "c")).host_id == "a"


def test_the_last_one_out_closes_it() -> None:
    party = changed(decisions.leave(gathering("ab"), "a"))
    assert (party.host_id, party.closed) == ("b", False)
    party = changed(decisions.leave(party, "b"))
    assert (party.members, party.closed) == ((), True)


def test_the_new_host_has_what_the_old_one_had() -> None:
    party = changed(decisions.hand_on(gathering("abc"), "a", "c"))
    assert code(decisions.set_up(party, "a", FASTER)) is NOT_ALLOWED
    assert isinstance(decisions.set_up(party, "c", FASTER), Changed)
    assert code(decisions.hand_on(party, "c", "x")) is NOT_FOUND


def test_the_host_sends_somebody_away() -> None:
    assert line(changed(decisions.send_away(gathering("abc"), "a", "b"))) == "ac"


def test_what_the_host_sets_is_for_the_next_game() -> None:
    playing = begun(gathering("ab")).party
    faster = changed(decisions.set_up(playing, "a", FASTER))
    assert faster.on == playing.on
    assert begun(over(faster)).party.settings == FASTER


def test_colours_swap_after_each_game_of_two() -> None:
    party, whites = gathering("ab"), ""
    for coin in (BLACK, WHITE, WHITE, BLACK):
        decided = begun(party, coin=coin)
        whites += decided.white.id
        party = over(decided.party)
    assert whites == "baba"


def test_colours_stay_where_the_party_wants_it() -> None:
    party, whites = replace(gathering("ab"), settings=PartySettings(swap_colours=False)), ""
    for coin in (BLACK, WHITE, WHITE):
        decided = begun(party, coin=coin)
        whites += decided.white.id
        party = over(decided.party)
    assert whites == "bbb"


@pytest.mark.parametrize("swap", [True, False])
def test_an_aborted_game_swaps_nothing(swap: bool) -> None:
    party = replace(gathering("ab"), settings=PartySettings(swap_colours=swap))
    whites = ""
    for aborted in (True, False, True, True, False):
        decided = begun(party)
        whites += decided.white.id
        party = over(decided.party)
        assert party.board is not None
        party = replace(party, board=replace(party.board, aborted=aborted))
    assert whites == ("aabbb" if swap else "aaaaa")


def test_who_was_in_an_aborted_game_has_that_colour_due_against_others_too() -> None:
    party = over(begun(gathering("abcd")).party)
    assert party.board is not None
    party = replace(party, board=replace(party.board, aborted=True))
    between = over(begun(party).party)  # c and d
    last = {member.person.id: member.last_colour for member in between.members}
    assert (last["a"], last["b"]) == (BLACK, WHITE)
    assert begun(between).white.id == "a"


@pytest.mark.parametrize(
    ("first", "second", "met", "swapped", "stayed"),
    [
        (WHITE, BLACK, None, BLACK, WHITE),
        (BLACK, WHITE, None, WHITE, BLACK),
        (WHITE, None, None, BLACK, WHITE),
        (None, WHITE, None, WHITE, BLACK),
        (None, BLACK, None, BLACK, WHITE),
        # Both had the same one: what they had against each other counts.
        (WHITE, WHITE, WHITE, BLACK, WHITE),
        (WHITE, WHITE, BLACK, WHITE, BLACK),
        # They have not met: chance, which is black here.
        (WHITE, WHITE, None, BLACK, BLACK),
        (None, None, None, BLACK, BLACK),
    ],
)
def test_which_colour_is_due(
    first: Colour | None, second: Colour | None, met: Colour | None, swapped: Colour, stayed: Colour
) -> None:
    one, other = Member(person("a"), 0, False, first), Member(person("b"), 0, False, second)
    assert decisions.colour_of_first(one, other, swap=True, met=met, coin=BLACK) is swapped
    assert decisions.colour_of_first(one, other, swap=False, met=met, coin=BLACK) is stayed


MOVES = st.lists(st.tuples(st.sampled_from(sorted(ACTIONS)), st.sampled_from("abcdefg")), max_size=40)


@given(MOVES, st.booleans())
def test_whatever_happens_a_party_stays_whole(moves: list[tuple[str, str]], ends: bool) -> None:
    """Nobody is in it twice, an open one has a host who is in it, and one game is on at a time."""
    party = gathering("abc")
    for action, who in moves:
        decided = ACTIONS[action](party, who)
        if isinstance(decided, Refusal):
            continue
        if isinstance(decided, Begun):
            assert decided.white.id != decided.black.id
            assert party.on is None
        party = decided.party
        if ends and party.board is not None:
            party = over(party)
        ids = [member.person.id for member in party.members]
        assert len(ids) == len(set(ids)) <= 8
        assert party.closed or party.host_id in ids
