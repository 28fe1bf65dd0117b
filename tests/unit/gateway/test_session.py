"""The session of one connection: frames and facts in, effects out, without any socket."""

from collections.abc import Sequence
from typing import Any

import orjson
import pytest

from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import EVERYDAY
from services.gateway.hub.held_game import HeldGame
from services.gateway.socket_settings import SocketSettings
from services.gateway.sockets.effects import (
    Ask,
    Close,
    Effect,
    Follow,
    Join,
    Leave,
    Now,
    Resumed,
    Say,
    Send,
    SignIn,
    Submit,
    Viewer,
)
from services.gateway.sockets.session import Session
from services.gateway.token_bucket import TokenBucket
from services.pb.flagfall.v1 import common_pb2, events_pb2, game_pb2
from services.runtime.wire import rule_set_to_pb
from tests.stack.declared_frames import declared
from tests.stack.said import said

SETTINGS = SocketSettings()
NOW = Now(1_760_000_000_000, 1_000_000)
ANNA = Viewer(events_pb2.Player(id="anna", name="Anna"), True)
CARL = Viewer(events_pb2.Player(id="carl", name="Carl"), True)
READER = Viewer(events_pb2.Player(id="anna", name="Anna"), False)


def later(ms: int) -> Now:
    return Now(NOW.wall_ms + ms, NOW.steady_ms + ms)


def session(viewer: Viewer | None = None, **settings: object) -> Session:
    made = Session(SETTINGS.model_copy(update=settings), NOW)
    made.opened(viewer, None, NOW)
    return made


def game(version: int = 5, kept: int = 3) -> HeldGame:
    """anna against bob; the last `kept` events are known."""
    info = events_pb2.GameInfo(
        id="g1",
        variant="standard",
        source="friend",
        rule_set=rule_set_to_pb(EVERYDAY),
        time_control=common_pb2.TimeControl(unlimited=common_pb2.Unlimited()),
        white=events_pb2.Player(id="anna", name="Anna"),
        black=events_pb2.Player(id="bob", name="Bob"),
    )
    first = version - kept
    moves = [game_pb2.PlayedMove(uci="x", san="x")] * (first - 1)
    held = HeldGame(game_pb2.Snapshot(info=info, state=state(first), moves=moves), 64)
    for number in range(first + 1, version + 1):
        held.apply(held.change(move(number)))
    return held


def state(version: int, status: events_pb2.GameStatus = events_pb2.GAME_STATUS_STARTED) -> events_pb2.GameState:
    return events_pb2.GameState(
        game_id="g1", version=version, status=status, ply=version - 1, turn=common_pb2.COLOR_WHITE
    )


def move(version: int) -> events_pb2.GameEvent:
    return events_pb2.GameEvent(kind=events_pb2.GAME_EVENT_KIND_MOVE, state=state(version), by=common_pb2.COLOR_WHITE)


def frames(effects: Sequence[Effect]) -> list[dict[str, Any]]:
    return [declared(effect.frame) for effect in effects if isinstance(effect, Send)]


def only(effects: Sequence[Effect]) -> Effect:
    assert len(effects) == 1, effects
    return effects[0]


def tell(made: Session, now: Now = NOW, **frame: object) -> Sequence[Effect]:
    return made.received(orjson.dumps(frame).decode(), now)


def watching(viewer: Viewer | None = None, version: int = 5) -> Session:
    made = session(viewer)
    assert tell(made, t="sub", game="g1", v=0) == (Join("g1", 0),)
    made.joined(game(version))
    return made


def test_first_frame_is_welcome_and_a_player_is_followed() -> None:
    made = Session(SETTINGS, NOW)
    welcome, follow = made.opened(ANNA, 7, NOW)
    assert frames([welcome])[0]["player"]["id"] == "anna"
    assert frames([welcome])[0]["now"] == NOW.wall_ms
    assert follow == Follow("anna", 7)


def test_stranger_is_welcome_but_not_followed() -> None:
    assert frames([only(Session(SETTINGS, NOW).opened(None, None, NOW))])[0]["player"] is None


def test_a_player_hears_from_which_number_on_events_come() -> None:
    made = session(ANNA)
    assert frames(made.following("anna", 7)) == [{"t": "following", "seq": 7}]
    assert made.following("bob", 7) == ()  # another has signed in on this connection since


