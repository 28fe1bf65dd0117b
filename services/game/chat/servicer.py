"""`ChatService`: parses requests, passes them to `chat`, and returns refusals in the answer."""

from typing import Any

import grpc

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.game.chat.chat import Chat
from services.game.commit.beats import Beats
from services.game.play.refusals import NO_GAME
from services.game.wire.fields import is_game_id, refuse_player_id
from services.pb.flagfall.v1 import events_pb2 as events
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.game_pb2_grpc import ChatServiceServicer
from services.runtime.wire import refusal_to_pb

Context = grpc.aio.ServicerContext[Any, Any]

_ROOMS = (events.CHAT_ROOM_PLAYER, events.CHAT_ROOM_SPECTATOR)


class ChatServicer(ChatServiceServicer):
    """Lines of chat."""

    def __init__(self, chat: Chat, beats: Beats) -> None:
        self._chat = chat
        self._beats = beats

    async def PostChat(self, request: pb.PostChatRequest, context: Context) -> pb.PostChatResponse:
        """Send a chat line in a game."""
        refusal = None if is_game_id(request.game_id) else NO_GAME
        refusal = refusal or refuse_player_id(request.player_id)
        if request.room not in _ROOMS:
            refusal = Refusal(RefusalCode.MALFORMED, say("chat.room"), "room")
        if refusal is not None:
            return pb.PostChatResponse(refusal=refusal_to_pb(refusal))
        line = await self._chat.post(
            request.game_id, request.player_id, request.room, request.text, self._beats.now_ms()
        )
        if isinstance(line, Refusal):
            return pb.PostChatResponse(refusal=refusal_to_pb(line))
        return pb.PostChatResponse(line=line)

    async def ListChat(self, request: pb.ListChatRequest, context: Context) -> pb.ListChatResponse:
        """The stored lines of a room, oldest first."""
        if not is_game_id(request.game_id) or request.room not in _ROOMS:
            return pb.ListChatResponse()
        return pb.ListChatResponse(lines=await self._chat.lines(request.game_id, request.room))
