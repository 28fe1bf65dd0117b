"""What a connection finds around it: the ends of its socket, the hub, and the game service as far as it needs that."""

from collections.abc import Awaitable, Callable, Collection, Coroutine, MutableMapping
from typing import Any, Protocol

from services.gateway.hub.held_game import HeldGame
from services.gateway.hub.hub import Hub
from services.gateway.protocol.absence import Ears
from services.gateway.socket_settings import SocketSettings
from services.pb.flagfall.v1 import common_pb2, events_pb2, game_pb2

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


class Boards(Protocol):
    """Who is at which board."""

    def enter(self, game: HeldGame, side: common_pb2.Color, ears: Ears) -> None:
        """The player of a side is there; UNSPECIFIED is nobody."""

    def leave(self, game_id: str, ears: Ears) -> None:
        """A connection is there no longer."""


class Room(Protocol):
    """What a connection finds around it."""

    settings: SocketSettings
    hub: Hub
    commands: Commands
    tokens: Tokens
    boards: Boards

    def see_through(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Run a command to its end, even when its connection ends first."""
