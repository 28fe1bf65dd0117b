"""Objects of the public API: the fields that clients read, every status, clocks as of now."""

from typing import Any, cast

import chess.variant
import pytest

from services.domain.rule_set import AUTOMATIC
from services.domain.time_control import ClockControl, Correspondence, PerMove, TimeControl, Unlimited
from services.domain.variant import Variant
from services.gateway.public_api import public_json, public_people, public_ratings
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.pb.flagfall.v1.game_pb2 import Account
from services.runtime.wire import rule_set_to_pb, time_control_to_pb
from tests.stack.sent import sent

WHITE, BLACK = common_pb2.COLOR_WHITE, common_pb2.COLOR_BLACK
CREATED_MS = 1_760_000_000_000
DAY_MS = 86_400_000
FIVE_PLUS_THREE = ClockControl(300_000, 3_000)
ANNA = events_pb2.Player(id="anna", name="Anna", rating=1712)
BOT = events_pb2.Player(id="botty", name="Botty", title="BOT", rating=1500, provisional=True)
COMPUTER = events_pb2.Player(id="computer", name="Computer level 4", computer_level=4)


def info(control: TimeControl = FIVE_PLUS_THREE, **more: Any) -> events_pb2.GameInfo:
    """A game of Anna's against a bot."""
    fields: dict[str, Any] = {
        "id": "abcdefgh",
        "variant": "standard",
        "rule_set": rule_set_to_pb(AUTOMATIC),
        "time_control": time_control_to_pb(control),
        "white": ANNA,
        "black": BOT,
        "source": "friend",
        "created_ms": CREATED_MS,
    }
    return events_pb2.GameInfo(**(fields | more))


def state(**more: Any) -> events_pb2.GameState:
    """After 1. e4: Black's clock runs since ten seconds after the game was made."""
    fields: dict[str, Any] = {
        "game_id": "abcdefgh",
        "version": 2,
        "status": events_pb2.GAME_STATUS_STARTED,
        "ply": 1,
        "fen": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        "turn": BLACK,
        "last_uci": "e2e4",
        "white_ms": 303_000,
        "black_ms": 300_000,
        "at_ms": CREATED_MS + 10_000,
        "running": True,
    }
    return events_pb2.GameState(**(fields | more))


def over(reason: common_pb2.EndReason, winner: common_pb2.Color = common_pb2.COLOR_UNSPECIFIED) -> events_pb2.GameState:
    """The same game, ended so."""
    aborts = reason in (
        common_pb2.END_REASON_ABORT,
        common_pb2.END_REASON_NO_FIRST_MOVE,
        common_pb2.END_REASON_ABANDONED,
    )
    status = events_pb2.GAME_STATUS_ABORTED if aborts else events_pb2.GAME_STATUS_ENDED
    return state(status=status, running=False, outcome=common_pb2.Outcome(winner=winner, reason=reason))


def line_of(game: events_pb2.GameInfo, now: events_pb2.GameState, after_ms: int = 0) -> dict[str, Any]:
    """The `gameState` so long after the state was made."""
    told: dict[str, Any] = sent(public_json.game_state(game, now, "e2e4", CREATED_MS + 10_000, now.at_ms + after_ms))
    return told


def test_a_game_full_has_what_clients_read() -> None:
    full = sent(public_json.game_full(info(), state(), "e2e4", CREATED_MS + 10_000, CREATED_MS + 12_500))
    assert full == {
        "type": "gameFull",
        "id": "abcdefgh",
        "variant": {"key": "standard", "name": "Standard", "short": "Std"},
        "speed": "blitz",
        "perf": {"name": "Blitz"},
        "rated": False,
        "createdAt": CREATED_MS,
        "white": {"id": "anna", "name": "Anna", "title": None, "rating": 1712, "provisional": False},
        "black": {"id": "botty", "name": "Botty", "title": "BOT", "rating": 1500, "provisional": True},
        "initialFen": "startpos",
        "ruleSet": "automatic",
        "clock": {"initial": 300_000, "increment": 3_000},
        "state": {
            "type": "gameState",
            "moves": "e2e4",
            "wtime": 303_000,
            "btime": 297_500,
            "winc": 3_000,
            "binc": 3_000,
            "status": "started",
        },
    }


