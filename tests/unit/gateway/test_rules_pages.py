"""The pages of rules: complete, in step with what the services do, and told as they are described."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import chess
import httpx
import pytest

from services.domain.chaturanga import CHATURANGA, Elephant, Kings
from services.domain.chaturanga_sources import DISPUTED_POINTS
from services.domain.colour import Colour
from services.domain.outcome import EndReason
from services.domain.rule_set import FIDE, PRESETS
from services.domain.variant import Variant
from services.gateway.answers.answer import encoded
from services.gateway.answers.rules_page import Rule, RulesPage
from services.gateway.main.app import make_app
from services.gateway.names import camel
from services.gateway.protocol.rule_sets import OPTIONS, RULES, VALUES
from services.gateway.public_api import rules_library
from services.gateway.public_api.public_json import variant as public_variant
from services.gateway.public_api.rules_library import FILES, KEYS, RULE_SETS, library
from services.gateway.rest.parts import Parts
from services.gateway.rest.requests import Fields
from services.gateway.rest.rule_fields import chosen
from services.gateway.settings import GatewaySettings
from services.rules.families.variants import family_of
from services.rules.forfeit import ForfeitKind, forfeited

PAGES = library().pages
VARIANTS = {key: PAGES[key] for key in Variant}
RULE_SETS_PAGE = PAGES[RULE_SETS]
OWN_GOALS = {
    Variant.THREE_CHECK: {EndReason.THIRD_CHECK},
    Variant.KING_OF_THE_HILL: {EndReason.HILL},
    Variant.ATOMIC: {EndReason.EXPLOSION},
    Variant.ANTICHESS: {EndReason.ALL_TAKEN, EndReason.STALEMATE},
    Variant.HORDE: {EndReason.ALL_TAKEN},
    Variant.RACING_KINGS: {EndReason.RACE},
    Variant.SHATRANJ: {EndReason.BARE_KING, EndReason.STALEMATE},
    Variant.CHATURANGA: {EndReason.BARE_KING, EndReason.STALEMATE},
}
ALWAYS = {EndReason.CHECKMATE, EndReason.RESIGNATION, EndReason.FLAG, EndReason.EXPIRY, EndReason.ABSENCE}
DRAWS = {EndReason.STALEMATE, EndReason.DEAD_POSITION, EndReason.REPETITION, EndReason.MOVE_COUNT, EndReason.AGREEMENT}
NO_WIN_BY = {Variant.ANTICHESS: {EndReason.CHECKMATE}, Variant.RACING_KINGS: {EndReason.CHECKMATE}}
NO_DRAW_BY = {
    Variant.KING_OF_THE_HILL: {EndReason.DEAD_POSITION},
    Variant.ANTICHESS: {EndReason.STALEMATE},
    Variant.HORDE: {EndReason.DEAD_POSITION},
    Variant.RACING_KINGS: {EndReason.DEAD_POSITION},
    Variant.SHATRANJ: {EndReason.STALEMATE},
}
DRAW_BY = {Variant.RACING_KINGS: {EndReason.RACE}}
SEARCHED = {Variant.STANDARD, Variant.CHESS960}


def wins(page: RulesPage) -> set[str]:
    return {reason for ending in page.wins for reason in ending.reasons}


def draws(page: RulesPage) -> set[str]:
    return {reason for ending in page.draws for reason in ending.reasons}


def rule(field: str) -> Rule:
    (found,) = (rule for rule in RULE_SETS_PAGE.rules if rule.field == camel(field))
    return found


def test_every_variant_has_a_page_under_its_public_name() -> None:
    assert set(PAGES) == set(KEYS) == {*Variant, RULE_SETS}
    for key, page in VARIANTS.items():
        assert page.key == key
        assert page.name == public_variant(key, "").name


@pytest.mark.parametrize("key", Variant)
def test_a_page_tells_all_that_a_player_asks(key: Variant) -> None:
    page = VARIANTS[key]
    for part in ("idea", "men", "wins", "draws", "material", "time", "decisions", "glossary", "faq", "sources"):
        assert getattr(page, part), part
    assert page.duration.minutes
    assert sorted(man.letter for man in page.men) == sorted("KQRBN" if key is Variant.RACING_KINGS else "KQRBNP")
    assert page.built_on in (None, "standard")
    assert page.reconstruction == (key is Variant.CHATURANGA)


@pytest.mark.parametrize("key", Variant)
def test_the_first_array_is_the_one_that_is_played(key: Variant) -> None:
    start = VARIANTS[key].start
    assert start is not None
    assert start.fen == family_of(key, FIDE).start_fen
    for other in start.others:
        wish = {f"ruleSet.chaturanga.{name}": value for name, value in other.when.items()}
        assert other.fen == family_of(key, chosen(Fields(wish, 100), key)).start_fen


def test_every_choice_that_moves_men_about_has_its_array() -> None:
    start = VARIANTS[Variant.CHATURANGA].start
    assert start is not None
    shown = [other.when for other in start.others]
    assert [when["kings"] for when in shown if "kings" in when] == [king for king in Kings if king != CHATURANGA.kings]
    assert {"elephant": Elephant.CORNER_ROOKWISE_LEAP} in shown
    assert {"kingLeap": "true"} in shown


@pytest.mark.parametrize("key", Variant)
def test_the_ways_to_win_and_draw_are_those_of_the_variant(key: Variant) -> None:
    page = VARIANTS[key]
    assert wins(page) == (ALWAYS | OWN_GOALS.get(key, set())) - NO_WIN_BY.get(key, set())
    assert draws(page) == (DRAWS | DRAW_BY.get(key, set())) - NO_DRAW_BY.get(key, set())


def test_every_end_of_a_game_is_on_some_page() -> None:
    told = set().union(*(wins(page) | draws(page) for page in VARIANTS.values()))
    assert told == {reason for reason in EndReason if not reason.aborts} - {EndReason.UNKNOWN}


@pytest.mark.parametrize("key", Variant)
def test_a_page_says_where_nothing_is_searched(key: Variant) -> None:
    said = any(decision.name == "By material alone" for decision in VARIANTS[key].decisions)
    assert said == (not family_of(key, FIDE).exact_dead_positions) == (key not in SEARCHED)


def test_material_is_told_as_it_is_judged() -> None:
    """Positions that the texts name, with what they say: dead or not, and whether White can still win."""
    for key, fen, dead, white_can in (
        ("standard", "4k3/8/8/8/8/8/8/4KB2 w - - 0 1", True, False),
        ("standard", "4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", False, True),
        ("standard", "4k3/3n4/8/8/8/8/8/3NK3 w - - 0 1", False, True),
        ("standard", "3qk3/8/8/8/8/8/8/3NK3 w - - 0 1", False, False),
        ("standard", "3rk3/8/8/8/8/8/8/3NK3 w - - 0 1", False, True),
        ("threeCheck", "4k3/8/8/8/8/8/8/3NK3 w - - 0 1 +2+2", False, True),
        ("threeCheck", "3nk3/8/8/8/8/8/8/4K3 w - - 0 1 +2+2", False, False),
        ("threeCheck", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 +2+2", True, False),
        ("kingOfTheHill", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", False, True),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[p] w - - 0 1", False, True),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4KB2[] w - - 0 1", False, True),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[] w - - 0 1", True, False),
        ("atomic", "4k3/8/8/8/8/8/8/3RK3 w - - 0 1", True, False),
        ("atomic", "4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", True, False),
        ("atomic", "4k3/8/8/8/8/8/8/3NKB2 w - - 0 1", False, True),
        ("atomic", "4k3/8/8/8/8/8/8/4KB1B w - - 0 1", True, False),
        ("atomic", "2b1k3/8/8/8/8/8/8/2B1K3 w - - 0 1", True, False),
        ("atomic", "4k3/8/8/8/8/8/8/3QK3 w - - 0 1", False, True),
        ("atomic", "4k3/3n4/8/8/8/8/8/3NK3 w - - 0 1", False, True),
        ("antichess", "8/8/8/8/8/8/b7/B7 w - - 0 1", True, False),
        ("antichess", "8/8/8/8/8/8/7n/N7 b - - 0 1", False, False),
        ("antichess", "8/8/8/8/8/8/1b6/B7 w - - 0 1", False, True),
        ("horde", "4k3/8/8/8/8/8/8/3Q4 w - - 0 1", False, False),
        ("horde", "4k3/8/8/8/8/8/8/3RB3 w - - 0 1", False, False),
        ("horde", "4k3/8/8/8/8/8/8/3RR3 w - - 0 1", False, True),
        ("racingKings", "8/8/8/8/8/8/k6K/8 w - - 0 1", False, True),
        ("shatranj", "4k3/8/8/8/8/8/8/3NK3 w - - 0 1", False, True),
        ("shatranj", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", True, False),
        ("chaturanga", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", True, False),
    ):
        family = family_of(key, FIDE)
        board = family.empty_board()
        board.set_fen(fen)
        assert family.dead_by_material(board) == dead, (key, fen)
        assert family.cannot_win(board, Colour.WHITE) != white_can, (key, fen)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_fallen_flag_is_told_as_it_is_judged_by_every_preset(preset: str) -> None:
    """White has a knight or nothing beside its king, and time left: what the pages say of it."""
    for key, alone, with_knight in (
        ("threeCheck", None, Colour.WHITE),
        ("kingOfTheHill", Colour.WHITE, Colour.WHITE),
        ("crazyhouse", Colour.WHITE, Colour.WHITE),
        ("shatranj", None, Colour.WHITE),
        # In standard chess only two presets ask for more than the knight that might mate.
        ("standard", None, None if preset in ("everyday", "friendly") else Colour.WHITE),
    ):
        family = family_of(key, PRESETS[preset])
        for men, winner in (("4K3", alone), ("3NK3", with_knight)):
            board = family.empty_board()
            board.set_fen(f"r3k3/p7/8/8/8/8/8/{men}{'[]' if key == 'crazyhouse' else ''} b - - 0 1")
            end = forfeited(board, family, PRESETS[preset], Colour.BLACK, ForfeitKind.FLAG, None)
            assert end.outcome.winner is winner, (key, men)


def test_the_rule_sets_page_has_every_field_value_and_preset() -> None:
    assert [rule.field for rule in RULE_SETS_PAGE.rules] == [camel(field) for field in RULES]
    for field, kind in RULES.items():
        assert [value.value for value in rule(field).values] == list(kind)
        assert set(rule(field).law) <= set(kind)
    assert [preset.key for preset in RULE_SETS_PAGE.presets] == list(PRESETS)
    for preset in RULE_SETS_PAGE.presets:
        assert preset.values == {camel(field): getattr(PRESETS[preset.key], field) for field in RULES}


def test_fide_is_where_nobody_departs_from_the_laws() -> None:
    assert [departure.field for departure in RULE_SETS_PAGE.departures] == [
        *("repetition", "moveCount", "deadPosition", "fallenFlag", "winOnTime", "resignation", "agreement", "takeback")
    ]
    for departure in RULE_SETS_PAGE.departures:
        assert "fide" in departure.keeps
        assert {*departure.keeps, *departure.departs} == set(PRESETS)
    (agreement,) = (found for found in RULE_SETS_PAGE.departures if found.field == "agreement")
    assert set(agreement.departs) == {"claimed", "everyday", "friendly", "party"}


def test_chaturangas_options_are_those_of_the_domain_with_their_sources() -> None:
    options = {option.field: option for option in VARIANTS[Variant.CHATURANGA].options}
    assert list(options) == [camel(field) for field in OPTIONS]
    for point in DISPUTED_POINTS:
        option = options[camel(point.field)]
        name = f"ruleSet.chaturanga.{option.field}"
        kind = VALUES[name]
        assert {value.value for value in option.values} == ({"false", "true"} if kind is bool else set(kind))
        assert option.default == str(getattr(CHATURANGA, point.field)).lower() or kind is not bool
        assert option.default == point.default
        assert all(value.source for value in option.values)
        assert option.evidence == point.open
    assert not any(page.options for key, page in VARIANTS.items() if key != Variant.CHATURANGA)


@pytest.mark.parametrize("key", KEYS)
def test_sources_and_articles_can_be_followed(key: str) -> None:
    page = PAGES[key]
    known = {source.id for source in page.sources}
    assert len(known) == len(page.sources)
    said = [*page.moves, *page.wins, *page.draws, *page.material, *page.time, *page.decisions]
    for entry in said:
        assert set(entry.sources) <= known, entry.name
    text = encoded(page).decode()
    cites = bool(re.search(r"\(\d+\.\d+", text)) or any(entry.article for entry in said)
    assert not cites or "fide" in known


def test_rules_in_force_are_linked_with_their_jurisdiction_and_edition() -> None:
    found = {source.id: source for page in PAGES.values() for source in page.sources if source.jurisdiction}
    assert set(found) == {"fide", "minsport"}
    assert all(source.link for source in found.values())
    assert (found["fide"].jurisdiction, found["minsport"].jurisdiction) == ("international", "Russia")
    assert "2023" in found["fide"].edition
    assert "2026" in found["minsport"].edition
    for page in PAGES.values():
        assert all(source.jurisdiction for source in page.sources if source.id in found), page.key


def test_a_file_that_says_too_little_or_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = {key: FILES / f"{key}.toml" for key in KEYS}
    monkeypatch.setattr(rules_library, "FILES", tmp_path)
    for key, change in (
        ("atomic", ('summary = "', 'sumary = "')),
        ("atomic", ("[duration]", "[extra]\nx = 1\n[duration]")),
        ("atomic", ('article = "3.7.3.1"', 'article = "somewhere"')),
        ("chaturanga", ("lameAlfil =", "limping =")),
        ("chaturanga", ("[options.kings]", "[options.queens]")),
    ):
        text = whole[key].read_text(encoding="utf-8")
        assert change[0] in text
        (tmp_path / f"{key}.toml").write_text(text.replace(*change), encoding="utf-8")
        with pytest.raises(ValueError, match=r"\w"):
            rules_library.read(key)
        (tmp_path / f"{key}.toml").write_text(text, encoding="utf-8")
        assert rules_library.read(key) == PAGES[key]


async def _no_door(*_: object) -> None:
    raise AssertionError("no socket is opened here")


@pytest.fixture(scope="module")
def app() -> Any:
    """The whole application, with nothing behind it."""
    return make_app(cast(Parts, SimpleNamespace(settings=GatewaySettings())), _no_door)


async def test_pages_are_served_with_a_tag_and_kept_by_clients(app: Any) -> None:
    url = "/api/flagfall/rules"
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://flagfall") as client:
        whole = await client.get(f"{url}/atomic")
        assert (whole.status_code, whole.json()["name"]) == (200, "Atomic")
        listed = (await client.get(url)).json()["pages"]
        assert [entry["key"] for entry in listed] == list(KEYS)
        assert (await client.get(f"{url}/party")).content == (await client.get(f"{url}/{RULE_SETS}")).content
        missing = await client.get(f"{url}/checkers")
        assert (missing.status_code, missing.json()["at"]) == (404, "key")
        tag = whole.headers["etag"]
        assert "max-age" in whole.headers["cache-control"]
        for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
            again = await client.get(f"{url}/atomic", headers={"If-None-Match": known})
            assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        assert (await client.get(f"{url}/shatranj", headers={"If-None-Match": tag})).status_code == 200


def test_a_man_moves_in_the_text_as_on_the_board() -> None:
    """The elephant reaches eight squares, and those of the first array never meet."""
    board = family_of("shatranj", FIDE).empty_board()
    reach = []
    for square in (chess.C1, chess.F1, chess.C8, chess.F8):
        seen, new = set(), {square}
        while new:
            seen |= new
            found = set()
            for at in new:
                board.clear_board()
                board.set_piece_at(at, chess.Piece(chess.BISHOP, chess.WHITE))
                found |= set(board.attacks(at))
            new = found - seen
        reach.append(seen)
    assert [len(squares) for squares in reach] == [8, 8, 8, 8]
    assert len(set().union(*reach)) == 32
