"""How many connections fit into the open files that the system allows."""

import logging

import pytest

from services.gateway.main.connections import fitted
from services.gateway.settings import GatewaySettings


@pytest.mark.parametrize(
    ("open_files", "connections", "sockets"),
    [
        (None, 30_000, 20_000),
        (1_048_576, 30_000, 20_000),
        (30_200, 30_000, 20_000),
        (20_300, 20_100, 20_000),  # fewer connections, but still all sockets
        (20_000, 19_800, 19_700),
        (1_024, 824, 724),
        (64, 1, 1),
    ],
)
def test_connections_fit_into_the_open_files(
    open_files: int | None, connections: int, sockets: int, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        found = fitted(GatewaySettings(), open_files)
    assert (found.connections_max, found.sockets_max) == (connections, sockets)
    assert bool(caplog.records) == (sockets < 20_000)
