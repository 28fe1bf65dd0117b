"""Every method of the game is answered, under its own path and under the last release's."""

from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import grpc
import pytest

from services.channels import GAME_SERVICES, GameStubs, released_path
from services.game.main.servicers import METHODS, Handlers, compose
from services.game.settings import GameSettings
from services.pb.flagfall.v1 import game_pb2 as pb

OLD = pb.DESCRIPTOR.services_by_name["GameService"]


class Recorder:
    """A channel that notes the paths which stubs ask for."""

    def __init__(self) -> None:
        self.paths: list[str] = []

    def unary_unary(self, method: str, **_: Any) -> object:
        """What a generated stub asks for."""
        self.paths.append(method)
        return object()


class NamedAnswer:
    """Each method is its own name."""

    def __getattr__(self, name: str) -> str:
        return name


@pytest.fixture
def handlers() -> Handlers:
    return Handlers({service.name: NamedAnswer() for service in GAME_SERVICES})


def answering(handlers: Handlers, path: str) -> Any:
    details: Any = SimpleNamespace(method=path)
    handler = handlers.service(details)
    return None if handler is None else handler.unary_unary


def test_no_two_services_have_a_method_of_the_same_name() -> None:
    """Metrics and the last release's paths tell methods by their names alone."""
    assert len(METHODS) == len(set(METHODS))


def test_the_old_service_has_exactly_the_methods_of_the_new_ones_with_the_same_messages() -> None:
    new = {method.name: method for service in GAME_SERVICES for method in service.methods}
    assert set(new) == set(OLD.methods_by_name)
    for name, method in OLD.methods_by_name.items():
        assert (method.input_type, method.output_type) == (new[name].input_type, new[name].output_type)


def test_each_method_is_answered_by_both_paths(handlers: Handlers) -> None:
    for service in GAME_SERVICES:
        for method in service.methods:
            assert answering(handlers, f"/{service.full_name}/{method.name}") == method.name
            assert answering(handlers, f"/{OLD.full_name}/{method.name}") == method.name


@pytest.mark.parametrize(
    "path", ["/flagfall.v1.GamesService/Sweep", "/flagfall.v1.GameService/Nothing", "/grpc.health.v1.Health/Check"]
)
def test_no_other_path_is_answered(handlers: Handlers, path: str) -> None:
    assert answering(handlers, path) is None


def test_messages_are_read_and_written_as_their_own_types(handlers: Handlers) -> None:
    details: Any = SimpleNamespace(method="/flagfall.v1.UpkeepService/Sweep")
    handler = handlers.service(details)
    assert isinstance(handler, grpc.RpcMethodHandler)
    assert handler.request_deserializer is not None
    assert handler.response_serializer is not None
    assert handler.request_deserializer(pb.SweepRequest(limit=7).SerializeToString()) == pb.SweepRequest(limit=7)
    answer = pb.SweepResponse(games_ended=3)
    assert handler.response_serializer(answer) == answer.SerializeToString()


def test_the_process_answers_all_services_with_methods_of_their_own() -> None:
    part: Any = MagicMock()
    servicers = compose(
        engine=part,
        path=part,
        beats=part,
        new_games=part,
        sweep=part,
        imports=part,
        rules=part,
        publishing=part,
        publisher=part,
        settings=GameSettings(),
    )
    assert set(servicers) == {service.name for service in GAME_SERVICES}
    for service in GAME_SERVICES:
        own = type(servicers[service.name]).__dict__
        assert [method.name for method in service.methods if method.name not in own] == []


def test_the_stubs_of_all_services_call_the_released_paths() -> None:
    """Until the release after, since a replica of the last release answers no other path."""
    recorder: Any = Recorder()
    GameStubs(recorder)
    assert sorted(recorder.paths) == sorted(f"/flagfall.v1.GameService/{name}" for name in OLD.methods_by_name)
    assert released_path("/flagfall.v1.GamesService/Submit") == "/flagfall.v1.GameService/Submit"
