"""The gateway over real HTTP: what it does when the game service is slow, away or busy, and what it bounds."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest

from services.domain.refusal import BUSY
from services.words.catalogue import sentence
from tests.integration.gateway.fake_game import REPEATS
from tests.integration.gateway.gateway_process import Gateway, running
from tests.integration.sockets.running_sockets import until

GAME = "game0001"


@pytest.fixture
async def gateway(redis_url: str) -> AsyncIterator[Gateway]:
    async with running(redis_url) as gateway:
        gateway.game.new_game(GAME)
        yield gateway


async def raw(gateway: Gateway, *pieces: bytes) -> bytes:
    """What comes back for bytes that no client library would send."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(gateway.address.rsplit(":", 1)[1]))
    try:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
        async with asyncio.timeout(15):
            return await reader.readuntil(b"\r\n\r\n")
    finally:
        writer.close()


def move(uci: str, player: str = "anna", game: str = GAME) -> dict[str, object]:
    """A request for a move."""
    return {
        "method": "POST",
        "url": f"/api/board/game/{game}/move/{uci}",
        "headers": {"Authorization": f"Bearer {player}"},
    }


async def ask(gateway: Gateway, request: dict[str, object]) -> tuple[int, dict[str, object]]:
    answer = await gateway.client.request(**request)  # type: ignore[arg-type]
    assert answer.headers["content-type"] == "application/json"
    return answer.status_code, answer.json()


async def test_a_move_is_answered_once_it_is_decided(gateway: Gateway) -> None:
    assert await ask(gateway, move("e2e4")) == (200, {"ok": True})
    assert gateway.game.commands[-1].move.text == "e2e4"
    status, body = await ask(gateway, move("d2d4"))
    assert (status, body["code"]) == (400, "not_your_turn")


@pytest.mark.parametrize("api", ["board", "bot"])
async def test_a_claim_is_never_an_offer(gateway: Gateway, api: str) -> None:
    url, anna = f"/api/{api}/game/{GAME}/claim-draw", gateway.as_("anna")
    early = await gateway.client.post(url, headers=anna)
    assert (early.status_code, early.json()["code"]) == (400, "not_allowed")
    gateway.game.claim(GAME)
    assert (await gateway.client.post(url, headers=anna)).json() == {"ok": True}
    asked = [command.WhichOneof("action") for command in gateway.game.commands]
    assert asked == ["claim_draw", "claim_win", "claim_draw"], "where none is due, of an opponent who has left"
    late = await gateway.client.post(url, headers=gateway.as_("bob"))
    assert (late.status_code, late.json()["code"]) == (400, "game_over")


@pytest.mark.parametrize(
    "send", [{"data": {"move": REPEATS}}, {"json": {"move": REPEATS}}, {"params": {"move": REPEATS}}]
)
async def test_a_claim_may_name_a_move(gateway: Gateway, send: dict[str, Any]) -> None:
    answer = await gateway.client.post(f"/api/board/game/{GAME}/claim-draw", headers=gateway.as_("anna"), **send)
    assert answer.json() == {"ok": True}
    assert gateway.game.commands[-1].claim_draw.move == REPEATS


async def test_a_claims_field_is_not_misspelt_in_silence(gateway: Gateway) -> None:
    gateway.game.claim(GAME)
    url = f"/api/board/game/{GAME}/claim-draw"
    answer = await gateway.client.post(url, json={"mvoe": "e4"}, headers=gateway.as_("anna"))
    assert (answer.status_code, answer.json()["at"]) == (400, "mvoe")
    assert not gateway.game.commands


async def test_an_own_claim_answers_with_the_state_and_may_be_repeated(gateway: Gateway) -> None:
    url, body = f"/api/flagfall/games/{GAME}/claim", {"move": REPEATS, "id": "c1"}
    first = (await gateway.client.post(url, json=body, headers=gateway.as_("anna"))).json()
    assert (first["version"], first["state"]["reason"], first["state"]["winner"]) == (2, "repetition", None)
    again = (await gateway.client.post(url, json=body, headers=gateway.as_("anna"))).json()
    assert again == {**first, "repeated": True}
    assert len(gateway.game.games[GAME]) == 2


async def test_a_command_whose_answer_was_lost_is_sent_again_with_its_id(gateway: Gateway) -> None:
    gateway.game.failures = 6  # the channel's own repetitions are not enough
    assert await ask(gateway, move("e2e4")) == (200, {"ok": True})
    moves = [command for command in gateway.game.commands if command.HasField("move")]
    assert len(moves) == 7
    assert len({command.command_id for command in moves}) == 1
    assert gateway.game.games[GAME][-1].state.ply == 1


