"""What a connection finds around it: the ends of its socket, the hub, and the game service as far as it needs that."""

from collections.abc import Awaitable, Callable, Collection, Coroutine, MutableMapping
from typing import Any, Protocol

from services.gateway.hub.hub import Hub
from services.gateway.presence.boards import Boards
from services.gateway.socket_settings import SocketSettings
from services.pb.flagfall.v1 import events_pb2, game_pb2

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
SendMessage = Callable[[Message], Awaitable[None]]


class Commands(Protocol):
    """The game service, as far as sockets write to it."""

    async def ask(self, command: game_pb2.Command) -> game_pb2.Reply:
        """Decide one command. The hub has been told of what was committed before this returns."""

    async def post_chat(self, request: game_pb2.PostChatRequest) -> events_pb2.ChatLine:
        """Keep and publish a line of chat. Raises Refused."""

    async def ask_hint(self, request: game_pb2.AskHintRequest) -> game_pb2.Accepted:
        """Ask for a hint, which comes as a message of the game. Raises Refused."""


class Holder(Protocol):
    """Somebody with a valid token."""

    @property
    def player(self) -> events_pb2.Player:
        """Who it is."""

    @property
    def scopes(self) -> Collection[str]:
        """What the token may be used for."""


class Tokens(Protocol):
    """Who holds which token."""

    async def resolve(self, token: str) -> Holder | None:
        """The holder; None when nobody holds it. Raises Refused when that cannot be found out."""


class Room(Protocol):
    """What a connection finds around it."""

    settings: SocketSettings
    hub: Hub
    commands: Commands
    tokens: Tokens
    boards: Boards

    def see_through(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Run a command to its end, even when its connection ends first."""
