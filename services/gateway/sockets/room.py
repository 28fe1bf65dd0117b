"""What a connection needs from outside: its socket, the hub, and part of the game service."""

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
    """The calls of the game service by which sockets change something."""

    async def ask(self, command: game_pb2.Command) -> game_pb2.Reply:
        """Decide one command; a refusal is in the reply. The hub gets a committed event before this returns."""

    async def post_chat(self, request: game_pb2.PostChatRequest) -> events_pb2.ChatLine:
        """Store and publish a chat line. Raises Refused."""

    async def ask_hint(self, request: game_pb2.AskHintRequest) -> game_pb2.Accepted:
        """Ask for a hint, which comes later as a message of the game. Raises Refused."""


class Holder(Protocol):
    """The holder of a valid token."""

    @property
    def player(self) -> events_pb2.Player:
        """The player."""

    @property
    def scopes(self) -> Collection[str]:
        """What the token may be used for."""


class Tokens(Protocol):
    """Looks up the holders of tokens."""

    async def resolve(self, token: str) -> Holder | None:
        """The token's holder; None when the token is not valid. Raises Refused when the lookup fails."""


class Room(Protocol):
    """What a connection needs from outside."""

    settings: SocketSettings
    hub: Hub
    commands: Commands
    tokens: Tokens
    boards: Boards

    def see_through(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Run a command to its end, even if its connection ends first."""
