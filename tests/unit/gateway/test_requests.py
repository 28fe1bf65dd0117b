"""Fields of requests: one meaning for forms, JSON and query strings, and a name for whatever is wrong."""

from typing import Any

import orjson
import pytest
from starlette.requests import Request

from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import PRESETS
from services.gateway.errors import STATUS, HttpProblem, Refused, answer_refusal
from services.gateway.rest.requests import Fields, checked_id, read_fields
from services.gateway.rest.terms import GAME_FIELDS, wanted_game
from services.gateway.settings import GatewaySettings
from services.pb.flagfall.v1 import common_pb2
from services.runtime.wire import rule_set_from_pb
from services.words.catalogue import sentence
from tests.stack.said import said


class _Parts:
    settings = GatewaySettings()


class _App:
    class state:
        parts = _Parts


def request(body: bytes = b"", content_type: str = "", query: str = "", chunks: int = 1) -> Request:
    """A POST whose body arrives in some chunks."""
    size = max(1, -(-len(body) // chunks))
    pieces = [body[first : first + size] for first in range(0, len(body), size)] or [b""]

    async def receive() -> dict[str, Any]:
        piece = pieces.pop(0)
        return {"type": "http.request", "body": piece, "more_body": bool(pieces)}

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/",
        "query_string": query.encode(),
        "headers": [(b"content-type", content_type.encode())] if content_type else [],
        "app": _App,
    }
    return Request(scope, receive)


FORM = "application/x-www-form-urlencoded"
JSON = "application/json"


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"clock.limit=300&clock.increment=3&rated=false&color=white", FORM),
        (b'{"clock.limit": 300, "clock.increment": 3, "rated": false, "color": "white"}', JSON),
        (b'{"clock": {"limit": 300, "increment": 3}, "rated": "no", "color": "white"}', JSON),
        (b'{"clock.limit": 300, "clock.increment": 3, "color": "white", "days": null, "fen": null}', JSON),
        (b'{"clock.limit": "300", "clock.increment": 3.0, "color": "white"}', ""),
        (b"clock.limit=300&clock.increment=3&color=white", ""),
    ],
)
async def test_form_and_json_say_the_same(body: bytes, content_type: str) -> None:
    wanted = wanted_game(await read_fields(request(body, content_type)))
    assert wanted.time_control.clock.initial_ms == 300_000
    assert wanted.time_control.clock.increment_ms == 3_000
    assert wanted.color == common_pb2.COLOR_WHITE
    assert wanted.variant == "standard"
    assert rule_set_from_pb(wanted.rule_set) == PRESETS["fide"]


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (
            b"variant=chaturanga&ruleSet.preset=party&ruleSet.chaturanga.elephant=oneStep",
            FORM,
        ),
        (b'{"variant": "chaturanga", "ruleSet": {"preset": "party", "chaturanga": {"elephant": "oneStep"}}}', JSON),
        (b'{"variant": "chaturanga", "ruleSet": "party", "ruleSet.chaturanga.elephant": "oneStep"}', JSON),
        (b'{"variant": "chaturanga", "ruleSet": {"preset": "party", "chaturanga.elephant": "oneStep"}}', JSON),
    ],
)
async def test_a_rule_set_is_read_from_forms_and_objects_alike(body: bytes, content_type: str) -> None:
    fields = await read_fields(request(body, content_type))
    fields.only(GAME_FIELDS)
    rule_set = rule_set_from_pb(wanted_game(fields).rule_set)
    assert (rule_set.name, rule_set.chaturanga.elephant) == ("party", "oneStep")


async def test_the_body_wins_over_the_query() -> None:
    fields = await read_fields(request(b"color=black", FORM, "color=white&days=3"))
    assert fields.text("color") == "black"
    assert fields.integer("days", least=1, most=14) == 3


@pytest.mark.parametrize(
    ("body", "content_type", "at"),
    [
        (b'{"level": ', JSON, "body, character 10"),
        (b"[1, 2]", JSON, "body"),
        (b"3", JSON, "body"),
        (b"\xff\xfe", "", "body, byte 0"),
        (b"just words", FORM, "body"),
    ],
)
async def test_what_cannot_be_read_is_named_with_its_place(body: bytes, content_type: str, at: str) -> None:
    with pytest.raises(Refused) as caught:
        await read_fields(request(body, content_type))
    assert caught.value.refusal.code is RefusalCode.MALFORMED
    assert caught.value.refusal.at == at


async def test_json_of_any_depth_is_a_refusal() -> None:
    with pytest.raises(Refused):
        await read_fields(request(b'{"a":' * 10_000, JSON))


async def test_a_body_is_refused_while_it_still_comes() -> None:
    size = _Parts.settings.body_bytes_max
    allowed = request(b"text=" + b"x" * (size - 5), FORM, chunks=10)
    assert len((await read_fields(allowed)).text("text", chars_max=size)) == size - 5
    too_large = request(b"x" * size * 4, FORM, chunks=40)
    with pytest.raises(HttpProblem) as caught:
        await read_fields(too_large)
    assert caught.value.status == 413
    assert (await too_large.receive())["more_body"]  # most of it was never read