async def test_time_is_not_up_while_an_earlier_sending_may_still_be_committed(gateway: Gateway) -> None:
    gateway.game.moves_refused = ["unavailable", "time_is_up", "time_is_up"]
    assert await ask(gateway, move("e2e4")) == (200, {"ok": True})
    gateway.game.moves_refused = ["time_is_up"]
    status, body = await ask(gateway, move("e7e5", "bob"))
    assert (status, body["code"]) == (400, "time_is_up")
    gateway.game.moves_refused = ["unavailable", *["time_is_up"] * 100]
    status, body = await ask(gateway, move("e7e5", "bob"))
    assert (status, body["code"]) == (503, "unavailable")


async def test_two_commands_never_share_an_id(gateway: Gateway) -> None:
    await ask(gateway, move("e2e4"))
    await ask(gateway, move("e7e5", "bob"))
    ids = [command.command_id for command in gateway.game.commands if command.HasField("move")]
    assert len(set(ids)) == 2
    assert all(ids)


async def test_without_the_game_service_the_answer_is_503_in_time(gateway: Gateway) -> None:
    await ask(gateway, move("e2e4"))  # so that the token is known
    gateway.game.down = True
    began = time.monotonic()
    answer = await gateway.client.request(**move("e7e5"))  # type: ignore[arg-type]
    assert time.monotonic() - began < 2.0
    assert answer.status_code == 503
    assert answer.json()["code"] == "unavailable"
    assert int(answer.headers["retry-after"]) >= 1


async def test_a_command_that_nobody_answers_ends_in_time(gateway: Gateway) -> None:
    await ask(gateway, move("e2e4"))
    gateway.game.submit_gate.clear()
    began = time.monotonic()
    status, body = await ask(gateway, move("d2d4"))
    assert time.monotonic() - began < 2.0
    assert (status, body["code"]) == (503, "unavailable")
    gateway.game.submit_gate.set()


def resign(api: str, **headers: str) -> dict[str, object]:
    """A request to resign."""
    return {"method": "POST", "url": f"/api/{api}/game/{GAME}/resign", "headers": headers}


@pytest.mark.parametrize("api", ["board", "bot"])
async def test_a_resignation_waits_for_its_search_with_one_id(redis_url: str, api: str) -> None:
    async with running(redis_url, command_timeout_ms=100, command_pause_ms=25) as gateway:
        gateway.game.new_game(GAME)
        gateway.game.searching = True
        waits = asyncio.ensure_future(ask(gateway, resign(api, **gateway.as_("anna"))))
        await until(lambda: gateway.game.searched.total() > 8)  # in 100 ms it would be asked four times
        assert await ask(gateway, move("e2e4")) == (200, {"ok": True}), "nobody else waits"
        gateway.game.searching = False
        assert await waits == (200, {"ok": True})
        assert len(gateway.game.searched) == 1
        shown = (await gateway.client.get(f"/game/export/{GAME}", headers={"accept": "application/json"})).json()
        assert (shown["status"], "winner" in shown) == ("draw", False)


async def test_a_resignation_does_not_wait_for_ever(redis_url: str) -> None:
    async with running(redis_url, command_timeout_ms=100, resignation_timeout_ms=400, command_pause_ms=25) as gateway:
        gateway.game.new_game(GAME)
        gateway.game.searching = True
        status, body = await ask(gateway, resign("board", **gateway.as_("anna")))
        assert (status, body["code"]) == (503, "unavailable")
        assert 4 < gateway.game.searched.total() <= 16


async def test_tokens_are_asked_for_together_and_remembered_good_and_bad(gateway: Gateway) -> None:
    requests = [gateway.client.get("/api/account/playing", headers=gateway.as_(f"bad{n}")) for n in range(60)]
    answers = await asyncio.gather(*requests)
    assert {answer.status_code for answer in answers} == {401}
    assert sum(len(tokens) for tokens in gateway.game.resolved) == 60
    assert len(gateway.game.resolved) < 60
    asked = gateway.game.calls["ResolveTokens"]
    for token, status in (("bad1", 401), ("anna", 200), ("anna", 200)):
        answer = await gateway.client.get("/api/account/playing", headers=gateway.as_(token))
        assert answer.status_code == status
    assert gateway.game.calls["ResolveTokens"] == asked + 1


