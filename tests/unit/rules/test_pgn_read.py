"""The moves of a PGN, where they begin and how they end."""

import pytest

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.refusal import RefusalCode
from services.domain.rule_set import EVERYDAY
from services.rules.pgn.pgn_tree import PgnGame, PgnOptions
from services.words.catalogue import sentence
from tests.unit.rules.pgn_texts import read, read_one, refusal, sans

MATE = "1. f3 e5 2. g4 Qh4#"
END_WORDS = {
    EndReason.THIRD_CHECK: "third check",
    EndReason.HILL: "king on the hill",
    EndReason.EXPLOSION: "explosion of a king",
}


def end_fen(game: PgnGame) -> str:
    assert game.final is not None
    return game.final.fen


# shakmaty 132, scalachess 230, pgn-parser 641 (case P02): annotated files carry null moves
def test_a_side_line_is_kept_as_far_as_it_has_no_null_move() -> None:
    game = read_one("1. e4 e5 2. Nf3 (2. Bc4 -- 3. Qh5) 2... Nc6 *\n")
    assert sans(game) == "e4 e5 Nf3 Nc6"
    assert end_fen(game) == "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
    assert [sans(side) for side in game.line.moves[2].variations] == ["Bc4"]


def test_what_hangs_on_a_null_move_goes_with_it() -> None:
    game = read_one("1. e4 (1. d4 Z0 (1... d5 (1... c5 2. d5)) 2. Kxe8 (2. e4)) (0000 {x}) (1. c4 c5) 1... e5 *")
    assert [sans(side) for side in game.line.moves[0].variations] == ["d4", "c4 c5"]
    assert game.line.moves[0].variations[0].moves[0].variations == ()


@pytest.mark.parametrize("passing", ["--", "Z0", "0000", "@@@@", "null"])
def test_a_null_move_that_was_played_is_refused(passing: str) -> None:
    refused = refusal(f"1. e4 e5 2. Nf3 {passing} 3. Bc4 Nc6 *\n", PgnOptions())
    assert refused.at == "games[0].line[1].move[2...]"
    assert sentence(refused.text) == f"game 1, line 1: move 2... {passing} is a null move, and a player cannot pass"


@pytest.mark.parametrize(
    ("text", "at", "message"),
    [
        ("1. e4 e5\n2. Nf4 *", "line[3].move[2.]", "Nf4 is not legal in this position"),
        ("1. e4 e5\n2. Nf3 hello", "line[3].move[2...]", "'hello' is not a move"),
        ("1. e4\ne5\n(1... e3) *", "line[4].move[1...]", "e3 is not legal in this position"),
        (f"{MATE} 3. a3", "line[2].move[3.]", "'a3' comes after the end of the game (checkmate)"),
        (f"1. a3 ({MATE} 3. a3)", "line[2].move[3.]", "'a3' comes after the end of the game (checkmate)"),
        ("1. Nf3 a6 2. d3 a5 3. Nd2", "line[2].move[3.]", "Nd2 is ambiguous: Nbd2 or Nfd2"),
        ("1. " + "e" * 1000, "line[2].move[1.]", "a move has at most 32 characters, this has 1,000"),
    ],
)
def test_a_bad_move_is_refused_with_its_place(text: str, at: str, message: str) -> None:
    refused = refusal(f"1. d4 *\n{text}")
    line, label = at.removeprefix("line[").removesuffix("]").split("].move[")
    assert refused.at == f"games[1].{at}"
    assert sentence(refused.text) == f"game 2, line {line}: move {label} {message}"
    assert refused.code == ("malformed" if "is not a move" in message or "at most" in message else "illegal_move")


def test_signs_of_check_are_not_needed_and_not_believed() -> None:
    game = read_one("1. e4+ d5# 2. exd5++ Qxd5 3. Nc3 Qe5 *")
    assert sans(game) == "e4 d5 exd5 Qxd5 Nc3 Qe5+"


@pytest.mark.parametrize(
    ("name", "variant"),
    [
        ("Standard", "standard"),
        ("From Position", "standard"),
        ("?", "standard"),
        ("Chess960", "chess960"),
        ("fischerandom", "chess960"),
        ("Fischerrandom", "chess960"),
        ("Three-check", "threeCheck"),
        ("3check", "threeCheck"),
        ("King Of The Hill", "kingOfTheHill"),
        ("kingofthehill", "kingOfTheHill"),
        ("Crazyhouse", "crazyhouse"),
        ("ATOMIC", "atomic"),
        ("Antichess", "antichess"),
        ("Anti-chess", "antichess"),
        ("Horde", "horde"),
        ("Racing Kings", "racingKings"),
        ("racingkings", "racingKings"),
        ("Shatranj", "shatranj"),
        ("chaturanga", "chaturanga"),
    ],
)
def test_the_names_of_variants(name: str, variant: str) -> None:
    assert read_one(f'[Variant "{name}"]\n\n*').variant == variant


