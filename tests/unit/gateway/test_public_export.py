"""Games as PGN and as JSON: tags, results, clocks, long lines, and what a third party does not see yet."""

import io
import re
from typing import Any

import chess.pgn
import pytest

from services.domain.pgn import LINE_CHARS_MAX, escaped
from services.domain.rule_set import CLAIMED, FIDE
from services.domain.time_control import ClockControl, Correspondence, TimeControl, Unlimited
from services.domain.variant import Variant
from services.gateway.public_api import public_json
from services.gateway.public_api.pgn import Wanted, pgn
from services.gateway.rest.export import game_json, shown_moves
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.pb.flagfall.v1.game_pb2 import PlayedMove, Snapshot
from services.rules.families.variants import family_of
from services.rules.limits import LIMITS, PGN_LIMITS
from services.rules.pgn.pgn_read import read_pgn
from services.rules.pgn.pgn_tree import PgnOptions
from services.runtime.wire import rule_set_to_pb, time_control_to_pb
from tests.stack.sent import sent

CREATED_MS = 1_760_000_000_000  # 2025-10-09 08:53:20 UTC
TEN_PLUS_FIVE = ClockControl(600_000, 5_000)
SITE = "http://chess.example/abcdefgh"
MATE = [("f2f3", "f3"), ("e7e5", "e5"), ("g2g4", "g4"), ("d8h4", "Qh4#")]


def game(
    moves: list[tuple[str, str]] = MATE,
    reason: common_pb2.EndReason | None = common_pb2.END_REASON_CHECKMATE,
    winner: common_pb2.Color = common_pb2.COLOR_UNSPECIFIED,
    control: TimeControl = TEN_PLUS_FIVE,
    fen: str = "",
    **info: Any,
) -> Snapshot:
    """A game between Anna and Bob, each move three seconds after the one before."""
    aborts = reason in (common_pb2.END_REASON_ABORT, common_pb2.END_REASON_NO_FIRST_MOVE)
    state = events_pb2.GameState(game_id="abcdefgh", version=len(moves) + 1, ply=len(moves))
    state.status = events_pb2.GAME_STATUS_STARTED
    if reason is not None:
        state.status = events_pb2.GAME_STATUS_ABORTED if aborts else events_pb2.GAME_STATUS_ENDED
        state.outcome.CopyFrom(common_pb2.Outcome(winner=winner, reason=reason))
    people: dict[str, Any] = {
        "white": events_pb2.Player(id="anna", name="Anna", rating=1712),
        "black": events_pb2.Player(id="bob", name="Bob", title="BOT", rating=1500, provisional=True),
    }
    usual = {"variant": "standard", "source": "friend", **people}
    return Snapshot(
        info=events_pb2.GameInfo(
            id="abcdefgh",
            rule_set=rule_set_to_pb(CLAIMED),
            time_control=time_control_to_pb(control),
            initial_fen=fen,
            created_ms=CREATED_MS,
            **(usual | info),
        ),
        state=state,
        moves=[
            PlayedMove(uci=uci, san=san, clock_ms=600_999 - 3_000 * number, at_ms=CREATED_MS + 3_000 * (number + 1))
            for number, (uci, san) in enumerate(moves)
        ],
    )


def text_of(snapshot: Snapshot, **wanted: bool) -> str:
    return pgn(snapshot, snapshot.moves, SITE, Wanted(**wanted))


def read(text: str) -> chess.pgn.Game:
    """The game as another program reads it."""
    found = chess.pgn.read_game(io.StringIO(text))
    assert found is not None
    assert found.errors == []
    return found


def tag(text: str, name: str) -> str:
    return str(read(text).headers[name])


def test_a_pgn_has_the_seven_tags_first_and_clocks_behind_the_moves() -> None:
    assert text_of(game(winner=common_pb2.COLOR_BLACK)) == (
        '[Event "Casual rapid game"]\n'
        '[Site "http://chess.example/abcdefgh"]\n'
        '[Date "2025.10.09"]\n'
        '[Round "-"]\n'
        '[White "Anna"]\n'
        '[Black "Bob"]\n'
        '[Result "0-1"]\n'
        '[GameId "abcdefgh"]\n'
        '[UTCDate "2025.10.09"]\n'
        '[UTCTime "08:53:20"]\n'
        '[WhiteElo "1712"]\n'
        '[BlackElo "1500"]\n'
        '[BlackTitle "BOT"]\n'
        '[Variant "Standard"]\n'
        '[TimeControl "600+5"]\n'
        '[Termination "Normal"]\n'
        "\n"
        "1. f3 { [%clk 0:10:00] } 1... e5 { [%clk 0:09:57] } 2. g4 { [%clk 0:09:54] }\n"
        "2... Qh4# { [%clk 0:09:51] } 0-1\n"
        "\n"
    )


