"""The interface by which sockets and streams report who is at a board."""

from typing import Protocol

from services.gateway.hub.held_game import HeldGame
from services.gateway.protocol.absence import Ears
from services.pb.flagfall.v1 import common_pb2


class Boards(Protocol):
    """Records who is at which board."""

    def enter(self, game: HeldGame, side: common_pb2.Color, ears: Ears) -> None:
        """A connection of the player of `side` opens the board. UNSPECIFIED is a spectator and is ignored."""

    def leave(self, game_id: str, ears: Ears) -> None:
        """This connection has left the board."""
