"""How a game comes to be: by an open link, from the lobby, as a rematch, or with the computer.

Each is retried until there is a game. A game whose answer was lost is found again, or aborted by its clock.
"""

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx

LOOKED_FOR_S = 3.0
LOOKS_S = 0.3


@dataclass(frozen=True, slots=True)
class Person:
    """A signed-in player."""

    id: str
    token: str


@dataclass(frozen=True, slots=True)
class Made:
    """A game, and who has White."""

    id: str
    white: str


Terms = Mapping[str, Any]


async def with_computer(client: httpx.AsyncClient, address: str, who: Person, terms: Terms) -> Made:
    """A game with White against the computer."""
    answer = await _post(client, address, "/api/challenge/ai", who, {"level": 1, "color": "white", **terms})
    return Made(answer["id"], who.id)


async def by_link(client: httpx.AsyncClient, address: str, people: Sequence[Person], terms: Terms) -> Made:
    """An open challenge of the first, with White, which the second accepts."""
    white, black = people
    answer = await _post(client, address, "/api/challenge/open", white, {"color": "white", **terms})
    await _post(client, address, f"/api/challenge/{answer['id']}/accept", black, {})
    return Made(answer["id"], white.id)


async def from_lobby(client: httpx.AsyncClient, address: str, people: Sequence[Person], terms: Terms) -> Made:
    """Both seek the same terms, which nobody else seeks. Raises KeyError if they were not paired."""
    seeks = [asyncio.create_task(_seek(client, address, who, terms)) for who in people]
    try:
        async with asyncio.timeout(LOOKED_FOR_S):
            while (made := await _playing(client, address, people)) is None:
                await asyncio.sleep(LOOKS_S)
            return made
    except TimeoutError:
        raise KeyError("not met") from None
    finally:
        for seek in seeks:
            seek.cancel()
        await asyncio.gather(*seeks, return_exceptions=True)


async def again(client: httpx.AsyncClient, address: str, people: Sequence[Person], game_id: str) -> Made:
    """A rematch that both ask for, or that the computer agrees to."""
    for who in people:
        answer = await _post(client, address, f"/api/flagfall/games/{game_id}/rematch", who, {})
        if answer["game"] is not None:
            made = await _get(client, address, f"/api/flagfall/games/{answer['game']['gameId']}", who)
            return Made(made["game"], made["info"]["white"]["id"])
    raise KeyError("no rematch")


async def _seek(client: httpx.AsyncClient, address: str, who: Person, terms: Terms) -> None:
    with contextlib.suppress(httpx.HTTPError):
        async with client.stream(
            "POST", f"{address}/api/board/seek", json=dict(terms), headers=_headers(who), timeout=30
        ) as lines:
            lines.raise_for_status()
            async for _ in lines.aiter_bytes():
                pass


async def _playing(client: httpx.AsyncClient, address: str, people: Sequence[Person]) -> Made | None:
    """The game that these two have with each other."""
    found = await _get(client, address, "/api/account/playing", people[0])
    for game in found["nowPlaying"]:
        if game["opponent"]["id"] == people[1].id:
            white = people[0] if game["color"] == "white" else people[1]
            return Made(game["gameId"], white.id)
    return None


async def _post(client: httpx.AsyncClient, address: str, path: str, who: Person, body: Terms) -> Any:
    answer = await client.post(address + path, json=dict(body), headers=_headers(who))
    answer.raise_for_status()
    return answer.json()


async def _get(client: httpx.AsyncClient, address: str, path: str, who: Person) -> Any:
    answer = await client.get(address + path, headers=_headers(who))
    answer.raise_for_status()
    return answer.json()


def _headers(who: Person) -> dict[str, str]:
    return {"Authorization": f"Bearer {who.token}"}


async def sign_up(client: httpx.AsyncClient, address: str, name: str | None) -> Person:
    """A guest, or an account of that name."""
    if name is None:
        answer = await client.post(f"{address}/api/flagfall/guests")
    else:
        answer = await client.post(
            f"{address}/api/flagfall/accounts", json={"username": name, "password": "a long pass phrase"}
        )
    answer.raise_for_status()
    client.cookies.clear()
    credential = answer.json()
    return Person(credential["id"], credential["token"])
