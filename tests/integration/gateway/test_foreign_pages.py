"""What another site's page can make a browser do here: nothing that sets or removes the cookie, and nothing in a frame.

The endpoints come from the description of the HTTP API, so one of tomorrow is covered.
"""

from collections.abc import AsyncIterator
from http.cookies import SimpleCookie
from typing import Any

import httpx
import pytest

from tests.integration.gateway.gateway_process import Gateway, running

FOREIGN: list[dict[str, str]] = [
    {"Origin": "https://elsewhere.example"},
    {"Origin": "null"},
    {"Origin": "https://{host}"},  # this host, but over TLS, which it does not speak
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
]
SIGNING = [
    ("POST", "/api/flagfall/accounts", {"username": "newcomer", "password": "a fairly long one"}),
    ("POST", "/api/flagfall/login", {"username": "anna", "password": "a fairly long one"}),
    ("POST", "/api/flagfall/guests", {}),
    ("POST", "/api/flagfall/logout", {}),
    ("POST", "/api/flagfall/account/close", {"password": "a fairly long one"}),
]
SERVED = ["/", "/rules", "/docs", "/docs/start.js", "/docs/assets/swagger-ui.css", "/static/mark.svg", "/openapi.json"]


@pytest.fixture
async def gateway(redis_url: str) -> AsyncIterator[Gateway]:
    async with running(redis_url, trusted_proxies="127.0.0.1") as gateway:
        yield gateway


def headers_of(gateway: Gateway, headers: dict[str, str], **more: str) -> dict[str, str]:
    host = gateway.address.removeprefix("http://")
    return {name: value.format(host=host) for name, value in headers.items()} | more


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
@pytest.mark.parametrize("cookie", ["", "flagfall_token=anna"], ids=["no cookie", "cookie"])
async def test_another_sites_form_signs_nobody_in_or_out(
    gateway: Gateway, headers: dict[str, str], cookie: str
) -> None:
    sent = headers_of(gateway, headers, **({"Cookie": cookie} if cookie else {}))
    for method, path, form in SIGNING:
        answer = await gateway.client.request(method, path, data=form, headers=sent)
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden"), path
        assert "set-cookie" not in answer.headers, path
    forbidden_calls = {"CreateAccount", "LogIn", "CreateGuest", "RevokeToken", "CloseAccount"}
    assert forbidden_calls.isdisjoint(name for name, count in gateway.game.calls.items() if count)


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
async def test_no_endpoint_sets_a_cookie_for_another_sites_page(gateway: Gateway, headers: dict[str, str]) -> None:
    described: dict[str, Any] = (await gateway.client.get("/openapi.json")).json()
    sent = headers_of(gateway, headers, Cookie="flagfall_token=anna")
    for path, methods in described["paths"].items():
        for method in sorted(methods.keys() & {"post", "put", "patch", "delete"}):
            who_matters = methods[method].get("security") != []
            where = path.replace("{game_id}", "game0001").replace("{", "").replace("}", "")
            async with gateway.client.stream(method, where, headers=sent, data={"a": "b"}) as answer:
                assert "set-cookie" not in answer.headers, (method, path)
                assert answer.status_code >= 400 or not who_matters, (method, path, answer.status_code)
    assert gateway.game.commands == []


async def test_own_pages_and_programs_sign_in(gateway: Gateway) -> None:
    host = gateway.address.removeprefix("http://")
    for headers in ({}, {"Origin": f"http://{host}"}, {"Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}):
        answer = await gateway.client.post("/api/flagfall/guests", headers=headers)
        assert answer.status_code == 201, headers
        assert set(SimpleCookie(answer.headers["set-cookie"])) == {"flagfall_token"}
        gateway.client.cookies.clear()


async def test_over_tls_the_cookie_belongs_to_this_host_alone(gateway: Gateway) -> None:
    host = gateway.address.removeprefix("http://")
    tls = {"X-Forwarded-Proto": "https", "Origin": f"https://{host}"}
    answer = await gateway.client.post("/api/flagfall/guests", headers=tls)
    cookie = SimpleCookie(answer.headers["set-cookie"])["__Host-flagfall_token"]
    assert (cookie["secure"], cookie["httponly"], cookie["path"], cookie["domain"]) == (True, True, "/", "")
    assert cookie["samesite"].lower() == "lax"
    token = "anna"
    for name in ("__Host-flagfall_token", "flagfall_token"):  # the second: as the release before has set it
        mine = await gateway.client.get("/api/account", headers={**tls, "Cookie": f"{name}={token}"})
        assert mine.status_code == 200, name
    out = await gateway.client.post("/api/flagfall/logout", headers=tls)
    assert out.status_code == 204
    assert {line.partition("=")[0] for line in out.headers.get_list("set-cookie")} == {
        "__Host-flagfall_token",
        "flagfall_token",
    }


def directives(answer: httpx.Response) -> dict[str, list[str]]:
    """The Content-Security-Policy, as a browser reads it."""
    policy = answer.headers["content-security-policy"]
    return {name: values for name, *values in (part.split() for part in policy.split(";"))}


@pytest.mark.parametrize("tls", [False, True])
async def test_every_answer_has_the_headers_that_keep_a_browser_safe(gateway: Gateway, tls: bool) -> None:
    forwarded = {"X-Forwarded-Proto": "https"} if tls else {}
    errors = ["/api/account", "/api/nowhere", "/no/such/page", "/api/games/user/nobody"]
    for path in [*SERVED, *errors]:
        async with gateway.client.stream("GET", path, headers=forwarded) as answer:
            policy = directives(answer)
            page = answer.headers.get("content-type", "").startswith("text/html")
            assert policy["default-src"] == ["'none'"], path
            assert policy["frame-ancestors"] == ["'none'"], path
            assert policy.get("script-src", ["'self'"]) == ["'self'"], path
            assert "'unsafe-inline'" not in policy.get("style-src", []), path
            assert ("script-src" in policy) == page, path
            if page:
                assert (policy["base-uri"], policy["form-action"]) == (["'none'"], ["'self'"])
                assert answer.headers["cross-origin-opener-policy"] == "same-origin"
            assert answer.headers["x-content-type-options"] == "nosniff", path
            assert answer.headers["x-frame-options"] == "DENY", path
            assert answer.headers["referrer-policy"] == "same-origin", path
            assert "camera=()" in answer.headers["permissions-policy"], path
            assert ("strict-transport-security" in answer.headers) == tls, path


async def test_pages_have_no_inline_script_or_style(gateway: Gateway) -> None:
    for path in ("/", "/docs"):
        text = (await gateway.client.get(path)).text
        assert "<script>" not in text
        assert "<style" not in text
        assert " style=" not in text
        assert " on" not in text.replace(" on ", " ")
