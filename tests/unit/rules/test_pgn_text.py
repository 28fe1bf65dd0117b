"""What stands in a PGN beside the moves: letters and line ends, tags, comments, annotations, brackets, results."""

import pytest

from services.domain.refusal import RefusalCode
from services.rules.pgn.pgn_comments import read_comment
from services.rules.pgn.pgn_tree import PgnGame, PgnOptions
from services.words.catalogue import sentence
from tests.unit.rules.pgn_texts import read, read_one, refusal, sans

MOVES_ONLY = PgnOptions()


def tag(game: PgnGame, name: str) -> str | None:
    return dict(game.tags).get(name)


# scalachess 350, lc0 1647, mobile 3038, broadcaster 65, chess.js 95 (case P03): files of desktop programs
def test_a_byte_order_mark_and_a_move_in_a_tag() -> None:
    games = read(
        '\ufeff[Event "First"]\n[White "Line with 1...c5"]\n[Result "*"]\n\n*\n\n'
        '[Event "Second"]\n[Result "*"]\n\n1. e4 *\n'
    )
    assert [tag(game, "Event") for game in games] == ["First", "Second"]
    assert [len(game.line.moves) for game in games] == [0, 1]
    assert tag(games[0], "White") == "Line with 1...c5"


def test_line_ends_of_windows() -> None:
    games = read(
        '[Event "First"]\r\n[White "A"]\r\n\r\n1. e4 e5\r\n2. Nf3 *\r\n\r\n[Event "Second"]\r\n\r\n1. d4 *\r\n'
    )
    assert [tag(game, "Event") for game in games] == ["First", "Second"]
    assert [len(game.line.moves) for game in games] == [3, 1]
    assert [game.first_line for game in games] == [1, 7]


def test_line_ends_of_an_old_mac() -> None:
    game = read_one('[Event "First"]\r[White "A"]\r\r1. e4 e5\r2. Nf3 *\r')
    assert (game.tags, len(game.line.moves)) == ((("Event", "First"), ("White", "A")), 3)
    assert refusal("1. e4\r\r; note\rKe3 *").at == "games[0].line[4].move[1...]"


@pytest.mark.parametrize(
    "data",
    [
        bytes.fromhex("5b576869746520224dfc6c6c6572225d0a0a312e206534206535202a0a"),
        bytes.fromhex("5b576869746520224dc3bc6c6c6572225d0a0a312e206534206535202a0a"),
        '\ufeff[White "Müller"]\n\n1. e4 e5 *\n'.encode(),
    ],
)
def test_utf_8_and_latin_1(data: bytes) -> None:
    game = read_one(data)
    assert (tag(game, "White"), len(game.line.moves)) == ("Müller", 2)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ('[White "M"]\n\n1. e4 *'.encode("utf-16"), "this is UTF-16; a PGN is UTF-8 or ISO 8859-1"),
        (b'\xef\xbb\xbf[White "M\xfc"]', "the byte order mark says UTF-8, but byte 12 is not UTF-8"),
        (b"", "there is no game in the PGN"),
        (b" \r\n\t", "there is no game in the PGN"),
        (b"{a comment} ; another\n% and more", "there is no game in the PGN"),
        (b"1. 2.", "there is no game in the PGN"),
    ],
)
def test_what_is_no_pgn_at_all(data: bytes, message: str) -> None:
    refused = refusal(data)
    assert (refused.code, refused.at, sentence(refused.text)) == (RefusalCode.MALFORMED, "pgn", message)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('[Event "a \\"b\\" c\\\\d"]', 'a "b" c\\d'),
        ('[Event "C:\\games"]', "C:\\games"),  # an escape of nothing is a backslash
        ('  [ Event   "" ]', ""),
        ('[Event"x"][Site "y"]', "x"),
        ('[Event "a\tb\x07"]', "a b "),
        ('[Event "{[(;%"]', "{[(;%"),
    ],
)
def test_the_value_of_a_tag(text: str, value: str) -> None:
    assert tag(read_one(text + "\n\n1. e4 *"), "Event") == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[Event "x"]\n[Site "y\n[Date "z"]\n\n*', "the value of the tag that begins here is not closed on its line"),
        (
            '[Event "x"]\n[Site y"]\n',
            'a tag is a name and a value, [Name "value"], with \\" for a quotation mark in the value',
        ),
        (
            '[Event "x"]\n[Site "a "b" c"]\n',
            'a tag is a name and a value, [Name "value"], with \\" for a quotation mark in the value',
        ),
        (
            '[Event "x"]\n["y"]\n',
            'a tag is a name and a value, [Name "value"], with \\" for a quotation mark in the value',
        ),
        (
            '[Event "x"]\n[Event "y"]\n\n*',
            "the tag 'Event' appears twice; a game ends with its result, 1-0, 0-1, 1/2-1/2 or *",
        ),
        ('[Event "x"]\n]\n\n*', "']' has no meaning here"),
    ],
)
def test_a_tag_that_is_none(text: str, message: str) -> None:
    refused = refusal(text)
    assert (refused.at, sentence(refused.text)) == ("games[0].line[2]", f"game 1, line 2: {message}")


