"""Challenges, names and texts as values; passwords without a store."""

import asyncio
from dataclasses import replace

import pytest

from services.domain.colour import Colour
from services.domain.refusal import Refusal
from services.domain.rule_set import CLAIMED
from services.domain.time_control import ClockControl, Correspondence, PerMove, TimeControl, Unlimited
from services.game.chat.chat import refuse_text
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
    decline,
    held,
)
from services.game.people import scopes
from services.game.people.passwords import Passwords
from services.game.people.tokens import hash_of, new_token
from services.game.play.person import Person, new_guest, refuse_name
from services.game.settings import GameSettings
from services.runtime.batching import Overloaded
from services.words.catalogue import sentence

WHITE, BLACK = Colour.WHITE, Colour.BLACK
BLITZ = ClockControl(300_000, 0)
ANN, BOB, EVE = (Person(name.lower(), name, "", False, 0, 0) for name in ("Ann", "Bob", "Eve"))
GUEST = Person("guest-22222222", "Guest-22222222", "", True, 0, 0)


def challenge(
    challenger: Person | None = ANN,
    dest: Person | None = BOB,
    *,
    colour: Colour | None = None,
    final: Colour = WHITE,
    control: TimeControl = BLITZ,
    rated: bool = False,
    status: Status = Status.CREATED,
) -> Challenge:
    wish = Wish("standard", CLAIMED, control, rated, colour, "")
    return Challenge("abcdefgh", status, dest is None, challenger, dest, wish, final, "", False, None, None, 0, 1000)


@pytest.mark.parametrize(
    ("colour", "final", "wanted", "white", "final_after"),
    [
        (None, WHITE, None, "ann", WHITE),
        (None, BLACK, None, "bob", BLACK),
        (None, WHITE, WHITE, "bob", BLACK),  # who accepts chooses, since the maker left it open
        (None, BLACK, BLACK, "ann", WHITE),
        (WHITE, WHITE, BLACK, "ann", WHITE),
    ],
)
def test_colours_of_an_open_challenge(
    colour: Colour | None, final: Colour, wanted: Colour | None, white: str, final_after: Colour
) -> None:
    decision = accept(challenge(dest=None, colour=colour, final=final), BOB, wanted, WHITE, 0)
    assert isinstance(decision, Paired)
    assert decision.challenge.white_id == white
    assert set(decision.challenge.seated) == {"ann", "bob"}
    assert decision.challenge.final_colour is final_after
    assert decision.challenge.status is Status.ACCEPTED


def test_a_colour_that_the_maker_chose_cannot_be_taken() -> None:
    assert isinstance(accept(challenge(dest=None, colour=WHITE), BOB, WHITE, WHITE, 0), Refusal)


def test_a_challenge_to_somebody_takes_no_colour_from_the_answer() -> None:
    decision = accept(challenge(final=BLACK), BOB, BLACK, WHITE, 0)
    assert isinstance(decision, Paired)
    assert decision.challenge.white_id == "bob"


@pytest.mark.parametrize("coin", [WHITE, BLACK])
def test_the_first_seat_of_nobodys_challenge_is_drawn_and_the_second_is_the_other(coin: Colour) -> None:
    first = accept(challenge(None, None), BOB, None, coin, 0)
    assert isinstance(first, Waiting)
    assert first.challenge.seated[0 if coin is WHITE else 1] == "bob"
    for second_coin in (WHITE, BLACK):
        second = accept(first.challenge, EVE, None, second_coin, 0)
        assert isinstance(second, Paired)
        assert second.challenge.seated == (("bob", "eve") if coin is WHITE else ("eve", "bob"))
    assert accept(first.challenge, BOB, coin.other, coin, 0) == Unchanged(first.challenge)
    assert isinstance(accept(first.challenge, EVE, coin, coin, 0), Refusal)


@pytest.mark.parametrize("control", [Correspondence(3), BLITZ])
def test_rated_and_correspondence_games_need_accounts(control: TimeControl) -> None:
    asked = challenge(dest=None, control=control, rated=control is BLITZ)
    assert isinstance(accept(asked, GUEST, None, WHITE, 0), Refusal)
    assert isinstance(accept(asked, EVE, None, WHITE, 0), Paired)


