"""Games to PGN and back: nothing is lost, and a second export is the first."""

import io
from dataclasses import replace
from typing import Any

import chess.pgn
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from services.domain.chaturanga import ChaturangaRules, Kings
from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.pgn import LINE_CHARS_MAX, PgnLine, PgnMove
from services.domain.refusal import Refusal
from services.domain.rule_set import FIDE, RuleSet
from services.domain.variant import Variant
from services.pb.flagfall.v1 import rules_pb2 as pb
from services.rules.limits import PGN_LIMITS, PgnLimits
from services.rules.pgn.pgn_tree import PgnGame, PgnOptions
from services.rules.pgn.pgn_wire import pgn_games_from_pb, pgn_games_to_pb, pgn_options_from_pb
from services.rules.pgn.pgn_write import CLOCK_MS_MAX
from services.rules.refused import Rejected
from services.words.catalogue import sentence
from tests.unit.rules.pgn_texts import TEXTS, random_game, read, read_one, write

MATE = "f2f3 e7e5 g2g4 d8h4"


def game(moves: str = "e2e4 e7e5", result: str = "*", **parts: Any) -> PgnGame:
    """A game of standard chess to be written."""
    line = PgnLine(moves=tuple(PgnMove(uci, "") for uci in moves.split()))
    values: dict[str, Any] = {"tags": (), "variant": "standard", "initial_fen": "", "line": line, "outcome": None}
    return PgnGame(**values | {"result": result} | parts)


def tag(text: str, name: str) -> str | None:
    return dict(read_one(text).tags).get(name)


def refused(games: list[PgnGame], limits: PgnLimits = PGN_LIMITS) -> Refusal:
    with pytest.raises(Rejected) as raised:
        write(games, limits)
    return raised.value.refusal


@given(st.integers(0, 2**32), st.sampled_from(Variant), TEXTS)
@settings(max_examples=60)
@example(
    1, Variant.STANDARD, ["%" * 90 + " [Event] " * 20, "} ; }", "a\u00a0b\u2028c\x85d", '\\"', "[%clk 0:00:01] [%x"]
)
@example(2, Variant.CHATURANGA, ["a " * 200])
@example(3, Variant.SHATRANJ, ["b"])
@example(4, Variant.CRAZYHOUSE, ["c } " * 100])
@example(5, Variant.ATOMIC, ["( ) $1 1-0"])
@example(6, Variant.THREE_CHECK, ["1. e4"])
@example(7, Variant.KING_OF_THE_HILL, ["{"])
@example(8, Variant.CHESS960, ['"'])
def test_what_is_written_reads_back_the_same(seed: int, variant: Variant, texts: list[str]) -> None:
    games = [random_game(seed, variant, texts, 40)]
    text = write(games)
    again = read(text)
    assert again == games
    assert write(again) == text
    message = pgn_games_to_pb(again)
    assert pgn_games_from_pb(pb.PgnGames.FromString(message.SerializeToString()).games) == games


@pytest.mark.parametrize("clock_ms", [0, 1, 50, 900, 60_000, CLOCK_MS_MAX])
def test_every_clock_reads_back(clock_ms: int) -> None:
    text = write([game(line=PgnLine(moves=(PgnMove("e2e4", "", clock_ms),)))])
    assert read_one(text).line.moves[0].clock_ms == clock_ms


@given(st.integers(0, 2**32), TEXTS)
@settings(max_examples=20)
def test_no_line_of_moves_is_too_long_but_for_a_long_word(seed: int, texts: list[str]) -> None:
    words = [" ".join(text.split(" "))[:40] for text in texts]
    text = write([random_game(seed, Variant.STANDARD, words, 40)])
    longest = max(len(word) for word in " ".join(words).split(" "))
    for line in text.split("\n\n", 1)[1].split("\n"):
        assert len(line) <= max(LINE_CHARS_MAX, longest + len(" ((( { } )))"))
        assert not line.startswith(("%", "["))


def test_another_program_reads_side_lines_annotations_and_clocks() -> None:
    inner = PgnLine("why not", (PgnMove("c7c5", "", comment="sharp"),))
    side = PgnLine(moves=(PgnMove("d2d4", "", nags=(1,)), PgnMove("d7d5", "", variations=(inner,))))
    moves = (PgnMove("e2e4", "", 61_500, (5,), "best } by test", (side,)), PgnMove("e7e5", "", 60_000))
    text = write([game(line=PgnLine("hello", moves))])
    assert text.split("\n\n")[1] == (
        "{ hello } 1. e4 $5 { [%clk 0:01:01.5] } ; best } by test\n"
        "(1. d4 $1 d5 ({ why not } 1... c5 { sharp })) 1... e5 { [%clk 0:01:00] } *"
    )
    found = chess.pgn.read_game(io.StringIO(text))
    assert found is not None
    assert found.errors == []
    main = found.variations[0]
    assert (main.san(), main.nags, main.clock()) == ("e4", {5}, 61.5)
    assert [node.san() for node in found.variations] == ["e4", "d4"]
    assert [node.san() for node in found.variations[1].variations] == ["d5", "c5"]
    assert found.variations[1].variations[1].starting_comment.strip() == "why not"
    assert main.variations[0].clock() == 60.0