def test_games_that_have_only_tags() -> None:
    """As lists of a tournament's games have them: the next begins behind a blank line."""
    games = read('[Round "1"]\n[Result "1-0"]\n\n[Round "2"]\n\n\n[Round "3"]\n[Result "0-1"]\n')
    assert [(tag(game, "Round"), game.result, game.line.moves) for game in games] == [
        ("1", "1-0", ()),
        ("2", "*", ()),
        ("3", "0-1", ()),
    ]


def test_a_game_without_a_result_ends_where_the_next_begins() -> None:
    games = read('1. e4 e5\n[Event "B"]\n\n1. d4\n\n[Event "C"]\n\n1. c4 c5 *  1. f4 *\n')
    assert [sans(game) for game in games] == ["e4 e5", "d4", "c4 c5", "f4"]
    assert [game.first_line for game in games] == [1, 2, 6, 8]


def test_lines_that_a_percent_sign_begins_are_skipped() -> None:
    assert sans(read_one('%[Event "x"]\n1. e4\n%2. Ke2 {\n1... e5 *')) == "e4 e5"
    assert sentence(refusal("1. e4 %x\n*").text) == "game 1, line 1: '%' has no meaning here"
    assert read_one("1. e4 { 50\n% of\n%all } *").line.moves[0].comment == "50 % of %all"


@pytest.mark.parametrize(
    "text",
    [
        "1.e4 e5 2.Nf3 Nc6",
        "1. e4 1... e5 2. Nf3 2... Nc6",
        "1 e4 e5 2 Nf3 Nc6",
        "e4 e5 Nf3 Nc6",
        "1. e4 1. ... e5 2. Nf3 2…Nc6",
        "1.e4 1...e5 7. Nf3 .. Nc6",  # numbers are not checked (PGN 8.2.2.1)
        "1. e2e4 e7e5 2. Ng1-f3 Nb8c6",
        "1. e4 e5 2. Sf3 Sc6",  # German letters
        "1.e4\n\n\ne5\t2.Nf3   Nc6",
    ],
)
def test_numbers_and_moves_in_any_usual_form(text: str) -> None:
    game = read_one(text + " *")
    assert sans(game) == "e4 e5 Nf3 Nc6"
    assert [move.uci for move in game.line.moves] == ["e2e4", "e7e5", "g1f3", "b8c6"]


def test_annotations() -> None:
    moves = read_one("1. e4! e5 ?! 2. Nf3 $14 $2 $14 !! Nc6$255 *").line.moves
    assert [move.nags for move in moves] == [(1,), (6,), (14, 2, 3), (255,)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1. e4 $256 *", "an annotation is $0 to $255, not '$256'"),
        ("1. e4 $ *", "an annotation is $0 to $255, not '$'"),
        ("1. e4 !!! *", "'!!!' is not an annotation; there are ! ? !! ?? !? ?!"),
        ("$1 *", "the annotation $1 stands before any move"),
        ("(1. d4) 1. e4 *", "a variation stands before any move"),
        ("1. e4 ((1. d4)) *", "a variation stands before any move"),
        ("1. e4 e5) *", "this bracket closes nothing"),
        ("1. e4 (1. d4 *", "the variation that begins here is never closed"),
        ('1. e4 (1. d4 1-0 [Event "x"]', "the variation that begins here is never closed"),
        ("1. e4 } *", "'}' has no meaning here"),
        ("1. e4 <x> *", "'<' has no meaning here"),
        ("*", "the result * stands here without a game"),
    ],
)
def test_what_has_no_place(text: str, message: str) -> None:
    refused = refusal(text, MOVES_ONLY)
    assert (refused.code, sentence(refused.text)) == (RefusalCode.MALFORMED, f"game 1, line 1: {message}")


def test_an_annotation_before_the_first_move_of_a_line_is_that_moves() -> None:
    (game,) = read("$16 1. e4 e5 ($142 1... c5 $2) ($140) ({x} $141 1... e6) 2. Nf3 *")
    first, reply = game.line.moves[:2]
    assert first.nags == (16,)
    assert reply.nags == ()
    assert [[move.nags for move in side.moves] for side in reply.variations] == [[(142, 2)], [(141,)]]
    assert game.line.moves[2].nags == ()


