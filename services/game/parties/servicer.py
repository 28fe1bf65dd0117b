"""`PartiesService`: parses requests; `party` decides; refusals are part of the answer."""

from typing import Any

import grpc

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.game.commit.beats import Beats
from services.game.parties.parties import NO_PARTY, Parties, Started, is_party_id
from services.game.parties.party import Party
from services.game.parties.party_messages import party_message, wanted_settings
from services.game.play.game import Limits
from services.game.wire.fields import refuse_player_id
from services.game.wire.messages import summary_message
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.game_pb2_grpc import PartiesServiceServicer
from services.runtime.wire import refusal_to_pb

Context = grpc.aio.ServicerContext[Any, Any]


class PartiesServicer(PartiesServiceServicer):
    """Parties."""

    def __init__(self, parties: Parties, beats: Beats, limits: Limits) -> None:
        self._parties = parties
        self._beats = beats
        self._limits = limits

    async def CreateParty(self, request: pb.CreatePartyRequest, context: Context) -> pb.CreatePartyResponse:
        """Make a party with its host as the first member."""
        settings = refuse_player_id(request.host_id, "host_id") or wanted_settings(request.settings)
        if isinstance(settings, Refusal):
            return pb.CreatePartyResponse(refusal=refusal_to_pb(settings))
        made = await self._parties.create(request.host_id, settings, self._beats.now_ms())
        if isinstance(made, Refusal):
            return pb.CreatePartyResponse(refusal=refusal_to_pb(made))
        return pb.CreatePartyResponse(party=party_message(made))

    async def GetParty(self, request: pb.GetPartyRequest, context: Context) -> pb.GetPartyResponse:
        """A party, for anyone who knows its id."""
        found = await self._parties.get(request.id) if is_party_id(request.id) else NO_PARTY
        if isinstance(found, Refusal):
            return pb.GetPartyResponse(refusal=refusal_to_pb(found))
        return pb.GetPartyResponse(party=party_message(found))

    async def ChangeParty(self, request: pb.ChangePartyRequest, context: Context) -> pb.ChangePartyResponse:
        """Join, leave, set up, start, hand on or close a party."""
        changed = await self._change_party(request)
        match changed:
            case Refusal():
                return pb.ChangePartyResponse(refusal=refusal_to_pb(changed))
            case Party():
                return pb.ChangePartyResponse(party=party_message(changed))
            case Started(party, game):
                now_ms = self._beats.now_ms()
                summary = summary_message(game, self._limits, self._beats.outages, now_ms)
                return pb.ChangePartyResponse(party=party_message(party), game=summary)

    async def _change_party(self, request: pb.ChangePartyRequest) -> Party | Started | Refusal:
        if not is_party_id(request.id):
            return NO_PARTY
        refusal = refuse_player_id(request.player_id)
        if refusal is not None:
            return refusal
        now_ms = self._beats.now_ms()
        who = (request.id, request.player_id)
        match request.WhichOneof("change"):
            case "join":
                return await self._parties.join(*who, request.join.spectator, now_ms)
            case "leave":
                return await self._parties.leave(*who, request.leave.player_id, now_ms)
            case "settings":
                settings = wanted_settings(request.settings)
                if isinstance(settings, Refusal):
                    return settings
                return await self._parties.set_up(*who, settings, now_ms)
            case "start":
                return await self._parties.start(*who, now_ms)
            case "host":
                return await self._parties.hand_on(*who, request.host.player_id, now_ms)
            case "close":
                return await self._parties.close(*who, now_ms)
            case _:
                return Refusal(RefusalCode.MALFORMED, say("parties.no_change"), "change")
