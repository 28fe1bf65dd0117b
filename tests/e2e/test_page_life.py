"""What a game's page offers besides moves, in a real browser on the whole stack."""

import pytest
from playwright.async_api import Browser, expect

from tests.e2e.game_page import WITHIN_MS, GamePage, link_game, play
from tests.stack.running import RunningFlagfall

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.asyncio(loop_scope="session")]

FLAG_WITHIN_MS = 40_000


async def test_against_the_computer_a_hint_is_marked_moves_are_undone_and_it_plays_again(
    flagfall: RunningFlagfall, browser: Browser
) -> None:
    person = await GamePage.open(browser, flagfall.address)
    await person.choose("Computer", "White")
    await person.page.get_by_role("slider").fill("2")
    await person.button("Play").click()
    await person.page.get_by_label("Level of the computer").select_option("1 · Newcomer")
    await expect(person.page.get_by_test_id("name-black")).to_contain_text("Computer, level 1")
    await person.button("Hint").click()
    await expect(person.page.get_by_test_id("hint")).to_contain_text("Hint: ", timeout=WITHIN_MS)
    await expect(person.page.locator("square.hinted:visible")).to_have_count(2)
    await person.click_move("e2e4")
    await person.has_ply(2)
    await expect(person.page.get_by_label("Level of the computer")).to_have_count(0)
    await person.button("Undo").click()
    await person.has_ply(0)
    assert await person.moves() == []
    await expect(person.game).to_have_attribute("data-legal", "20")
    await person.click_move("d2d4")
    await person.has_ply(2)
    await person.button("Resign").click()
    await person.button("Yes, resign").click()
    await expect(person.result).to_contain_text("White resigned")
    await person.button("Undo").click()
    await person.has_ply(0)
    await expect(person.result).to_have_count(0)
    await person.button("Abort").click()
    first = person.page.url
    await person.button("Rematch").click()
    await person.page.wait_for_url(lambda url: url != first)
    await expect(person.page.get_by_test_id("name-white")).to_contain_text("you")  # after an aborted game they stay
    assert person.errors == []


async def test_by_consent_a_move_is_taken_back_time_is_given_lines_are_said_and_a_rematch_begins(
    flagfall: RunningFlagfall, browser: Browser
) -> None:
    white, black = players = await link_game(browser, flagfall.address, takeback=True)
    await play(players, "e2e4 e7e5 g1f3")
    await white.button("Ask for a takeback").click()
    await black.button("Decline").click()
    await expect(white.button("Withdraw")).to_have_count(0)
    await black.click_move("b8c6")
    await black.button("Ask for a takeback").click()
    await white.button("Allow").click()
    for person in players:
        await person.has_ply(3)
        assert await person.moves() == ["e4", "e5", "Nf3"]
    await black.click_move("g8f6")
    await white.has_ply(4)
    await white.button("Give 15 seconds to the opponent").click()
    await expect(white.page.get_by_test_id("clock-black")).to_contain_text("10:")

    await white.page.get_by_label("Say something to your opponent").fill("Good luck")
    await white.button("Send").click()
    await expect(black.page.get_by_role("log")).to_contain_text("Good luck")

    await black.button("Resign").click()
    await black.button("Yes, resign").click()
    await white.button("Rematch").click()
    await black.button("Decline").click()
    await expect(white.result).to_contain_text("does not want a rematch")
    first = white.page.url
    await black.button("Rematch").click()
    await white.button("Accept").click()
    for person in players:
        await person.page.wait_for_url(lambda url: url != first)
        await person.has_ply(0)
    await play([black, white], "e2e4")  # the colours are swapped
    assert white.errors == black.errors == []


async def test_a_fallen_flag_pauses_and_the_game_goes_on_without_a_clock_and_who_leaves_is_told(
    flagfall: RunningFlagfall, browser: Browser
) -> None:
    white = await GamePage.open(browser, flagfall.address)
    await white.choose("A friend", "White", "Other")
    await white.pick("Rules", "Friendly")
    await white.page.get_by_label("For each side").select_option("15 seconds")
    await white.page.get_by_label("Seconds a move").fill("0")
    await white.button("Make a link").click()
    black = await GamePage.open(browser, await white.page.get_by_test_id("link").input_value())
    await black.button("Join as Black").click()
    await expect(white.game).to_be_visible(timeout=WITHIN_MS)
    await play([white, black], "e2e4 e7e5")
    for person in (white, black):
        await expect(person.page.get_by_test_id("pause")).to_be_visible(timeout=FLAG_WITHIN_MS)
    await expect(black.button("Take the win")).to_be_visible()
    await black.button("Go on without a clock").click()
    await expect(black.page.get_by_test_id("pause")).to_contain_text("You have offered to go on.")
    await white.button("Go on without a clock").click()
    await expect(white.page.get_by_test_id("pause")).to_have_count(0)
    await play([white, black], "g1f3", from_ply=2)
    await expect(white.page.get_by_test_id("clock-white")).to_have_count(0)

    assert black.errors == []
    await black.context.close()
    await expect(white.page.get_by_test_id("away")).to_contain_text("has left the page", timeout=WITHIN_MS)
    await white.button("Resign").click()
    await white.button("Yes, resign").click()
    await expect(white.page.get_by_test_id("absences")).to_contain_text("was away once")
    assert white.errors == []