def test_only_a_clock_is_called_one() -> None:
    days = sent(public_json.game_full(info(Correspondence(3)), state(), "", CREATED_MS, CREATED_MS))
    never = sent(public_json.game_full(info(Unlimited()), state(), "", CREATED_MS, CREATED_MS))
    assert ("clock" in days, days["daysPerTurn"], days["speed"]) == (False, 3, "correspondence")
    assert ("clock" in never, "daysPerTurn" in never, never["speed"]) == (False, False, "correspondence")


def test_the_computer_has_a_level_and_no_id() -> None:
    full = sent(public_json.game_full(info(white=COMPUTER), state(), "", CREATED_MS, CREATED_MS))
    assert full["white"] == {"id": None, "name": "Computer level 4", "title": None, "aiLevel": 4}


def test_clients_set_up_a_position_by_the_variant() -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    full = sent(public_json.game_full(info(initial_fen=fen), state(), "", CREATED_MS, CREATED_MS))
    assert full["variant"] == {"key": "fromPosition", "name": "From Position", "short": "FEN"}
    assert full["initialFen"] == fen


@pytest.mark.parametrize(
    ("control", "fields", "after_ms", "wtime", "btime"),
    [
        # The clock that runs is told as of now, the other one stands.
        (FIVE_PLUS_THREE, {}, 0, 303_000, 300_000),
        (FIVE_PLUS_THREE, {}, 1_234, 303_000, 298_766),
        (FIVE_PLUS_THREE, {"turn": WHITE}, 1_234, 301_766, 300_000),
        # Never below zero, however late the flag.
        (FIVE_PLUS_THREE, {}, 300_001, 303_000, 0),
        # A clock of ours that is behind the server's adds nothing.
        (FIVE_PLUS_THREE, {}, -5_000, 303_000, 300_000),
        (FIVE_PLUS_THREE, {"running": False}, 60_000, 303_000, 300_000),
        # Correspondence: what is left of the turn.
        (Correspondence(2), {"white_ms": 2 * DAY_MS, "black_ms": 2 * DAY_MS}, DAY_MS, 2 * DAY_MS, DAY_MS),
        # A time for each turn: so, too.
        (PerMove(30_000), {"white_ms": 30_000, "black_ms": 30_000}, 12_000, 30_000, 18_000),
        # A flag fell and its opponent decides: both clocks stand.
        (FIVE_PLUS_THREE, {"white_ms": 5_000, "black_ms": 0, "running": False}, 9_000, 5_000, 0),
        # It went on without its clock.
        (
            FIVE_PLUS_THREE,
            {"white_ms": 0, "black_ms": 0, "running": False, "without_clock": True},
            9_000,
            2_147_483_647,
            2_147_483_647,
        ),
        # No limit: the figure that the public API has for it.
        (Unlimited(), {"white_ms": 0, "black_ms": 0, "running": False}, 99, 2_147_483_647, 2_147_483_647),
    ],
)
def test_clocks_are_told_as_of_now(
    control: TimeControl, fields: dict[str, Any], after_ms: int, wtime: int, btime: int
) -> None:
    said = line_of(info(control), state(**fields), after_ms)
    assert (said["wtime"], said["btime"]) == (wtime, btime)


