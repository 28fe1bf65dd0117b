"""Failures that people reported of other chess software, with what is right here.

Each row is one public report's case (the trackers are named with the group), put to the command line's report or to a
question, as a client would meet it.
"""

import json
from typing import Any

import pytest

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.rule_set import CLAIMED
from services.rules.__main__ import main
from services.rules.forfeit import Forfeited, ForfeitKind
from services.rules.judge import Forfeit, Position, judge
from services.rules.limits import LIMITS

Report = dict[str, Any]


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """The report on a position and moves. can_mate may look at few positions: rows that need it say so."""
    monkeypatch.setenv("FLAGFALL_JUDGE_NODES_MAX", "50")

    def asked(fen: str | None = None, moves: str = "", rules: str = "claimed") -> Report:
        options = [] if fen is None else ["--fen", fen]
        main(["judge", "--variant", "standard", "--rules", rules, *options, *moves.split()])
        report: Report = json.loads(capsys.readouterr().out)
        return report

    return asked


# python-chess 55, chess.js 554, lila 18345, en-croissant 410: castling letters without king or rook
@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/8/8/8/8/4KR2 w K - 0 1",
        "1r2k3/8/8/8/8/8/8/R3KR2 w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/5BN1/PPPPPPPP/RNBQ1RK1 b HQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w xQkq - 0 1",
    ],
)
def test_castling_letters_need_king_and_rook(ask: Any, fen: str) -> None:
    error = ask(fen)["error"]
    assert (error["code"], error["at"]) == ("bad_position", "fen.castling")