def test_sign_in_by_frame() -> None:
    made = session()
    assert tell(made, t="auth", token="abc", seq=3) == (SignIn("abc", 3),)
    welcome, follow = made.signed_in(ANNA, 3, NOW)
    assert frames([welcome])[0]["player"]["id"] == "anna"
    assert follow == Follow("anna", 3)


def test_wrong_token_closes() -> None:
    made = session()
    assert isinstance(closed := only(made.signed_in(None, None, NOW)), Close)
    assert closed.code == 4001
    assert made.received('{"t":"p"}', NOW) == ()


def test_ping_is_answered_at_once() -> None:
    assert frames(tell(session(), later(50), t="p", n=3)) == [{"t": "p", "n": 3, "now": NOW.wall_ms + 50}]


def test_new_watcher_gets_the_whole_game() -> None:
    made = session(ANNA)
    tell(made, t="sub", game="g1", v=0)
    effects = made.joined(game(5))
    full = frames(effects)[0]
    assert (full["t"], full["v"], full["you"], len(full["moves"])) == ("full", 5, "white", 4)
    assert effects[1] == Resumed("full")


@pytest.mark.parametrize(
    ("seen", "sent", "result"),
    [
        (5, [], "delta"),
        (4, [5], "delta"),
        (2, [3, 4, 5], "delta"),
        (1, None, "snapshot"),  # older than what is kept
        (9, None, "snapshot"),  # a version that this server has never had
    ],
)
def test_resume(seen: int, sent: list[int] | None, result: str) -> None:
    made = session()
    assert tell(made, t="sub", game="g1", v=seen) == (Join("g1", seen),)
    effects = made.joined(game(5, kept=3))
    frame = frames(effects)[0]
    if sent is None:
        assert (frame["t"], frame["v"]) == ("full", 5)
    else:
        assert frame["t"] == "events"
        assert [event["v"] for event in frame["events"]] == sent
    assert effects[1] == Resumed(result)


def test_each_version_is_sent_once_and_none_before_the_answer() -> None:
    made = session()
    held = game(5)
    tell(made, t="sub", game="g1", v=0)
    assert not made.takes("g1", held.change(move(5)))
    made.joined(held)
    assert not made.takes("g1", held.change(move(5)))
    assert made.takes("g1", held.change(move(6)))
    assert not made.takes("g1", held.change(move(6)))
    assert made.takes("g1", held.change(move(7)))


def test_second_subscription_resumes_again() -> None:
    made = watching()
    assert tell(made, t="sub", game="g1", v=3) == (Join("g1", 3),)
    assert tell(made, t="sub", game="g1", v=4) == ()  # the same answer will do for both
    assert [event["v"] for event in frames(made.joined(game(5)))[0]["events"]] == [5]


def test_client_that_has_left_meanwhile_is_not_joined() -> None:
    made = session()
    tell(made, t="sub", game="g1", v=0)
    assert tell(made, t="unsub", game="g1") == (Leave("g1"),)
    assert not made.wants("g1")
    assert made.joined(game()) == (Leave("g1"),)
    assert tell(made, t="unsub", game="g1") == ()


def test_unknown_game_is_gone_and_may_be_asked_for_again() -> None:
    made = session()
    tell(made, t="sub", game="g1", v=0)
    effects = made.not_joined("g1", Refusal(RefusalCode.NOT_FOUND, said("There is no such game.")))
    assert frames(effects) == [{"t": "gone", "game": "g1", "code": "not_found", "message": "There is no such game."}]
    assert Leave("g1") in effects
    assert tell(made, t="sub", game="g1", v=0) == (Join("g1", 0),)


def test_more_games_than_allowed_are_refused() -> None:
    made = session(None, socket_games_max=2)
    tell(made, t="sub", game="g1", v=0)
    tell(made, t="sub", game="g2", v=0)
    assert frames(tell(made, t="sub", game="g3", v=0))[0]["code"] == "limit_reached"
    tell(made, t="unsub", game="g1")
    assert tell(made, t="sub", game="g3", v=0) == (Join("g3", 0),)


def test_jump_of_a_game_is_sent_whole() -> None:
    made = watching(version=5)
    assert made.reloaded(game(5)) == ()
    effects = made.reloaded(game(20))
    assert (frames(effects)[0]["t"], frames(effects)[0]["v"]) == ("full", 20)
    assert not made.takes("g1", game(20).change(move(20)))


