"""The rules on the command line: one JSON object, whatever is asked."""

import json
import subprocess
import sys
from typing import Any

import chess
import pytest

from services.rules.__main__ import main


@pytest.fixture(autouse=True)
def few_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is searched for is not what these tests are about."""
    monkeypatch.setenv("FLAGFALL_JUDGE_NODES_MAX", "50")


def judge(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """What is printed; the exit status is 1 exactly with an error."""
    status = main(["judge", *arguments])
    printed = capsys.readouterr()
    assert printed.err == ""
    report: dict[str, Any] = json.loads(printed.out)
    assert status == (1 if "error" in report else 0)
    return report


def test_a_result_has_all_its_parts(capsys: pytest.CaptureFixture[str]) -> None:
    report = judge(capsys, "--variant", "standard", "--rules", "claimed", "e4", "e7e5", "Nf3")
    assert report == {
        "fen": "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
        "uci": ["e2e4", "e7e5", "g1f3"],
        "san": ["e4", "e5", "Nf3"],
        "legal": report["legal"],
        "legal_san": report["legal_san"],
        "check": False,
        "status": "started",
        "outcome": None,
        "claims": [],
        "can_mate": {"white": "unknown", "black": "unknown"},  # with so few nodes
    }
    board = chess.Board(report["fen"])
    assert report["legal"] == sorted(move.uci() for move in board.legal_moves)
    assert report["legal_san"] == [board.san(chess.Move.from_uci(move)) for move in report["legal"]]


def test_mate(capsys: pytest.CaptureFixture[str]) -> None:
    report = judge(capsys, "f3", "e5", "g4", "Qh4")
    assert report["san"][-1] == "Qh4#"
    assert (report["status"], report["outcome"]) == ("mate", {"winner": "black", "reason": "checkmate"})
    assert (report["check"], report["legal"], report["legal_san"]) == (True, [], [])
    assert report["can_mate"] == {"white": "no", "black": "yes"}


@pytest.mark.parametrize(
    ("fen", "moves", "status", "reason"),
    [
        ("k7/8/8/1Q6/8/8/8/K7 w - - 0 1", ["Qb6"], "stalemate", "stalemate"),
        ("7k/8/8/8/8/8/8/K7 w - - 0 1", [], "draw", "deadPosition"),
        ("7k/5K2/8/6R1/8/8/8/8 w - - 149 120", ["Rg6"], "draw", "moveCount"),
        (chess.STARTING_FEN, ["Nf3", "Nf6", "Ng1", "Ng8"] * 4, "draw", "repetition"),
    ],
)
def test_draws(capsys: pytest.CaptureFixture[str], fen: str, moves: list[str], status: str, reason: str) -> None:
    report = judge(capsys, f"--fen={fen}", *moves)
    assert (report["status"], report["outcome"]) == (status, {"winner": None, "reason": reason})


def test_claims_and_presets(capsys: pytest.CaptureFixture[str]) -> None:
    moves = ["Nf3", "Nf6", "Ng1", "Ng8"] * 2
    assert judge(capsys, *moves)["claims"] == ["threefold"]
    assert judge(capsys, "--rules", "automatic", *moves)["outcome"] == {"winner": None, "reason": "repetition"}
    assert judge(capsys, "--fen", "7k/5K2/8/6R1/8/8/8/8 w - - 99 95", "Rg6")["claims"] == ["fifty"]


@pytest.mark.parametrize(
    ("arguments", "status", "outcome"),
    [
        (["--variant", "chess960", "--number", "0", "b3"], "started", None),
        (
            ["--variant", "kingOfTheHill", "e4", "e5", "Ke2", "a6", "Ke3", "a5", "Kd3", "a4", "Kc4", "a3"],
            "started",
            None,
        ),
        (
            ["--variant", "threeCheck", "--fen", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1 +2+0", "Ra8"],
            "variantEnd",
            {"winner": "white", "reason": "thirdCheck"},
        ),
        (["--variant", "crazyhouse", "e4", "d5", "exd5", "Qxd5", "P@e4"], "started", None),
        (
            ["--variant", "atomic", "Nf3", "a6", "Ne5", "a5", "Nxd7"],
            "variantEnd",
            {"winner": "white", "reason": "explosion"},
        ),
        (
            ["--variant", "shatranj", "--fen", "7k/r7/8/8/8/8/8/R3K1N1 w - - 0 1", "Rxa7"],
            "variantEnd",
            {"winner": "white", "reason": "bareKing"},
        ),
        # the same stalemate under two options
        (
            ["--variant", "chaturanga", "--fen", "k7/8/1K6/8/8/8/8/1R6 w - - 0 1", "Rh1"],
            "started",
            None,
        ),
        (
            ["--variant", "chaturanga", "--fen", "k1K5/8/8/4N3/8/7p/7P/8 w - - 0 1", "Nc6"],
            "variantEnd",
            {"winner": "white", "reason": "stalemate"},
        ),
        (
            [
                *["--variant", "chaturanga", "--set", "chaturanga.stalemate=draws"],
                *["--fen", "k1K5/8/8/4N3/8/7p/7P/8 w - - 0 1", "Nc6"],
            ],
            "stalemate",
            {"winner": None, "reason": "stalemate"},
        ),
    ],
)
def test_every_variant(
    capsys: pytest.CaptureFixture[str], arguments: list[str], status: str, outcome: dict[str, str | None] | None
) -> None:
    report = judge(capsys, *arguments)
    assert (report["status"], report["outcome"]) == (status, outcome)
    assert len(report["legal"]) == len(report["legal_san"])


def test_one_field_of_a_preset(capsys: pytest.CaptureFixture[str]) -> None:
    moves = ["Nf3", "Nf6", "Ng1", "Ng8"] * 2
    assert judge(capsys, "--rules", "automatic", *moves)["status"] == "draw"
    changed = judge(capsys, "--rules=automatic", "--set=repetition=claimThreeAutomaticFive", *moves)
    assert (changed["status"], changed["claims"]) == ("started", ["threefold"])
    locked = "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1"
    assert judge(capsys, "--fen", locked)["outcome"] == {"winner": None, "reason": "deadPosition"}
    assert judge(capsys, "--fen", locked, "--set", "deadPosition=byMaterial")["outcome"] is None


@pytest.mark.parametrize(
    ("arguments", "code", "at"),
    [
        (["e4", "e5", "Ke3"], "illegal_move", "moves[2]"),
        (["e4", "--"], "malformed", "moves[1]"),
        (["--"], "malformed", "moves[0]"),
        (["0000"], "malformed", "moves[0]"),
        (["Z0"], "malformed", "moves[0]"),
        ([""], "malformed", "moves[0]"),
        (["e4" * 50_000], "malformed", "moves[0]"),
        (["f3", "e5", "g4", "Qh4", "a3"], "game_over", "moves[4]"),
        (["--fen", "7k/8/8/8/8/8/8/K7 w - - 0 1", "Ka2"], "game_over", "moves[0]"),
        (["--variant", "ludo", "e4"], "unsupported_variant", "variant"),
        (["--variant", "nonsense"], "unsupported_variant", "variant"),
        (["--rules", "uscf"], "malformed", "rules"),
        (["--rules"], "malformed", "rules"),
        (["--set", "tempo=fast"], "malformed", "set"),
        (["--set", "repetition=twice"], "malformed", "set"),
        (["--set", "chaturanga=all"], "malformed", "set"),
        (["--set", "chaturanga.kingLeap=maybe"], "malformed", "set"),
        (["--number", "five"], "malformed", "number"),
        (["--variant", "chess960", "--number", "960"], "malformed", "number"),
        (["--number", "518"], "malformed", "number"),
        (["--speed", "e4"], "malformed", "options"),
        (["--fen", ""], "bad_position", "fen"),
        (["--fen", "  "], "bad_position", "fen"),
        (["--fen", "4k3/8/8/8/8/8/8/4KR2 w K - 0 1"], "bad_position", "fen.castling"),
        (["--fen", "4k3/8/8/8/8/8/8/4KR2 w - - 500 50"], "bad_position", "fen.halfMoves"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else None,
)
def test_errors(capsys: pytest.CaptureFixture[str], arguments: list[str], code: str, at: str) -> None:
    report = judge(capsys, *arguments)
    assert set(report) == {"error"}
    assert set(report["error"]) == {"code", "message", "at"}
    assert (report["error"]["code"], report["error"]["at"]) == (code, at)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--speed", "e4"], "there is no option '--speed'"),
        (["--rules"], "--rules needs a value"),
        (
            ["--set", "repetition=twice"],
            "repetition cannot be 'twice'; it can be claimThreeAutomaticFive, automaticThree",
        ),
        (["--number", "five"], "the starting positions of Chess960 have numbers from 0 to 959, not 'five'"),
        (["f3", "e5", "g4", "Qh4", "a3"], "'a3' comes after the end of the game (checkmate)"),
    ],
)
def test_what_an_error_says(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert judge(capsys, *arguments)["error"]["message"] == message


def test_an_unknown_field_names_all_fields(capsys: pytest.CaptureFixture[str]) -> None:
    message = judge(capsys, "--set", "tempo=fast")["error"]["message"]
    assert message.startswith("there is no field 'tempo'; there are repetition, moveCount, ")
    assert message.endswith(", chaturanga.pawnBecomes, chaturanga.kingLeap")


def test_as_a_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "services.rules", "judge", "--variant", "standard", "e5"],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1
    assert json.loads(done.stdout)["error"]["code"] == "illegal_move"


def test_help_and_other_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judge", "--help"]) == 0
    assert "--variant" in capsys.readouterr().out
    assert main([]) == main(["dance"]) == 2
    assert "usage" in capsys.readouterr().err