def test_another_program_reads_the_same_moves() -> None:
    found = read(text_of(game(winner=common_pb2.COLOR_BLACK)))
    assert [move.uci() for move in found.mainline_moves()] == [uci for uci, _ in MATE]
    assert [node.clock() for node in found.mainline()] == [600.0, 597.0, 594.0, 591.0]


@pytest.mark.parametrize(
    ("reason", "winner", "result", "termination"),
    [
        (common_pb2.END_REASON_RESIGNATION, common_pb2.COLOR_WHITE, "1-0", "Normal"),
        (common_pb2.END_REASON_AGREEMENT, common_pb2.COLOR_UNSPECIFIED, "1/2-1/2", "Normal"),
        (common_pb2.END_REASON_FLAG, common_pb2.COLOR_WHITE, "1-0", "Time forfeit"),
        # The opponent of the fallen flag could not have won.
        (common_pb2.END_REASON_FLAG, common_pb2.COLOR_UNSPECIFIED, "1/2-1/2", "Time forfeit"),
        (common_pb2.END_REASON_EXPIRY, common_pb2.COLOR_BLACK, "0-1", "Time forfeit"),
        # An aborted game has no result, and is no draw.
        (common_pb2.END_REASON_ABORT, common_pb2.COLOR_UNSPECIFIED, "*", "Abandoned"),
        (common_pb2.END_REASON_NO_FIRST_MOVE, common_pb2.COLOR_UNSPECIFIED, "*", "Abandoned"),
        (None, common_pb2.COLOR_UNSPECIFIED, "*", "Unterminated"),
    ],
)
def test_result_and_termination_say_what_happened(
    reason: common_pb2.EndReason | None, winner: common_pb2.Color, result: str, termination: str
) -> None:
    text = text_of(game(MATE[:1], reason, winner))
    assert (tag(text, "Result"), tag(text, "Termination")) == (result, termination)
    assert text.rstrip().endswith(result)


@pytest.mark.parametrize(
    ("control", "said"),
    [
        (ClockControl(15_000, 0), "15+0"),
        (Correspondence(3), "1/259200"),
        (Unlimited(), "-"),
    ],
)
def test_the_time_control_is_told_in_seconds(control: TimeControl, said: str) -> None:
    assert tag(text_of(game(control=control)), "TimeControl") == said


@pytest.mark.parametrize("control", [Correspondence(3), Unlimited()])
def test_a_game_without_a_clock_shows_none(control: TimeControl) -> None:
    assert "%clk" not in text_of(game(control=control))
    assert "clocks" not in sent(game_json(game(control=control), [], Wanted()))


def test_black_moves_first_from_a_position_of_its_own() -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 5 31"
    text = text_of(game([("e8d7", "Kd7"), ("e1d2", "Kd2")], None, fen=fen), clocks=False)
    assert text.endswith("31... Kd7 32. Kd2 *\n\n")
    assert (tag(text, "FEN"), tag(text, "SetUp"), tag(text, "Variant")) == (fen, "1", "From Position")


def test_no_line_of_moves_is_too_long() -> None:
    shuffle = [("g1f3", "Nf3"), ("g8f6", "Nf6"), ("f3g1", "Ng1"), ("f6g8", "Ng8")] * 40
    for clocks in (True, False):
        text = text_of(game(shuffle, None), clocks=clocks)
        lines = text.split("\n\n")[1].splitlines()
        assert len(lines) > 5
        assert max(map(len, lines)) <= LINE_CHARS_MAX
        assert len(list(read(text).mainline_moves())) == 160


def test_a_name_cannot_break_out_of_its_tag() -> None:
    name = 'A "B" \\ C\n[Result "1-0"]'
    text = text_of(game(winner=common_pb2.COLOR_BLACK, white=events_pb2.Player(id="a", name=name)))
    assert '[White "A \\"B\\" \\\\ C [Result \\"1-0\\"]"]' in text.splitlines()
    assert tag(text, "Result") == "0-1"
    assert escaped("a\r\n\tb") == "a b"