def test_a_variant_that_is_not_played_here_is_refused_by_name() -> None:
    refused = refusal('[Event "x"]\n[Variant "Bughouse"]\n\n1. e4 *')
    assert (refused.code, refused.at) == (RefusalCode.UNSUPPORTED_VARIANT, "games[0].line[2].tag[Variant]")
    assert sentence(refused.text).startswith(
        "game 1, line 2: the tag Variant says 'Bughouse', which is not played here; there are Standard, Chess960,"
    )


def test_a_game_from_a_position() -> None:
    game = read_one('[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 5 31"]\n\n31... Kd7 32. Kd2 *')
    assert game.initial_fen == "4k3/8/8/8/8/8/4P3/4K3 b - - 5 31"
    assert end_fen(game) == "8/3k4/8/8/8/8/3KP3/8 b - - 7 32"
    assert (
        refusal('[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 5 31"]\n\n1. Kd2').at == "games[0].line[4].move[31...]"
    )


@pytest.mark.parametrize(
    ("tags", "at", "message"),
    [
        ('[FEN "8/8 w"]', "games[0].line[1].fen.board", "the tag FEN: a board has eight ranks, this has 2"),
        (
            '[FEN "4k3/8/8/8/8/8/8/8 w - - 0 1"]',
            "games[0].line[1].fen.board",
            "the tag FEN: there is no white king",
        ),
        (
            '[FEN "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1"]',
            "games[0].line[1].fen.board",
            "the tag FEN: White has more than 8 pawns",
        ),
        (
            '[SetUp "1"]',
            "games[0].line[1]",
            "the tag SetUp says that the game begins from a position, but there is no tag FEN",
        ),
        (
            '[SetUp "0"][FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 5 31"]',
            "games[0].line[1]",
            "the tag SetUp says that the game begins from the usual starting position, but there is a tag FEN",
        ),
    ],
)
def test_a_position_that_is_none(tags: str, at: str, message: str) -> None:
    refused = refusal(f"{tags}\n\n*")
    assert (refused.at, sentence(refused.text)) == (at, f"game 1, line 1: {message}")


def test_both_spellings_of_castling_rights_are_the_same_game() -> None:
    """X-FEN and Shredder-FEN; castling with the king on b1, written as O-O in the text."""
    games = [
        read_one(f'[Variant "Chess960"]\n[FEN "1k1r4/pppppppp/8/8/8/8/PPPPPPPP/RK4R1 w {rights} - 0 1"]\n\n{moves} *')
        for rights in ("KQk", "GAd")
        for moves in ("1. O-O O-O", "1. b1g1 b8d8")
    ]
    assert {(game.initial_fen, game.line, end_fen(game)) for game in games} == {
        (games[0].initial_fen, games[0].line, end_fen(games[0]))
    }
    assert [move.uci for move in games[0].line.moves] == ["b1g1", "b8d8"]
    assert end_fen(games[0]).startswith("5rk1/pppppppp/8/8/8/8/PPPPPPPP/R4RK1 w ")


@pytest.mark.parametrize(
    ("variant", "moves", "result", "reason"),
    [
        ("Three-check", "1. e4 e5 2. Bc4 Nc6 3. Bxf7+ Kxf7 4. Qf3+ Nf6 5. Qxf6+", "1-0", EndReason.THIRD_CHECK),
        ("King of the Hill", "1. e4 a6 2. Ke2 a5 3. Ke3 a4 4. Kd4", "1-0", EndReason.HILL),
        ("Atomic", "1. Nf3 a6 2. Ng5 a5 3. Nxf7", "1-0", EndReason.EXPLOSION),
        ("Antichess", "1. e3 b5 2. Bxb5 c6 3. Bxc6 dxc6", "*", None),
        ("Horde", "1. a5 h6", "*", None),
        ("Racing Kings", "1. Kh3 Ka3 2. Kh4 Ka4 3. Kh5 Ka5 4. Kh6", "*", None),
        ("Crazyhouse", "1. e4 d5 2. exd5 Qxd5 3. P@e4", "*", None),
    ],
)
def test_a_game_of_a_variant(variant: str, moves: str, result: str, reason: EndReason | None) -> None:
    game = read_one(f'[Variant "{variant}"]\n\n{moves} {result}')
    assert game.outcome == (None if reason is None else Outcome(Colour.WHITE, reason))
    if reason is not None:
        assert game.line.moves[-1].san.endswith("#")
        refused = refusal(f'[Variant "{variant}"]\n\n{moves} h6 {result}')
        assert sentence(refused.text).endswith(f"'h6' comes after the end of the game ({END_WORDS[reason]})")


# lila 10520, 312, 10566 (case P09): an import keeps the file's result and invents no reason
def test_an_agreed_draw_in_a_repeated_position_stays_one() -> None:
    game = read_one('[Result "1/2-1/2"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2\n')
    assert (len(game.line.moves), game.result) == (8, "1/2-1/2")
    assert game.outcome == Outcome(None, EndReason.UNKNOWN)


def test_the_last_position_knows_those_that_may_come_back() -> None:
    games = read("1. Nf3 Nf6 2. Ng1 * 1. Nf3 Nf6 2. Ng1 e6 3. Nf3 *")
    assert [len(game.final.keys) for game in games if game.final] == [4 * 8, 2 * 8]


