"""The small search, and its conversation in UCI."""

import io
import random
import re

import pytest

from services.domain.chaturanga import ChaturangaRules, Elephant
from services.domain.rule_set import FIDE, RuleSet
from services.domain.variant import Variant
from services.rules.families.variants import family_of
from services.rules.limits import LIMITS
from services.rules.notation.fen import read_fen
from services.rules.small_search import best_move
from services.rules.uci import converse


def search(variant: str, fen: str, nodes_max: int = 2_000, rule_set: RuleSet = FIDE) -> str:
    family = family_of(variant, rule_set)
    return best_move(family, read_fen(fen or family.start_fen, LIMITS, family), nodes_max, random.Random(3))


@pytest.mark.parametrize(
    ("variant", "fen", "best"),
    [
        ("standard", "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "d1d8"),  # mate
        ("standard", "k7/8/8/3q4/8/8/3R4/K7 w - - 0 1", "d2d5"),  # a hanging queen
        ("standard", "7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q"),
        ("standard", "k7/8/1K6/8/8/8/8/7R b - - 0 1", "a8b8"),  # the only move
        ("kingOfTheHill", "7k/8/8/8/8/3K4/8/8 w - - 0 1", ("d3d4", "d3e4")),
        ("threeCheck", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1 +2+0", "a1a8"),
        ("crazyhouse", "6k1/5ppp/8/8/8/8/8/K7[Rr] w - - 0 1", re.compile("R@[a-e]8")),
        ("atomic", "4k3/4p3/8/8/8/8/8/4RK2 w - - 0 1", "e1e7"),  # the explosion takes the king along
        ("antichess", "8/8/8/8/8/1p6/8/R7 w - - 0 1", "a1a2"),  # gives a man away
        ("horde", "7k/8/8/8/8/8/R7/6R1 w - - 0 1", "a2h2"),  # mate
        ("racingKings", "8/6K1/8/8/8/8/k7/8 w - - 0 1", ("g7f8", "g7g8", "g7h8")),
        ("shatranj", "7k/8/8/8/8/8/r7/R3K1N1 w - - 0 1", "a1a2"),  # bares the king
        ("chaturanga", "k7/8/1K6/8/8/8/8/7R w - - 0 1", "h1h8"),
    ],
)
def test_it_sees_what_is_plain(variant: str, fen: str, best: object) -> None:
    found = search(variant, fen)
    if isinstance(best, re.Pattern):
        assert best.fullmatch(found), found
    else:
        assert found in (best if isinstance(best, tuple) else (best,))


def test_it_takes_no_defended_pawn_with_its_queen() -> None:
    assert search("standard", "k7/2p5/3p4/8/8/3Q4/8/K7 w - - 0 1") != "d3d6"


def test_it_plays_the_options_of_chaturanga() -> None:
    # only an elephant that leaps like a rook reaches the rook on d4
    fen = "4k3/8/8/8/3r4/8/3B4/4K3 w - - 0 1"
    leaping = RuleSet(chaturanga=ChaturangaRules(elephant=Elephant.ROOKWISE_LEAP))
    assert search("chaturanga", fen, rule_set=leaping) == "d2d4"
    assert search("chaturanga", fen) != "d2d4"


@pytest.mark.parametrize("variant", list(Variant))
@pytest.mark.parametrize("nodes_max", [1, 10, 200])
def test_it_keeps_within_its_bound_and_moves_legally(variant: Variant, nodes_max: int) -> None:
    family = family_of(variant, FIDE)
    board = read_fen(family.start_fen, LIMITS, family)
    legal = family.legal_text(board, False)
    looks: list[int] = []

    def enough() -> bool:
        looks.append(1)
        return False

    assert best_move(family, board, nodes_max, random.Random(nodes_max), enough) in legal
    assert len(looks) <= nodes_max


def test_it_stops_when_somebody_says_that_it_is_enough() -> None:
    looks: list[int] = []

    def enough() -> bool:
        looks.append(1)
        return len(looks) > 50

    family = family_of("standard", FIDE)
    best_move(family, read_fen(family.start_fen, LIMITS, family), 1_000_000, random.Random(1), enough)
    assert len(looks) == 51


def talk(*lines: str) -> list[str]:
    sink = io.StringIO()
    converse(io.StringIO("".join(f"{line}\n" for line in lines)), sink)
    return sink.getvalue().splitlines()


def test_a_conversation() -> None:
    said = talk("uci", "isready", "position startpos moves e2e4 e7e5", "go nodes 100", "quit", "isready")
    assert said[:2] == ["id name Flagfall small search", "id author the authors of Flagfall"]
    assert "uciok" in said
    assert said.count("readyok") == 1
    assert re.fullmatch("bestmove [a-h][1-8][a-h][1-8]", said[-1])


@pytest.mark.parametrize(
    ("options", "position", "depth", "nodes"),
    [
        ((), "startpos", 3, 8_902),
        ((("UCI_Chess960", "true"),), "fen 4k3/8/8/8/8/8/8/4K2R w H - 0 1", 1, 15),
        ((("UCI_Variant", "crazyhouse"),), "fen 4k3/8/8/8/8/8/8/4K3[P] w - - 0 1", 1, 53),
        ((("UCI_Variant", "shatranj"),), "startpos", 2, 256),
        ((("UCI_Variant", "chaturanga"), ("Chaturanga_kings", "crossed")), "startpos", 1, 16),
        ((("UCI_Variant", "3check"),), "fen 4k3/8/8/8/8/8/8/R3K3 b - - 0 1 +3+0", 2, 0),
    ],
)
def test_perft(options: tuple[tuple[str, str], ...], position: str, depth: int, nodes: int) -> None:
    lines = [f"setoption name {name} value {value}" for name, value in options]
    assert talk(*lines, f"position {position}", f"go perft {depth}")[-1] == f"Nodes searched: {nodes}"


def test_what_cannot_be_read_is_told_and_changes_nothing() -> None:
    said = talk("position startpos moves e2e5", "position fen 8/8/8/8/8/8/8/8 w - - 0 1", "go perft 1")
    assert said[0].startswith("info string move: ")
    assert said[1].startswith("info string fen.board: ")
    assert said[2] == "Nodes searched: 20"
    assert talk("setoption name UCI_Variant value ludo")[0].startswith("info string there is no option UCI_Variant")


def test_an_endless_search_answers_when_it_is_stopped_and_a_finished_game_has_no_move() -> None:
    assert talk("go infinite", "stop")[-1].startswith("bestmove ")
    assert talk("position fen 7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "go nodes 10")[-1] == "bestmove (none)"
