"""Classes of ours that extend one of a library: what they build on is public there, and is there at all.

A release that renames one of these methods would be extended in silence and never call us. A name of ours that the
library takes for something of its own would break it.
"""

import ast
import inspect
from pathlib import Path

import pytest
from redis.asyncio.connection import Connection, SSLConnection
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from services.gateway.main.http_protocol import BoundedHttpProtocol
from services.gateway.sockets.websocket_protocol import SocketProtocol
from services.runtime import redis_client

SERVICES = Path(__file__).parents[3] / "services"
BY_NAME, BY_NAME_OVER_TLS = redis_client._ByName, redis_client._ByNameOverTls  # none has a public name

EXTENDED: list[tuple[type, type, set[str]]] = [
    (BY_NAME, Connection, {"connect_check_health", "on_connect_check_health"}),
    (BY_NAME_OVER_TLS, SSLConnection, set()),
    (
        BoundedHttpProtocol,
        HttpToolsProtocol,
        {
            "connection_made",
            "connection_lost",
            "data_received",
            "on_message_begin",
            "on_headers_complete",
            "on_message_complete",
            "send_400_response",
        },
    ),
    (
        SocketProtocol,
        WebSocketsSansIOProtocol,
        {"handle_connect", "handle_pong", "handle_ping", "handle_cont", "send", "send_receive_event_to_app"},
    ),
]


def own_names(kind: type) -> set[str]:
    """What a class defines itself, what Python adds to each left out."""
    return {name for name in vars(kind) if not name.startswith("__")} | set(inspect.get_annotations(kind))


@pytest.mark.parametrize(("ours", "base", "overridden"), EXTENDED)
def test_just_these_methods_are_overridden_and_all_are_public(ours: type, base: type, overridden: set[str]) -> None:
    assert own_names(ours) & set(dir(base)) == overridden
    assert not [name for name in overridden if name.startswith("_")]


@pytest.mark.parametrize(
    ("base", "read"),
    [
        (HttpToolsProtocol, {"loop", "transport", "url", "headers"}),
        (
            WebSocketsSansIOProtocol,
            {
                *("loop", "transport", "conn", "writable", "queue", "scope", "frames", "curr_msg_data_type"),
                *("pending_ping_payload", "close_sent", "disconnected", "handshake_complete"),
            },
        ),
    ],
)
def test_what_is_read_of_a_base_is_an_attribute_there(base: type, read: set[str]) -> None:
    set_there = {
        node.attr
        for node in ast.walk(ast.parse(inspect.getsource(base)))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
    }
    assert read <= set_there


def test_every_connection_of_redis_comes_to_stand_by_the_overridden_method() -> None:
    """Nothing there opens a socket on another way, which would not ask the sentinels."""
    source = inspect.getsource(inspect.getmodule(Connection) or pytest.fail("no module"))
    callers = {
        function.name
        for function in ast.walk(ast.parse(source))
        if isinstance(function, ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "_connect"
    }
    assert callers == {"connect_check_health"}


def test_no_private_module_or_name_of_redis_or_uvicorn_is_imported() -> None:
    private = []
    for path in SERVICES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [*node.module.split("."), *(alias.name for alias in node.names)]
            elif isinstance(node, ast.Import):
                names = [part for alias in node.names for part in alias.name.split(".")]
            else:
                continue
            if names[0] in ("redis", "uvicorn") and any(name.startswith("_") for name in names):
                private.append(f"{path}:{node.lineno}")
    assert private == []
