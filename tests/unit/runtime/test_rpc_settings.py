"""What the settings of gRPC promise together, and those of Redis refuse."""

import pytest
from pydantic import ValidationError

from services.runtime.settings import DEFAULTS, Settings

SPREAD_WITHIN_MS = 60_000
JITTER = 1.1
"""gRPC lets a connection grow a tenth older or younger than it is told."""
NAMES_CACHED_MS = 5_000
"""How long a cluster's name service keeps the addresses of a headless Service, as it comes."""
READY_MS = 10_000
"""For a new server to be looked at by its readiness probe, and for connections to be made."""


def test_load_spreads_over_new_servers_within_a_minute() -> None:
    """Case I04."""
    renewed_ms = DEFAULTS.connection_age_ms * JITTER
    assert renewed_ms + DEFAULTS.resolved_again_ms + NAMES_CACHED_MS + READY_MS <= SPREAD_WITHIN_MS


def test_no_call_is_cut_off_by_the_age_of_its_connection() -> None:
    longest_ms = 20_000  # adjudication_timeout_ms of the game service
    assert DEFAULTS.connection_grace_ms > longest_ms


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:6379",
        "redis+sentinel://a:1,b:2",  # which primary?
        "redis+sentinel:///mymaster/0",  # which sentinels?
        "redis+sentinel://a:1/mymaster/first",
        "redis+sentinel://a:1/mymaster/0?ssl=yes",  # a word that would be ignored
    ],
)
def test_a_redis_url_that_cannot_be_read_ends_the_boot(url: str) -> None:
    with pytest.raises(ValidationError, match="redis_url"):
        Settings(redis_url=url)