async def test_what_can_be_no_token_asks_nobody(gateway: Gateway) -> None:
    for token in ("-", "with blank", "x" * 600, b"uml\xe4ut"):
        value = b"Bearer " + (token if isinstance(token, bytes) else token.encode())
        answer = await gateway.client.get("/api/account", headers={b"Authorization": value})
        assert answer.status_code == 401
    assert gateway.game.calls["ResolveTokens"] == 0


async def test_many_tokens_are_tested_in_one_call(gateway: Gateway) -> None:
    tokens = ["anna", *(f"bad{n}" for n in range(999))]
    answer = await gateway.client.post("/api/token/test", content=",".join(tokens))
    body = answer.json()
    assert body["anna"]["userId"] == "anna"
    assert "bot:play" in body["anna"]["scopes"].split(",")
    assert sum(entry is None for entry in body.values()) == 999
    assert gateway.game.calls["ResolveTokens"] == 1
    too_many = await gateway.client.post("/api/token/test", content=",".join(f"t{n}" for n in range(1_001)))
    assert too_many.status_code == 400


async def test_a_token_without_the_scope_is_forbidden(gateway: Gateway) -> None:
    gateway.game.scopes = ("challenge:read",)
    status, body = await ask(gateway, move("e2e4"))
    assert (status, body["code"]) == (403, "forbidden")
    assert "board:play" in str(body["error"])


async def test_a_cookie_moves_only_from_our_own_page(gateway: Gateway) -> None:
    path, host = f"/api/board/game/{GAME}/move/e2e4", gateway.address.removeprefix("http://")
    cookie = {"Cookie": "flagfall_token=anna"}
    foreign = await gateway.client.post(path, headers={**cookie, "Origin": "https://elsewhere.example"})
    assert foreign.status_code == 403
    own = await gateway.client.post(path, headers={**cookie, "Origin": f"http://{host}"})
    assert own.status_code == 200


async def test_a_line_of_chat_too_many_is_dropped_and_stops_no_bot(redis_url: str) -> None:
    async with running(redis_url, chats_per_minute=3) as gateway:
        for game_id in (GAME, "game0002"):
            gateway.game.new_game(game_id)
            for number in range(8):
                path = f"/api/board/game/{game_id}/chat"
                line = {"room": "player", "text": f"line {number}"}
                answer = await gateway.client.post(path, data=line, headers=gateway.as_("anna"))
                assert (answer.status_code, answer.json()) == (200, {"ok": True})
        said = [(line.game_id, line.text) for line in gateway.game.chat]
    assert said == [(game_id, f"line {number}") for game_id in (GAME, "game0002") for number in range(3)]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/nowhere", 404),
        ("GET", "/nowhere/at/all", 404),
        ("PUT", "/api/account", 405),
        ("GET", "/api/board/game/game0001/move/e2e4", 405),
        ("GET", "/api/account", 401),
        ("GET", "/api/stream/event", 401),
    ],
)
async def test_errors_are_json_everywhere(gateway: Gateway, method: str, path: str, status: int) -> None:
    answer = await gateway.client.request(method, path)
    assert answer.status_code == status
    assert set(answer.json()) >= {"error", "code"}
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["x-request-id"]


async def test_a_wrong_method_is_told_the_right_one(gateway: Gateway) -> None:
    answer = await gateway.client.get("/api/board/game/game0001/move/e2e4")
    assert answer.json()["error"] == "This address takes POST, not GET."
    assert answer.headers["allow"] == "POST"


@pytest.mark.parametrize("path", ["/api/board/game/game0001/move/e2e4/", "/api/board/game/game0001/move/e2e4"])
async def test_a_slash_at_the_end_changes_nothing(gateway: Gateway, path: str) -> None:
    answer = await gateway.client.post(path, headers={**gateway.as_("anna"), "Accept": "application/x-unknown"})
    assert answer.status_code == 200