@pytest.mark.parametrize(
    ("reason", "winner", "name", "number"),
    [
        (common_pb2.END_REASON_CHECKMATE, WHITE, "mate", 30),
        (common_pb2.END_REASON_RESIGNATION, BLACK, "resign", 31),
        # A resignation against a side that could not win is a draw by the rule set.
        (common_pb2.END_REASON_RESIGNATION, 0, "draw", 34),
        (common_pb2.END_REASON_STALEMATE, 0, "stalemate", 32),
        # In Shatranj the side without a move loses.
        (common_pb2.END_REASON_STALEMATE, WHITE, "variantEnd", 60),
        (common_pb2.END_REASON_BARE_KING, BLACK, "variantEnd", 60),
        (common_pb2.END_REASON_THIRD_CHECK, WHITE, "variantEnd", 60),
        (common_pb2.END_REASON_HILL, BLACK, "variantEnd", 60),
        (common_pb2.END_REASON_EXPLOSION, WHITE, "variantEnd", 60),
        (common_pb2.END_REASON_ALL_TAKEN, WHITE, "variantEnd", 60),
        (common_pb2.END_REASON_RACE, BLACK, "variantEnd", 60),
        (common_pb2.END_REASON_RACE, 0, "draw", 34),
        # An imported win without a reason; an imported draw needs none.
        (common_pb2.END_REASON_UNKNOWN, WHITE, "unknownFinish", 38),
        (common_pb2.END_REASON_UNKNOWN, 0, "draw", 34),
        (common_pb2.END_REASON_REPETITION, 0, "draw", 34),
        (common_pb2.END_REASON_MOVE_COUNT, 0, "draw", 34),
        (common_pb2.END_REASON_DEAD_POSITION, 0, "draw", 34),
        (common_pb2.END_REASON_AGREEMENT, 0, "draw", 34),
        (common_pb2.END_REASON_FLAG, WHITE, "outoftime", 35),
        # A flag without mating material has no winner; clients print it as a draw.
        (common_pb2.END_REASON_FLAG, 0, "outoftime", 35),
        (common_pb2.END_REASON_EXPIRY, BLACK, "outoftime", 35),
        (common_pb2.END_REASON_ABORT, 0, "aborted", 25),
        (common_pb2.END_REASON_NO_FIRST_MOVE, 0, "aborted", 25),
        # Claimed from an opponent who had left, as a win or as a draw.
        (common_pb2.END_REASON_ABSENCE, WHITE, "timeout", 33),
        (common_pb2.END_REASON_ABSENCE, 0, "timeout", 33),
        (common_pb2.END_REASON_ABANDONED, 0, "aborted", 25),
    ],
)
def test_every_end_has_its_status(
    reason: common_pb2.EndReason, winner: common_pb2.Color, name: str, number: int
) -> None:
    ended = over(reason, winner)
    said = line_of(info(), ended)
    assert (said["status"], said.get("winner")) == (name, {WHITE: "white", BLACK: "black"}.get(winner))
    finish = sent(public_json.game_info(events_pb2.GameSummary(info=info(), state=ended), "anna", CREATED_MS))
    assert (finish["status"], finish["isMyTurn"]) == ({"id": number, "name": name}, False)


def test_no_reason_is_without_a_status() -> None:
    known = [cast(common_pb2.EndReason, value) for value in common_pb2.EndReason.values() if value]
    for value in known:
        for winner in (WHITE, common_pb2.COLOR_UNSPECIFIED):
            assert sent(public_json.status_object(over(value, winner)))["name"] != "started"


def test_every_variant_is_named_as_libraries_know_it_and_counts_by_itself() -> None:
    names = {key: public_json.variant(key, "").name for key in Variant}
    for key, name in names.items():
        game = sent(public_json.game_full(info(variant=key), state(), "", CREATED_MS, CREATED_MS))
        assert (game["variant"]["key"], game["variant"]["name"], game["speed"]) == (key, name, "blitz")
        assert game["perf"] == {"name": "Blitz" if key == "standard" else name}
        summary = events_pb2.GameSummary(info=info(variant=key), state=state())
        listed = sent(public_json.game_info(summary, "anna", CREATED_MS))
        assert (listed["perf"], listed["speed"]) == ("blitz" if key == "standard" else key, "blitz")
        assert listed["perf"] in public_ratings.PERFS
        asked = sent(public_people.challenge(challenge(variant=key), "botty", ""))
        assert (asked["variant"], asked["perf"]["name"]) == (game["variant"], game["perf"]["name"])
    assert len(set(names.values())) == len({public_json.variant(key, "").short for key in Variant}) == len(Variant)
    # Chess960 is a way of castling to these libraries, and the two old games they do not know.
    for key in set(Variant) - {Variant.CHESS960, Variant.SHATRANJ, Variant.CHATURANGA}:
        assert chess.variant.find_variant(names[key])


def test_a_position_of_its_own_changes_the_key_of_standard_games_alone() -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    assert sent(public_json.variant("standard", fen))["key"] == "fromPosition"
    assert public_json.perf("standard", info().time_control) == "blitz"
    assert sent(public_json.variant("atomic", fen)) == sent(public_json.variant("atomic", ""))


def test_an_offer_is_told_while_it_is_open() -> None:
    assert line_of(info(), state(draw_offer=WHITE))["wdraw"] is True
    assert line_of(info(), state(draw_offer=BLACK))["bdraw"] is True
    assert {"wdraw", "bdraw"}.isdisjoint(line_of(info(), state()))


def test_a_takeback_is_told_while_it_is_asked_for() -> None:
    assert line_of(info(), state(takeback_offer=WHITE))["wtakeback"] is True
    assert line_of(info(), state(takeback_offer=BLACK))["btakeback"] is True
    assert {"wtakeback", "btakeback", "paused"}.isdisjoint(line_of(info(), state()))


