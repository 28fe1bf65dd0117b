"""A socket that is not taken: an ordinary answer for its client, and nothing that looks like a defect in the log."""

import logging

import pytest
from websockets.exceptions import InvalidStatus

from tests.integration.fake_game import FakeGame
from tests.integration.running_sockets import gateway, opened


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
