"""How many connections a gateway accepts: what the settings say, or less where the system allows fewer open files."""

import logging

from services.gateway.settings import GatewaySettings

OTHER_FILES = 200
"""Open files besides clients' connections: libraries, logs, the admin port, Redis and the game service."""
OTHER_REQUESTS = 100
"""Connections that sockets may not take: for requests, the health of this server among them."""

log = logging.getLogger(__name__)


def fitted(settings: GatewaySettings, open_files: int | None) -> GatewaySettings:
    """The settings with as many connections and sockets as fit into `open_files` (None: no limit).

    Logs a warning when they are fewer than the settings ask for.
    """
    if open_files is None:
        return settings
    connections = min(settings.connections_max, max(1, open_files - OTHER_FILES))
    sockets = min(settings.sockets_max, max(1, connections - OTHER_REQUESTS))
    if sockets < settings.sockets_max:
        log.warning(
            "%d open files leave room for %d connections, %d of them sockets; the settings ask for %d and %d (nofile)",
            *(open_files, connections, sockets, settings.connections_max, settings.sockets_max),
        )
    return settings.model_copy(update={"connections_max": connections, "sockets_max": sockets})
