"""The description of the HTTP API against the code that it describes: fields, answers, tokens, references."""

import ast
import asyncio
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import httpx
import orjson
import pytest
from fastapi.routing import APIRoute

from services.domain.rule_set import CLAIMED, PARTY, Agreement, RuleSet
from services.domain.time_control import ClockControl, Correspondence, PerMove, TimeControl, Unlimited
from services.gateway.answers.listed import schemas
from services.gateway.answers.own import GamesFound
from services.gateway.answers.people import Ratings
from services.gateway.main.app import make_app
from services.gateway.protocol import affairs, shapes
from services.gateway.protocol.server_frames import GameSummary
from services.gateway.public_api import (
    public_json,
    public_people,
    public_ratings,
    public_seeks,
    rules_library,
    watched_json,
)
from services.gateway.public_api.pgn import Wanted
from services.gateway.rest import correspondence, export, own, progress, search
from services.gateway.rest.answered import accepted
from services.gateway.rest.challenge import _computer_game
from services.gateway.rest.parts import Parts
from services.gateway.rest.routes import routes
from services.gateway.rest.terms import UNUSED_FIELDS
from services.gateway.settings import GatewaySettings
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.game_pb2 import Account, Perf, RatingPoint, Snapshot
from services.runtime.wire import rule_set_to_pb, time_control_to_pb
from tests.stack.sent import sent

ROUTES = [route for _, route in routes()]


def method(route: APIRoute) -> str:
    """The one method of a route."""
    (found,) = route.methods or {""}
    return found


NAMES = [f"{method(route)} {route.path}" for route in ROUTES]
SCHEMAS = schemas()
READS = {"text", "integer", "boolean", "choice", "has"}
ANNA = events_pb2.Player(id="anna", name="Anna", rating=1712)
BOT = events_pb2.Player(id="botty", name="Botty", title="BOT")
COMPUTER = events_pb2.Player(id="computer", name="Computer level 4", computer_level=4)


async def _no_door(*_: object) -> None:
    raise AssertionError("no socket is opened here")


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """What /openapi.json says."""
    made = cast(Parts, SimpleNamespace(settings=GatewaySettings()))

    async def read() -> dict[str, Any]:
        transport = httpx.ASGITransport(make_app(made, _no_door))
        async with httpx.AsyncClient(transport=transport, base_url="http://flagfall") as client:
            found: dict[str, Any] = (await client.get("/openapi.json")).json()
        return found

    return asyncio.run(read())


def operation_of(document: dict[str, Any], route: APIRoute) -> dict[str, Any]:
    found: dict[str, Any] = document["paths"][route.path][method(route).lower()]
    return found


def handler_of(route: APIRoute) -> Callable[..., Any]:
    found = route.endpoint
    return found.func if isinstance(found, partial) else found


