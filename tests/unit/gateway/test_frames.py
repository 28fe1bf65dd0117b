"""Frames from the client: what is read, and how everything else is refused."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.gateway.protocol import frames
from services.gateway.protocol.frames import FrameError, parse

READ = [
    ('{"t":"auth","token":"abc"}', frames.Auth("abc", None)),
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
    ('{"t":"claim","game":"g1","id":"c1"}', frames.Claim("g1", "c1", "")),
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
    ('{"t":"seat","game":"g1","id":"c1"}', frames.Seat("g1", "c1")),
    ('{"t":"chat","game":"g1","id":"c1","text":" gl hf ","room":"player"}', frames.Chat("g1", "c1", "gl hf", "player")),
    ('{"t":"p"}', frames.Ping(None)),
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
    ('{"t":"move","game":"g1","id":"c1","move":"' + "e" * 17 + '","ply":0}', "move"),
    ('{"t":"claim","game":"g1","id":"c1","move":""}', "move"),
    ('{"t":"claim","game":"g1","id":"c1","move":"' + "e" * 17 + '"}', "move"),
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


@pytest.mark.parametrize(("text", "frame"), READ)
def test_frame_is_read(text: str, frame: frames.ClientFrame) -> None:
    assert parse(text) == frame


@pytest.mark.parametrize(("text", "at"), REFUSED)
def test_frame_is_refused_with_its_place(text: str, at: str) -> None:
    with pytest.raises(FrameError) as caught:
        parse(text)
    assert caught.value.at.startswith(at) if at else caught.value.at == ""
    assert 0 < len(caught.value.message) < 200


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


@given(st.text() | _JSON.map(lambda value: orjson.dumps(value).decode()))
def test_whatever_comes_is_a_frame_or_a_frame_error(text: str) -> None:
    try:
        frame = parse(text)
    except FrameError:
        return
    assert isinstance(frame, frames.ClientFrame)


@given(
    st.sampled_from(
        ["auth", "sub", "unsub", "move", "resign", "draw", "win", "givetime", "level", "hint", "chat", "p"]
    ),
    _FIELDS,
)
def test_frames_of_known_types_with_any_fields_are_typed_or_refused(kind: str, fields: dict[str, object]) -> None:
    try:
        frame = parse(orjson.dumps({"t": kind, **fields}).decode())
    except FrameError:
        return
    for name in ("game", "id", "move", "token", "text", "room"):
        assert type(getattr(frame, name, "")) is str
    for name in ("v", "ply", "seconds", "level"):
        assert type(getattr(frame, name, 0)) is int
