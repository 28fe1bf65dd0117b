"""A socket that is not taken: an ordinary answer for its client, and nothing that looks like a defect in the log."""

import logging

import pytest
from websockets.exceptions import InvalidStatus

from tests.integration.gateway.fake_game import FakeGame
from tests.integration.sockets.running_sockets import code_of, gateway, opened, say, wanted


async def test_a_refused_handshake_is_no_error(
    redis_url: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger("uvicorn"), "propagate", True)
    with caplog.at_level(logging.INFO):
        async with gateway(FakeGame(), redis_url, sockets_max=1) as one, opened(one):
            with pytest.raises(InvalidStatus) as caught:
                await opened(one)
            assert (caught.value.response.status_code, caught.value.response.headers["retry-after"]) == (503, "1")
    assert "connection rejected (503 Service Unavailable)" in caplog.text, "the server's log is not seen here"
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


async def test_a_connection_ends_with_its_token_however_it_came(redis_url: str) -> None:
    game = FakeGame()
    game.sign_up("anna", "bert", "bob")
    async with (
        gateway(game, redis_url, socket_token_ms=100, token_cache_ms=50) as one,
        opened(one, "anna") as given,
        opened(one) as said,
        opened(one, "bob") as other,
    ):
        await say(said, t="auth", token="bert")
        for socket in (given, said, other):
            while (await wanted(socket, "welcome"))["player"] is None:
                pass
        del game.tokens["anna"], game.tokens["bert"]
        assert await code_of(given) == await code_of(said) == 4001
        await say(other, t="p", n=1)
        assert (await wanted(other, "p"))["n"] == 1