@pytest.mark.parametrize(
    ("frame", "action"),
    [
        ({"t": "move", "move": "e2e4", "ply": 0, "draw": True}, "move"),
        ({"t": "resign"}, "resign"),
        ({"t": "abort"}, "abort"),
        ({"t": "draw"}, "offer_draw"),
        ({"t": "claim"}, "claim_draw"),
        ({"t": "claim", "move": "Ng8"}, "claim_draw"),
        ({"t": "nodraw"}, "close_draw"),
        ({"t": "takeback"}, "offer_takeback"),
        ({"t": "notakeback"}, "close_takeback"),
        ({"t": "undo"}, "undo"),
        ({"t": "win"}, "claim_win"),
        ({"t": "win", "draw": True}, "claim_win"),
        ({"t": "goon"}, "go_on"),
        ({"t": "givetime", "seconds": 15}, "give_time"),
        ({"t": "level", "level": 7}, "set_level"),
        ({"t": "seat"}, "return_seat"),
    ],
)
def test_commands(frame: dict[str, Any], action: str) -> None:
    effect = only(tell(session(ANNA), game="g1", id="c1", **frame))
    assert isinstance(effect, Submit)
    assert (effect.id, effect.command.game_id, effect.command.player_id) == ("c1", "g1", "anna")
    assert effect.command.command_id == "ws:c1"
    assert effect.command.WhichOneof("action") == action
    if action == "claim_win":
        assert effect.command.claim_win.draw is frame.get("draw", False)
    assert effect.command.give_time.ms == (15_000 if action == "give_time" else 0)
    assert effect.command.set_level.level == (7 if action == "set_level" else 0)
    if action == "claim_draw":
        assert effect.command.claim_draw.move == frame.get("move", "")
    if action == "move":
        assert effect.command.move.HasField("ply")
        assert (effect.command.move.text, effect.command.move.ply, effect.command.move.offer_draw) == ("e2e4", 0, True)


@pytest.mark.parametrize("viewer", [None, READER])
def test_who_may_not_play_is_refused(viewer: Viewer | None) -> None:
    made = session(viewer)
    commands: list[dict[str, Any]] = [{"t": "resign"}, {"t": "hint"}, {"t": "chat", "text": "hi", "room": "player"}]
    for frame in commands:
        answer = frames(tell(made, game="g1", id="c1", **frame))[0]
        assert (answer["t"], answer["id"], answer["code"]) == ("nack", "c1", "not_a_player")


def test_accepted_command_is_acknowledged() -> None:
    made = watching(ANNA)
    submit = only(tell(made, t="resign", game="g1", id="c1"))
    assert isinstance(submit, Submit)
    reply = game_pb2.Reply(accepted=game_pb2.Accepted(version=6, state=state(6)))
    ack = frames(made.decided(submit, reply, None))[0]
    assert (ack["t"], ack["id"], ack["v"], ack["state"]["ply"]) == ("ack", "c1", 6, 5)
    assert "repeated" not in ack
    for mode, clock in (("unlimited", None), ("per_move", {"white": 0, "black": 0, "running": None})):
        reply.accepted.mode = mode
        reply.accepted.state.ClearField("white_ms")
        reply.accepted.state.ClearField("black_ms")
        reply.accepted.state.running = False
        assert frames(made.decided(submit, reply, None))[0]["state"]["clock"] == clock
    held = game(6)
    assert frames(made.decided(submit, reply, held.change(move(6))))[0]["state"]["clock"] is None
    reply.accepted.repeated = True
    assert frames(made.decided(submit, reply, None))[0]["repeated"] is True


def test_refused_and_unanswered_commands() -> None:
    made = watching(ANNA)
    submit = only(tell(made, t="move", game="g1", id="c1", move="e2e5", ply=0))
    assert isinstance(submit, Submit)
    refusal = common_pb2.Refusal(code="illegal_move", message="No.")
    assert frames(made.decided(submit, game_pb2.Reply(refusal=refusal), None)) == [
        {"t": "nack", "id": "c1", "game": "g1", "code": "illegal_move", "message": "No."}
    ]
    assert frames(made.undecided(submit))[0]["code"] == "unavailable"


def test_undecided_commands_are_bounded() -> None:
    made = session(ANNA, socket_commands_max=2)
    first = only(tell(made, t="resign", game="g1", id="c1"))
    assert isinstance(first, Submit)
    tell(made, t="resign", game="g2", id="c2")
    assert frames(tell(made, t="resign", game="g3", id="c3"))[0]["code"] == "limit_reached"
    made.undecided(first)
    assert isinstance(only(tell(made, t="resign", game="g3", id="c3")), Submit)


