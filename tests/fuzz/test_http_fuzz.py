"""Requests made up from the description of the HTTP API: every endpoint gives a declared answer to each, and never 500.

An endpoint is here as soon as it is described. `make fuzz MINUTES=60` sends other requests each time; the CI sends the
same few each time, so that its result does not depend on luck.
"""

import asyncio
import os
import time
import uuid
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest
import requests
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case, Response
from schemathesis.openapi import from_dict
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from services.gateway.main.app import make_app
from services.gateway.rest.parts import Parts
from services.gateway.settings import GatewaySettings
from tests.stack.running import RunningFlagfall

pytestmark = [pytest.mark.thorough, pytest.mark.timeout(0)]

MINUTES = float(os.environ.get("FLAGFALL_FUZZ_MINUTES", "0"))
"""How long all operations together may take; 0 for the few requests of the CI."""
EXAMPLES = 12
WITHIN_S = 20.0
METHODS = {"get", "post", "delete", "put", "patch"}
CHECKS = [status_code_conformance, content_type_conformance, response_schema_conformance]


async def _no_door(*_: object) -> None:
    raise AssertionError("no socket is opened here")


def described() -> dict[str, Any]:
    """What /openapi.json says."""
    app = make_app(cast(Parts, SimpleNamespace(settings=GatewaySettings())), _no_door)

    async def read() -> dict[str, Any]:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://flagfall") as client:
            found: dict[str, Any] = (await client.get("/openapi.json")).json()
        return found

    return asyncio.run(read())


DESCRIBED = described()
SCHEMA = from_dict(DESCRIBED)
OPERATIONS = [(path, method) for path, methods in DESCRIBED["paths"].items() for method in methods if method in METHODS]


class Somebody:
    """Who sends: an account that is made anew when a request has closed it or taken its token."""

    def __init__(self, address: str, signed_in: bool) -> None:
        self.address = address
        self._signed_in = signed_in
        self.headers: dict[str, str] = {}
        self.renew()

    def renew(self) -> None:
        """Another account."""
        if self._signed_in:
            name = f"f{uuid.uuid4().hex[:12]}"
            body = {"username": name, "password": "a fairly long one 7"}
            answer = requests.post(f"{self.address}/api/flagfall/accounts", json=body, timeout=WITHIN_S)
            answer.raise_for_status()
            self.headers = {"Authorization": f"Bearer {answer.json()['token']}"}

    def send(self, case: Case[Any]) -> None:
        """Send a request and check its answer."""
        kwargs = case.as_transport_kwargs(base_url=self.address)
        kwargs["headers"] = {**kwargs.get("headers", {}), **self.headers}
        kwargs.pop("cookies", None)
        with requests.Session() as session:
            session.trust_env = False
            answer = session.request(**kwargs, timeout=WITHIN_S, stream=True, allow_redirects=False)
            if answer.ok and "ndjson" in answer.headers.get("content-type", ""):
                answer.close()  # a stream that may have no end: its status and type are all that is looked at
                return
            answer.content  # noqa: B018  read it, before the session is closed
        assert answer.status_code != 500, f"{answer.status_code}: {answer.text[:500]}"
        if answer.status_code == 401:
            self.renew()
        case.validate_response(Response.from_requests(answer, verify=True), checks=CHECKS)


@pytest.mark.parametrize("signed_in", [False, True], ids=["nobody", "account"])
@pytest.mark.parametrize(("path", "method"), OPERATIONS, ids=[f"{method} {path}" for path, method in OPERATIONS])
def test_every_answer_is_a_declared_one(flagfall: RunningFlagfall, path: str, method: str, signed_in: bool) -> None:
    who = Somebody(flagfall.address, signed_in)
    share_s = MINUTES * 60 / len(OPERATIONS) / 2
    ends_s = time.monotonic() + share_s

    @settings(
        max_examples=EXAMPLES if not MINUTES else 500,
        derandomize=not MINUTES,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=SCHEMA[path][method.upper()].as_strategy())
    def sent(case: Case[Any]) -> None:
        if not MINUTES or time.monotonic() < ends_s:
            who.send(case)

    sent()
