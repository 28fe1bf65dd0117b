"""All methods of the game's services on one object, for tests that call them without gRPC."""

from typing import Any

from services.channels import GAME_SERVICES
from services.game.main.servicers import Servicers

OWNERS = {method.name: service.name for service in GAME_SERVICES for method in service.methods}


class AllOf:
    """Has each method of each servicer. Made without some of them, it lacks their methods."""

    def __init__(self, servicers: Servicers) -> None:
        self.servicers = servicers

    def __getattr__(self, name: str) -> Any:
        if OWNERS.get(name) not in self.servicers:
            raise AttributeError(name)
        return getattr(self.servicers[OWNERS[name]], name)
