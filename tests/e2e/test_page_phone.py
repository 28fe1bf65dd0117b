"""The page on a phone's width: everything is there, and nothing scrolls sideways."""

import pytest
from playwright.async_api import Browser, ViewportSize, expect

from tests.e2e.game_page import GamePage, link_game, play
from tests.stack.running import RunningFlagfall

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.asyncio(loop_scope="session")]


@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 640)])
async def test_nothing_scrolls_sideways(flagfall: RunningFlagfall, browser: Browser, width: int, height: int) -> None:
    phone = ViewportSize(width=width, height=height)
    home = await GamePage.open(browser, flagfall.address, phone)
    await expect(home.button("Play")).to_be_visible()
    assert await home.fits_its_width()

    white, black = players = await link_game(browser, flagfall.address, viewport=phone)
    await play(players, "e2e4 d7d5 e4d5 d8d5")
    await white.button("Resign").click()
    assert await white.fits_its_width()
    await white.button("Yes, resign").click()
    await expect(white.result).to_be_visible()
    assert await white.fits_its_width()

    board = await black.page.locator("cg-board").bounding_box()
    assert board is not None
    assert board["width"] > min(width, height - 160) - 8, "the board takes the whole width"
    clocks = [await black.page.get_by_test_id(f"clock-{color}").bounding_box() for color in ("white", "black")]
    assert clocks[0] is not None
    assert clocks[1] is not None
    assert clocks[0]["y"] < board["y"] < board["y"] + board["height"] <= clocks[1]["y"]
