"""Redis keys and channels that more than one service uses."""

import zlib

EPOCH = "flagfall:epoch"
"""A random word, set if it is missing. If the word has changed, Redis has lost its data."""

COMPUTER_ENGINE = "flagfall:engine"
"""A text that names the engine of the computer player. Each worker sets it, with an expiry."""


def game_channel(game_id: str) -> str:
    """The channel of one game's messages (`GameMessage`)."""
    return f"flagfall:game:{game_id}"


def player_channel(player_id: str) -> str:
    """The channel of one person's own events (`PlayerEvent`)."""
    return f"flagfall:player:{player_id}"


def shard_of(game_id: str, shards: int) -> int:
    """The shard of a game. It is the same in every process and never changes."""
    return zlib.crc32(game_id.encode()) % shards


def event_stream(shard: int) -> str:
    """The stream key of one shard. Its entries hold an `EventBatch` in the field `e`."""
    return f"flagfall:events:{shard}"
