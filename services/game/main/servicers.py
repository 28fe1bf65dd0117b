"""All gRPC services of the game, composed of their parts and registered side by side."""

from collections.abc import Mapping
from typing import Any

import grpc
from google.protobuf.message_factory import GetMessageClass
from sqlalchemy.ext.asyncio import AsyncEngine

from services.channels import GAME_SERVICES, released_path
from services.game.chat.chat import Chat
from services.game.chat.servicer import ChatServicer
from services.game.commit.beats import Beats
from services.game.commit.creation import NewGames
from services.game.commit.overdue import Overdue
from services.game.commit.path import CommitPath
from services.game.commit.ports import Rules
from services.game.commit.publishing import Publishing
from services.game.computer.servicer import ComputerServicer
from services.game.correspondence.servicer import CorrespondenceServicer
from services.game.games.servicer import GamesServicer
from services.game.imports.imports import Imports
from services.game.invitations.invitations import Invitations
from services.game.invitations.rematch import Rematches
from services.game.invitations.servicer import InvitationsServicer
from services.game.lobby.seeks import Seeks
from services.game.lobby.servicer import LobbyServicer
from services.game.parties.parties import Parties
from services.game.parties.servicer import PartiesServicer
from services.game.people.accounts import Accounts
from services.game.people.passwords import Passwords
from services.game.people.servicer import PlayersServicer
from services.game.people.tokens import Tokens
from services.game.personal.closing import Closing
from services.game.personal.personal_data import PersonalData
from services.game.personal.servicer import PersonalDataServicer
from services.game.ratings.ratings import Ratings
from services.game.ratings.servicer import RatingsServicer
from services.game.search.search import Search
from services.game.search.servicer import SearchServicer
from services.game.settings import GameSettings
from services.game.store.sql_games import Games
from services.game.upkeep.servicer import UpkeepServicer
from services.game.upkeep.sweep import Sweep
from services.pb.flagfall.v1.game_pb2 import DESCRIPTOR
from services.runtime.event_stream import Publisher

Servicers = Mapping[str, object]
"""The servicer of each gRPC service, by the service's name."""


def compose(
    *,
    engine: AsyncEngine,
    path: CommitPath,
    beats: Beats,
    new_games: NewGames,
    sweep: Sweep,
    imports: Imports,
    rules: Rules,
    publishing: Publishing,
    publisher: Publisher,
    settings: GameSettings,
) -> Servicers:
    """Make a servicer for each gRPC service."""
    limits = path.limits
    passwords = Passwords(settings)
    accounts = Accounts(engine, passwords, settings)
    ratings = Ratings(engine)
    search = Search(engine, settings.games_ongoing_max)
    parties = Parties(engine, new_games, publishing, settings)
    invitations = Invitations(engine, new_games, publishing, settings)
    rematches = Rematches(engine, new_games, invitations, publishing, settings)
    closing = Closing(engine, passwords, parties)
    overdue = Overdue(Games(engine), path, beats)
    return {
        "GamesService": GamesServicer(engine, path, beats, overdue, imports, accounts, settings),
        "SearchService": SearchServicer(search, overdue, beats, limits, settings),
        "ComputerService": ComputerServicer(engine, path, beats, new_games, rules, accounts, publisher, settings),
        "CorrespondenceService": CorrespondenceServicer(engine, path, beats, rules, search, settings),
        "ChatService": ChatServicer(Chat(engine, publisher, settings), beats),
        "InvitationsService": InvitationsServicer(invitations, rematches, beats, settings),
        "LobbyService": LobbyServicer(Seeks(engine, new_games, settings), invitations, beats, settings),
        "PartiesService": PartiesServicer(parties, beats, limits),
        "PlayersService": PlayersServicer(engine, accounts, Tokens(engine, settings), ratings, beats, settings),
        "RatingsService": RatingsServicer(ratings, settings),
        "PersonalDataService": PersonalDataServicer(closing, PersonalData(engine), beats, settings),
        "UpkeepService": UpkeepServicer(Games(engine), sweep, beats, limits, settings),
    }


class Handlers(grpc.GenericRpcHandler):
    """The gRPC handlers of these services, by method path. Each is also at its path of the last release."""

    def __init__(self, servicers: Servicers) -> None:
        self._handlers: dict[str, grpc.RpcMethodHandler[Any, Any]] = {}
        for name, servicer in servicers.items():
            service = DESCRIPTOR.services_by_name[name]
            for method in service.methods:
                path = f"/{service.full_name}/{method.name}"
                handler = grpc.unary_unary_rpc_method_handler(
                    getattr(servicer, method.name),
                    request_deserializer=GetMessageClass(method.input_type).FromString,
                    response_serializer=GetMessageClass(method.output_type).SerializeToString,
                )
                self._handlers[path] = self._handlers[released_path(path)] = handler

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> "grpc.RpcMethodHandler[Any, Any] | None":
        """The handler of a method, or None; gRPC calls this."""
        return self._handlers.get(handler_call_details.method)


def register(servicers: Servicers, server: grpc.aio.Server) -> None:
    """Register all services at `server`, and the old `GameService` with the same code."""
    server.add_generic_rpc_handlers((Handlers(servicers),))


METHODS = tuple(method.name for service in GAME_SERVICES for method in service.methods)
"""The names of all methods, as in the metrics."""
