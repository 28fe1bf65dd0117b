"""Who is asking: a bearer token, or the browser's cookie."""

import asyncio
import re
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.requests import HTTPConnection
from starlette.responses import Response

from services.gateway.errors import Refused, forbidden, unauthorized
from services.gateway.game_calls.game_client import GameClient
from services.gateway.rest.parts import parts
from services.gateway.settings import GatewaySettings
from services.gateway.sockets.handshake import TOKEN_COOKIE, own_page
from services.pb.flagfall.v1.events_pb2 import Player
from services.pb.flagfall.v1.game_pb2 import TokenHolder

COOKIE_AGE_S = 400 * 86_400

_TOKEN = re.compile(r"[A-Za-z0-9_]+")
_SAFE_METHODS = frozenset(["GET", "HEAD", "OPTIONS"])


@dataclass(frozen=True, slots=True)
class Signed:
    """Somebody who has shown a valid token."""

    player: Player
    scopes: frozenset[str]
    token: str
    created_ms: int


class Auth:
    """Tokens to players, remembered for a short while: good ones and bad ones."""

    def __init__(self, game: GameClient, settings: GatewaySettings) -> None:
        self._game = game
        self._cache_s = settings.token_cache_ms / 1000
        self._cache_max = settings.token_cache_max
        self._chars_max = settings.token_chars_max
        self._again_s = settings.socket_token_ms / 1000
        self._known: OrderedDict[str, tuple[float, Signed | None]] = OrderedDict()

    async def resolve(self, token: str) -> Signed | None:
        """Who holds a token, or None. Refused when the game service cannot say."""
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
        """Who holds each of these tokens, asked anew: they are somebody else's to believe."""
        asked = [token for token in dict.fromkeys(tokens) if len(token) <= self._chars_max and _TOKEN.fullmatch(token)]
        holders = await self._game.resolve_all(asked) if asked else []
        found = {token: _signed(token, holder) for token, holder in zip(asked, holders, strict=True)}
        return {token: found.get(token) for token in tokens}

    async def revoke(self, who: Signed) -> None:
        """From now on the token that came along is worth nothing; on other gateways within seconds."""
        await self._game.revoke_token(who.token)
        self.forget(who.token)

    async def lost(self, token: str) -> None:
        """Return once nobody holds a token any more: it was revoked, or the account was closed."""
        while True:
            await asyncio.sleep(self._again_s)
            try:
                if await self.resolve(token) is None:
                    return
            except Refused:
                pass  # nobody can say now

    def forget_player(self, player_id: str) -> None:
        """Believe nothing of the tokens of somebody: they were all revoked."""
        for token in [token for token, (_, who) in self._known.items() if who and who.player.id == player_id]:
            self.forget(token)

    def forget(self, token: str) -> None:
        """Believe nothing of this token: it was revoked, or its player has changed."""
        self._known.pop(token, None)


def _signed(token: str, holder: TokenHolder) -> Signed | None:
    if not holder.HasField("player"):
        return None
    return Signed(holder.player, frozenset(holder.scopes), token, holder.created_ms)


def token_of(connection: HTTPConnection) -> tuple[str, bool] | None:
    """The token that came along, and whether as a cookie."""
    header = connection.headers.get("authorization", "")
    scheme, _, value = header.partition(" ")
    if scheme.lower() == "bearer":
        return value.strip(), False
    cookie = connection.cookies.get(TOKEN_COOKIE)
    return (cookie, True) if cookie else None


def same_origin(connection: HTTPConnection) -> bool:
    """Whether the page that asks is ours (a browser says so in `Origin`)."""
    origin = connection.headers.get("origin")
    if origin is None:
        return connection.headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")
    return own_page(origin, connection.headers.get("host", ""), parts(connection).settings.socket_origins)


async def maybe_signed(connection: HTTPConnection) -> Signed | None:
    """Who is asking, or None. A cookie counts for a change only when our own page sends it."""
    found = token_of(connection)
    if found is None:
        return None
    token, from_cookie = found
    method = connection.scope.get("method", "GET")
    if from_cookie and method not in _SAFE_METHODS and not same_origin(connection):
        raise forbidden("A cookie counts only on this site's own pages.")
    return await parts(connection).auth.resolve(token)


async def signed(connection: HTTPConnection, *any_of_scopes: str) -> Signed:
    """Who is asking; 401 for nobody, 403 without one of the scopes."""
    who = await maybe_signed(connection)
    if who is None:
        raise unauthorized("This needs a valid token." if token_of(connection) else "This needs a token.")
    if any_of_scopes and who.scopes.isdisjoint(any_of_scopes):
        raise forbidden(f"This token lacks the scope {' or '.join(any_of_scopes)}.")
    return who


def set_cookie(response: Response, connection: HTTPConnection, token: str) -> None:
    """Let the browser come back as the same player."""
    secure = connection.url.scheme in ("https", "wss")
    response.set_cookie(
        TOKEN_COOKIE, token, max_age=COOKIE_AGE_S, httponly=True, samesite="lax", secure=secure, path="/"
    )
