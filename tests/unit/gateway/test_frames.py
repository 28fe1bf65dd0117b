"""Frames from the client: what is read, and how everything else is refused."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.game.settings import GameSettings
from services.gateway.protocol import frames
from services.gateway.protocol.frames import FrameError
from services.gateway.socket_settings import SocketSettings
from services.gateway.sockets.session import COMMAND_PREFIX
from services.runtime.command_limits import CommandLimits
from services.words.catalogue import sentence

SETTINGS = SocketSettings.model_construct()

READ = [
    ('{"t":"auth","token":"abc"}', frames.Auth("abc")),
    ('{"t":"auth","token":"abc","seq":7}', frames.Auth("abc", 7)),
    ('{"t":"sub","game":"g1","v":0}', frames.Sub("g1", 0)),
    ('{"v":12,"t":"sub","game":"AZaz09_-"}', frames.Sub("AZaz09_-", 12)),
    ('{"t":"unsub","game":"g1"}', frames.Unsub("g1")),
    ('{"t":"move","game":"g1","id":"c1","move":"e2e4","ply":0}', frames.Move("g1", "c1", "e2e4", 0, False)),
    (
        '{"t":"move","game":"g1","id":"c1","move":"O-O-O+","ply":9,"draw":true}',
        frames.Move("g1", "c1", "O-O-O+", 9, True),
    ),
    ('{"t":"resign","game":"g1","id":"c1"}', frames.Resign("g1", "c1")),
    ('{"t":"abort","game":"g1","id":"c1"}', frames.Abort("g1", "c1")),
    ('{"t":"draw","game":"g1","id":"c1"}', frames.Draw("g1", "c1")),
    ('{"t":"claim","game":"g1","id":"c1"}', frames.Claim("g1", "c1")),
    ('{"t":"claim","game":"g1","id":"c1","move":"Ng8"}', frames.Claim("g1", "c1", "Ng8")),
    ('{"t":"nodraw","game":"g1","id":"c1"}', frames.NoDraw("g1", "c1")),
    ('{"t":"takeback","game":"g1","id":"c1"}', frames.Takeback("g1", "c1")),
    ('{"t":"notakeback","game":"g1","id":"c1"}', frames.NoTakeback("g1", "c1")),
    ('{"t":"undo","game":"g1","id":"c1"}', frames.Undo("g1", "c1")),
    ('{"t":"win","game":"g1","id":"c1"}', frames.Win("g1", "c1", False)),
    ('{"t":"win","game":"g1","id":"c1","draw":true}', frames.Win("g1", "c1", True)),
    ('{"t":"goon","game":"g1","id":"c1"}', frames.GoOn("g1", "c1")),
    ('{"t":"givetime","game":"g1","id":"c1","seconds":5}', frames.GiveTime("g1", "c1", 5)),
    ('{"t":"givetime","game":"g1","id":"c1","seconds":60}', frames.GiveTime("g1", "c1", 60)),
    ('{"t":"level","game":"g1","id":"c1","level":1}', frames.Level("g1", "c1", 1)),
    ('{"t":"level","game":"g1","id":"c1","level":10}', frames.Level("g1", "c1", 10)),
    ('{"t":"hint","game":"g1","id":"c1"}', frames.Hint("g1", "c1")),
    ('{"t":"seat","game":"g1","id":"c1"}', frames.ReturnSeat("g1", "c1")),
    ('{"t":"chat","game":"g1","id":"c1","text":" gl hf ","room":"player"}', frames.Chat("g1", "c1", "gl hf", "player")),
    ('{"t":"p"}', frames.Ping()),
    ('{"t":"p","n":3}', frames.Ping(3)),
    (' {"t" : "p", "n" : 0.5} ', frames.Ping(0.5)),
]

REFUSED = [
    # not JSON, or no object
    ("", "character"),
    ("{", "character"),
    ("nonsense", "character"),
    ('{"t":"p"}{"t":"p"}', "character"),
    ("[" * 4000, "character"),
    ('{"t":"p","n":NaN}', "character"),
    ('{"t":"p","n":"\\ud800"}', "character"),
    ("[]", ""),
    ("null", ""),
    ('"p"', ""),
    ("1", ""),
    # the type
    ("{}", "t"),
    ('{"t":null}', "t"),
    ('{"t":["p"]}', "t"),
    ('{"t":"nothing"}', "t"),
    ('{"t":"full"}', "t"),
    # unknown and missing fields
    ('{"t":"p","m":1}', "m"),
    ('{"t":"resign","game":"g1","id":"c1","now":true}', "now"),
    ('{"t":"sub","game":"g1"}', "v"),
    ('{"t":"move","game":"g1","id":"c1","move":"e2e4"}', "ply"),
    # wrong types: a bool is no number, a float is no whole one
    ('{"t":"sub","game":7,"v":0}', "game"),
    ('{"t":"sub","game":"g1","v":"0"}', "v"),
    ('{"t":"sub","game":"g1","v":true}', "v"),
    ('{"t":"sub","game":"g1","v":1.0}', "v"),
    ('{"t":"sub","game":"g1","v":-1}', "v"),
    ('{"t":"sub","game":"g1","v":9007199254740993}', "v"),
    ('{"t":"sub","game":"g1","v":99999999999999999999999}', "v"),
    ('{"t":"move","game":"g1","id":"c1","move":{"from":"e2"},"ply":0}', "move"),
    ('{"t":"move","game":"g1","id":"c1","move":"e2e4","ply":0,"draw":1}', "draw"),
    ('{"t":"p","n":"1"}', "n"),
    ('{"t":"p","n":[[[[1]]]]}', "n"),
    # values out of bounds
    ('{"t":"sub","game":"","v":0}', "game"),
    ('{"t":"sub","game":"../x","v":0}', "game"),
    ('{"t":"sub","game":"g1\\n","v":0}', "game"),
    ('{"t":"sub","game":"' + "g" * 33 + '","v":0}', "game"),
    ('{"t":"resign","game":"g1","id":"a:b"}', "id"),
    ('{"t":"move","game":"g1","id":"c1","move":"","ply":0}', "move"),
    ('{"t":"move","game":"g1","id":"c1","move":"' + "e" * 33 + '","ply":0}', "move"),
    ('{"t":"claim","game":"g1","id":"c1","move":""}', "move"),
    ('{"t":"claim","game":"g1","id":"c1","move":"' + "e" * 33 + '"}', "move"),
    ('{"t":"claim","game":"g1","id":"c1","ply":3}', "ply"),
    ('{"t":"win","game":"g1","id":"c1","draw":"yes"}', "draw"),
    ('{"t":"givetime","game":"g1","id":"c1","seconds":4}', "seconds"),
    ('{"t":"givetime","game":"g1","id":"c1","seconds":61}', "seconds"),
    ('{"t":"givetime","game":"g1","id":"c1","seconds":7.5}', "seconds"),
    ('{"t":"givetime","game":"g1","id":"c1"}', "seconds"),
    ('{"t":"level","game":"g1","id":"c1","level":0}', "level"),
    ('{"t":"level","game":"g1","id":"c1","level":11}', "level"),
    ('{"t":"level","game":"g1","id":"c1","level":true}', "level"),
    ('{"t":"undo","game":"g1","id":"c1","moves":2}', "moves"),
    ('{"t":"hint","game":"g1"}', "id"),
    ('{"t":"chat","game":"g1","id":"c1","text":"   ","room":"player"}', "text"),
    ('{"t":"chat","game":"g1","id":"c1","text":"' + "x" * 141 + '","room":"player"}', "text"),
    ('{"t":"chat","game":"g1","id":"c1","text":"a\\nb","room":"player"}', "text"),
    ('{"t":"chat","game":"g1","id":"c1","text":"hi","room":"kitchen"}', "room"),
    ('{"t":"auth","token":""}', "token"),
]


def parse(text: str, **settings: int) -> frames.ClientFrame:
    return frames.parse(text, SETTINGS.model_copy(update=settings))


def refused(text: str, **settings: int) -> str:
    """The sentence with which this frame is refused."""
    with pytest.raises(FrameError) as caught:
        parse(text, **settings)
    return sentence(caught.value.text)


@pytest.mark.parametrize(("text", "frame"), READ)
def test_frame_is_read(text: str, frame: frames.ClientFrame) -> None:
    assert parse(text) == frame


@pytest.mark.parametrize(("text", "at"), REFUSED)
def test_frame_is_refused_with_its_place(text: str, at: str) -> None:
    with pytest.raises(FrameError) as caught:
        parse(text)
    assert caught.value.at.startswith(at) if at else caught.value.at == ""
    assert 0 < len(sentence(caught.value.text)) < 200


def test_refusal_of_a_command_names_its_id() -> None:
    with pytest.raises(FrameError) as caught:
        parse('{"t":"move","game":"g1","id":"c1","move":"e2e4","ply":"0"}')
    assert caught.value.id == "c1"
    with pytest.raises(FrameError) as caught:
        parse('{"t":"resign","game":"g1","id":"not an id"}')
    assert caught.value.id is None


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)
_FIELDS = st.dictionaries(
    st.sampled_from(["game", "id", "v", "n", "move", "ply", "draw", "token", "text", "room", "seconds", "level"]), _JSON
)


def read_or_refused(text: str) -> frames.ClientFrame | None:
    """The frame, or None where it was refused in words of our own, never in those of the library."""
    try:
        return parse(text)
    except FrameError as error:
        refused = error.text
    assert refused.key != "request.frame_unreadable"
    return None


@given(st.text() | _JSON.map(lambda value: orjson.dumps(value).decode()))
def test_whatever_comes_is_a_frame_or_a_frame_error(text: str) -> None:
    frame = read_or_refused(text)
    assert frame is None or isinstance(frame, frames.ClientFrame)


@given(
    st.sampled_from(
        ["auth", "sub", "unsub", "move", "resign", "draw", "win", "givetime", "level", "hint", "chat", "p"]
    ),
    _FIELDS,
)
def test_frames_of_known_types_with_any_fields_are_typed_or_refused(kind: str, fields: dict[str, object]) -> None:
    frame = read_or_refused(orjson.dumps({"t": kind, **fields}).decode())
    for name in ("game", "id", "move", "token", "text", "room"):
        assert type(getattr(frame, name, "") or "") is str
    for name in ("v", "ply", "seconds", "level"):
        assert type(getattr(frame, name, 0)) is int


@pytest.mark.parametrize(
    ("text", "at", "settings"),
    [
        ('{"t":"move","game":"g1","id":"c1","move":"' + "e" * 40 + '","ply":0}', "move", {"move_chars_max": 40}),
        ('{"t":"claim","game":"g1","id":"c1","move":"' + "e" * 40 + '"}', "move", {"move_chars_max": 40}),
        (
            '{"t":"chat","game":"g1","id":"c1","text":"' + "x" * 200 + '","room":"player"}',
            "text",
            {"chat_chars_max": 200},
        ),
        ('{"t":"givetime","game":"g1","id":"c1","seconds":90}', "seconds", {"given_ms_most": 90_000}),
        ('{"t":"givetime","game":"g1","id":"c1","seconds":2}', "seconds", {"given_ms_min": 1_500}),
    ],
)
def test_limit_is_the_setting_of_the_game_service(text: str, at: str, settings: dict[str, int]) -> None:
    with pytest.raises(FrameError) as caught:
        parse(text)
    assert caught.value.at == at
    assert isinstance(parse(text, **settings), frames.ClientFrame)


def test_refusal_names_the_limit_that_holds() -> None:
    too_much = '{"t":"givetime","game":"g1","id":"c1","seconds":61}'
    assert refused(too_much) == "The field seconds must be between 5 and 60."
    too_little = '{"t":"givetime","game":"g1","id":"c1","seconds":1}'
    assert (
        refused(too_little, given_ms_min=1_500, given_ms_most=90_000) == "The field seconds must be between 2 and 90."
    )
    too_long = '{"t":"chat","game":"g1","id":"c1","text":"too long","room":"player"}'
    assert refused(too_long, chat_chars_max=7) == "The field text must have 1 to 7 characters."


def test_both_services_read_one_declaration_of_these_limits() -> None:
    for name in ("move_chars_max", "chat_chars_max", "given_ms_min", "given_ms_most"):
        fields = CommandLimits, SocketSettings, GameSettings
        assert len({id(settings.model_fields[name].description) for settings in fields}) == 1
        assert name not in SocketSettings.__annotations__.keys() | GameSettings.__annotations__.keys()
    with pytest.raises(ValueError, match="no whole second"):
        CommandLimits(given_ms_min=5_500, given_ms_most=5_900)


def test_a_client_id_with_its_prefix_is_always_short_enough_for_the_game_service() -> None:
    longest = "c" * 32
    assert frames.is_id(longest)
    assert not frames.is_id(longest + "c")
    with pytest.raises(ValueError, match="command_id_chars_max"):
        GameSettings(command_id_chars_max=len(COMMAND_PREFIX + longest) - 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"t":"sub","game":"g1"}', "The field v is missing."),
        ('{"t":"sub","game":"g1","v":true}', "The field v must be a whole number."),
        ('{"t":"sub","game":"g1","v":-1}', "The field v must be between 0 and 9007199254740992."),
        ('{"t":"resign","game":"g1","id":"a:b"}', "The field id must have 1-32 characters of A-Z, a-z, 0-9, _ and -."),
        ('{"t":"resign","game":"g1","id":1}', "The field id must be text."),
        ('{"t":"win","game":"g1","id":"c1","draw":1}', "The field draw must be true or false."),
        ('{"t":"p","n":null}', "The field n must be a number."),
        (
            '{"t":"chat","game":"g1","id":"c1","text":"a\\nb","room":"player"}',
            "The field text must be one line of visible text.",
        ),
        (
            '{"t":"chat","game":"g1","id":"c1","text":"a","room":"x"}',
            "The field room must be one of: player, spectator.",
        ),
        ('{"t":"p","m":1}', "A frame of type p has no field m."),
        ('{"t":"nothing"}', "There is no frame of type nothing."),
        ("{}", "A frame must have its type in the field t, as text."),
        ("[]", "A frame must be a JSON object."),
    ],
)
def test_refusal_says_in_plain_words_what_is_wrong(text: str, message: str) -> None:
    assert refused(text) == message


def test_a_number_that_no_answer_could_hold_is_rounded() -> None:
    assert parse('{"t":"p","n":999999999999999999999999}') == frames.Ping(1e24)