def test_en_passant_is_marked_as_in_the_laws() -> None:
    text = "1. e4 a6 2. e5 d5 3. exd6 e.p. b5 4. a4 Bb7 5. a5 b4 6. c4 bxc3e.p. 7. bxc3 *"
    (game,) = read(text)
    assert [game.line.moves[at].san for at in (4, 11)] == ["exd6", "bxc3"]
    (other,) = read("1. e4 a6 2. e5 d5 3. exd6ep! exd6 *")
    assert (other.line.moves[4].san, other.line.moves[4].nags) == ("exd6", (1,))


def test_the_place_is_the_game_that_is_being_read() -> None:
    refused = refusal("1. e4 *\n\n1. d4\n(1. c4\n*")
    assert (refused.at, sentence(refused.text)[:15]) == ("games[1].line[4]", "game 2, line 4:")
    assert refusal("1. e4 *\n\n)").at == "games[1].line[3]"


def test_comments_belong_to_the_move_before_them() -> None:
    game = read_one("{a} 1. {b\n\n c} e4 ; d } e\n{f { g} e5 {} (1... c5 {h}) {i} ({j} 1... e6) ({k}) 1-0 {not this}")
    assert game.line.comment == "a b c"
    assert [move.comment for move in game.line.moves] == ["d } e f { g", "i k"]
    first, second = game.line.moves[1].variations
    assert (first.comment, first.moves[0].comment, second.comment) == ("", "h", "j")


def test_comments_between_games_belong_to_none() -> None:
    first, second = read('{x} [Event "A"] {y} 1. e4 * {z}\n[Event "B"] 1. d4 *')
    assert (first.line.comment, second.line.comment) == ("y", "")
    assert read_one("{x} 1. e4 *").line.comment == "x"
    assert [game.line.comment for game in read("{x} 1. e4 * 1. d4 * {y} 1. c4 *")] == ["x", "", "y"]


def test_a_result_within_a_side_line_is_not_the_games() -> None:
    game = read_one("1. e4 (1. d4 d5 1-0) (1. f3 0-1) 1... e5 1/2-1/2")
    assert (game.result, sans(game), len(game.line.moves[0].variations)) == ("1/2-1/2", "e4 e5", 2)


def test_comments_and_side_lines_are_dropped_unless_wanted() -> None:
    text = "{a} 1. e4 {b [%clk 0:01:00]} (1. d4 {c} (1. Ke5 {illegal}) $1) $2 *"
    bare = read_one(text, MOVES_ONLY).line
    assert (bare.comment, bare.moves[0].comment, bare.moves[0].variations) == ("", "", ())
    assert (bare.moves[0].clock_ms, bare.moves[0].nags) == (60_000, (2,))
    side = read_one("1. e4 {b} (1. d4 {c}) *", PgnOptions(with_variations=True)).line.moves[0]
    assert (side.comment, sans(side.variations[0]), side.variations[0].moves[0].comment) == ("", "d4", "")
    said = read_one("1. e4 {b} (1. d4 {c}) ({d}) *", PgnOptions(with_comments=True)).line.moves[0]
    assert (said.comment, said.variations) == ("b d", ())


def test_a_comment_that_swallows_another_game_was_never_closed() -> None:
    text = '[Event "A"]\n\n1. e4 { never closed e5 2. Nf3 *\n\n[Event "B"]\n\n1. d4 {x} *\n'
    refused = refusal(text)
    assert refused.at == "games[0].line[3]"
    assert sentence(refused.text).endswith("continues into the tags of another game: it was never closed")
    assert read_one('1. e4 {see [Event "B"] and\n[Event "C"]\n\n[%x "y"]} *').line.moves[0].comment


@pytest.mark.parametrize(
    ("text", "clock_ms", "words"),
    [
        ("[%clk 0:05:00]", 300_000, ""),
        ("good [%clk 1:02:03.4]  move", 3_723_400, "good move"),
        ("[%eval -0.3,14] [%clk 0:00:07,25][%emt 0:00:01]", 7_250, ""),
        ("[%clk\n0:00:59.9999]", 59_999, ""),
        ("[%clk 0:00:01] [%clk 0:00:02]", 1_000, ""),
        ("[%csl Ga1,Rb2][%cal Ga1b2] see", None, "see"),
        ("[%clk --:--:--] x [%clk 1:70:00] [%clk 5:00]", None, "x"),
        ("[%clk 0:05:00", None, "[%clk 0:05:00"),
        ("50% [of] [% x] (all)", None, "50% [of] [% x] (all)"),
        ("[%a [%clk 0:00:01] b] c", None, "b] c"),
        ("[[%a]%b]", None, "[ %b]"),  # what is left over is no command, or it would be lost the next time
    ],
)
def test_clocks_and_other_commands_in_comments(text: str, clock_ms: int | None, words: str) -> None:
    assert read_comment(text) == (clock_ms, words)
    assert read_comment(words)[1] == words