def test_a_paused_game_is_started_and_says_who_decides() -> None:
    pause = events_pb2.Pause(flagged=BLACK, since_ms=CREATED_MS + 310_000, going_on_offered=True)
    pause.outcome.winner, pause.outcome.reason = WHITE, common_pb2.END_REASON_FLAG
    said = line_of(info(), state(pause=pause, running=False, black_ms=0))
    assert (said["status"], "winner" in said) == ("started", False)
    assert said["paused"] == {
        "flagged": "black",
        "since": CREATED_MS + 310_000,
        "goingOnOffered": True,
        "winner": "white",
    }


def test_a_game_that_went_on_without_its_clock_has_no_limit_and_no_increment() -> None:
    untimed = state(without_clock=True, running=False, white_ms=0, black_ms=0)
    said = line_of(info(), untimed)
    assert (said["winc"], said["binc"]) == (0, 0)
    listed = sent(public_json.game_info(events_pb2.GameSummary(info=info(), state=untimed), "anna", CREATED_MS))
    assert "secondsLeft" not in listed


def test_a_time_for_each_turn_is_no_clock_and_has_a_pace() -> None:
    turns = info(PerMove(30_000))
    full = sent(public_json.game_full(turns, state(white_ms=30_000, black_ms=30_000), "e2e4", CREATED_MS, CREATED_MS))
    assert ("clock" in full, full["secondsPerTurn"], full["speed"], full["perf"]["name"]) == (
        False,
        30,
        "rapid",
        "Rapid",
    )
    assert (full["state"]["winc"], full["state"]["binc"]) == (0, 0)
    summary = events_pb2.GameSummary(info=turns, state=state(white_ms=30_000, black_ms=30_000))
    listed = sent(public_json.game_info(summary, "botty", CREATED_MS + 22_000))
    assert (listed["secondsLeft"], listed["speed"], listed["perf"]) == (18, "rapid", "rapid")


def test_whoever_has_taken_back_the_first_move_has_not_moved() -> None:
    """Of a game of two half-moves that Black took back, and of one that White took back."""
    one = events_pb2.GameSummary(info=info(), state=state(takebacks=1))
    none = events_pb2.GameSummary(info=info(), state=state(ply=0, turn=WHITE, takebacks=1))
    moved = [
        sent(public_json.game_info(game, who, CREATED_MS))["hasMoved"]
        for game in (one, none)
        for who in ("anna", "botty")
    ]
    assert moved == [True, False, False, False]


def test_first_moves_expire() -> None:
    waiting = state(deadline_kind=events_pb2.DEADLINE_KIND_FIRST_MOVE, deadline_ms=CREATED_MS + 40_000)
    assert line_of(info(), waiting, 4_000)["expiration"] == {"idleMillis": 4_000, "millisToMove": 30_000}
    flag = state(deadline_kind=events_pb2.DEADLINE_KIND_FLAG, deadline_ms=CREATED_MS + 310_000)
    assert "expiration" not in line_of(info(), flag)


def test_a_game_in_a_list_is_told_from_its_players_side() -> None:
    summary = events_pb2.GameSummary(info=info(), state=state())
    annas = sent(public_json.game_info(summary, "anna", CREATED_MS + 12_500))
    bottys = sent(public_json.game_info(summary, "botty", CREATED_MS + 12_500))
    assert annas == {
        "id": "abcdefgh",
        "gameId": "abcdefgh",
        "fullId": "abcdefgh",
        "color": "white",
        "fen": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        "hasMoved": True,
        "isMyTurn": False,
        "lastMove": "e2e4",
        "opponent": {"id": "botty", "username": "Botty", "rating": 1500, "title": "BOT"},
        "perf": "blitz",
        "rated": False,
        "rating": 1712,
        "source": "friend",
        "status": {"id": 20, "name": "started"},
        "speed": "blitz",
        "variant": {"key": "standard", "name": "Standard", "short": "Std"},
        "ruleSet": "automatic",
        "compat": {"bot": True, "board": True},
        "secondsLeft": 303,
    }
    told = (bottys["color"], bottys["hasMoved"], bottys["isMyTurn"], bottys["secondsLeft"])
    assert told == ("black", False, True, 297)
    against = events_pb2.GameSummary(info=info(black=COMPUTER), state=state())
    opponent = sent(public_json.game_info(against, "anna", CREATED_MS))["opponent"]
    assert opponent == {"id": None, "username": "Computer level 4", "ai": 4}


