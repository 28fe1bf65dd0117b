"""Finds the holders of tokens, with a short cache."""

import asyncio
import re
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from services.gateway.errors import Refused
from services.gateway.game_calls.game_client import GameClient
from services.gateway.settings import GatewaySettings
from services.pb.flagfall.v1.events_pb2 import Player
from services.pb.flagfall.v1.game_pb2 import TokenHolder

_TOKEN = re.compile(r"[A-Za-z0-9_]+")


@dataclass(frozen=True, slots=True)
class Signed:
    """The holder of a valid token."""

    player: Player
    scopes: frozenset[str]
    token: str
    created_ms: int


class Auth:
    """Finds the holders of tokens. Caches valid and invalid tokens for a short time."""

    def __init__(self, game: GameClient, settings: GatewaySettings) -> None:
        self._game = game
        self._cache_s = settings.token_cache_ms / 1000
        self._cache_max = settings.token_cache_max
        self._chars_max = settings.token_chars_max
        self._again_s = settings.socket_token_ms / 1000
        self._known: OrderedDict[str, tuple[float, Signed | None]] = OrderedDict()

    async def resolve(self, token: str) -> Signed | None:
        """The holder of a token; None when it is not valid. Raises Refused when the lookup fails."""
        if len(token) > self._chars_max or _TOKEN.fullmatch(token) is None:
            return None
        known = self._known.get(token)
        if known is not None and known[0] > time.monotonic():
            return known[1]
        signed = _signed(token, await self._game.resolve(token))
        self._known.pop(token, None)
        self._known[token] = (time.monotonic() + self._cache_s, signed)
        while len(self._known) > self._cache_max:
            self._known.popitem(last=False)
        return signed

    async def resolve_all(self, tokens: Sequence[str]) -> dict[str, Signed | None]:
        """The holder of each token, None for invalid ones. Always asks the game service, never the cache."""
        asked = [token for token in dict.fromkeys(tokens) if len(token) <= self._chars_max and _TOKEN.fullmatch(token)]
        holders = await self._game.resolve_all(asked) if asked else []
        found = {token: _signed(token, holder) for token, holder in zip(asked, holders, strict=True)}
        return {token: found.get(token) for token in tokens}

    async def revoke(self, who: Signed) -> None:
        """Revoke this holder's token. Other gateways may accept it for a few seconds."""
        await self._game.revoke_token(who.token)
        self.forget(who.token)

    async def lost(self, token: str) -> None:
        """Wait until a token is no longer valid: it was revoked, or the account was closed."""
        while True:
            await asyncio.sleep(self._again_s)
            try:
                if await self.resolve(token) is None:
                    return
            except Refused:
                pass  # unknown now; check again later

    def forget_player(self, player_id: str) -> None:
        """Remove a player's tokens from the cache, because they were all revoked."""
        for token in [token for token, (_, who) in self._known.items() if who and who.player.id == player_id]:
            self.forget(token)

    def forget(self, token: str) -> None:
        """Remove a token from the cache, because it was revoked or its player has changed."""
        self._known.pop(token, None)


def _signed(token: str, holder: TokenHolder) -> Signed | None:
    if not holder.HasField("player"):
        return None
    return Signed(holder.player, frozenset(holder.scopes), token, holder.created_ms)