def test_a_hint_is_asked_for_and_acknowledged() -> None:
    made = watching(ANNA)
    ask = only(tell(made, t="hint", game="g1", id="c1"))
    assert isinstance(ask, Ask)
    request = game_pb2.AskHintRequest(game_id="g1", player_id="anna", command_id="ws:c1")
    assert (ask.id, ask.request) == ("c1", request)
    ack = frames(made.hinting(ask, game_pb2.Accepted(version=6, state=state(6)), None))[0]
    assert (ack["t"], ack["id"], ack["v"]) == ("ack", "c1", 6)
    assert frames(made.not_hinting(ask, Refusal(RefusalCode.NOT_ALLOWED, said("No.")))) == [
        {"t": "nack", "id": "c1", "game": "g1", "code": "not_allowed", "message": "No."}
    ]
    assert frames(made.undecided(ask))[0]["code"] == "unavailable"


def test_hints_that_are_asked_for_are_undecided_commands() -> None:
    made = session(ANNA, socket_commands_max=1)
    ask = only(tell(made, t="hint", game="g1", id="c1"))
    assert isinstance(ask, Ask)
    assert frames(tell(made, t="hint", game="g1", id="c2"))[0]["code"] == "limit_reached"
    made.not_hinting(ask, Refusal(RefusalCode.NOT_ALLOWED, said("No.")))
    assert isinstance(only(tell(made, t="hint", game="g1", id="c3")), Ask)


def test_a_hint_is_for_whoever_asked() -> None:
    hint = events_pb2.Hint(game_id="g1", ply=4, uci="g1f3", san="Nf3", player_id="anna")
    assert frames(watching(ANNA).hinted(hint)) == [{"t": "hint", "game": "g1", "ply": 4, "uci": "g1f3", "san": "Nf3"}]
    assert watching(CARL).hinted(hint) == ()
    assert watching().hinted(hint) == ()
    assert session(ANNA).hinted(hint) == ()
    nobodys = events_pb2.Hint(game_id="g1", ply=4, uci="g1f3", san="Nf3")
    assert watching().hinted(nobodys) == ()


def test_chat_is_taken_and_bounded() -> None:
    made = session(ANNA, socket_chats_burst=2)
    say = only(tell(made, t="chat", game="g1", id="c1", text="hi", room="spectator"))
    assert isinstance(say, Say)
    assert (say.request.player_id, say.request.text) == ("anna", "hi")
    assert say.request.room == events_pb2.CHAT_ROOM_SPECTATOR
    assert frames(made.posted(say)) == [{"t": "ack", "id": "c1", "game": "g1"}]
    refusal = Refusal(RefusalCode.NOT_A_PLAYER, said("No."))
    assert frames(made.not_posted(say, refusal))[0]["code"] == "not_a_player"
    tell(made, t="chat", game="g1", id="c2", text="hi", room="player")
    assert frames(tell(made, t="chat", game="g1", id="c3", text="hi", room="player"))[0]["code"] == "limit_reached"
    assert isinstance(only(tell(made, later(10_000), t="chat", game="g1", id="c4", text="a", room="player")), Say)


def chat(room: events_pb2.ChatRoom) -> events_pb2.ChatLine:
    return events_pb2.ChatLine(game_id="g1", room=room, player_id="bob", player_name="Bob", text="hi")


def test_players_room_is_theirs_and_watchers_do_not_prompt_players() -> None:
    player, watcher, stranger = watching(ANNA), watching(CARL), session(CARL)
    assert len(player.said(chat(events_pb2.CHAT_ROOM_PLAYER))) == 1
    assert watcher.said(chat(events_pb2.CHAT_ROOM_PLAYER)) == ()
    assert len(watcher.said(chat(events_pb2.CHAT_ROOM_SPECTATOR))) == 1
    assert player.said(chat(events_pb2.CHAT_ROOM_SPECTATOR)) == ()
    assert stranger.said(chat(events_pb2.CHAT_ROOM_SPECTATOR)) == ()
    over = events_pb2.GameEvent(kind=events_pb2.GAME_EVENT_KIND_ENDED, state=state(6, events_pb2.GAME_STATUS_ENDED))
    assert player.takes("g1", game().change(over))
    assert len(player.said(chat(events_pb2.CHAT_ROOM_SPECTATOR))) == 1