def test_the_last_moment_of_a_challenge_is_the_one_before_it_lapses() -> None:
    assert isinstance(accept(challenge(), BOB, None, WHITE, 999), Paired)
    for decision in (
        accept(challenge(), BOB, None, WHITE, 1000),
        decline(challenge(), BOB, "", 1000),
        cancel(challenge(), ANN, 1000),
    ):
        assert isinstance(decision, Refusal)
        assert decision.code == "not_found"
    seated = replace(challenge(status=Status.ACCEPTED), white_id="ann", black_id="bob")
    assert accept(seated, BOB, None, WHITE, 5000) == Unchanged(seated)


def test_a_reason_is_one_of_the_known_words() -> None:
    for given, kept in [("tooSlow", "tooSlow"), ("x" * 10_000, "generic"), ("", "generic")]:
        decision = decline(challenge(), BOB, given, 0)
        assert isinstance(decision, Closed)
        assert decision.challenge.decline_reason == kept


@pytest.mark.parametrize(
    ("control", "open", "keep_alive", "expected"),
    [
        (BLITZ, False, False, True),
        (BLITZ, False, True, True),
        (BLITZ, True, False, False),
        (BLITZ, True, True, False),
        (PerMove(30_000), False, False, True),
        (Correspondence(1), False, False, False),
        (Correspondence(1), False, True, True),
        (Unlimited(), False, False, False),
        (Unlimited(), True, False, False),
    ],
)
def test_which_challenges_go_with_their_maker(
    control: TimeControl, open: bool, keep_alive: bool, expected: bool
) -> None:
    assert held(Wish("standard", CLAIMED, control, False, None, ""), open=open, keep_alive=keep_alive) is expected


def test_names_of_guests_are_names_that_no_account_can_have() -> None:
    guests = [new_guest(5) for _ in range(100)]
    assert len({guest.id for guest in guests}) == 100
    for guest in guests:
        refusal = refuse_name(guest.name)
        assert refusal is not None
        assert refusal.code == "name_taken"
        assert guest.id == guest.name.lower()


@pytest.mark.parametrize("name", ["ab", "A1", "0x", "a" * 30, "Max-Euwe", "a_b", "guess", "opening"])
def test_a_good_name_is_not_refused(name: str) -> None:
    assert refuse_name(name) is None


def test_tokens_differ_and_their_hashes_do_not_show_them() -> None:
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert all(len(token) == 43 and token.startswith("ff_") and token.isascii() for token in tokens)
    assert len({hash_of(token) for token in tokens}) == 100


def test_a_guest_may_do_less_than_an_account() -> None:
    assert set(scopes.GUEST) < set(scopes.ALL)
    assert "bot:play" not in scopes.GUEST
    assert len(set(scopes.ALL)) == len(scopes.ALL)


def test_the_place_of_a_forbidden_character_is_told() -> None:
    refusal = refuse_text("ab\u2028c", 140)
    assert refusal is not None
    assert "3" in sentence(refusal.text)
    assert refuse_text("ab c", 140) is None


async def test_a_password_fits_its_own_hash_only() -> None:
    passwords = Passwords(GameSettings(password_memory_kib=8, password_rounds=1))
    kept = await passwords.hash("correct horse")
    assert await passwords.fits(kept, "correct horse")
    assert not await passwords.fits(kept, "wrong horse")
    assert not await passwords.fits("no hash at all", "correct horse")
    assert not await passwords.fits(None, "nobody has this password")
    passwords.close()


async def test_places_for_passwords_are_bounded_and_come_back() -> None:
    passwords = Passwords(
        GameSettings(password_memory_kib=1024, password_rounds=2, password_workers=1, password_waiting_max=2)
    )
    for _ in range(2):
        answers = await asyncio.gather(*(passwords.hash("x" * 8) for _ in range(6)), return_exceptions=True)
        assert sum(isinstance(answer, str) for answer in answers) == 3
        assert sum(isinstance(answer, Overloaded) for answer in answers) == 3
    passwords.close()
