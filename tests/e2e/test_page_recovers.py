"""The page when the gateway dies under it."""

import pytest
from playwright.async_api import Browser, expect

from tests.conftest import MakeFlagfall
from tests.e2e.game_page import WITHIN_MS, link_game, play

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.asyncio(loop_scope="session")]


async def test_the_game_goes_on_when_the_gateway_was_killed(make_flagfall: MakeFlagfall, browser: Browser) -> None:
    flagfall = make_flagfall()
    players = await link_game(browser, flagfall.address)
    await play(players, "e2e4 e7e5")
    for person in players:
        await person.page.evaluate("window.neverReloaded = true")
    killed = flagfall.pid("gateway")
    flagfall.kill("gateway")
    for person in players:
        await expect(person.page.get_by_test_id("link-state")).to_have_text("Reconnecting…")
    # A move made without a connection is shown, and sent when there is one.
    await players[0].click_move("g1f3")
    flagfall.wait_ready("gateway", other_than=killed)
    for person in players:
        await expect(person.page.get_by_test_id("link-state")).to_have_text("", timeout=WITHIN_MS)
        await person.has_ply(3)
    await play(players, "b8c6 f1b5", from_ply=3)
    for person in players:
        assert await person.page.evaluate("window.neverReloaded") is True
        assert await person.moves() == ["e4", "e5", "Nf3", "Nc6", "Bb5"]
