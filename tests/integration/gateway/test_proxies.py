"""Whom the gateway believes about where a request comes from."""

import httpx
import pytest
from pydantic import ValidationError

from services.gateway.settings import GatewaySettings
from tests.integration.gateway.gateway_process import Gateway, running

ONE_EACH = {"sign_ups_per_hour": 1, "log_ins_per_minute": 1, "token_tests_per_minute": 1, "challenges_per_minute": 1}
WAYS = [
    ("/api/flagfall/guests", {}),
    ("/api/flagfall/accounts", {"username": "dora", "password": "correct-horse"}),
    ("/api/flagfall/login", {"username": "dora", "password": "correct-horse"}),
    ("/api/token/test", {}),
    ("/api/challenge/open", {"clock.limit": "300", "clock.increment": "3"}),
]


async def ask(gateway: Gateway, path: str, fields: dict[str, str], forwarded: str, scheme: str = "") -> httpx.Response:
    """A request with a proxy's headers, from a browser without a cookie."""
    gateway.client.cookies.clear()
    headers = {"X-Forwarded-For": forwarded} | ({"X-Forwarded-Proto": scheme} if scheme else {})
    return await gateway.client.post(path, data=fields, headers=headers)


async def limited(gateway: Gateway, forwarded: str) -> list[bool]:
    """Whether each way in says that this address has had its share."""
    return [(await ask(gateway, path, fields, forwarded)).status_code == 429 for path, fields in WAYS]


@pytest.mark.parametrize("trusted", ["", "192.0.2.1, 2001:db8::/32"])
async def test_a_stranger_is_believed_nothing(redis_url: str, trusted: str) -> None:
    async with running(redis_url, trusted_proxies=trusted, **ONE_EACH) as gateway:
        first = await ask(gateway, *WAYS[0], "203.0.113.1", "https")
        assert first.status_code == 201
        assert "secure" not in first.headers["set-cookie"].lower()
        assert await limited(gateway, "203.0.113.2") == [True] + [False] * 4
        assert await limited(gateway, "203.0.113.3") == [True] * 5


@pytest.mark.parametrize("trusted", ["127.0.0.1", "192.0.2.1 , 127.0.0.0/8"])
async def test_a_trusted_proxy_names_address_and_scheme(redis_url: str, trusted: str) -> None:
    async with running(redis_url, trusted_proxies=trusted, **ONE_EACH) as gateway:
        for client in ("203.0.113.1", "203.0.113.2", "2001:db8:1::1"):
            assert await limited(gateway, client) == [False] * 5
        # What the client had written itself stands before what the proxy saw.
        assert await limited(gateway, "198.51.100.9, 203.0.113.1") == [True] * 5
        for last, scheme, secure in ((10, "https", True), (11, "http", False), (12, "", False)):
            answer = await ask(gateway, *WAYS[0], f"203.0.113.{last}", scheme)
            assert answer.status_code == 201
            assert ("secure" in answer.headers["set-cookie"].lower()) is secure


@pytest.mark.parametrize("given", ["*", "proxy.example", "10.0.0.0/8, 10.0.0.300", "10.0.0.1/8"])
def test_what_is_no_address_is_refused_at_boot(given: str) -> None:
    with pytest.raises(ValidationError, match="trusted_proxies"):
        GatewaySettings(trusted_proxies=given)
