"""A PGN on its way in: however it is sent its bytes arrive as they were, bounded, and refusals keep their place."""

from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import quote_from_bytes

import pytest

from services.pb.flagfall.v1 import common_pb2
from tests.integration.gateway.gateway_process import Gateway, running

URL = "/api/import"
FORM = "application/x-www-form-urlencoded"
PGN = '[White "Müller & Söhne"]\r\n[Result "0-1"]\r\n\r\n1. f3 e5 2. g4 Qh4# { 100 % + = } 0-1\r\n'.encode()
LATIN = b'[White "M\xfcller"]\n\n1. e4 e5 *\n'
BYTES_MAX = 4_096


@pytest.fixture
async def gateway(redis_url: str) -> AsyncIterator[Gateway]:
    async with running(redis_url, import_bytes_max=BYTES_MAX, imports_per_minute=8) as gateway:
        yield gateway


async def post(gateway: Gateway, body: bytes, kind: str | None, **headers: str) -> tuple[int, dict[str, Any]]:
    sent = headers | ({} if kind is None else {"content-type": kind})
    answer = await gateway.client.post(URL, content=body, headers=sent)
    assert answer.headers["content-type"] == "application/json"
    return answer.status_code, answer.json()


def form(pgn: bytes) -> bytes:
    return b"analyse=false&pgn=" + quote_from_bytes(pgn, safe="").encode()


async def test_every_way_brings_the_same_bytes(gateway: Gateway) -> None:
    json = b'{"pgn": "' + PGN.replace(b'"', b'\\"').replace(b"\r\n", b"\\r\\n") + b'"}'
    ways = [
        (PGN, "application/x-chess-pgn"),
        (PGN, "text/plain; charset=utf-8"),
        (PGN, "application/octet-stream"),
        (PGN, None),  # it begins with a bracket, and is no JSON all the same
        (form(PGN), FORM),
        (json, "application/json"),
    ]
    for body, kind in ways:
        status, answer = await post(gateway, body, kind)
        assert (status, answer) == (200, {"id": "import01", "url": f"{gateway.address}/import01"})
    assert [request.pgn for request in gateway.game.imported] == [PGN] * len(ways)
    assert {request.player_id for request in gateway.game.imported} == {""}


async def test_the_encoding_is_not_the_gateways_question(gateway: Gateway) -> None:
    for body, kind in ((LATIN, "application/x-chess-pgn"), (form(LATIN), FORM)):
        assert (await post(gateway, body, kind))[0] == 200
    assert [request.pgn for request in gateway.game.imported] == [LATIN, LATIN]


async def test_an_import_is_whose_token_comes_along(gateway: Gateway) -> None:
    await post(gateway, PGN, None, **gateway.as_("anna"))
    assert gateway.game.imported[-1].player_id == "anna"
    assert (await post(gateway, PGN, None, Authorization="Bearer nobody"))[0] == 200
    assert gateway.game.imported[-1].player_id == ""


WITHOUT = [
    (b"", None, "pgn"),
    (b" \n", "text/plain", "pgn"),
    (b"", FORM, "pgn"),
    (b"pgn=", FORM, "pgn"),
    (b"game=1.+e4", FORM, "pgn"),
    (PGN, FORM, "pgn"),
    (b"&".join([b"a=1"] * 20), FORM, "body"),
    (b"{}", "application/json", "pgn"),
    (b'{"pgn": 1}', "application/json", "pgn"),
    (b'["1. e4"]', "application/json", "body"),
    (PGN, "application/json", "body, character 1"),
]


async def test_a_request_without_a_pgn_is_told_so(gateway: Gateway) -> None:
    for body, kind, at in WITHOUT:
        status, answer = await post(gateway, body, kind)
        assert (status, answer["code"], answer["at"]) == (400, "malformed", at), (body, kind)
    assert not gateway.game.imported


async def test_what_is_too_large_is_refused_before_it_is_read(gateway: Gateway) -> None:
    fits, above = PGN.ljust(BYTES_MAX), PGN.ljust(BYTES_MAX + 1)
    for body, kind, status in (
        (fits, None, 200),
        (form(fits), FORM, 200),
        (above, None, 413),
        (form(above), FORM, 413),
        (PGN.ljust(20_000_000), None, 413),
    ):
        assert (await post(gateway, body, kind))[0] == status
    assert len(gateway.game.imported) == 2


STATUS = {
    "malformed": 422,
    "illegal_move": 422,
    "bad_position": 422,
    "unsupported_variant": 422,
    "not_allowed": 422,
    "limit_reached": 413,
    "unavailable": 503,
}


async def test_a_refused_pgn_is_told_with_its_place(gateway: Gateway) -> None:
    at = "games[0].line[3].move[2...]"
    for code, status in STATUS.items():
        gateway.game.import_refusal = common_pb2.Refusal(code=code, message="A null move stands here.", at=at)
        said = {"error": "A null move stands here.", "code": code, "at": at}
        assert await post(gateway, PGN, None) == (status, said)


async def test_imports_are_limited(gateway: Gateway) -> None:
    statuses = [(await post(gateway, PGN, None))[0] for _ in range(9)]
    assert statuses == [200] * 8 + [429]
    assert (await post(gateway, PGN, None, **gateway.as_("anna")))[0] == 200
