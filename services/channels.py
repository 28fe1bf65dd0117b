"""Channels to the game service and the rules service, for their callers.

The idempotency level of a method, in the contracts, decides whether its calls are retried.
"""

from collections.abc import Callable
from typing import Any, cast

import grpc

from services.pb.flagfall.v1 import game_pb2, rules_pb2
from services.pb.flagfall.v1.game_pb2_grpc import (
    ChatServiceStub,
    ComputerServiceStub,
    CorrespondenceServiceStub,
    GamesServiceStub,
    InvitationsServiceStub,
    LobbyServiceStub,
    PartiesServiceStub,
    PersonalDataServiceStub,
    PlayersServiceStub,
    RatingsServiceStub,
    SearchServiceStub,
    UpkeepServiceStub,
)
from services.runtime.rpc import open_channel, repeatable
from services.runtime.settings import DEFAULTS, Settings

RELEASED_SERVICE = "GameService"
"""The only service of the game in the last release. Replicas of both releases answer it, so clients call it.
docs/upgrading.md says when `_Released`, this name and `released_path` can be deleted."""

GAME_SERVICES = tuple(
    service for name, service in game_pb2.DESCRIPTOR.services_by_name.items() if name != RELEASED_SERVICE
)
"""The services of the game. No two of their methods have the same name."""


def released_path(path: str) -> str:
    """The path at which the last release and this one answer a game method: `/flagfall.v1.GameService/Submit`."""
    method = path.rsplit("/", 1)[-1]
    return f"/{game_pb2.DESCRIPTOR.package}.{RELEASED_SERVICE}/{method}"


GAME_RETRIED = tuple(each for path in repeatable(GAME_SERVICES) for each in (path, released_path(path)))
RULES_RETRIED = tuple(repeatable(rules_pb2.DESCRIPTOR.services_by_name.values()))


def open_game_channel(target: str, settings: Settings = DEFAULTS) -> grpc.aio.Channel:
    """A channel to the game service."""
    return open_channel(target, settings, GAME_RETRIED)


def open_rules_channel(target: str, settings: Settings = DEFAULTS) -> grpc.aio.Channel:
    """A channel to the rules service."""
    return open_channel(target, settings, RULES_RETRIED)


class _Released:
    """A channel for stubs; it calls the paths of the last release."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._channel: Any = channel

    def unary_unary(self, method: str, *args: Any, **kwargs: Any) -> Callable[..., Any]:
        """See `grpc.aio.Channel.unary_unary`; a generated stub calls it for each method."""
        call: Callable[..., Any] = self._channel.unary_unary(released_path(method), *args, **kwargs)
        return call


class GameStubs:
    """A stub for each service of the game, over one channel."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        answered = cast(grpc.aio.Channel, _Released(channel))  # in the next release: the channel itself
        self.games = GamesServiceStub(answered)
        self.search = SearchServiceStub(answered)
        self.computer = ComputerServiceStub(answered)
        self.correspondence = CorrespondenceServiceStub(answered)
        self.chat = ChatServiceStub(answered)
        self.invitations = InvitationsServiceStub(answered)
        self.lobby = LobbyServiceStub(answered)
        self.parties = PartiesServiceStub(answered)
        self.players = PlayersServiceStub(answered)
        self.ratings = RatingsServiceStub(answered)
        self.personal_data = PersonalDataServiceStub(answered)
        self.upkeep = UpkeepServiceStub(answered)
