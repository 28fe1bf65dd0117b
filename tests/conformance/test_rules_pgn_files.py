"""The public files that importers trip over: read as another program reads them, and stable over export and import."""

import io
from dataclasses import replace
from pathlib import Path

import chess.pgn
import pytest

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.pgn import ROSTER
from services.rules.pgn.pgn_tree import PgnGame
from tests.unit.rules.pgn_texts import read, write

pytestmark = pytest.mark.needs("conformance")

GAMES = {
    "cutechess-fischerrandom": 4,
    "kasparov-deep-blue-1997": 6,
    "molinari-bordais-1979": 1,
    "saturs-jannlee-zh-lichess": 1,
    "utf8-bom": 2,
    "uzchesscup": 45,
}
"""How many games each file has."""
TAGS_ONLY = "uzchesscup"
"""Games without moves, that only a blank line parts: the other program makes one game of them all."""
EVERY_FILE = pytest.mark.parametrize("name", GAMES)


def test_all_files_are_known(conformance_folder: Path) -> None:
    assert {path.stem for path in (conformance_folder / "pgn").glob("*.pgn")} == set(GAMES)


@pytest.mark.parametrize("name", [name for name in GAMES if name != TAGS_ONLY])
def test_another_program_reads_the_same_moves_and_results(conformance_folder: Path, name: str) -> None:
    data = (conformance_folder / "pgn" / f"{name}.pgn").read_bytes()
    ours = read(data)
    assert len(ours) == GAMES[name]
    file = io.StringIO(data.decode("utf-8-sig"))
    for game in ours:
        theirs = chess.pgn.read_game(file)
        assert theirs is not None
        assert theirs.errors == []
        sans = [node.san() for node in theirs.mainline()]
        assert [move.san.replace("P@", "@") for move in game.line.moves] == sans
        assert [move.uci for move in game.line.moves] == [move.uci() for move in theirs.mainline_moves()]
        assert game.result == theirs.headers["Result"]
        assert {name: value for name, value in theirs.headers.items() if name in dict(game.tags)} == dict(game.tags)
        assert game.final is not None
        assert game.final.fen.split(" ")[0] == theirs.end().board().fen().split(" ")[0]


def test_games_that_have_only_tags(conformance_folder: Path) -> None:
    data = (conformance_folder / "pgn" / f"{TAGS_ONLY}.pgn").read_bytes()
    games = read(data)
    blocks = [block for block in data.decode().split("\n\n") if block.strip()]
    assert len(games) == len(blocks) == GAMES[TAGS_ONLY]
    for game, block in zip(games, blocks, strict=True):
        assert game.line.moves == ()
        assert [f'[{name} "{value}"]' for name, value in game.tags] == block.strip().splitlines()
        assert f'[Result "{game.result}"]' in block


@EVERY_FILE
def test_export_and_import_are_stable(conformance_folder: Path, name: str) -> None:
    games = read((conformance_folder / "pgn" / f"{name}.pgn").read_bytes())
    text = write(games)
    again = read(text)
    assert [replace(game, tags=()) for game in again] == [replace(game, tags=()) for game in games]
    assert [_in_order(game) for game in games] == [game.tags for game in again]
    assert write(again) == text


@pytest.mark.parametrize(
    ("name", "outcomes"),
    [
        ("molinari-bordais-1979", [Outcome(Colour.BLACK, EndReason.CHECKMATE)]),
        # its comment says that White resigned, its Termination is Normal
        ("saturs-jannlee-zh-lichess", [Outcome(Colour.BLACK, EndReason.UNKNOWN)]),
        ("utf8-bom", [None, None]),
    ],
)
def test_no_reason_is_invented(conformance_folder: Path, name: str, outcomes: list[Outcome | None]) -> None:
    games = read((conformance_folder / "pgn" / f"{name}.pgn").read_bytes())
    assert [game.outcome for game in games] == outcomes


def _in_order(game: PgnGame) -> tuple[tuple[str, str], ...]:
    """Its tags as they are exported: the roster whole and first."""
    given = dict(game.tags)
    unknown = {"Date": "????.??.??"}
    roster = tuple((name, given.pop(name, unknown.get(name, "?"))) for name in ROSTER)
    return roster + tuple(given.items())
