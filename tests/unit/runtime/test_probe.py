"""The probe of a container's health check: 0 only if the admin port says that all is well."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import pytest

from services.runtime.probe import main, probe


@contextmanager
def answering(answer: bytes) -> Iterator[tuple[int, Callable[[], bytes]]]:
    """A server for one connection: its port, and what it was asked."""
    asked: list[bytes] = []
    with closing(socket.create_server(("127.0.0.1", 0))) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                asked.append(connection.recv(4_096))
                connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        yield server.getsockname()[1], lambda: asked[0]
        thread.join()


@pytest.mark.parametrize(("status", "code"), [("200 OK", 0), ("503 Service Unavailable", 1)])
def test_the_code_tells_the_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], status: str, code: int
) -> None:
    with answering(f"HTTP/1.0 {status}\r\nContent-Length: 2\r\n\r\n{{}}".encode()) as (port, asked):
        monkeypatch.setenv("FLAGFALL_ADMIN_PORT", str(port))
        assert main(["/healthz"]) == code
    assert asked().startswith(b"GET /healthz HTTP/1.0\r\n")
    assert capsys.readouterr().out == "{}\n"


def test_readiness_is_what_is_asked_for_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    with answering(b"HTTP/1.0 200 OK\r\n\r\n") as (port, asked):
        monkeypatch.setenv("FLAGFALL_ADMIN_PORT", str(port))
        assert main([]) == 0
    assert asked().startswith(b"GET /readyz ")


def test_nobody_there_is_not_well(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        port = server.getsockname()[1]
    monkeypatch.setenv("FLAGFALL_ADMIN_PORT", str(port))
    assert main([]) == 1
    assert "refused" in capsys.readouterr().out


def test_what_is_no_http_is_not_well() -> None:
    with answering(b"-ERR unknown command\r\n") as (port, _), pytest.raises(ValueError, match="no HTTP"):
        probe(port, "/readyz")
