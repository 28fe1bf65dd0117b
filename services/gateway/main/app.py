"""The ASGI application: its routes and its middleware."""

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send
from swagger_ui_bundle import swagger_ui_path

from services.domain.text import say
from services.gateway.answers.listed import schemas
from services.gateway.errors import HttpProblem, HubRefused, Refused, answer, on_failure, on_problem, on_refused
from services.gateway.main import pages
from services.gateway.main.watching import Watching
from services.gateway.public_api.rules_library import library
from services.gateway.rest.described import ERROR, SECURITY
from services.gateway.rest.parts import Parts
from services.gateway.rest.quick_way import QuickWay
from services.gateway.rest.routes import PARTS

SOCKET_PATH = "/api/flagfall/ws"

DESCRIPTION = """
Board and Bot API at the host's root, in the words of the public Lichess API, so that its clients work unchanged;
Flagfall's own additions are under `/api/flagfall/`. Requests take forms and JSON alike.
Errors are `{"error": text, "code": stable, "at": place}`.
The WebSocket protocol is in docs/protocol.md.
"""


def make_app(made: Parts, door: ASGIApp) -> ASGIApp:
    """The application with these parts; `door` serves WebSockets."""
    app = FastAPI(
        title="Flagfall", description=DESCRIPTION, version="1", redirect_slashes=False, docs_url=None, redoc_url=None
    )
    app.openapi_version = "3.0.3"  # the version that the bundled documentation page can read
    app.state.parts = made
    library()  # so an unreadable page of rules stops the start, not a request
    app.add_exception_handler(Refused, on_refused)
    app.add_exception_handler(HubRefused, on_refused)
    app.add_exception_handler(HttpProblem, on_problem)
    app.add_exception_handler(HTTPException, _on_http_exception)
    app.add_exception_handler(Exception, on_failure)
    for part in PARTS:
        app.include_router(part.router)
    app.include_router(pages.docs)
    app.mount("/docs/assets", StaticFiles(directory=swagger_ui_path), name="docs")
    pages.STATIC.mkdir(exist_ok=True)
    app.mount("/static", StaticFiles(directory=pages.STATIC), name="static")
    app.include_router(pages.router)
    _describe(app)
    return Watching(_Ways(QuickWay(app), door))


def _describe(app: FastAPI) -> None:
    """Add tokens and the shape of errors to the OpenAPI description, so that its page can ask for a token.

    The framework's own error is removed: handlers read their fields themselves, so it never occurs.
    """
    described = app.openapi()
    described["components"] = {"securitySchemes": SECURITY, "responses": {"error": ERROR}, "schemas": schemas()}
    described["security"] = [{name: []} for name in SECURITY]
    for path in described["paths"].values():
        for operation in path.values():
            operation["responses"].pop("422", None)
            operation["responses"]["default"] = {"$ref": "#/components/responses/error"}


class _Ways:
    """Routes WebSockets at one path to the door, all else to the application. API paths may end in a slash."""

    def __init__(self, app: ASGIApp, door: ASGIApp) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await (self._door if scope["path"] == SOCKET_PATH else _no_socket)(scope, receive, send)
            return
        if scope["type"] == "http" and scope["path"].startswith("/api/") and scope["path"].endswith("/"):
            scope["path"] = scope["path"].rstrip("/")
        await self._app(scope, receive, send)


async def _no_socket(scope: Scope, receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "websocket.close", "code": 1000, "reason": f"WebSockets are at {SOCKET_PATH}"})


async def _on_http_exception(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    headers = error.headers or {}
    taken = headers.get("Allow", "another method")
    words = {
        404: ("not_found", say("gateway.nothing_here")),
        405: ("wrong_method", say("gateway.wrong_method", takes=taken, method=request.method)),
    }
    refused = say("gateway.refused", status=str(error.status_code), reason=str(error.detail))
    code, text = words.get(error.status_code, ("refused", refused))
    response = answer(error.status_code, code, text)
    for name, value in headers.items():
        response.headers[name] = value
    return response