async def test_a_failure_of_our_own_is_json_and_logged(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr("services.gateway.public_api.public_json.game_info", broken)
    answer = await gateway.client.get("/api/account/playing", headers=gateway.as_("anna"))
    assert (answer.status_code, answer.json()["code"]) == (500, "internal")
    assert "broken on purpose" in caplog.text
    assert "broken on purpose" not in answer.text


async def test_a_body_that_is_too_large_is_refused_whole_or_in_chunks(gateway: Gateway) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(40):
            yield b"x" * 65_536

    for content in (b"x" * 2_000_000, chunks()):
        answer = await gateway.client.post("/api/challenge/ai", content=content, headers=gateway.as_("anna"))
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert await ask(gateway, move("e2e4")) == (200, {"ok": True})


async def test_a_move_of_a_megabyte_is_refused(gateway: Gateway) -> None:
    path = b"POST /api/board/game/game0001/move/" + b"e" * 1_000_000
    head = await raw(gateway, path + b" HTTP/1.1\r\nHost: flagfall\r\nAuthorization: Bearer anna\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 431 ")
    status, body = await ask(gateway, move("e" * 20_000))
    assert (status, body["code"], body["at"]) == (400, "malformed", "move")
    assert not any(command.HasField("move") for command in gateway.game.commands)


async def test_a_head_without_an_end_is_refused_by_size(gateway: Gateway) -> None:
    head = await raw(gateway, b"GET / HTTP/1.1\r\n", *(b"X-%d: %s\r\n" % (n, b"y" * 8_000) for n in range(20)))
    assert head.startswith(b"HTTP/1.1 431 ")


async def test_what_is_no_http_is_told_so(gateway: Gateway) -> None:
    assert (await raw(gateway, b"\x16\x03\x01 hello\r\n\r\n")).startswith(b"HTTP/1.1 400 ")


async def test_a_head_or_body_that_does_not_come_is_refused_by_time(redis_url: str) -> None:
    async with running(redis_url, header_ms=200, body_ms=200) as gateway:
        assert (await raw(gateway, b"GET / HTTP/1.1\r\nHost:")).startswith(b"HTTP/1.1 408 ")
        path = b"POST /api/challenge/ai HTTP/1.1\r\nHost: flagfall\r\nAuthorization: Bearer anna\r\n"
        assert (await raw(gateway, path + b"Content-Length: 50\r\n\r\nlevel=")).startswith(b"HTTP/1.1 408 ")
        kept = [await gateway.client.get("/api/flagfall/health") for _ in range(2)]
        assert [answer.status_code for answer in kept] == [200, 200]


async def test_sign_ups_are_limited_with_a_time_to_wait(redis_url: str) -> None:
    async with running(redis_url, sign_ups_per_hour=1) as gateway:
        answers = [await gateway.client.post("/api/flagfall/guests") for _ in range(2)]
        assert answers[1].status_code == 429
        assert answers[1].json()["code"] == "limit_reached"
        assert 1 <= int(answers[1].headers["retry-after"]) <= 3_600


async def test_moves_are_never_limited(gateway: Gateway) -> None:
    answers = await asyncio.gather(*(gateway.client.request(**move("a1a1", "bob")) for _ in range(300)))  # type: ignore[arg-type]
    assert {answer.status_code for answer in answers} == {400}


async def test_it_beats_through_the_whole_path(redis_url: str) -> None:
    async with running(redis_url, beat_period_ms=50) as gateway:
        async with asyncio.timeout(15):
            while gateway.game.beats < 3:
                await asyncio.sleep(0.01)


async def test_numbers_name_the_route_and_not_the_path(gateway: Gateway) -> None:
    from prometheus_client import REGISTRY

    labels = {"method": "POST", "route": "/api/board/game/{game_id}/move/{uci}", "status": "200"}
    before = REGISTRY.get_sample_value("flagfall_http_requests_total", labels) or 0.0
    await ask(gateway, move("e2e4"))
    assert REGISTRY.get_sample_value("flagfall_http_requests_total", labels) == before + 1
    moves = {"mode": "clock", "actor": "person", "outcome": "not_your_turn"}
    await gateway.client.get(f"/api/board/game/{GAME}/chat", headers=gateway.as_("anna"))
    await ask(gateway, move("e2e4"))
    known = REGISTRY.get_sample_value("flagfall_moves_total", {**moves, "mode": "unknown"})
    assert known is not None
    assert known >= 1


@pytest.mark.parametrize("path", ["/api/flagfall/accounts", "/api/flagfall/login"])
async def test_a_password_may_take_longer_than_a_command_and_not_for_ever(redis_url: str, path: str) -> None:
    body = {"username": "dora", "password": "correct-horse"}
    async with running(redis_url, command_timeout_ms=100, password_timeout_ms=600) as gateway:
        gateway.game.password_gate.clear()
        began = time.monotonic()
        answer = await gateway.client.post(path, json=body)
        assert 0.5 < time.monotonic() - began < 5.0
        assert (answer.status_code, answer.json()["error"]) == (503, sentence(BUSY.text))
        gateway.game.password_gate.set()
        assert (await gateway.client.post(path, json=body)).json()["token"] == "token-of-dora"