def test_draw_rules_never_cut_a_game_short() -> None:
    """Not by an automatic third repetition, nor by two bare kings."""
    (game,) = read("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 1-0", rule_set=EVERYDAY)
    assert (len(game.line.moves), game.outcome) == (10, Outcome(Colour.WHITE, EndReason.UNKNOWN))
    bare = read_one('[FEN "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]\n1. Kd2 Kd7 2. Kd3 1-0')
    assert (len(bare.line.moves), bare.outcome) == (3, Outcome(Colour.WHITE, EndReason.UNKNOWN))


@pytest.mark.parametrize(
    ("termination", "result", "outcome"),
    [
        ("time forfeit", "1-0", Outcome(Colour.WHITE, EndReason.FLAG)),
        ("Time Forfeit", "0-1", Outcome(Colour.BLACK, EndReason.FLAG)),
        # the other side could not have won
        ("time forfeit", "1/2-1/2", Outcome(None, EndReason.FLAG)),
        ("time forfeit", "*", None),
        ("", "0-1", Outcome(Colour.BLACK, EndReason.UNKNOWN)),
        ("Normal", "1-0", Outcome(Colour.WHITE, EndReason.UNKNOWN)),
        ("abandoned", "1-0", Outcome(Colour.WHITE, EndReason.UNKNOWN)),
        ("rules infraction", "1-0", Outcome(Colour.WHITE, EndReason.UNKNOWN)),
        ("adjudication", "1/2-1/2", Outcome(None, EndReason.UNKNOWN)),
        ("Anna won by resignation", "1-0", Outcome(Colour.WHITE, EndReason.RESIGNATION)),
        ("won_by_resignation won on time", "1-0", Outcome(Colour.WHITE, EndReason.FLAG)),
        ("Game drawn by agreement", "1/2-1/2", Outcome(None, EndReason.AGREEMENT)),
        ("Game drawn by repetition", "1/2-1/2", Outcome(None, EndReason.REPETITION)),
        ("Game drawn by 50-move rule", "1/2-1/2", Outcome(None, EndReason.MOVE_COUNT)),
        ("Game drawn by timeout vs insufficient material", "1/2-1/2", Outcome(None, EndReason.FLAG)),
        # words against the result say nothing
        ("Game drawn by agreement", "1-0", Outcome(Colour.WHITE, EndReason.UNKNOWN)),
        ("Anna won by resignation", "1/2-1/2", Outcome(None, EndReason.UNKNOWN)),
    ],
)
def test_the_reason_is_what_the_file_says(termination: str, result: str, outcome: Outcome | None) -> None:
    game = read_one(f'[Result "{result}"]\n[Termination "{termination}"]\n\n1. e4 e5 {result}\n')
    assert (game.result, game.outcome, sans(game)) == (result, outcome, "e4 e5")


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        (f"{MATE} 0-1", Outcome(Colour.BLACK, EndReason.CHECKMATE)),
        # mate ends the game before any flag (FIDE 6.8)
        (f'[Termination "time forfeit"] {MATE} 0-1', Outcome(Colour.BLACK, EndReason.CHECKMATE)),
        ('[FEN "7k/5K2/8/8/8/8/8/6Q1 w - - 0 1"] 1. Qg6 1/2-1/2', Outcome(None, EndReason.STALEMATE)),
        # a result that the file does not give is not added
        (f"{MATE} *", None),
    ],
)
def test_the_board_tells_mate_and_stalemate(text: str, outcome: Outcome | None) -> None:
    assert read_one(text).outcome == outcome


@pytest.mark.parametrize(
    ("tag", "marker", "result"),
    [
        ("1-0", "", "1-0"),
        ("*", "0-1", "0-1"),
        ("1/2-1/2", "*", "1/2-1/2"),
        ("?", "1-0", "1-0"),
        ("1/2", "1/2-1/2", "1/2-1/2"),
        ("", "", "*"),
    ],
)
def test_where_one_of_tag_and_marker_says_nothing_the_other_is_taken(tag: str, marker: str, result: str) -> None:
    game = read_one(f'[Result "{tag}"]\n\n1. e4 e5 {marker}')
    assert (game.result, dict(game.tags)["Result"]) == (result, result)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('[Result "1-0"]\n\n1. e4 e5 0-1\n', 3, "the tag Result says 1-0, and the moves end with 0-1"),
        ('[Result "won"]\n\n1. e4 e5\n', 1, "'won' is not a result; the results are 1-0, 0-1, 1/2-1/2, *"),
        (f"{MATE}\n1-0", 2, "the moves end with checkmate (0-1), the result is 1-0"),
        ('[Result "1/2-1/2"]\n' + MATE, 1, "the moves end with checkmate (0-1), the result is 1/2-1/2"),
    ],
)
def test_contradictions_are_refused(text: str, line: int, message: str) -> None:
    refused = refusal(text)
    assert (refused.code, refused.at) == (RefusalCode.MALFORMED, f"games[0].line[{line}]")
    assert sentence(refused.text) == f"game 1, line {line}: {message}"
