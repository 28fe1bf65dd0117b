"""Arranging games in a real browser: the lobby, invitations to a person, a party, and a player's page."""

import re
from uuid import uuid4

import pytest
from playwright.async_api import Browser, expect

from tests.e2e.game_page import WITHIN_MS, GamePage, play
from tests.stack.running import RunningFlagfall

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.asyncio(loop_scope="session")]


async def account(browser: Browser, address: str, name: str) -> GamePage:
    """Somebody who has just signed up; the name is made one of its kind."""
    person = await GamePage.open(browser, address)
    unique = f"{name}_{uuid4().hex[:8]}"
    await person.button("Sign in").click()
    dialog = person.page.get_by_role("dialog")
    await dialog.get_by_role("button", name="I need an account").click()
    await dialog.get_by_label("Name").fill(unique)
    await dialog.get_by_label("Password").fill("a long enough password")
    await dialog.get_by_role("button", name="Create account").click()
    await expect(person.page.get_by_role("banner").get_by_text(unique)).to_be_visible()
    return person


async def name_of(person: GamePage) -> str:
    return await person.page.locator(".who-name").inner_text()


async def begun(*people: GamePage) -> None:
    for person in people:
        await expect(person.game).to_be_visible(timeout=WITHIN_MS)


async def test_two_guests_meet_in_the_lobby(flagfall: RunningFlagfall, browser: Browser) -> None:
    seeker = await GamePage.open(browser, flagfall.address)
    await seeker.choose("Anyone", "White", "Per move")
    await seeker.page.get_by_label("For each move").select_option("60 seconds")
    await seeker.button("Find an opponent").click()
    await expect(seeker.page.get_by_test_id("looking")).to_be_visible()
    await seeker.button("Stop looking").click()
    await expect(seeker.button("Find an opponent")).to_be_enabled()
    await seeker.button("Find an opponent").click()
    await expect(seeker.button("Cancel your search")).to_be_visible(timeout=WITHIN_MS)
    name = await name_of(seeker)

    other = await GamePage.open(browser, flagfall.address)
    await other.button(f"Play {name}").click()
    await begun(seeker, other)
    await expect(other.page.get_by_test_id("terms")).to_contain_text("60 s a move")
    await play([seeker, other], "e2e4 e7e5")
    assert seeker.errors == other.errors == []


async def test_a_person_is_invited_answers_with_other_terms_and_the_rated_game_is_on_their_page(
    flagfall: RunningFlagfall, browser: Browser
) -> None:
    anna, ben = await account(browser, flagfall.address, "anna"), await account(browser, flagfall.address, "ben")
    await anna.choose("By name", "White", "3 + 2")
    await anna.page.get_by_label("Who", exact=True).fill(await name_of(ben))
    await anna.button("Invite").click()
    await expect(anna.page.get_by_test_id("invitation")).to_contain_text(f"Waiting for {await name_of(ben)}")
    await expect(anna.button("Cancel the invitation")).to_be_visible()

    invitations = ben.page.get_by_test_id("invitations")
    await expect(invitations).to_contain_text(f"{await name_of(anna)} invites you")
    await expect(invitations).to_contain_text("3 + 2 · Standard · FIDE · unrated · you play Black")
    await ben.button("Other terms").click()
    dialog = ben.page.get_by_role("dialog")
    await expect(dialog.get_by_role("radio", name="3 + 2")).to_be_checked()
    await expect(dialog.get_by_role("radio", name="Black")).to_be_checked()
    await dialog.get_by_role("radio", name="5 + 0").check(force=True)
    await dialog.get_by_role("checkbox", name="Rated").check()
    await dialog.get_by_role("button", name="Send").click()

    await expect(anna.page.get_by_role("heading", name="offers other terms")).to_be_visible(timeout=WITHIN_MS)
    await anna.page.get_by_label("Reason to decline").select_option("Later, please")
    await anna.button("Decline").click()
    await expect(ben.page.get_by_test_id("nothing")).to_contain_text("declined", timeout=WITHIN_MS)

    await ben.page.goto(flagfall.address)
    await ben.choose("By name", "Black", "5 + 0")
    await ben.page.get_by_label("Who", exact=True).fill(await name_of(anna))
    await ben.page.get_by_role("checkbox", name="Rated").check()
    await ben.button("Invite").click()
    await anna.button("Accept").click()
    await begun(anna, ben)
    await play([anna, ben], "f2f3 e7e5 g2g4 d8h4")
    await expect(anna.page.get_by_test_id("rating-white")).to_have_text(re.compile(r"\u2212\d+"))
    await expect(anna.page.get_by_test_id("rating-black")).to_have_text(re.compile(r"\+\d+"))

    await anna.page.get_by_test_id("name-black").get_by_role("link").click()
    await expect(anna.page.get_by_test_id("profile")).to_contain_text("1 game: 1 won")
    await expect(anna.page.get_by_role("row", name="Standard, blitz")).to_be_visible()
    await expect(anna.page.get_by_test_id("found-game")).to_have_count(1)
    await anna.page.get_by_label("Result").select_option("Lost")
    await expect(anna.page.get_by_test_id("found-game")).to_have_count(0)
    assert anna.errors == ben.errors == []


async def test_a_party_of_guests_plays_by_its_house_rules(flagfall: RunningFlagfall, browser: Browser) -> None:
    host = await GamePage.open(browser, flagfall.address)
    await host.button("Make a party").click()
    link = await host.page.get_by_test_id("link").input_value()
    await host.page.get_by_label("Time for each turn").select_option("30 seconds a turn")
    await host.page.get_by_label("Mark where the chosen piece can go").uncheck()
    await host.button("Save the house rules").click()
    await expect(host.page.get_by_test_id("party-terms")).to_contain_text("30 seconds a turn")
    await expect(host.page.get_by_test_id("party-terms")).to_contain_text("moves are not marked")

    guest, watcher = await GamePage.open(browser, link), await GamePage.open(browser, link)
    await guest.button("Join").click()
    await expect(host.page.get_by_test_id("member")).to_have_count(2)
    await watcher.button("Only watch").nth(0).click()
    await expect(host.page.get_by_test_id("member")).to_have_count(3)
    await host.button("Start the game").click()
    await begun(host, guest)
    await watcher.page.get_by_role("link", name="Go to the board").click()
    await expect(watcher.page.get_by_test_id("spectator")).to_be_visible(timeout=WITHIN_MS)

    host_is_white = await host.page.locator(".board.orientation-white").count() == 1
    white, black = (host, guest) if host_is_white else (guest, host)
    await white.click_square("e2")
    await expect(white.page.locator("square.selected")).to_have_count(1)
    await expect(white.page.locator("square.move-dest")).to_have_count(0)
    await white.click_square("e4")
    await black.has_ply(1)
    await black.click_move("e7e5")
    await white.has_ply(2)
    await black.button("Resign").click()
    await black.button("Yes, resign").click()
    await host.page.get_by_role("link", name="Back to the party").click()
    await expect(host.button("Start the game")).to_be_visible(timeout=WITHIN_MS)
    assert host.errors == guest.errors == watcher.errors == []
