"""The page plays the variants in a real browser, on the whole stack; claims, rules pages and imports."""

import re

import httpx
import pytest
from playwright.async_api import Browser, expect

from tests.e2e.game_page import WITHIN_MS, GamePage, link_game, play
from tests.stack.running import RunningFlagfall

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.asyncio(loop_scope="session")]


async def position_game(browser: Browser, address: str, variant: str, fen: str) -> list[GamePage]:
    """Two people who meet in a game from a position, which the form does not offer."""
    async with httpx.AsyncClient() as client:
        asked = await client.post(f"{address}/api/challenge/open", json={"variant": variant, "fen": fen})
    link = asked.json()["url"]
    players = []
    for side in ("White", "Black"):
        players.append(await GamePage.open(browser, link))
        await players[-1].button(f"Join as {side}").click()
    for person in players:
        await expect(person.game).to_be_visible(timeout=WITHIN_MS)
    return players


@pytest.mark.parametrize(
    ("variant", "moves", "reason"),
    [
        ("Three-check", "e2e4 d7d6 f1b5 c8d7 b5d7 e8d7 d1g4", "White gave the third check"),
        ("King of the Hill", "e2e3 a7a6 e1e2 a6a5 e2f3 a5a4 f3e4", "White\u2019s king stands on the hill"),
        ("Racing Kings", "h2h3 a2a3 h3h4 a3a4 h4h5 a4a5 h5h6 a5a4 h6g7 a4a5 g7h8", "White\u2019s king won the race"),
        ("Atomic", "g1f3 a7a6 f3g5 a6a5 g5f7", "Black\u2019s king was blown up"),
    ],
)
async def test_a_variants_own_win_is_played_and_told(
    flagfall: RunningFlagfall, browser: Browser, variant: str, moves: str, reason: str
) -> None:
    players = await link_game(browser, flagfall.address, variant=variant)
    await play(players, moves)
    for person in players:
        await expect(person.result).to_contain_text(reason)
        await expect(person.page.get_by_test_id("terms")).to_contain_text(variant)
        assert (await person.moves())[-1].endswith("#")
        assert person.errors == []
    page = players[1].page
    if variant == "Three-check":
        await expect(page.get_by_test_id("checks-white")).to_have_attribute("aria-label", "3 of 3 checks given")
        await page.keyboard.press("ArrowLeft")
        await expect(page.get_by_test_id("checks-white")).to_have_attribute("aria-label", "2 of 3 checks given")
    if variant == "King of the Hill":
        await expect(page.locator("square.hill:visible")).to_have_count(4)
    if variant == "Atomic":
        await expect(page.locator("square.blast:visible")).to_have_count(9)
        await expect(page.locator("cg-board piece.black.king")).to_have_count(0)
        await page.keyboard.press("ArrowLeft")
        await expect(page.locator("square.blast:visible")).to_have_count(0)
        await expect(page.locator("cg-board piece.black.king")).to_have_count(1)


async def test_crazyhouse_drops_by_mouse_keyboard_and_dragging(flagfall: RunningFlagfall, browser: Browser) -> None:
    white, black = players = await link_game(browser, flagfall.address, variant="Crazyhouse")
    await expect(black.page.get_by_test_id("pocket-white")).to_have_text("Nothing in hand")
    await play(players, "e2e4 d7d5 e4d5 d8d5 b1c3 d5a5")
    await expect(black.page.get_by_test_id("pocket-white")).to_have_attribute("aria-label", "White has in hand: pawn")

    await white.held("p").click()
    await expect(white.page.locator("square.drop-dest:visible").first).to_be_visible()
    await white.page.keyboard.press("Escape")
    await expect(white.page.locator("square.drop-dest:visible")).to_have_count(0)
    await play(players, "P@d5", from_ply=6)
    for key in "pf3":  # the pawn in hand, then a square: f is a file here and does not flip the board
        await black.page.keyboard.press(key)
    await white.has_ply(8)
    await play(players, "g2f3 e7e5 d5e6 c8e6", from_ply=8)

    await white.page.mouse.move(*await middle(white, "p"))
    await white.page.mouse.down()
    await white.page.mouse.move(*await white.square_middle("c6"), steps=4)
    await white.page.mouse.up()
    for person in players:
        await person.has_ply(13)
        assert (await person.moves())[6:8] == ["P@d5", "P@f3"]
        assert (await person.moves())[-1] == "P@c6"
        assert person.errors == []


