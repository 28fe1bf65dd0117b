"""Names in Redis that more than one service uses."""

import zlib

EPOCH = "flagfall:epoch"
"""A random word, set when it is missing. Another word than the last means that Redis lost its memory."""

COMPUTER_ENGINE = "flagfall:engine"
"""What stands behind the computer, in words, set by each worker for a while."""


def game_channel(game_id: str) -> str:
    """Where messages of one game are published (`GameMessage`)."""
    return f"flagfall:game:{game_id}"


def player_channel(player_id: str) -> str:
    """Where a person's own affairs are published (`PlayerEvent`)."""
    return f"flagfall:player:{player_id}"


def shard_of(game_id: str, shards: int) -> int:
    """The shard of a game: the same in every process and for ever."""
    return zlib.crc32(game_id.encode()) % shards


def event_stream(shard: int) -> str:
    """The stream of one shard (`EventBatch` in the field `e`)."""
    return f"flagfall:events:{shard}"