async def test_fields_are_bounded_in_number() -> None:
    body = "&".join(f"f{number}=1" for number in range(_Parts.settings.fields_max + 1)).encode()
    with pytest.raises(Refused):
        await read_fields(request(body, FORM))


@pytest.mark.parametrize("word", ["true", "True", "1", "on", "yes", True, 1])
def test_truth_in_every_spelling(word: object) -> None:
    assert Fields({"rated": word}, 100).boolean("rated") is True


@pytest.mark.parametrize("word", ["false", "False", "0", "off", "no", "", False, 0])
def test_falsehood_in_every_spelling(word: object) -> None:
    assert Fields({"rated": word}, 100).boolean("rated", True) is False


@pytest.mark.parametrize("value", ["x", "", "1.5", 1.5, True, [1], "9" * 30, "٣", "1e400", "nan", "inf", "--1"])
def test_what_is_no_whole_number_is_refused_by_name(value: object) -> None:
    with pytest.raises(Refused) as caught:
        Fields({"level": value}, 100).integer("level", least=1, most=10)
    assert caught.value.refusal.at == "level"


@pytest.mark.parametrize("value", [0, 11, -3, "11"])
def test_a_number_out_of_bounds_is_refused_by_name(value: object) -> None:
    with pytest.raises(Refused) as caught:
        Fields({"level": value}, 100).integer("level", least=1, most=10)
    assert sentence(caught.value.refusal.text) == "The field level must be between 1 and 10."


@pytest.mark.parametrize(
    ("fields", "at"),
    [
        ({"clock.limit": 61, "clock.increment": 0}, "clock.limit"),
        ({"clock.limit": 60, "clock.increment": 61}, "clock.increment"),
        ({"clock.increment": 3}, "clock.limit"),
        ({"days": 4}, "days"),
        ({"perMove": 45}, "perMove"),
        # several at once would be a game by one of them and a surprise
        ({"clock.limit": 60, "days": 3}, "days"),
        ({"clock.increment": 0, "perMove": 30}, "perMove"),
        ({"days": 3, "perMove": 30}, "perMove"),
        ({"variant": "checkers"}, "variant"),
        ({"variant": "fromPosition"}, "fen"),
        ({"fen": "x" * 257}, "fen"),
        # an empty position never becomes the first array (case F04)
        ({"fen": ""}, "fen"),
        ({"variant": "atomic", "fen": " \n"}, "fen"),
        ({"color": "green"}, "color"),
        ({"color": ["white"]}, "color"),
        ({"ruleSet": "blitz"}, "ruleSet"),
    ],
)
def test_a_wrong_wish_is_refused_with_the_name_of_its_field(fields: dict[str, object], at: str) -> None:
    with pytest.raises(Refused) as caught:
        wanted_game(Fields(fields, 1_000))
    assert caught.value.refusal.code is RefusalCode.MALFORMED
    assert caught.value.refusal.at == at


def test_a_game_has_a_clock_or_days_or_a_time_for_each_turn_or_none() -> None:
    assert wanted_game(Fields({"clock.limit": 60}, 100)).time_control.clock.initial_ms == 60_000
    assert wanted_game(Fields({"perMove": "30"}, 100)).time_control.per_move.turn_ms == 30_000
    assert wanted_game(Fields({"days": 14}, 100)).time_control.correspondence.days == 14
    assert wanted_game(Fields({}, 100)).time_control.HasField("unlimited")


def test_a_standard_game_from_a_position_has_two_names() -> None:
    for key in ("standard", "fromPosition"):
        wanted = wanted_game(Fields({"variant": key, "fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"}, 100))
        assert wanted.variant == "standard"
        assert wanted.initial_fen


def test_an_unknown_field_is_refused_by_name_where_only_some_are_allowed() -> None:
    with pytest.raises(Refused) as caught:
        Fields({"username": "x", "admin": "1"}, 100).only(["username", "password"])
    assert caught.value.refusal.at == "admin"


@pytest.mark.parametrize("text", ["", "abc", "abcdefghi", "abcd\0fgh", "../../etc", "abcdéfgh", "abcdefgh\n"])
def test_what_can_be_no_id_is_unknown_before_anybody_is_asked(text: str) -> None:
    with pytest.raises(Refused) as caught:
        checked_id(text)
    assert STATUS[caught.value.refusal.code] == 404


@pytest.mark.parametrize(
    ("at", "told"),
    [
        ("rule_set.fallen_flag", "ruleSet.fallenFlag"),
        ("initial_fen", "fen"),
        ("fen.castling", "fen.castling"),
        ("games[0].line[14].move[3...]", "games[0].line[14].move[3...]"),
        ("", None),
    ],
)
def test_a_place_is_told_in_the_clients_words(at: str, told: str | None) -> None:
    answer = answer_refusal(Refusal(RefusalCode.NOT_ALLOWED, said("No."), at))
    assert orjson.loads(answer.body).get("at") == told


def test_every_refusal_has_a_status_and_load_is_never_the_clients_fault() -> None:
    assert set(STATUS) == set(RefusalCode)
    assert STATUS[RefusalCode.UNAVAILABLE] == 503
    assert all(400 <= status < 600 for status in STATUS.values())
