"""Who is at which board, as sockets and streams tell it."""

from typing import Protocol

from services.gateway.hub.held_game import HeldGame
from services.gateway.protocol.absence import Ears
from services.pb.flagfall.v1 import common_pb2


class Boards(Protocol):
    """Who is at which board."""

    def enter(self, game: HeldGame, side: common_pb2.Color, ears: Ears) -> None:
        """The player of a side is there; UNSPECIFIED is nobody."""

    def leave(self, game_id: str, ears: Ears) -> None:
        """A connection is there no longer."""
