"""The page of a game as a player uses it: clicks on squares and buttons, and what can be read there."""

import re
from dataclasses import dataclass, field
from typing import Self

from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, ViewportSize, expect

DESKTOP = ViewportSize(width=1280, height=800)
WITHIN_MS = 15_000
# The page asks who is signed in before anybody is.
EXPECTED_ERRORS = ("401 (Unauthorized)",)


@dataclass
class GamePage:
    """One player's (or spectator's) browser window, with cookies of its own."""

    context: BrowserContext
    page: Page
    errors: list[str] = field(default_factory=list)

    @classmethod
    async def open(cls, browser: Browser, address: str, viewport: ViewportSize = DESKTOP) -> Self:
        """A new person at `address`."""
        context = await browser.new_context(viewport=viewport)
        page = await context.new_page()
        page.set_default_timeout(WITHIN_MS)
        self = cls(context, page)
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        await page.goto(address)
        return self

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not any(known in message.text for known in EXPECTED_ERRORS):
            self.errors.append(message.text)

    @property
    def game(self) -> Locator:
        """The game; it carries the version and the number of half-moves that the server has confirmed."""
        return self.page.get_by_test_id("game")

    def held(self, letter: str) -> Locator:
        """The button of a man in the own hand."""
        return self.page.locator(f"button.held[data-letter={letter.lower()}]")

    @property
    def result(self) -> Locator:
        return self.page.get_by_test_id("result")

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    async def choose(self, *names: str) -> None:
        """Pick options of the form for a new game."""
        for name in names:
            await self.page.get_by_role("radio", name=name, exact=True).check(force=True)

    async def pick(self, picker: str, option: str) -> None:
        """Open a picker of the form and choose one of its options, by the mouse."""
        label = self.page.locator(".picker-label").get_by_text(picker, exact=True)
        await label.click()
        await (
            self.page.locator("details.picker")
            .filter(has=label)
            .get_by_role("radio", name=re.compile(f"^{option}"))
            .click()
        )

    async def square_middle(self, square: str) -> tuple[float, float]:
        """Where a square's middle is, wherever the board's orientation has it."""
        board = self.page.locator("cg-board")
        await expect(board).to_be_visible(timeout=WITHIN_MS)  # a page just loaded has none yet
        box = await board.bounding_box()
        assert box is not None
        black_below = await self.page.locator(".board.orientation-black").count() > 0
        column, row = "abcdefgh".index(square[0]), 8 - int(square[1])
        if black_below:
            column, row = 7 - column, 7 - row
        size = box["width"] / 8
        return box["x"] + size * (column + 0.5), box["y"] + size * (row + 0.5)

    async def click_square(self, square: str) -> None:
        """Click a square."""
        await self.page.mouse.click(*await self.square_middle(square))

    async def click_move(self, uci: str) -> None:
        """Click a move's two squares; of a drop, the man in hand and the square."""
        if uci[1] == "@":
            await self.held(uci[0]).click()
        else:
            await self.click_square(uci[:2])
        await self.click_square(uci[2:4])

    async def has_ply(self, ply: int) -> None:
        """Wait until the server has confirmed so many half-moves."""
        await expect(self.game).to_have_attribute("data-ply", str(ply), timeout=WITHIN_MS)

    async def moves(self) -> list[str]:
        """The moves as the list has them, in SAN."""
        cells = self.page.get_by_test_id("moves").get_by_role("button")
        return [text.strip() for text in await cells.all_text_contents()]

    async def fits_its_width(self) -> bool:
        """Whether nothing makes the page scroll sideways."""
        return bool(await self.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


async def link_game(
    browser: Browser,
    address: str,
    *terms: str,
    variant: str = "",
    rules: str = "",
    takeback: bool = False,
    viewport: ViewportSize = DESKTOP,
) -> list[GamePage]:
    """Two people who meet by a link; the maker plays White. Returns White and Black, the game begun."""
    white = await GamePage.open(browser, address, viewport)
    await white.choose("A friend", "White", *terms)
    if variant:
        await white.pick("Variant", variant)
    if rules:
        await white.pick("Rules", rules)
    if takeback:
        await white.page.locator("details.picker summary").filter(has_text="Rules").click()
        await white.page.get_by_text("More: each rule by itself").click()
        await white.page.locator("select[name=takeback]").select_option("byConsent")
    await white.button("Make a link").click()
    link = await white.page.get_by_test_id("link").input_value()
    black = await GamePage.open(browser, link, viewport)
    await black.button("Join as Black").click()
    for person in (white, black):
        await expect(person.game).to_be_visible(timeout=WITHIN_MS)
    return [white, black]


async def play(players: list[GamePage], moves: str, from_ply: int = 0) -> None:
    """Play moves in UCI, White's and Black's by turns, each confirmed on both pages."""
    for ply, uci in enumerate(moves.split(), start=from_ply):
        await players[ply % 2].click_move(uci)
        for person in players:
            await person.has_ply(ply + 1)