def challenge(**more: Any) -> events_pb2.Challenge:
    """Anna asks the bot."""
    fields: dict[str, Any] = {
        "id": "abcdefgh",
        "status": events_pb2.CHALLENGE_STATUS_CREATED,
        "challenger": ANNA,
        "dest": BOT,
        "variant": "standard",
        "rule_set": rule_set_to_pb(AUTOMATIC),
        "time_control": time_control_to_pb(FIVE_PLUS_THREE),
        "final_color": BLACK,
        "created_ms": CREATED_MS,
        "expires_ms": CREATED_MS + 20_000,
    }
    return events_pb2.Challenge(**(fields | more))


def test_a_challenge_has_what_clients_read() -> None:
    said = sent(public_people.challenge(challenge(), "botty", "http://chess.example", online=["anna"]))
    assert said.pop("perf").keys() == {"icon", "name"}
    assert said == {
        "id": "abcdefgh",
        "url": "http://chess.example/abcdefgh",
        "status": "created",
        "challenger": {
            "id": "anna",
            "name": "Anna",
            "title": None,
            "rating": 1712,
            "provisional": False,
            "online": True,
        },
        "destUser": {
            "id": "botty",
            "name": "Botty",
            "title": "BOT",
            "rating": 1500,
            "provisional": True,
            "online": False,
        },
        "variant": {"key": "standard", "name": "Standard", "short": "Std"},
        "rated": False,
        "speed": "blitz",
        "timeControl": {"type": "clock", "limit": 300, "increment": 3, "show": "5+3"},
        "color": "random",
        "finalColor": "black",
        "ruleSet": "automatic",
        "createdAt": CREATED_MS,
        "expiresAt": CREATED_MS + 20_000,
        "direction": "in",
    }


@pytest.mark.parametrize(("viewer", "direction"), [("anna", "out"), ("botty", "in"), ("", None)])
def test_the_direction_is_the_viewers(viewer: str, direction: str | None) -> None:
    assert sent(public_people.challenge(challenge(), viewer, "")).get("direction") == direction


@pytest.mark.parametrize(
    ("control", "said"),
    [
        (Correspondence(3), {"type": "correspondence", "daysPerTurn": 3}),
        (Unlimited(), {"type": "unlimited"}),
        (ClockControl(15_000, 0), {"type": "clock", "limit": 15, "increment": 0, "show": "¼+0"}),
    ],
)
def test_time_controls_of_challenges(control: TimeControl, said: dict[str, Any]) -> None:
    assert (
        sent(public_people.challenge(challenge(time_control=time_control_to_pb(control)), "", ""))["timeControl"]
        == said
    )


def test_declined_says_why_in_words_and_as_a_key() -> None:
    declined = challenge(status=events_pb2.CHALLENGE_STATUS_DECLINED, decline_reason="tooFast")
    said = sent(public_people.challenge(declined, "anna", ""))
    assert (said["status"], said["declineReasonKey"]) == ("declined", "toofast")
    assert said["declineReason"]


def test_an_open_challenge_has_a_link_for_each_side() -> None:
    made = challenge(open=True)
    made.ClearField("challenger")
    made.ClearField("dest")
    said = sent(public_people.challenge(made, "", "https://chess.example"))
    assert (said["challenger"], said["destUser"]) == (None, None)
    assert said["urlWhite"] == "https://chess.example/abcdefgh?color=white"
    assert said["urlBlack"] == "https://chess.example/abcdefgh?color=black"


def test_a_bot_is_told_by_its_title_and_a_person_has_none() -> None:
    bot = sent(public_people.user(Account(player=BOT, created_ms=1, seen_ms=2), "", online=True))
    assert (bot["id"], bot["username"], bot["title"], bot["online"]) == ("botty", "Botty", "BOT", True)
    assert bot["perfs"]["blitz"].keys() == {"games", "rating", "rd", "prog", "prov"}
    assert "title" not in sent(public_people.user(Account(player=ANNA), "", online=False))


def test_a_users_status_leaves_out_what_is_not_so() -> None:
    assert sent(public_people.user_status(Account(player=ANNA), online=False)) == {"id": "anna", "name": "Anna"}
    assert sent(public_people.user_status(Account(player=BOT, playing=1), online=True)) == {
        "id": "botty",
        "name": "Botty",
        "title": "BOT",
        "online": True,
        "playing": True,
    }
