"""Errors of the HTTP API: one table from a refusal's code to the HTTP status and what the client should do."""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType
from starlette.requests import Request
from starlette.responses import Response

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import Text, say
from services.gateway.language import told
from services.gateway.names import camel

STATUS: dict[RefusalCode, int] = {
    RefusalCode.NOT_YOUR_TURN: 400,
    RefusalCode.ILLEGAL_MOVE: 400,
    RefusalCode.STALE_VERSION: 400,
    RefusalCode.TIME_IS_UP: 400,
    RefusalCode.GAME_OVER: 400,
    RefusalCode.MALFORMED: 400,
    RefusalCode.NOT_A_PLAYER: 404,  # the public API: for a stranger, another player's game does not exist
    RefusalCode.NOT_FOUND: 404,
    RefusalCode.NOT_ALLOWED: 400,
    RefusalCode.NOT_DUE: 400,
    RefusalCode.COMMAND_CONFLICT: 409,
    RefusalCode.BAD_POSITION: 400,
    RefusalCode.UNSUPPORTED_VARIANT: 400,
    RefusalCode.NAME_TAKEN: 409,
    RefusalCode.WRONG_PASSWORD: 401,
    RefusalCode.ACCOUNT_NEEDED: 403,
    RefusalCode.LIMIT_REACHED: 429,
    RefusalCode.UNAVAILABLE: 503,
}
"""On 4xx correct the request. On 429 and 503 send the same request again after `Retry-After`."""

_PLACES = {
    "dest_id": "username",
    "initial_fen": "fen",
    "game_id": "id",
    "challenger_id": "username",
    "old_password": "oldPassword",
    "new_password": "newPassword",
}
"""The client's names of fields, where they differ from the game service's."""

RETRY_AFTER_S = {429: 60, 503: 1}


_encoded = msgspec.json.Encoder().encode


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """What went wrong."""

    error: Annotated[str, Meta(description="For people.")]
    code: Annotated[str, Meta(description="Stable.")]
    at: Annotated[str, Meta(description="The field or place.")] | UnsetType = UNSET


class Refused(Exception):
    """A request that is refused. It becomes a status of STATUS and the refusal as JSON."""

    def __init__(self, refusal: Refusal, retry_after_s: int | None = None) -> None:
        super().__init__(refusal.text)
        self.refusal = refusal
        self.retry_after_s = retry_after_s


class HubRefused(Exception):
    """Something cannot be followed; `refusal` says why. With UNAVAILABLE the same request may be retried."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.text)
        self.refusal = refusal


def full_up(what: str) -> HubRefused:
    """The error when there is no room for one more of `what`: a variant of the message `gateway.full`."""
    return HubRefused(Refusal(RefusalCode.LIMIT_REACHED, say("gateway.full", what=what)))


def unavailable() -> HubRefused:
    """The error when the game service does not answer."""
    return HubRefused(Refusal(RefusalCode.UNAVAILABLE, say("gateway.no_game_now")))


class HttpProblem(Exception):
    """A request that fails in the gateway itself (no token, unknown page, ...)."""

    def __init__(self, status: int, code: str, text: Text) -> None:
        super().__init__(text)
        self.status = status
        self.code = code
        self.text = text


def unauthorized(text: Text) -> HttpProblem:
    """The error when no valid token came with the request (401)."""
    return HttpProblem(401, "unauthorized", text)


def forbidden(text: Text) -> HttpProblem:
    """The error when the signed-in player may not do this (403)."""
    return HttpProblem(403, "forbidden", text)


def lacks_scope(scopes: Sequence[str]) -> Text:
    """What to say when a token has none of these scopes."""
    return say("gateway.lacks_scope", scopes=", ".join(scopes), count=len(scopes))


def malformed(text: Text, at: str = "") -> Refused:
    """The error for input that cannot be read; `at` is the field or place."""
    return Refused(Refusal(RefusalCode.MALFORMED, text, at))


def answer(status: int, code: str, text: Text, at: str = "", retry_after_s: int | None = None) -> Response:
    """An error as a response. All have the same shape: a Problem."""
    body = Problem(error=told(text), code=code, at=at or UNSET)
    headers = {}
    seconds = retry_after_s or RETRY_AFTER_S.get(status)
    if seconds:
        headers["Retry-After"] = str(seconds)
    return Response(_encoded(body), status, headers, media_type="application/json")


def answer_refusal(refusal: Refusal, retry_after_s: int | None = None, status: int | None = None) -> Response:
    """A refusal as a response, with the status of its code unless `status` is given."""
    place = _PLACES.get(refusal.at) or (camel(refusal.at) if refusal.at.startswith("rule_set.") else refusal.at)
    return answer(status or STATUS[refusal.code], refusal.code, refusal.text, place, retry_after_s)


async def on_refused(request: Request, error: Exception) -> Response:
    """Exception handler for Refused and HubRefused."""
    assert isinstance(error, Refused | HubRefused)
    return answer_refusal(error.refusal, error.retry_after_s if isinstance(error, Refused) else None)


async def on_problem(request: Request, error: Exception) -> Response:
    """Exception handler for HttpProblem."""
    assert isinstance(error, HttpProblem)
    return answer(error.status, error.code, error.text)


async def on_failure(request: Request, error: Exception) -> Response:
    """Exception handler for all other errors. Only the log gets the details."""
    return answer(500, "internal", say("gateway.failed"))
