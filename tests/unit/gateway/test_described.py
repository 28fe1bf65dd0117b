"""The description of the HTTP API: complete, and free of what never happens."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest

from services.gateway.main.app import make_app
from services.gateway.rest.parts import Parts
from services.gateway.rest.terms import GAME_FIELDS
from services.gateway.settings import GatewaySettings

METHODS = {"get", "post", "delete"}


async def _no_door(*_: object) -> None:
    raise AssertionError("no socket is opened here")


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    """What /openapi.json says."""
    made = cast(Parts, SimpleNamespace(settings=GatewaySettings()))

    async def read() -> dict[str, Any]:
        transport = httpx.ASGITransport(make_app(made, _no_door))
        async with httpx.AsyncClient(transport=transport, base_url="http://flagfall") as client:
            found: dict[str, Any] = (await client.get("/openapi.json")).json()
        return found

    return asyncio.run(read())


def operations(described: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [
        (f"{method} {path}", operation)
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
        if method in METHODS
    ]


def test_every_operation_says_what_it_does(described: dict[str, Any]) -> None:
    for name, operation in operations(described):
        assert operation["summary"], name
        assert operation["description"], name
        assert operation["tags"], name


def test_errors_are_ours_everywhere(described: dict[str, Any]) -> None:
    for name, operation in operations(described):
        assert "422" not in operation["responses"], name
        assert operation["responses"]["default"] == {"$ref": "#/components/responses/error"}, name
    assert described["components"]["responses"]["error"]


def test_a_token_can_be_given_for_all(described: dict[str, Any]) -> None:
    (scheme,) = described["security"]
    assert set(scheme) <= set(described["components"]["securitySchemes"])


@pytest.mark.parametrize("path", ["/api/challenge/ai", "/api/challenge/open", "/api/challenge/{username}"])
def test_whatever_makes_a_game_names_all_its_fields(described: dict[str, Any], path: str) -> None:
    content = described["paths"][path]["post"]["requestBody"]["content"]
    assert set(content) == {"application/json", "application/x-www-form-urlencoded"}
    for kind in content.values():
        assert set(GAME_FIELDS) <= set(kind["schema"]["properties"])


def test_boards_and_bots_have_the_same_ways(described: dict[str, Any]) -> None:
    def ways(part: str) -> set[str]:
        prefix = f"/api/{part}/game/"
        return {path.removeprefix(prefix) for path in described["paths"] if path.startswith(prefix)}

    assert ways("board") == ways("bot") >= {"stream/{game_id}", "{game_id}/move/{uci}", "{game_id}/chat"}
