"""Parties on a real PostgreSQL: their methods called as gRPC calls them, beside the people's side."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import sqlalchemy as sa

from services.domain.rule_set import PARTY
from services.game.commit.beats import Beats
from services.game.commit.creation import NewGames
from services.game.commit.publishing import Publishing
from services.game.main.features import FEATURES
from services.game.parties.parties import Parties
from services.game.parties.servicer import PartiesServicer
from services.game.play.game import Limits
from services.game.store.database import transaction
from services.pb.flagfall.v1 import events_pb2 as events
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.common_pb2 import END_REASON_RESIGNATION
from services.runtime.wire import rule_set_to_pb
from tests.integration.game.people import People, people

DEFAULTS = events.PartySettings(legal_marks=True, swap_colors=True, variant="standard", rule_set=rule_set_to_pb(PARTY))


class PartyHouse:
    """The people's side with parties, and short ways to call them."""

    def __init__(self, house: People) -> None:
        self.house = house
        beats = cast(Beats, house.clock)
        self.limits = Limits(house.settings.day_ms, house.settings.first_move_ms, house.settings.flag_grace_ms)
        new_games = NewGames(house.rules, beats, cast(Publishing, house.heard), self.limits, FEATURES.ratings)
        self.parties = Parties(house.engine, new_games, house.heard, house.settings)
        self.server: Any = cast(Any, PartiesServicer)(self.parties, beats, self.limits)

    async def guests(self, count: int) -> list[str]:
        """New guests; their ids."""
        return [await self.house.guest() for _ in range(count)]

    async def try_party(self, host: str, settings: events.PartySettings = DEFAULTS) -> pb.CreatePartyResponse:
        """Make a party."""
        request = pb.CreatePartyRequest(host_id=host, settings=settings)
        return cast(pb.CreatePartyResponse, await self.server.CreateParty(request, None))

    async def party(self, *people: str, settings: events.PartySettings = DEFAULTS) -> str:
        """A party of these, the first one its host; its id. The test fails when any of it is refused."""
        made = await self.try_party(people[0], settings)
        assert made.HasField("party"), made.refusal
        for player_id in people[1:]:
            self.house.clock.ms += 1
            await self.join(made.party.id, player_id)
        return made.party.id

    async def change(self, party_id: str, player_id: str, **change: Any) -> pb.ChangePartyResponse:
        """Change a party."""
        request = pb.ChangePartyRequest(id=party_id, player_id=player_id, **change)
        return cast(pb.ChangePartyResponse, await self.server.ChangeParty(request, None))

    async def changed(self, party_id: str, player_id: str, **change: Any) -> events.Party:
        """The same; the test fails when it is refused."""
        response = await self.change(party_id, player_id, **change)
        assert response.HasField("party"), response.refusal
        return response.party

    async def join(self, party_id: str, player_id: str, spectator: bool = False) -> events.Party:
        """Come in."""
        return await self.changed(party_id, player_id, join=pb.PartyJoin(spectator=spectator))

    async def leave(self, party_id: str, player_id: str, whom: str = "") -> events.Party:
        """Go out, or send somebody out."""
        return await self.changed(party_id, player_id, leave=pb.PartyLeave(player_id=whom))

    async def start(self, party_id: str, player_id: str) -> events.GameSummary:
        """Begin the next game, which must be possible."""
        response = await self.change(party_id, player_id, start=pb.PartyStart())
        assert response.HasField("game"), response.refusal
        assert response.party.game_id == response.game.info.id
        return response.game

    async def state_of(self, party_id: str) -> events.Party:
        """A party as everybody sees it."""
        response = await self.server.GetParty(pb.GetPartyRequest(id=party_id), None)
        assert response.HasField("party"), response.refusal
        return cast(events.Party, response.party)

    async def end(self, game_id: str, reason: int = END_REASON_RESIGNATION) -> None:
        """Let a game be over, as its own service would write it."""
        statement = sa.text("UPDATE game SET end_reason = :reason, winner = 1, ended_ms = :at WHERE id = :id")
        async with transaction(self.house.engine) as connection:
            await connection.execute(statement, {"reason": reason, "at": self.house.clock.ms, "id": game_id})

    async def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """What the database says."""
        async with transaction(self.house.engine) as connection:
            return [tuple(row) for row in await connection.execute(sa.text(statement))]


@asynccontextmanager
async def party_house(database_url: str, **settings: Any) -> AsyncIterator[PartyHouse]:
    """Parties on a migrated database."""
    async with people(database_url, **settings) as house:
        yield PartyHouse(house)