async def middle(person: GamePage, letter: str) -> tuple[float, float]:
    """Where the middle of a man in hand is."""
    box = await person.held(letter).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def test_chess960_begins_anew_and_castles_by_king_and_by_rook(
    flagfall: RunningFlagfall, browser: Browser
) -> None:
    players = await link_game(browser, flagfall.address, variant="Chess960")
    await play(players, "a2a3 a7a6")
    await expect(players[0].page.locator("cg-board piece.king:not(.ghost)")).to_have_count(2)

    fen = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1"
    white, black = players = await position_game(browser, flagfall.address, "chess960", fen)
    await white.click_move("e1b1")
    await black.has_ply(1)
    await black.click_move("e8c8")  # the king's own square; White took the rook's
    for person in players:
        await person.has_ply(2)
        assert await person.moves() == ["O-O-O", "O-O-O"]
        await expect(person.page.locator("cg-board piece.rook:not(.ghost)")).to_have_count(4)
        assert person.errors == []


async def test_shatranj_has_its_men_and_a_pawn_becomes_a_firz(flagfall: RunningFlagfall, browser: Browser) -> None:
    players = await link_game(browser, flagfall.address, variant="Shatranj")
    await play(players, "e2e3 g7g6 f1d3 h7h6 d3f5 g6f5")
    taken = players[1].page.get_by_test_id("taken-black")
    await expect(taken).to_have_attribute("aria-label", "Captured: elephant")

    white, black = players = await position_game(
        browser, flagfall.address, "shatranj", "7k/P7/8/8/8/8/6r1/K5R1 w - - 0 1"
    )
    await white.click_move("a7a8")
    await black.has_ply(1)
    assert await white.moves() == ["a8=Q"]
    await expect(white.page.get_by_test_id("announcement")).to_contain_text("a 8 promotes to firz")
    await play(players, "h8h7 g1g2", from_ply=1)
    for person in players:
        await expect(person.result).to_contain_text("Black has nothing left but the king")
        assert person.errors == []


async def test_chaturanga_is_asked_for_with_its_options_and_the_invitation_says_them(
    flagfall: RunningFlagfall, browser: Browser
) -> None:
    maker = await GamePage.open(browser, flagfall.address)
    await maker.choose("A friend", "White")
    await maker.pick("Variant", "Chaturanga")
    await maker.page.get_by_text("Disputed points of Chaturanga").click()
    await maker.page.get_by_label("The kings stand").select_option("Both on d")
    await maker.page.get_by_label("Who is stalemated").select_option("Wins")
    await maker.page.locator("details.picker summary").filter(has_text="Rules").click()
    await maker.page.get_by_text("More: each rule by itself").click()
    await maker.page.get_by_label("A draw may be agreed").select_option("At any time")
    await expect(maker.page.get_by_test_id("ruleSet-chosen")).to_have_text("FIDE, changed")
    await maker.button("Make a link").click()
    guest = await GamePage.open(browser, await maker.page.get_by_test_id("link").input_value())
    variant, rules = guest.page.get_by_test_id("invited-variant"), guest.page.get_by_test_id("invited-rules")
    await expect(variant).to_contain_text("Chaturanga")
    await expect(variant).to_contain_text("The kings stand: Both on d")
    await expect(variant).to_contain_text("Who is stalemated: Wins")
    await expect(rules).to_contain_text("A draw may be agreed: At any time")
    await guest.button("Join as Black").click()
    players = [maker, guest]
    await expect(maker.button("Offer draw")).to_be_visible()
    await play(players, "e2e3 e7e6 f1d3 f8d6")
    await guest.page.keyboard.press("Home")
    await expect(guest.page.locator("[aria-current=step]")).to_have_count(0)
    kings = guest.page.locator("cg-board piece.king:not(.ghost)")
    assert sorted(await kings.evaluate_all("men => men.map(man => man.cgKey)")) == ["d1", "d8"]
    assert maker.errors == guest.errors == []


