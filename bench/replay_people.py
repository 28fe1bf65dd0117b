"""Two guests of a server, and the games that they agree on, over its REST API."""

import asyncio
from dataclasses import dataclass
from typing import Any

import httpx

LIMIT_S, INCREMENT_S = 10_800, 60
CLOCK = {"clock.limit": LIMIT_S, "clock.increment": INCREMENT_S}
RULES = {"ruleSet": "claimed"}
"""A file's results are played again by resigning, which must be a loss whatever the other side could still do."""
AGAIN_WITHIN_S = 90.0
"""So long a request is repeated that the server has no room for now: what is limited by the minute comes to pass."""
ANSWER_WITHIN_S = 30.0
GUESTS = "/api/flagfall/guests"


class NotArranged(Exception):
    """The server did not give what was asked for; the text says what was asked and what it said."""


@dataclass(slots=True)
class People:
    """Two guests, who are made for their first game and play all that follow. Use `async with`."""

    client: httpx.AsyncClient
    tokens: tuple[str, str] | None = None
    """White's and Black's, once they are there."""

    @classmethod
    def of(cls, url: str, transport: httpx.AsyncBaseTransport | None = None) -> "People":
        """Guests of the server at this address; `transport` replaces the network."""
        return cls(httpx.AsyncClient(base_url=url, timeout=ANSWER_WITHIN_S, transport=transport))

    async def __aenter__(self) -> "People":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.client.aclose()

    async def arrive(self) -> tuple[str, str]:
        """Create both guests and return their tokens. Raises NotArranged."""
        if self.tokens is None:
            self.tokens = (await self._word("token", GUESTS), await self._word("token", GUESTS))
        return self.tokens

    async def game(self, initial_fen: str | None) -> str:
        """The id of a new game of the two. Raises NotArranged."""
        white, black = await self.arrive()
        terms = {**CLOCK, **RULES, "color": "white", **({"fen": initial_fen} if initial_fen else {})}
        game_id = await self._word("id", "/api/challenge/open", white, terms)
        await self._ask(f"/api/challenge/{game_id}/accept", black)
        return game_id

    async def _word(self, name: str, path: str, token: str | None = None, body: Any = None) -> str:
        answer = await self._ask(path, token, body)
        try:
            return str(answer.json()[name])
        except (ValueError, KeyError, TypeError) as error:
            raise NotArranged(f"POST {path}: no {name!r} in {answer.text[:200]!r}") from error

    async def _ask(self, path: str, token: str | None = None, body: Any = None) -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        waited_s = 0.0
        while True:
            self.client.cookies.clear()  # a guest's cookie would make the next guest the same
            try:
                answer = await self.client.post(path, json=body, headers=headers)
            except httpx.HTTPError as error:
                raise NotArranged(f"POST {path}: {error!r}") from error
            if answer.is_success:
                return answer
            told = answer.headers.get("Retry-After", "")
            pause_s = float(told) if told.isdigit() else 1.0
            if answer.status_code not in (429, 503) or waited_s + pause_s > AGAIN_WITHIN_S:
                raise NotArranged(f"POST {path}: {answer.status_code} {answer.text[:200]}")
            await asyncio.sleep(pause_s)
            waited_s += pause_s
