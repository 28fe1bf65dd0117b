"""The page in a real browser, on the whole stack: people and the computer play by clicks."""

import re

import pytest
from playwright.async_api import Browser, expect

from tests.e2e.game_page import WITHIN_MS, GamePage, link_game, play
from tests.stack.running import RunningFlagfall

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.asyncio(loop_scope="session")]

SCHOLARS_MATE = "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7"
FLAG_WITHIN_MS = 40_000


async def test_two_people_play_to_mate_by_a_link(flagfall: RunningFlagfall, browser: Browser) -> None:
    players = await link_game(browser, flagfall.address)
    await play(players, SCHOLARS_MATE)
    for person in players:
        await expect(person.result).to_contain_text("White wins")
        await expect(person.result).to_contain_text("Checkmate")
        await expect(person.result).to_contain_text("1\u20130")
        await expect(person.page.locator("square.check")).to_have_count(1)
        assert await person.moves() == ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"]
        assert person.errors == []
    await expect(players[0].page.get_by_test_id("taken-white")).to_have_attribute("aria-label", "Captured: pawn")


async def test_the_computer_answers(flagfall: RunningFlagfall, browser: Browser) -> None:
    person = await GamePage.open(browser, flagfall.address)
    await person.choose("Computer", "White")
    await person.page.get_by_role("slider").fill("1")
    await expect(person.page.get_by_test_id("level-name")).to_have_text("1 · Newcomer")
    await person.button("Play").click()
    await expect(person.game).to_be_visible(timeout=WITHIN_MS)
    await expect(person.page.get_by_test_id("name-black")).to_contain_text("Computer, level 1")
    await person.click_move("e2e4")
    await person.has_ply(2)
    await person.click_move("a2a3")  # Black has no check after one move, so this is always legal
    await person.has_ply(4)
    assert (await person.moves())[::2] == ["e4", "a3"]
    await person.button("Resign").click()
    await person.button("Yes, resign").click()
    await expect(person.result).to_contain_text("Black wins")
    await expect(person.result).to_contain_text("White resigned")
    assert person.errors == []


async def test_a_pawn_becomes_the_chosen_piece(flagfall: RunningFlagfall, browser: Browser) -> None:
    white, black = players = await link_game(browser, flagfall.address)
    await play(players, "e2e4 d7d5 e4d5 c7c6 d5c6 g8f6 c6b7 f6g8")
    await white.click_move("b7a8")
    chooser = white.page.get_by_test_id("promotion")
    await expect(chooser).to_be_visible()
    await white.page.keyboard.press("Escape")
    await expect(chooser).to_have_count(0)
    await white.click_move("b7a8")
    await chooser.get_by_role("button", name="knight").click()
    await black.has_ply(9)
    assert (await black.moves())[-1] == "bxa8=N"
    await expect(black.page.locator("piece.white.knight:not(.ghost)").first).to_be_visible()


async def test_a_draw_is_offered_declined_offered_again_and_accepted(
    flagfall: RunningFlagfall, browser: Browser
) -> None:
    white, black = players = await link_game(browser, flagfall.address)
    await play(players, "e2e4 e7e5")
    await white.button("Offer draw").click()
    await black.button("Decline").click()
    await expect(white.button("Withdraw")).to_have_count(0)
    await play(players, "g1f3 b8c6", from_ply=2)
    await black.button("Offer draw").click()
    await white.button("Accept").click()
    for person in players:
        await expect(person.result).to_contain_text("The players agreed on a draw")


