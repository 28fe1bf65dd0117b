"""Who is at which game: what gateways note in Redis, and what everybody may conclude from it.

For each game one hash holds when each side was last seen there, by Redis' own clock. Who is not noted at all is
unknown, and never counts as gone. `SINCE` is the moment from which the notes can be trusted. Gateways keep `NOTING`
alive as long as they note; where it has lapsed (Redis stood still, or no gateway was there to come to), nothing is
known until a gateway has set `SINCE` anew, so that nobody counts as gone for an outage of the server.
"""

from collections.abc import Mapping

SINCE = "flagfall:presence:since"

NOTING = "flagfall:presence:noting"
"""There while gateways note who is there; it lapses by itself."""

SIDES = ("white", "black")
"""The fields of last sight; `<side>:times` and `<side>:ms` count the absences that are over."""


def presence_key(game_id: str) -> str:
    """Where a game's notes are kept."""
    return f"flagfall:presence:{game_id}"


def away_ms(seen_ms: int | None, since_ms: int, now_ms: int) -> int | None:
    """For how long somebody has been away who was last seen then; None when that is not known."""
    return None if seen_ms is None else max(0, now_ms - max(seen_ms, since_ms))


def absences(notes: Mapping[bytes, bytes], side: str, since_ms: int, until_ms: int, gone_ms: int) -> tuple[int, int]:
    """How often and how long, in ms, a side was away until a moment; an absence that still goes on counts."""
    times, total_ms = number(notes.get(f"{side}:times".encode())) or 0, number(notes.get(f"{side}:ms".encode())) or 0
    lasting_ms = away_ms(number(notes.get(side.encode())), since_ms, until_ms) or 0
    return (times + 1, total_ms + lasting_ms) if lasting_ms >= gone_ms else (times, total_ms)


def number(text: bytes | None) -> int | None:
    """A number as Redis keeps it; None for anything else."""
    return int(text) if text is not None and text.lstrip(b"-").isdigit() else None