def test_a_game_that_ended_and_runs_again_is_no_longer_over() -> None:
    """Once more what watchers say is not for players."""
    player, held = watching(ANNA), game()
    over = events_pb2.GameEvent(kind=events_pb2.GAME_EVENT_KIND_ENDED, state=state(6, events_pb2.GAME_STATUS_ENDED))
    again = events_pb2.GameEvent(kind=events_pb2.GAME_EVENT_KIND_TAKEN_BACK, state=state(7))
    again.state.ply = 2
    assert player.takes("g1", held.change(over))
    assert len(player.said(chat(events_pb2.CHAT_ROOM_SPECTATOR))) == 1
    assert player.takes("g1", held.change(again))
    assert player.said(chat(events_pb2.CHAT_ROOM_SPECTATOR)) == ()


def test_own_events_of_somebody_else_are_not_sent() -> None:
    made = session(ANNA)
    challenge = events_pb2.Challenge(
        id="c1",
        variant="standard",
        status=events_pb2.CHALLENGE_STATUS_CREATED,
        rule_set=game().info.rule_set,
        time_control=game().info.time_control,
    )
    own = events_pb2.PlayerEvent(player_id="anna", seq=1, challenge=challenge)
    assert frames(made.happened(own))[0]["kind"] == "challenge"
    assert made.happened(events_pb2.PlayerEvent(player_id="bob", seq=1, challenge=challenge)) == ()


def test_unreadable_frame_is_answered_and_the_connection_goes_on() -> None:
    made = session(ANNA)
    answer = frames(made.received('{"t":"move","game":"g1","id":"c1","move":"e2e4","ply":true}', NOW))[0]
    assert (answer["t"], answer["code"], answer["at"], answer["id"]) == ("error", "malformed", "ply", "c1")
    assert frames(made.received_binary(NOW))[0]["code"] == "malformed"
    assert frames(tell(made, t="p"))[0]["t"] == "p"


def test_too_many_unreadable_frames_close() -> None:
    made = session()
    for _ in range(SETTINGS.socket_errors_burst):
        assert frames(made.received("{", NOW))[0]["t"] == "error"
    assert isinstance(closed := only(made.received("{", NOW)), Close)
    assert closed.code == 4029


def test_too_many_frames_close_but_a_steady_stream_does_not() -> None:
    made = session()
    for number in range(3_000):
        assert frames(tell(made, later(number * 20), t="p"))
    flood = session()
    codes = [effect.code for _ in range(300) for effect in tell(flood, t="p") if isinstance(effect, Close)]
    assert codes == [4029]


def test_large_frame_closes() -> None:
    assert isinstance(closed := only(session().received("x" * 4_097, NOW)), Close)
    assert closed.code == 1009


def test_silence_closes_unless_pongs_come() -> None:
    made = session()
    tell(made, later(1_000), t="p")
    assert made.tick(later(30_999), 0) == ()
    assert made.tick(later(40_000), NOW.steady_ms + 20_000) == ()
    assert isinstance(closed := only(made.tick(later(50_000), NOW.steady_ms + 20_000)), Close)
    assert closed.code == 4000
    assert made.tick(later(60_000), 0) == ()


def test_only_the_first_close_counts() -> None:
    made = session()
    assert isinstance(closed := only(made.too_slow()), Close)
    assert closed.code == 4008
    assert made.replaced() == ()
    assert not made.wants("g1")


def test_bucket_fills_again_and_never_over() -> None:
    bucket = TokenBucket(10, 2, 0)
    assert [bucket.take(0), bucket.take(0), bucket.take(0)] == [True, True, False]
    assert not bucket.take(99)
    assert bucket.take(200)
    assert [bucket.take(1_000_000) for _ in range(3)] == [True, True, False]
    assert not bucket.take(5)  # a clock that went back gives nothing


def test_a_raised_limit_has_effect_on_a_connection() -> None:
    long: dict[str, object] = {"t": "move", "game": "g1", "id": "c1", "move": "e" * 40, "ply": 0}
    assert frames(tell(session(ANNA), NOW, **long))[0]["at"] == "move"
    assert isinstance(only(tell(session(ANNA, move_chars_max=40), NOW, **long)), Submit)
    time: dict[str, object] = {"t": "givetime", "game": "g1", "id": "c1", "seconds": 120}
    assert frames(tell(session(ANNA), NOW, **time))[0]["message"] == "The field seconds must be between 5 and 60."
    assert isinstance(only(tell(session(ANNA, given_ms_most=120_000), NOW, **time)), Submit)
