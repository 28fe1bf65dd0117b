"""An answer of the HTTP API as a response in JSON."""

from msgspec import UNSET
from starlette.responses import Response

from services.gateway.answers.answer import Body, encoded
from services.gateway.answers.own import Accepted
from services.gateway.protocol import shapes
from services.gateway.protocol.server_frames import GameState
from services.pb.flagfall.v1 import game_pb2 as pb


def answered(body: Body, status: int = 200) -> Response:
    """The response with this body. A value that is not declared as an answer is no body."""
    return Response(encoded(body), status, media_type="application/json")


def accepted(message: pb.Accepted) -> Response:
    """The response to a command that was committed."""
    state = shapes.declared(GameState, shapes.accepted_state(message))
    return answered(Accepted(version=message.version, state=state, repeated=message.repeated or UNSET))