# stockfish-mac 17, chessops 43, pychess 871, chess.js 61, chessendgametraining 97: pasted FENs
@pytest.mark.parametrize(
    ("fen", "clean"),
    [
        (
            "r2r4/ppqnb1kp/2p1bpp1/2P1p3/1P2P3/P1N1BP2/1Q2B1PP/1RR4K w - - 1 20  \n",
            "r2r4/ppqnb1kp/2p1bpp1/2P1p3/1P2P3/P1N1BP2/1Q2B1PP/1RR4K w - - 1 20",
        ),
        (
            "  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR   w  KQkq  -  0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ),
        (
            "2rq1rk1/pp2ppbp/1n4p1/3pP3/2P5/1P2B3/P2NQPPP/2R2RK1 b - -",
            "2rq1rk1/pp2ppbp/1n4p1/3pP3/2P5/1P2B3/P2NQPPP/2R2RK1 b - - 0 1",
        ),
        ("8/8/2BkbRp1/1pb1p3/7n/2N5/7P/r6K", "8/8/2BkbRp1/1pb1p3/7n/2N5/7P/r6K w - - 0 1"),
    ],
)
def test_clear_fens_are_tidied(ask: Any, fen: str, clean: str) -> None:
    assert ask(fen)["fen"] == clean


@pytest.mark.parametrize(
    ("fen", "at"),
    [
        ("2rq1rk1/pp2ppbp/1n4p1/3pP3/2P5/1P2B3/P2NQPPP/2R2RK1 b - - - -", "fen.halfMoves"),
        ("2K5/8/3p2R1/5p1k/8/8/8/8 w - - dm 40 0 1", "fen"),
        # without its castling field the others are read one field too early
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w  - 0 1", "fen.enPassant"),
        ("r1bqkbnr/pp1ppppp/2n5/2p5/2P1PP2/8/PP1P2PP/RNBQKBNR/ b KQkq - 0 0", "fen.board"),
        ("rnbqkbnr/pppppppp/7/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "fen.board"),
        ("", "fen"),
        (" \n", "fen"),
    ],
)
def test_unclear_fens_never_become_the_array(ask: Any, fen: str, at: str) -> None:
    error = ask(fen)["error"]
    assert (error["code"], error["at"]) == ("bad_position", at)


# lila 17116, jfxchess 87, dicechess 586, chesslib 52: counters
def test_counters(ask: Any) -> None:
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq"
    assert ask(f"{start} - 0 150")["fen"] == f"{start} - 0 150"
    zero = "6R1/2p1qr1k/1p1p1r1p/p3p3/2P1P3/2P3Q1/PP3P2/2K3R1 w - - 0 "
    assert ask(zero + "0")["fen"] == zero + "1"
    report = ask("8/p4r2/4k3/8/K7/P7/8/8 w - - 148 100", "Kb3 a6")
    assert (report["fen"], report["outcome"]) == ("8/5r2/p3k3/8/8/PK6/8/8 w - - 0 101", None)
    assert ask("8/5r2/p3k3/P7/8/1K6/8/8 w - - 150 100")["outcome"] == {"winner": None, "reason": "moveCount"}
    for counters in ("500 50", "4294967296 1", "-1 1", "0 -3"):
        assert ask(f"4k3/8/8/8/8/8/8/4KR2 w - - {counters}")["error"]["code"] == "bad_position"


# chess.js 75, chesslib 67, pgn-viewer 436, ChessLib 65, Chess 21, lc0 2425: SAN
@pytest.mark.parametrize(
    ("fen", "move", "uci", "san"),
    [
        ("rn2k2r/pppq1ppp/5p2/3p4/1b1P4/2NQP3/PPP2PPP/R3K1NR w KQkq - 0 1", "Nge2", "g1e2", "Ne2"),
        ("rn2k2r/pppq1ppp/5p2/3p4/1b1P4/2NQP3/PPP2PPP/R3K1NR w KQkq - 0 1", "Ne2", "g1e2", "Ne2"),
        ("rn2k2r/pppq1ppp/5p2/3p4/1b1P4/2NQP3/PPP2PPP/R3K1NR w KQkq - 0 1", "Nce2", None, None),
        ("4k2r/r3bppp/p1p5/3pR3/Pp1P1B2/7P/1PP2PP1/R5K1 w k - 0 37", "a1e1", "a1e1", "Rae1"),
        ("4k2r/r3bppp/p1p5/3pR3/Pp1P1B2/7P/1PP2PP1/R5K1 w k - 0 37", "e5e1", "e5e1", "Ree1"),
        ("rnbqkbnr/p1p2p2/3p2p1/R3p2p/7P/8/1PPPPPP1/RNBQKBN1 w kq - 0 8", "a1a3", "a1a3", "R1a3"),
        ("rnbqkbnr/p1p2p2/3p2p1/R3p2p/7P/8/1PPPPPP1/RNBQKBN1 w kq - 0 8", "a5a3", "a5a3", "R5a3"),
        ("1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "h4e1", "Qh4e1"),
        ("1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "e4e1", "e4e1", "Qee1"),
        ("1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h1e1", "h1e1", "Q1e1"),
        ("rnbqkb1r/1ppp1pp1/p3pn1p/8/3N4/3P4/PPPNPPPP/R1BQKB1R w KQkq - 0 5", "Nd2f3", "d2f3", "N2f3"),
        ("rnbqkb1r/1ppp1pp1/p3pn1p/8/3N4/3P4/PPPNPPPP/R1BQKB1R w KQkq - 0 5", "Nf3", None, None),
    ],
)
def test_san(ask: Any, fen: str, move: str, uci: str | None, san: str | None) -> None:
    report = ask(fen, move)
    if uci is None:
        assert report["error"]["code"] == "illegal_move"
    else:
        assert (report["uci"], report["san"]) == ([uci], [san])


def test_a_knight_on_the_passed_square_takes_no_pawn(ask: Any) -> None:
    report = ask(None, "Nf3 d5 c4 dxc4 e3 b6 Rg1 Ba6 g4 Nc6 a3 Na5 b4 Nb3")
    assert report["fen"] == "r2qkbnr/p1p1pppp/bp6/8/1Pp3P1/Pn2PN2/3P1P1P/RNBQKBR1 w Qkq - 1 8"


# python-chess 539, pychess 734, lichess-bot 140: promotions and non-moves
@pytest.mark.parametrize(
    ("text", "uci"),
    [
        ("e8=Q", "e7e8q"),
        ("e8Q", "e7e8q"),
        ("e8", "e7e8q"),
        ("ed8Q", "e7d8q"),
        ("exd8=N", "e7d8n"),
        ("e7e8q", "e7e8q"),
        ("e7d8n", "e7d8n"),
        ("e8(Q)", "e7e8q"),
        ("e8=K", None),
        ("e7e8", None),
        ("e7e8k", None),
        ("e7e8p", None),
        ("0000", None),
        ("--", None),
        ("None", None),
        ("e7e9q", None),
        ("e7e8qq", None),
    ],
)
def test_promotions_and_non_moves(ask: Any, text: str, uci: str | None) -> None:
    report = ask("3n3k/4P3/8/8/8/8/8/K7 w - - 0 1", text)
    if uci is None:
        assert report["error"]["at"] == "moves[0]"
    else:
        assert report["uci"] == [uci]


# chess 157, Stockfish 3542, D3-Chess 15: mate by the move that completes a count
def test_mate_wins_over_the_count(ask: Any) -> None:
    mates, draws = {"winner": "white", "reason": "checkmate"}, {"winner": None, "reason": "moveCount"}
    for half_moves, rules, quiet in ((149, "claimed", draws), (99, "claimed", None), (99, "automatic", draws)):
        fen = f"7k/5K2/8/6R1/8/8/8/8 w - - {half_moves} 120"
        assert ask(fen, "g5h5", rules)["outcome"] == mates
        report = ask(fen, "g5g6", rules)
        assert report["outcome"] == quiet
        assert report["claims"] == ([] if quiet else ["fifty"])
    assert ask("8/5r2/p3k3/P7/8/1K6/8/8 w - - 148 100", "b3b4 e6d5")["outcome"] == draws


# cutechess 817, Minic 26: en passant that was never possible
@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        ("6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8 b - - 0 1", "h5 Rh6 Rh7 Re6 Rg7 Rh6 Rh7 Re6 Rg7"),
        (None, "e4 e5 Be2 Be7 Bf1 Bf8 Bd3 Bd6 Bf1 Bf8"),
    ],
)
def test_the_third_occurrence_is_seen(ask: Any, fen: str | None, moves: str) -> None:
    assert ask(fen, moves)["claims"] == ["threefold"]
    assert ask(fen, moves, "automatic")["outcome"] == {"winner": None, "reason": "repetition"}


# python-chess 907, lila 15623, lila 21192: not one ply early
def test_repetition_is_not_one_ply_early(ask: Any) -> None:
    round_trip = ["g1f3", "g8f6", "f3g1", "f6g8"]
    expected = {7: (None, []), 8: (None, ["threefold"]), 16: ({"winner": None, "reason": "repetition"}, [])}
    for plies, (outcome, claims) in expected.items():
        report = ask(None, " ".join((round_trip * 4)[:plies]))
        assert (report["outcome"], report["claims"]) == (outcome, claims), plies


# python-chess 634, chesslib 67, chesslib 42, lila 16370: the table of dead material
@pytest.mark.parametrize(
    ("fen", "drawn"),
    [
        ("5K2/8/8/1B6/8/k7/6b1/8 w - - 0 39", True),
        ("8/8/8/4k3/5b2/3K4/8/2B5 w - - 0 33", True),
        ("B3k3/8/8/8/8/8/8/4KB2 w - - 0 1", True),
        ("B1b1k3/3b4/4b3/8/8/8/8/4KB2 w - - 0 1", True),
        ("8/8/1B6/8/1KB5/8/2k5/8 w - - 0 1", False),
        ("8/8/4K3/8/1n6/8/5k1N/8 w - - 0 50", False),
        ("1n6/8/8/2k1K3/8/8/8/5B2 w - - 0 50", False),
        ("7k/8/8/8/8/8/8/KNN5 w - - 0 1", False),
        ("7k/8/8/8/8/8/8/K7 w - - 0 1", True),
    ],
)
def test_dead_material(ask: Any, fen: str, drawn: bool) -> None:
    assert ask(fen)["outcome"] == ({"winner": None, "reason": "deadPosition"} if drawn else None)


# lila 4514, scalachess 821: dead by structure is played on under these presets
def test_dead_by_structure_is_played_on(ask: Any) -> None:
    assert ask("4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1")["outcome"] is None
    forced = ask("6Rk/8/7K/8/8/8/8/8 b - - 0 1")
    assert (forced["outcome"], forced["legal"]) == (None, ["h8g8"])
    assert forced["can_mate"] == {"white": "no", "black": "no"}


# scalachess 578, lila 17636, lila 15723, lila 19296: almost nothing against a fallen flag
@pytest.mark.parametrize(
    ("fen", "flagged", "winner"),
    [
        ("7k/8/8/8/8/8/Q7/K7 w - - 0 1", Colour.WHITE, None),
        ("2b1k3/8/8/8/8/8/P4Q2/3K4 w - - 0 1", Colour.WHITE, Colour.BLACK),
        ("7k/8/5q2/8/8/2N5/8/K7 b - - 0 1", Colour.BLACK, Colour.WHITE),
        ("7k/8/5r2/8/8/2N5/8/K7 b - - 0 1", Colour.BLACK, Colour.WHITE),
    ],
)
def test_a_flag_against_almost_nothing(fen: str, flagged: Colour, winner: Colour | None) -> None:
    verdict = judge(Forfeit(Position("standard", fen), flagged, ForfeitKind.FLAG), CLAIMED, LIMITS)
    assert isinstance(verdict, Forfeited)
    assert verdict.outcome == Outcome(winner, EndReason.FLAG)


def test_who_surely_cannot_win(ask: Any) -> None:
    assert ask("7k/8/8/8/8/8/Q7/K7 w - - 0 1")["can_mate"]["black"] == "no"
    assert ask("7k/8/5q2/8/8/2N5/8/K7 b - - 0 1")["can_mate"]["white"] == "no"
    assert ask("7k/8/5r2/8/8/2N5/8/K7 b - - 0 1")["can_mate"]["white"] != "no"


def test_a_lone_bishop_and_a_lone_knight_mate(ask: Any) -> None:
    line = "Qf7+ Kxf7 Kc2 Ke7 Kb3 Kd7 Ka4 Kc7 Ka5 Bd7 Ka6 Bc6 Ka7 Bd7 Ka8 Kc8 a4 Kc7 a5 Kc8 a6 Kc7 a7 Bc6#"
    bishop = ask("2b1k3/8/8/8/8/8/P4Q2/3K4 w - - 0 1", line)
    assert bishop["outcome"] == {"winner": "black", "reason": "checkmate"}
    assert bishop["san"] == line.split()
    knight = ask("8/8/8/5N2/8/8/5K1p/7k w - - 0 1", "Ng3#")
    assert knight["outcome"] == {"winner": "white", "reason": "checkmate"}