def test_flags_leave_parts_out() -> None:
    assert "[" not in text_of(game(), tags=False, clocks=False)
    assert text_of(game(winner=common_pb2.COLOR_BLACK), moves=False).endswith("\n\n0-1\n\n")
    assert not re.search(r"%clk", text_of(game(), clocks=False))


def test_others_miss_the_last_three_half_moves_of_a_game_that_goes_on() -> None:
    going_on, over = game(MATE, None), game(MATE)
    assert [move.san for move in shown_moves(going_on, "carl")] == ["f3"]
    assert [move.san for move in shown_moves(going_on, "")] == ["f3"]
    assert [move.san for move in shown_moves(going_on, "bob")] == ["f3", "e5", "g4", "Qh4#"]
    assert len(shown_moves(over, "")) == 4
    assert list(shown_moves(game(MATE[:2], None), "")) == []


def test_json_tells_the_same() -> None:
    snapshot = game(winner=common_pb2.COLOR_BLACK)
    body = sent(game_json(snapshot, snapshot.moves, Wanted()))
    assert body == {
        "id": "abcdefgh",
        "rated": False,
        "variant": "standard",
        "ruleSet": "claimed",
        "speed": "rapid",
        "perf": "rapid",
        "createdAt": CREATED_MS,
        "lastMoveAt": CREATED_MS + 12_000,
        "status": "mate",
        "source": "friend",
        "players": {
            "white": {"user": {"id": "anna", "name": "Anna"}, "rating": 1712, "provisional": False},
            "black": {"user": {"id": "bob", "name": "Bob", "title": "BOT"}, "rating": 1500, "provisional": True},
        },
        "winner": "black",
        "moves": "f3 e5 g4 Qh4#",
        "clock": {"initial": 600, "increment": 5, "totalTime": 800},
        "clocks": [60_099, 59_799, 59_499, 59_199],
    }


PLAYED = {
    Variant.STANDARD: ("f3", "e5", "g4", "Qh4#"),
    Variant.CHESS960: ("f3", "e5", "g4", "Qh4#"),
    Variant.THREE_CHECK: ("e4", "e5", "Bc4", "Nc6", "Bxf7+", "Kxf7", "Qf3+", "Nf6", "Qxf6#"),
    Variant.KING_OF_THE_HILL: ("e4", "a6", "Ke2", "a5", "Ke3", "a4", "Kd4#"),
    Variant.CRAZYHOUSE: ("e4", "d5", "exd5", "Qxd5", "P@e4", "Qxe4+", "Be2", "P@d3"),
    Variant.ATOMIC: ("Nf3", "a6", "Ne5", "a5", "Nxd7#"),
    Variant.ANTICHESS: ("e3", "b5", "Bxb5", "c6", "Bxc6", "dxc6"),
    Variant.HORDE: ("e5", "h6", "b6", "axb6"),
    Variant.RACING_KINGS: ("Kh3", "Ka3", "Kh4", "Ka4"),
    Variant.SHATRANJ: ("Be3", "f6", "Nf3", "Bd6"),
    Variant.CHATURANGA: ("Be3", "f6", "Nf3", "Bd6"),
}
"""A few moves of each variant, with a capture, a drop or a leap of its own where it has some."""


@pytest.mark.parametrize("variant", Variant)
def test_what_goes_out_comes_in_again(variant: Variant) -> None:
    own_array = variant.own_array
    fen = family_of(variant, FIDE).start_fen if own_array else ""
    sans = PLAYED[variant]
    # Somebody resigns, or has lost by the last move.
    winner = common_pb2.COLOR_WHITE if len(sans) % 2 else common_pb2.COLOR_BLACK
    reason = common_pb2.END_REASON_CHECKMATE if sans[-1].endswith("#") else common_pb2.END_REASON_RESIGNATION
    snapshot = game([("", san) for san in sans], reason, winner, variant=variant, fen=fen)
    text = text_of(snapshot)
    assert f'[Variant "{sent(public_json.variant(variant, ""))["name"]}"]' in text.splitlines()
    assert (f'[FEN "{fen}"]' in text) == ('[SetUp "1"]' in text) == own_array
    (back,) = read_pgn(text.encode(), FIDE, PgnOptions(), LIMITS, PGN_LIMITS)
    assert (back.variant, back.initial_fen) == (variant, fen)
    assert [move.san for move in back.line.moves] == list(sans)
    assert [move.clock_ms for move in back.line.moves] == [600_000 - 3_000 * number for number in range(len(sans))]
    assert back.result == ("1-0" if len(sans) % 2 else "0-1")
    body = sent(game_json(snapshot, (), Wanted()))
    assert (body["variant"], body.get("initialFen", ""), body["speed"]) == (variant, fen, "rapid")