ALMOST_FIFTY = "2k5/8/8/8/8/8/P7/K6R w - - 99 90"


async def test_a_draw_is_claimed_with_the_intended_move_and_a_false_claim_is_told(
    flagfall: RunningFlagfall, browser: Browser
) -> None:
    white, black = await position_game(browser, flagfall.address, "standard", ALMOST_FIFTY)
    await white.button("Claim a draw with my next move").click()
    await white.click_move("a2a3")
    await expect(white.page.get_by_test_id("notice")).to_be_visible()
    await white.page.wait_for_function("document.querySelector('cg-board piece.pawn').cgKey === 'a2'")
    await white.button("Claim a draw with my next move").click()
    await white.click_move("h1g1")
    for person in (white, black):
        await expect(person.result).to_contain_text("Draw")
        assert await person.moves() == []


async def test_a_draw_is_claimed_right_after_the_own_move(flagfall: RunningFlagfall, browser: Browser) -> None:
    white, black = players = await position_game(browser, flagfall.address, "standard", ALMOST_FIFTY)
    await play(players, "h1g1")
    await expect(black.button("Claim draw")).to_be_visible()
    await white.button("Claim draw").click()
    for person in players:
        await expect(person.result).to_contain_text("50 moves of each side")


async def test_rules_are_read_from_the_form_on(flagfall: RunningFlagfall, browser: Browser) -> None:
    person = await GamePage.open(browser, f"{flagfall.address}/rules")
    await person.page.get_by_role("link", name="Atomic").first.click()
    await expect(person.page.get_by_role("heading", name="Atomic", level=1)).to_be_visible()
    await person.page.goto(f"{flagfall.address}/rules/nowhere")
    await expect(person.page.get_by_test_id("no-rules")).to_be_visible()


PGN = """[Event "Vienna"]
[White "R\u00e9ti"]
[Black "Tartakower"]
[Result "1-0"]

1. e4 c6 2. d4 d5 3. Nc3 dxe4 4. Nxe4 Nf6 5. Qd3 e5
6. dxe5 Qa5+ 7. Bd2 Qxe5 8. O-O-O Nxe4 9. Qd8+ Kxd8 10. Bg5+ Kc7 11. Bd8# 1-0
"""


async def test_a_game_is_imported_and_looked_through(flagfall: RunningFlagfall, browser: Browser) -> None:
    person = await GamePage.open(browser, f"{flagfall.address}/import")
    person.errors.clear()
    text = person.page.get_by_label("Or its text")
    await text.fill(PGN.replace("Qa5+", "Qa4+"))
    await person.button("Import").click()
    await expect(person.page.get_by_test_id("import-fault")).to_contain_text("line 7")
    selected = await text.evaluate("area => area.value.slice(area.selectionStart, area.selectionEnd)")
    assert selected.startswith("6. dxe5")
    await text.fill(PGN)
    await person.button("Import").click()
    await expect(person.result).to_contain_text("White wins")
    await expect(person.page.get_by_test_id("name-white")).to_contain_text("R\u00e9ti")
    await expect(person.page.get_by_test_id("terms")).to_have_text(
        re.compile(r"^Imported\s*Standard\s*you are watching$")
    )
    await person.page.get_by_role("link", name="PGN", exact=True).focus()
    async with person.page.expect_download() as downloading:
        await person.page.keyboard.press("Enter")
    assert '[Event "Vienna"]' in (await (await downloading.value).path()).read_text(encoding="utf-8")
    await person.page.keyboard.press("Home")
    await expect(person.page.locator("cg-board piece:not(.ghost)")).to_have_count(32)