async def test_a_repetition_may_be_claimed(flagfall: RunningFlagfall, browser: Browser) -> None:
    players = await link_game(browser, flagfall.address)
    await play(players, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1")
    await expect(players[0].button("Claim draw")).to_have_count(0)
    await play(players, "f6g8", from_ply=7)
    await players[0].button("Claim draw").click()
    for person in players:
        await expect(person.result).to_contain_text("The same position was repeated")


async def test_a_flag_falls_on_both_pages_by_itself(flagfall: RunningFlagfall, browser: Browser) -> None:
    white = await GamePage.open(browser, flagfall.address)
    await white.choose("A friend", "White", "Other")
    await white.page.get_by_label("For each side").select_option("15 seconds")
    await white.page.get_by_label("Seconds a move").fill("0")
    await white.button("Make a link").click()
    black = await GamePage.open(browser, await white.page.get_by_test_id("link").input_value())
    await black.button("Join as Black").click()
    await expect(white.game).to_be_visible(timeout=WITHIN_MS)
    await play([white, black], "e2e4 e7e5")
    clock = white.page.get_by_test_id("clock-white")
    await expect(clock).to_have_text(re.compile(r"^0:1[0-3]\.\d$"), timeout=FLAG_WITHIN_MS)
    for person in (white, black):
        await expect(person.result).to_contain_text("White ran out of time", timeout=FLAG_WITHIN_MS)
    await expect(clock).to_have_text("0:00.0")


async def test_a_spectator_sees_the_game_without_controls(flagfall: RunningFlagfall, browser: Browser) -> None:
    players = await link_game(browser, flagfall.address)
    spectator = await GamePage.open(browser, f"{players[0].page.url}/black")
    await expect(spectator.page.get_by_test_id("spectator")).to_be_visible()
    await expect(spectator.page.locator(".board.orientation-black")).to_be_visible()
    await play(players, "e2e4 e7e5")
    await spectator.has_ply(2)
    for name in ("Resign", "Abort", "Offer draw"):
        await expect(spectator.button(name)).to_have_count(0)
    await spectator.click_move("g1f3")
    await play(players, "d2d4", from_ply=2)
    await spectator.has_ply(3)
    assert await spectator.moves() == ["e4", "e5", "d4"]


async def test_a_game_without_moves_is_aborted(flagfall: RunningFlagfall, browser: Browser) -> None:
    white, black = await link_game(browser, flagfall.address)
    await expect(white.page.get_by_test_id("first-move")).to_be_visible()
    await black.button("Abort").click()
    for person in (white, black):
        await expect(person.result).to_contain_text("Game aborted")


async def test_a_reload_gives_the_seat_back(flagfall: RunningFlagfall, browser: Browser) -> None:
    players = await link_game(browser, flagfall.address)
    await play(players, "e2e4 e7e5")
    await players[0].page.reload()
    await play(players, "g1f3", from_ply=2)
    await players[0].page.goto(flagfall.address)
    await expect(players[0].page.get_by_test_id("running-game")).to_have_count(1)


async def test_correspondence_asks_a_guest_for_an_account(flagfall: RunningFlagfall, browser: Browser) -> None:
    person = await GamePage.open(browser, flagfall.address)
    await person.choose("Computer", "White", "Days")
    await person.button("Play").click()
    dialog = person.page.get_by_role("dialog")
    await expect(dialog).to_contain_text("needs an account")
    await dialog.get_by_role("button", name="I need an account").click()
    await dialog.get_by_label("Name").fill("postal_player")
    await dialog.get_by_label("Password").fill("a long enough password")
    await dialog.get_by_role("button", name="Create account").click()
    await expect(dialog).to_have_count(0)
    await expect(person.page.get_by_text("postal_player")).to_be_visible()
    await person.button("Play").click()
    await expect(person.page.get_by_test_id("clock-white")).to_have_text(re.compile("^(14 days|13 days 23 h)$"))


async def test_a_mistyped_link_is_named(flagfall: RunningFlagfall, browser: Browser) -> None:
    person = await GamePage.open(browser, f"{flagfall.address}/zzzzzzzz")
    await expect(person.page.get_by_test_id("nothing")).to_contain_text("There is no such game")


async def test_the_page_of_the_api_shows_it_without_inline_scripts(flagfall: RunningFlagfall, browser: Browser) -> None:
    reader = await GamePage.open(browser, f"{flagfall.address}/docs")
    await expect(reader.page.get_by_text("/api/board/game/{game_id}/move/{uci}")).to_be_visible(timeout=WITHIN_MS)
    assert reader.errors == []  # a breach of the Content-Security-Policy would be one