def test_drops_and_promotions_are_told_as_they_were_played() -> None:
    moves = [("P@e4", "P@e4"), ("N@f3", "N@f3+"), ("a7a8q", "a8=Q#")]
    text = text_of(game(moves, common_pb2.END_REASON_CHECKMATE, common_pb2.COLOR_WHITE, variant="crazyhouse"))
    assert "P@e4" in text
    assert "N@f3+" in text
    assert "a8=Q#" in text
    assert text.rstrip().endswith("1-0")


def imported(tags: dict[str, str], **more: Any) -> Snapshot:
    """A game that was played elsewhere; White has won it, nobody knows how."""
    told = [common_pb2.PgnTag(name=name, value=value) for name, value in tags.items()]
    people = {side: events_pb2.Player(name=tags.get(side.title(), "?")) for side in ("white", "black")}
    usual: dict[str, Any] = {"source": "import", "control": Unlimited(), "winner": common_pb2.COLOR_WHITE, **people}
    return game(**(usual | {"reason": common_pb2.END_REASON_UNKNOWN, "tags": told} | more))


def tag_lines(snapshot: Snapshot) -> list[str]:
    return text_of(snapshot).partition("\n\n")[0].splitlines()


OTHER_TAGS = {"Annotator": 'A "B"', "TimeControl": "40/7200:3600", "ECO": "C20", "GameId": "x", "WhiteElo": "2700"}


def test_an_imported_game_has_its_files_tags_and_no_others() -> None:
    assert tag_lines(imported({"Round": "3.1", **OTHER_TAGS, "White": "Müller,  Ä", "Event": "Match"})) == [
        '[Event "Match"]',
        '[Site "?"]',
        '[Date "????.??.??"]',
        '[Round "3.1"]',
        '[White "Müller,  Ä"]',
        '[Black "?"]',
        '[Result "1-0"]',
        '[Annotator "A \\"B\\""]',
        '[TimeControl "40/7200:3600"]',
        '[ECO "C20"]',
        '[GameId "x"]',
        '[WhiteElo "2700"]',
        '[Termination "Unknown"]',
    ]


def test_of_an_import_the_result_and_where_it_began_are_as_its_moves_need_them() -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 5 31"
    said = {"FEN": "4k3/8/8/8/8/8/4P3/4K3  b", "Result": "1/2", "Termination": "Anna won by resignation"}
    lines = tag_lines(imported(said, moves=[("e8d7", "Kd7")], fen=fen))
    assert lines[6:] == [
        '[Result "1-0"]',
        f'[FEN "{fen}"]',
        '[Termination "Anna won by resignation"]',
        '[SetUp "1"]',
    ]
    ended = {"reason": common_pb2.END_REASON_FLAG, "winner": common_pb2.COLOR_BLACK}
    assert tag_lines(imported({}, **ended))[6:] == ['[Result "0-1"]', '[Termination "Time forfeit"]']


def test_an_import_whose_tags_are_lost_still_tells_who_played_what() -> None:
    names = {"white": events_pb2.Player(name="Anderssen"), "black": events_pb2.Player(name="?")}
    lines = tag_lines(imported({}, variant="crazyhouse", **names))
    assert lines[4:] == [
        '[White "Anderssen"]',
        '[Black "?"]',
        '[Result "1-0"]',
        '[Variant "Crazyhouse"]',
        '[Termination "Unknown"]',
    ]


def test_json_of_an_import_names_nobody_of_ours() -> None:
    snapshot = imported({"White": "Anderssen"})
    body = sent(game_json(snapshot, (), Wanted()))
    assert body["players"] == {"white": {"name": "Anderssen"}, "black": {"name": "?"}}
    assert (body["status"], body["source"], body["winner"]) == ("unknownFinish", "import", "white")
    assert sent(public_json.side(events_pb2.Player(name="?", title="GM"))) == {"id": None, "name": "?", "title": "GM"}


def test_json_of_the_computer_has_its_level() -> None:
    snapshot = game(black=events_pb2.Player(id="computer", name="Computer level 4", computer_level=4))
    assert sent(game_json(snapshot, [], Wanted(moves=False)))["players"]["black"] == {"aiLevel": 4}
