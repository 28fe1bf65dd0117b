"""`PersonalDataService`: export of personal data, and closing an account. It parses requests and passes them on."""

from typing import Any

import grpc

from services.game.commit.beats import Beats
from services.game.personal.closing import Closing
from services.game.personal.personal_data import PersonalData
from services.game.settings import GameSettings
from services.game.wire.fields import refuse_player_id
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.events_pb2 import ChatLine, ChatRoom
from services.pb.flagfall.v1.game_pb2_grpc import PersonalDataServiceServicer
from services.runtime.wire import refusal_to_pb

Context = grpc.aio.ServicerContext[Any, Any]


class PersonalDataServicer(PersonalDataServiceServicer):
    """Export of personal data, and closing an account."""

    def __init__(self, closing: Closing, personal: PersonalData, beats: Beats, settings: GameSettings) -> None:
        self._closing = closing
        self._personal = personal
        self._beats = beats
        self._settings = settings

    async def CloseAccount(self, request: pb.CloseAccountRequest, context: Context) -> pb.CloseAccountResponse:
        """Close an account, or end a guest."""
        refusal = refuse_player_id(request.player_id)
        if refusal is None:
            password = None if request.by_operator else request.password
            refusal = await self._closing.close(request.player_id, password, self._beats.now_ms())
        return pb.CloseAccountResponse(refusal=None if refusal is None else refusal_to_pb(refusal))

    async def ListPersonalData(
        self, request: pb.ListPersonalDataRequest, context: Context
    ) -> pb.ListPersonalDataResponse:
        """One page of a person's data; empty if there is no such person."""
        response = pb.ListPersonalDataResponse()
        if refuse_player_id(request.player_id) is not None:
            return response
        player_id, most = request.player_id, self._settings.chat_exported_max
        if request.after_chat_id == 0:
            for held in await self._personal.tokens(player_id):
                response.tokens.add(
                    description=held.description,
                    scopes=held.scopes,
                    sign_in=held.sign_in,
                    created_ms=held.created_ms,
                )
            for start_ms, end_ms in await self._personal.vacations(player_id):
                response.vacations.add(start_ms=start_ms, end_ms=end_ms)
            for waiting in await self._personal.conditions(player_id):
                response.conditional_moves.add(game_id=waiting.game_id, ply=waiting.ply, lines=waiting.lines)
        lines = await self._personal.chat(player_id, request.after_chat_id, most)
        response.chat.extend(
            ChatLine(
                game_id=line.game_id,
                room=ChatRoom.Name(line.room),
                player_id=player_id,
                text=line.text,
                at_ms=line.at_ms,
            )
            for line in lines
        )
        response.next_chat_id = lines[-1].id if len(lines) == most else 0
        return response