def test_the_roster_comes_first_and_what_is_unknown_is_said_to_be() -> None:
    text = write([game(tags=(("ECO", "C20"), ("White", 'A "B"'), ("Result", "1-0"))), game()])
    assert text.startswith(
        '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "A \\"B\\""]\n[Black "?"]\n[Result "*"]\n'
        '[ECO "C20"]\n\n1. e4 e5 *\n\n[Event "?"]\n'
    )


@pytest.mark.parametrize(
    ("moves", "result", "outcome", "told", "written"),
    [
        # a result without a reason needs no words, and the file's own stay
        ("e2e4", "1-0", Outcome(Colour.WHITE, EndReason.UNKNOWN), None, None),
        ("e2e4", "1-0", Outcome(Colour.WHITE, EndReason.UNKNOWN), "adjudication", "adjudication"),
        ("e2e4", "1-0", Outcome(Colour.WHITE, EndReason.FLAG), "time forfeit", "time forfeit"),
        ("e2e4", "1-0", Outcome(Colour.WHITE, EndReason.FLAG), None, "Time forfeit"),
        ("e2e4", "1/2-1/2", Outcome(None, EndReason.FLAG), None, "Time forfeit"),
        ("e2e4", "0-1", Outcome(Colour.BLACK, EndReason.EXPIRY), None, "Time forfeit"),
        ("e2e4", "1-0", Outcome(Colour.WHITE, EndReason.RESIGNATION), None, "Normal"),
        ("e2e4", "1-0", Outcome(Colour.WHITE, EndReason.RESIGNATION), "x won by resignation", "x won by resignation"),
        ("e2e4", "1/2-1/2", Outcome(None, EndReason.AGREEMENT), "time forfeit", "Normal"),
        # nobody's time ran out: that would be a lie
        ("e2e4", "1-0", Outcome(Colour.WHITE, EndReason.UNKNOWN), "time forfeit", "Unknown"),
        # mate tells itself; a tag that says something else goes
        (MATE, "0-1", Outcome(Colour.BLACK, EndReason.CHECKMATE), None, None),
        (MATE, "0-1", None, "normal", "normal"),
        (MATE, "0-1", Outcome(Colour.BLACK, EndReason.CHECKMATE), "time forfeit", "Normal"),
        ("e2e4", "*", None, None, None),
        ("e2e4", "*", None, "unterminated", "unterminated"),
        ("e2e4", "*", Outcome(None, EndReason.ABORT), None, "Abandoned"),
    ],
)
def test_termination_is_truthful(
    moves: str, result: str, outcome: Outcome | None, told: str | None, written: str | None
) -> None:
    tags = () if told is None else (("Termination", told),)
    assert tag(write([game(moves, result, outcome=outcome, tags=tags)]), "Termination") == written


def test_fields_decide_over_tags() -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 5 31"
    tags = (("Variant", "Atomic"), ("FEN", "8/8/8/8/8/8/8/8 w - - 0 1"), ("SetUp", "0"))
    text = write([game("e8d7", tags=tags, initial_fen=fen)])
    assert [tag(text, name) for name in ("Variant", "FEN", "SetUp")] == ["Standard", fen, "1"]
    assert text.endswith("\n\n31... Kd7 *\n\n")
    text = write([game(tags=(*tags[:2], ("SetUp", "1")))])
    assert [tag(text, name) for name in ("Variant", "FEN", "SetUp")] == ["Standard", None, None]
    kept = write([game(tags=(("Variant", "From Position"),), initial_fen=fen, moves="e8d7")])
    assert tag(kept, "Variant") == "From Position"


def test_a_variant_of_a_game_is_named() -> None:
    assert tag(write([game("e2e4", variant="threeCheck")]), "Variant") == "Three-check"
    assert tag(write([game("e2e4", variant="atomic", tags=(("Variant", "atomic"),))]), "Variant") == "atomic"


