"""Which players are present at which game: what the gateways write to Redis, and how to read it.

One hash for each game holds when each side was last seen, by the clock of Redis. A side without an entry is unknown
and never counts as away. `SINCE` is the moment from which the entries can be trusted. Gateways renew `NOTING` while
they write. If it has expired (Redis stood still, or no gateway ran), nothing is known until a gateway sets `SINCE`
again. So no player counts as away because of a server outage.
"""

from collections.abc import Mapping

SINCE = "flagfall:presence:since"

NOTING = "flagfall:presence:noting"
"""This key exists while gateways write presence; it expires by itself."""

SIDES = ("white", "black")
"""The fields with the time a side was last seen; `<side>:times` and `<side>:ms` sum up its finished absences.

`<side>:asked` exists if the side was last seen by a request alone, without a connection that stays.
"""


def presence_key(game_id: str) -> str:
    """The key of the hash of one game."""
    return f"flagfall:presence:{game_id}"


def away_ms(seen_ms: int | None, since_ms: int, now_ms: int) -> int | None:
    """For how many ms a side last seen at `seen_ms` has been away at `now_ms`; None if that is not known."""
    return None if seen_ms is None else max(0, now_ms - max(seen_ms, since_ms))


def away_by_request(away_ms: int | None, turn_began_ms: int | None, now_ms: int) -> int | None:
    """The same for a side that was last seen by a request alone: it shows nothing while it has nothing to do.

    `turn_began_ms`: when its own turn began, None if the other side is to move. It counts from then on.
    """
    if away_ms is None or turn_began_ms is None:
        return None
    return max(0, min(away_ms, now_ms - turn_began_ms))


def absences(notes: Mapping[bytes, bytes], side: str, since_ms: int, until_ms: int, gone_ms: int) -> tuple[int, int]:
    """How often, and for how many ms in all, a side was away until `until_ms`. A running absence counts."""
    times, total_ms = number(notes.get(f"{side}:times".encode())) or 0, number(notes.get(f"{side}:ms".encode())) or 0
    if f"{side}:asked".encode() in notes:
        return times, total_ms  # nobody knows whether the player was there
    lasting_ms = away_ms(number(notes.get(side.encode())), since_ms, until_ms) or 0
    return (times + 1, total_ms + lasting_ms) if lasting_ms >= gone_ms else (times, total_ms)


def number(text: bytes | None) -> int | None:
    """The number in a value from Redis; None if it is no number."""
    return int(text) if text is not None and text.lstrip(b"-").isdigit() else None
