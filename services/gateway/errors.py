"""Errors as the HTTP API tells them: one table from a refusal's code to the status and what the client should do."""

import orjson
from starlette.requests import Request
from starlette.responses import Response

from services.domain.refusal import Refusal, RefusalCode
from services.gateway.names import camel

STATUS: dict[RefusalCode, int] = {
    RefusalCode.NOT_YOUR_TURN: 400,
    RefusalCode.ILLEGAL_MOVE: 400,
    RefusalCode.STALE_VERSION: 400,
    RefusalCode.TIME_IS_UP: 400,
    RefusalCode.GAME_OVER: 400,
    RefusalCode.MALFORMED: 400,
    RefusalCode.NOT_A_PLAYER: 404,  # the public API: a game that is not yours is not there
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
"""Repair the request on 4xx; repeat the same request after `Retry-After` on 429 and 503."""

_PLACES = {
    "dest_id": "username",
    "initial_fen": "fen",
    "game_id": "id",
    "challenger_id": "username",
    "old_password": "oldPassword",
    "new_password": "newPassword",
}
"""Where the game service's name of a field is not the client's."""

RETRY_AFTER_S = {429: 60, 503: 1}


class Refused(Exception):
    """A request that is refused; becomes the status of STATUS and the refusal as JSON."""

    def __init__(self, refusal: Refusal, retry_after_s: int | None = None) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal
        self.retry_after_s = retry_after_s


class HubRefused(Exception):
    """This cannot be listened to; `refusal` says why. UNAVAILABLE: the same may be asked for again."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


def full_up(what: str) -> HubRefused:
    """There is no room for one more."""
    return HubRefused(Refusal(RefusalCode.LIMIT_REACHED, f"This server follows as many {what} as it can."))


def unavailable() -> HubRefused:
    """The game service does not answer."""
    return HubRefused(Refusal(RefusalCode.UNAVAILABLE, "The game cannot be read at the moment."))


class HttpProblem(Exception):
    """A request that fails before it reaches anything that could refuse it (no token, no such page, ...)."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message


def unauthorized(message: str = "This needs a valid token.") -> HttpProblem:
    """Nobody is signed in."""
    return HttpProblem(401, "unauthorized", message)


def forbidden(message: str) -> HttpProblem:
    """Somebody is signed in who may not do this."""
    return HttpProblem(403, "forbidden", message)


def malformed(message: str, at: str = "") -> Refused:
    """Input that cannot be read."""
    return Refused(Refusal(RefusalCode.MALFORMED, message, at))


def answer(status: int, code: str, message: str, at: str = "", retry_after_s: int | None = None) -> Response:
    """The one shape of errors: {"error", "code", "at"?}."""
    body = {"error": message, "code": code}
    if at:
        body["at"] = at
    headers = {}
    seconds = retry_after_s or RETRY_AFTER_S.get(status)
    if seconds:
        headers["Retry-After"] = str(seconds)
    return Response(orjson.dumps(body), status, headers, media_type="application/json")


def answer_refusal(refusal: Refusal, retry_after_s: int | None = None, status: int | None = None) -> Response:
    """A refusal as an answer, with the status of its code unless another one is told."""
    place = _PLACES.get(refusal.at) or (camel(refusal.at) if refusal.at.startswith("rule_set.") else refusal.at)
    return answer(status or STATUS[refusal.code], refusal.code, refusal.message, place, retry_after_s)


async def on_refused(request: Request, error: Exception) -> Response:
    """Handles Refused and HubRefused."""
    assert isinstance(error, Refused | HubRefused)
    return answer_refusal(error.refusal, error.retry_after_s if isinstance(error, Refused) else None)


async def on_problem(request: Request, error: Exception) -> Response:
    """Handles HttpProblem."""
    assert isinstance(error, HttpProblem)
    return answer(error.status, error.code, error.message)


async def on_failure(request: Request, error: Exception) -> Response:
    """Handles whatever was not foreseen. What it was is for the log alone."""
    return answer(500, "internal", "The server failed to do this; the failure was logged.")