@pytest.mark.parametrize(
    ("bad", "at", "message"),
    [
        (game("e2e4 e7e5 e1e3"), "move[2.]", "game 2: move 2. e1e3 is not legal in this position"),
        (game("e2e4 0000"), "move[1...]", "game 2: move 1... 0000 is a null move, and a player cannot pass"),
        (game("e2e4", "1-1"), "result", "game 2: '1-1' is not a result; the results are 1-0, 0-1, 1/2-1/2, *"),
        (game(MATE, "1-0"), "result", "game 2: the moves end with checkmate (0-1), the result is 1-0"),
        (
            game("e2e4", "1-0", outcome=Outcome(Colour.BLACK, EndReason.FLAG)),
            "result",
            "game 2: the outcome is 0-1, the result is 1-0",
        ),
        (
            game(MATE, "0-1", outcome=Outcome(Colour.BLACK, EndReason.FLAG)),
            "result",
            "game 2: the moves end with checkmate, the outcome is flag fall",
        ),
        (game(tags=(("a b", ""),)), "tags", "game 2: 'a b' is not a name of a tag"),
        (game(tags=(("A", ""), ("A", ""))), "tag[A]", "game 2: the tag 'A' appears twice"),
        (game(initial_fen="8/8"), "fen.board", "game 2: a board has eight ranks, this has 2"),
        (
            game(line=PgnLine(moves=(PgnMove("e2e4", "", nags=(256,)),))),
            "moves",
            "game 2: annotations of a move are $0 to $255, each once",
        ),
        (
            game(line=PgnLine(moves=(PgnMove("e2e4", "", clock_ms=-1),))),
            "moves",
            "game 2: a clock shows 0 to 3,599,999,999,999 ms, not -1",
        ),
        (
            game(line=PgnLine(moves=(PgnMove("e2e4", "", variations=(PgnLine("x"),)),))),
            "moves",
            "game 2: a variation has no moves",
        ),
    ],
)
def test_what_cannot_be_told_is_refused_with_its_place(bad: PgnGame, at: str, message: str) -> None:
    refusal = refused([game(), bad])
    assert (refusal.at, sentence(refusal.text)) == (f"games[1].{at}", message)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (PgnLimits(games_max=1), "a PGN has one game here"),
        (PgnLimits(plies_max=5), "game 2: a PGN has at most 5 half-moves here"),
        (PgnLimits(depth_max=0), "game 2: variations are nested at most 0 deep here"),
        (PgnLimits(comment_chars_max=5), "game 2: a comment is longer than 5 characters"),
        (PgnLimits(tags_max=0), "game 2: a game has at most 0 tags here"),
        (PgnLimits(tag_chars_max=3), "game 2: the tag 'ECO' is longer than 3 characters"),
        (PgnLimits(bytes_max=100), "a PGN has at most 100 bytes here"),
    ],
)
def test_a_text_that_could_not_be_read_again_is_not_written(limits: PgnLimits, message: str) -> None:
    side = PgnLine(moves=(PgnMove("d2d4", ""), PgnMove("d7d5", "")))
    big = game(tags=(("ECO", "C20"),), line=PgnLine(moves=(PgnMove("e2e4", "", comment="words", variations=(side,)),)))
    assert write([game(), replace(big, line=replace(big.line, moves=()))])
    refusal = refused([game("e2e4 e7e5 g1f3"), big], limits)
    assert sentence(refusal.text) == message


def test_the_options_of_chaturanga_come_with_the_call() -> None:
    crossed = RuleSet(chaturanga=ChaturangaRules(kings=Kings.CROSSED))
    text = write([game("a2a3", variant="chaturanga")], rule_set=crossed)
    (here,), (there,) = read(text, rule_set=crossed), read(text, rule_set=FIDE)
    assert here.final is not None
    assert there.final is not None
    assert here.final.fen != there.final.fen


def test_a_call_says_what_it_wants() -> None:
    assert pgn_options_from_pb(pb.ReadPgnRequest()) == PgnOptions(False, False, None)
    assert pgn_options_from_pb(pb.ReadPgnRequest(with_comments=True, games_max=3)) == PgnOptions(False, True, 3)
    with pytest.raises(Rejected) as raised:
        pgn_options_from_pb(pb.ReadPgnRequest(games_max=-1))
    assert sentence(raised.value.text) == "a call cannot ask for -1 games"


def test_a_message_tells_all_that_was_read() -> None:
    (message,) = pgn_games_to_pb(read('\n[Termination "time forfeit"]\n\n{hi} 1. e4 {[%clk 0:00:07]} e5 1-0')).games
    assert (message.variant, message.line, message.comment, message.result) == ("standard", 2, "hi", "1-0")
    assert [move.san for move in message.moves] == ["e4", "e5"]
    assert [move.HasField("clock_ms") for move in message.moves] == [True, False]
    assert message.final.position.fen.startswith("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
    assert len(message.final.legal.split()) == 29
    assert message.HasField("outcome")
    assert not pgn_games_to_pb(read("1. e4 *")).games[0].HasField("outcome")


def test_an_outcome_without_a_reason_is_refused() -> None:
    message = pb.PgnGame(variant="standard", result="*")
    message.outcome.SetInParent()
    with pytest.raises(Rejected) as raised:
        pgn_games_from_pb([message])
    assert sentence(raised.value.text) == "game 1: the outcome of the game has no known reason"