def calls(handler: Callable[..., Any]) -> Iterator[ast.Call]:
    tree = ast.parse(textwrap.dedent(inspect.getsource(handler)))
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def method_of(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def fields_allowed(handler: Callable[..., Any]) -> set[str] | None:
    """What the handler gives to `Fields.only`; None when it takes whatever comes."""
    for call in calls(handler):
        if method_of(call) == "only":
            assert isinstance(call.args[0], ast.List)
            names: set[str] = set()
            for entry in call.args[0].elts:
                if isinstance(entry, ast.Starred):
                    assert isinstance(entry.value, ast.Name)
                    names |= set(getattr(sys.modules[handler.__module__], entry.value.id))
                else:
                    names.add(ast.literal_eval(entry))
            return names
    return None


def fields_read(handler: Callable[..., Any]) -> set[str]:
    """The names that the handler itself reads fields by."""
    firsts = [call.args[0] for call in calls(handler) if method_of(call) in READS and call.args]
    return {first.value for first in firsts if isinstance(first, ast.Constant) and isinstance(first.value, str)}


def body_fields(operation: dict[str, Any]) -> set[str]:
    kinds = operation.get("requestBody", {}).get("content", {}).values()
    return {name for kind in kinds for name in kind["schema"].get("properties", ())}


def query_fields(operation: dict[str, Any]) -> set[str]:
    return {entry["name"] for entry in operation.get("parameters", ()) if entry["in"] == "query"}


def token_asked(handler: Callable[..., Any]) -> bool:
    """Whether the handler asks for a signed-in player, by itself or by the functions beside it."""
    module = vars(sys.modules[handler.__module__])
    for call in calls(handler):
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        if name == "signed":
            return True
        beside = module.get(name)
        if inspect.iscoroutinefunction(beside) and beside.__module__ == handler.__module__ and token_asked(beside):
            return True
    return False


def test_the_document_has_every_route(document: dict[str, Any]) -> None:
    described = {(path, method.upper()) for path, methods in document["paths"].items() for method in methods}
    assert described == {(route.path, method(route)) for route in ROUTES}


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    def references(node: Any) -> Iterator[str]:
        if isinstance(node, dict):
            if isinstance(node.get("$ref"), str):
                yield node["$ref"]
            node = list(node.values())
        if isinstance(node, list):
            for inner in node:
                yield from references(inner)

    found = set(references(document))
    assert "#/components/schemas/Challenge" in found
    for reference in found:
        place: Any = document
        for step in reference.removeprefix("#/").split("/"):
            assert step in place, reference
            place = place[step]
    assert {f"#/components/schemas/{name}" for name in document["components"]["schemas"]} <= found


@pytest.mark.parametrize("route", ROUTES, ids=NAMES)
def test_an_answer_is_described(document: dict[str, Any], route: APIRoute) -> None:
    done = {status: told for status, told in operation_of(document, route)["responses"].items() if status[0] == "2"}
    assert list(done) == [str(route.status_code or 200)]
    for status, told in done.items():
        assert ("content" in told) == (status != "204")
        for kind in told.get("content", {}).values():
            assert kind["schema"]


@pytest.mark.parametrize("route", ROUTES, ids=NAMES)
def test_fields_are_those_that_the_handler_knows(document: dict[str, Any], route: APIRoute) -> None:
    operation, handler = operation_of(document, route), handler_of(route)
    allowed = fields_allowed(handler)
    if allowed is not None:
        assert body_fields(operation) == allowed - set(UNUSED_FIELDS)
    assert fields_read(handler) <= body_fields(operation) | query_fields(operation)


@pytest.mark.parametrize("route", ROUTES, ids=NAMES)
def test_a_token_is_asked_for_where_the_handler_does(document: dict[str, Any], route: APIRoute) -> None:
    operation = operation_of(document, route)
    needed = operation["security"] == [{"token": []}]
    optional = {} in operation["security"]
    assert needed == ("401" in operation["responses"])
    assert token_asked(handler_of(route)) == (needed or (optional and "403" in operation["responses"]))


@pytest.mark.parametrize("route", ROUTES, ids=NAMES)
def test_the_example_of_a_body_is_one_that_can_be_sent(document: dict[str, Any], route: APIRoute) -> None:
    kinds = operation_of(document, route).get("requestBody", {}).get("content", {})
    for kind in (kinds[name] for name in kinds if name == "application/json"):
        assert next(iter(kinds)) == "application/json"  # the page offers the first, and sends a form's empty fields
        assert set(kind["schema"].get("required", ())) <= set(kind["example"]) <= set(kind["schema"]["properties"])


def test_scopes_are_named(document: dict[str, Any]) -> None:
    move = document["paths"]["/api/bot/game/{game_id}/move/{uci}"]["post"]
    assert "`bot:play`" in move["responses"]["403"]["description"]
    assert "board:play" not in move["responses"]["403"]["description"]


def matches(name: str, answer: object) -> None:
    """Fails unless the answer, as it is sent, is what the schema of this name says."""
    conforms(SCHEMAS[name], sent(answer), name)


def conforms(schema: dict[str, Any], value: Any, at: str) -> None:
    """Fails unless the value is what the schema says, with no field that it does not tell."""
    if "$ref" in schema:
        return conforms(SCHEMAS[schema["$ref"].rpartition("/")[2]], value, at)
    if value is None:
        assert schema.get("nullable"), at
        return None
    if "anyOf" in schema or "allOf" in schema:
        choices = schema.get("anyOf") or schema["allOf"]
        if "discriminator" in schema:
            told = schema["discriminator"]
            choices = [{"$ref": told["mapping"][value[told["propertyName"]]]}]
        assert len(choices) == 1, at
        return conforms(choices[0], value, at)
    kinds: dict[str, type] = {
        "string": str,
        "integer": int,
        "boolean": bool,
        "object": dict,
        "array": list,
        "number": float,
    }
    is_a: bool = type(value) is kinds[schema["type"]]
    assert is_a, at
    assert "enum" not in schema or value in schema["enum"], at
    for entry in value if schema["type"] == "array" else ():
        conforms(schema["items"], entry, f"{at}[]")
    if "properties" in schema:
        assert set(schema["required"]) <= set(value) <= set(schema["properties"]), at
        for name, inner in value.items():
            conforms(schema["properties"][name], inner, f"{at}.{name}")
    elif schema["type"] == "object":
        for name, inner in value.items():
            conforms(schema["additionalProperties"], inner, f"{at}.{name}")
    return None


@pytest.mark.parametrize("control", [ClockControl(300_000, 3_000), Correspondence(3), Unlimited()])
@pytest.mark.parametrize("over", [False, True])
@pytest.mark.parametrize("black", [BOT, COMPUTER], ids=["bot", "computer"])
def test_games_are_as_described(control: TimeControl, over: bool, black: events_pb2.Player) -> None:
    timed = time_control_to_pb(control)
    fen = "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1" if over else ""
    info = events_pb2.GameInfo(id="abcdefgh", variant="standard", time_control=timed, white=ANNA, black=black)
    info.initial_fen, info.source = fen, "friend"
    info.rule_set.CopyFrom(rule_set_to_pb(CLAIMED))
    state = events_pb2.GameState(game_id="abcdefgh", status=events_pb2.GAME_STATUS_STARTED, turn=common_pb2.COLOR_WHITE)
    if over:
        state.status = events_pb2.GAME_STATUS_ENDED
        state.white_rating_diff = 8
        state.outcome.winner, state.outcome.reason = common_pb2.COLOR_WHITE, common_pb2.END_REASON_RESIGNATION
    summary = events_pb2.GameSummary(info=info, state=state)
    matches("GameFull", public_json.game_full(info, state, "", 0, 1))
    matches("WatchedGame", watched_json.described(info, state))
    matches("WatchedPosition", watched_json.position(info, state))
    matches("OwnGame", public_json.game_info(summary, "anna", 1))
    matches("ComputerGame", _computer_game(summary))
    move = pb.PlayedMove(uci="e2e4", san="e4", clock_ms=1)
    matches("Snapshot", own.whole_game(Snapshot(info=info, state=state, moves=[move]), common_pb2.COLOR_WHITE))
    conforms(SCHEMAS["Accepted"], orjson.loads(accepted(pb.Accepted(version=1, state=state)).body), "Accepted")
    found = GamesFound(games=[shapes.declared(GameSummary, affairs.summary(summary))], next=None)
    matches("GamesFound", found)
    exported = export.game_json(Snapshot(info=info, state=state), (), Wanted())
    matches("PlayedGame", exported)
    matches("AmongGame", watched_json.among(info, state))


@pytest.mark.parametrize("rule_set", [PARTY, replace(PARTY, agreement=Agreement.AFTER_BOTH_MOVED)])
@pytest.mark.parametrize("game_id", ["", "abcdefgh"])
def test_parties_are_as_described(rule_set: RuleSet, game_id: str) -> None:
    settings = events_pb2.PartySettings(turn_ms=30_000, variant="standard", rule_set=rule_set_to_pb(rule_set))
    message = events_pb2.Party(id="abcdefghijkl", host_id="anna", settings=settings, game_id=game_id)
    message.members.add(player=ANNA)
    message.members.add(player=BOT, spectator=True)
    matches("Party", affairs.party(message))


@pytest.mark.parametrize("key", rules_library.KEYS)
def test_pages_of_rules_are_as_described(key: str) -> None:
    documents = rules_library.library()
    conforms(SCHEMAS["RulesPage"], orjson.loads(documents.documents[key].body), key)
    conforms(SCHEMAS["RulesIndex"], orjson.loads(documents.index.body), key)


def test_progress_and_conditional_moves_are_as_described() -> None:
    beaten = pb.LevelBeaten(variant="standard", level=3, wins=2, wins_without_help=1, first_ms=5)
    badges = [pb.Badge(key="k", name="n", description="d"), pb.Badge(key="l", name="n", description="d", earned_ms=7)]
    matches("Progress", progress.shown(pb.Progress(beaten=[beaten], badges=badges)))
    lines = pb.ConditionalLines(ply=3, lines=[pb.ConditionalLine(moves=["e7e5", "g1f3"])])
    matches("ConditionalMoves", correspondence.shown(lines))


BLITZ = Perf(variant="standard", speed="blitz", rating=1498.5, deviation=80.25, volatility=0.06, games=9, progress=-3)


def test_ratings_are_as_described() -> None:
    point = RatingPoint(variant="standard", speed="blitz", at_ms=1, rating=1498.5, deviation=80.25, game_id="abcdefgh")
    for days in public_ratings.history([point]):
        matches("RatingDays", days)
    rated, points = public_ratings.own_ratings([BLITZ]), public_ratings.own_points([point])
    matches("Ratings", Ratings(id="anna", ratings=rated, history=points))


def test_people_are_as_described() -> None:
    for player in (ANNA, BOT, events_pb2.Player(id="guest", name="Guest", guest=True)):
        account = Account(player=player, games=1, playing=1, perfs=[BLITZ])
        matches("User", public_people.user(account, "http://flagfall", True))
        matches("UserStatus", public_people.user_status(account, True))
        account.perfs.add(variant="standard", speed="blitz", rating=1512.4, deviation=80.6, games=3)
        matches("PlayerPage", search.player_page(account, True))


@pytest.mark.parametrize("status", public_people._CHALLENGE_STATUS)
@pytest.mark.parametrize("open_to_all", [False, True])
def test_challenges_are_as_described(status: events_pb2.ChallengeStatus, open_to_all: bool) -> None:
    message = events_pb2.Challenge(id="abcdefgh", status=status, variant="standard", challenger=ANNA, name="Evening")
    message.time_control.CopyFrom(time_control_to_pb(Unlimited()))
    message.rule_set.CopyFrom(rule_set_to_pb(CLAIMED))
    message.open = open_to_all
    if not open_to_all:
        message.dest.CopyFrom(BOT)
        message.initial_fen = "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1"
        message.rematch_of, message.counter_to = "bcdefghi", "cdefghij"
    for viewer_id in ("", "anna", "botty"):
        matches("Challenge", public_people.challenge(message, viewer_id, "http://flagfall"))


@pytest.mark.parametrize("rating", [0, 1500])
@pytest.mark.parametrize("control", [PerMove(30_000), Correspondence(3)])
def test_seeks_are_as_described(rating: int, control: TimeControl) -> None:
    message = events_pb2.Seek(id="abcdefgh", variant="atomic", player=ANNA, rating_min=rating)
    message.player.rating, message.player.guest = rating, not rating
    message.time_control.CopyFrom(time_control_to_pb(control))
    message.rule_set.CopyFrom(rule_set_to_pb(CLAIMED))
    for viewer_id in ("", "anna"):
        matches("Seek", public_seeks.seek(message, viewer_id))
