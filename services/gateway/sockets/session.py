"""One connection of docs/protocol.md as a state machine: frames and facts in, effects out. It knows no socket.

`connection` calls it and carries out the effects. Nothing here waits, and the time is an argument.
"""

from dataclasses import dataclass

import orjson
from msgspec import UNSET

from services.domain.refusal import BUSY, Refusal, RefusalCode
from services.domain.text import Text, say
from services.gateway.errors import lacks_scope
from services.gateway.hub.held_game import HeldGame
from services.gateway.language import told
from services.gateway.protocol import affairs, frames, shapes
from services.gateway.protocol.frame_commands import command_of
from services.gateway.protocol.shapes import EventFrame
from services.gateway.socket_settings import SocketSettings
from services.gateway.sockets.effects import (
    Ask,
    Close,
    Effects,
    Follow,
    Join,
    Leave,
    Now,
    Resumed,
    Say,
    Send,
    SignIn,
    Submit,
    Viewer,
)
from services.gateway.token_bucket import TokenBucket
from services.pb.flagfall.v1 import common_pb2, events_pb2, game_pb2
from services.runtime.wire import refusal_from_pb

COMMAND_PREFIX = "ws:"
"""The prefix of command ids from sockets. No other source makes ids that begin so, and a client cannot."""

PLAY_SCOPES = ("board:play", "bot:play")
"""The scopes of which a token needs one to play."""

CLOSE_TOO_LARGE = 1009
CLOSE_REPLACED = 1012
CLOSE_BUSY = 1013
CLOSE_SILENT = 4000
CLOSE_TOKEN = 4001
CLOSE_SLOW = 4008
CLOSE_FLOOD = 4029

_ROOMS = {"player": events_pb2.CHAT_ROOM_PLAYER, "spectator": events_pb2.CHAT_ROOM_SPECTATOR}


@dataclass(slots=True)
class _Subscription:
    since: int
    """The last version that the client has."""
    joining: bool = True
    sent: int = 0
    """The last version sent; 0 before the first answer."""
    you: common_pb2.Color = common_pb2.COLOR_UNSPECIFIED
    over: bool = False


class Session:
    """The state of one connection, from `opened` to a Close."""

    def __init__(self, settings: SocketSettings, now: Now) -> None:
        self._settings = settings
        self._frames = TokenBucket(settings.socket_frames_per_s, settings.socket_frames_burst, now.steady_ms)
        self._errors = TokenBucket(settings.socket_errors_per_s, settings.socket_errors_burst, now.steady_ms)
        self._chats = TokenBucket(settings.socket_chats_per_s, settings.socket_chats_burst, now.steady_ms)
        self._games: dict[str, _Subscription] = {}
        self._undecided = 0
        self._viewer: Viewer | None = None
        self._heard_ms = now.steady_ms
        self.closed = False
        """True after a Close: then no call has an effect."""

    def opened(self, viewer: Viewer | None, seq: int | None, now: Now) -> Effects:
        """The handshake is complete. `viewer` is the player of its token or cookie, None for a spectator."""
        self._viewer = viewer
        welcome = Send(shapes.welcome(viewer.player if viewer else None, now.wall_ms))
        return [welcome, Follow(viewer.player.id, seq)] if viewer else [welcome]

    def signed_in(self, viewer: Viewer | None, seq: int | None, now: Now) -> Effects:
        """The answer to SignIn. `viewer` None: the token is not valid."""
        if viewer is None:
            return self._close(CLOSE_TOKEN, "the token is not valid")
        return self.opened(viewer, seq, now)

    def signed_out(self) -> Effects:
        """The token is no longer valid."""
        return () if self.closed else self._close(CLOSE_TOKEN, "the token is no longer valid")

    def received(self, text: str, now: Now) -> Effects:
        """A text frame has come."""
        if self.closed:
            return ()
        self._heard_ms = now.steady_ms
        if len(text) > self._settings.socket_frame_bytes_max:
            return self._close(CLOSE_TOO_LARGE, "the frame is too large")
        if not self._frames.take(now.steady_ms):
            return self._close(CLOSE_FLOOD, "too many frames")
        try:
            frame = frames.parse(text, self._settings)
        except frames.FrameError as error:
            return self._unreadable(error.text, error.at, error.id, now)
        match frame:
            case frames.Ping(n):
                return (Send(shapes.pong(n, now.wall_ms)),)
            case frames.Sub(game, v):
                return self._sub(game, v)
            case frames.Unsub(game):
                return (Leave(game),) if self._games.pop(game, None) else ()
            case frames.Auth(token, seq):
                return (SignIn(token, None if seq is UNSET else seq),)
            case frames.Chat():
                return self._chat(frame, now)
            case frames.Hint():
                return self._hint(frame)
            case _:
                return self._command(frame)

    def received_other(self, now: Now) -> Effects:
        """A ping, pong or fragment has come. It counts against the limit of frames, but does not end silence."""
        if self.closed or self._frames.take(now.steady_ms):
            return ()
        return self._close(CLOSE_FLOOD, "too many frames")

    def received_binary(self, now: Now) -> Effects:
        """A binary frame has come. No client of this protocol sends one."""
        if self.closed:
            return ()
        self._heard_ms = now.steady_ms
        return self._unreadable(say("request.frame_is_binary"), "", None, now)

    def tick(self, now: Now, heard_ms: int) -> Effects:
        """Check for silence. `heard_ms` is the steady time of the last answer to a WebSocket ping."""
        silent_ms = now.steady_ms - max(self._heard_ms, heard_ms)
        if not self.closed and silent_ms >= self._settings.socket_silence_ms:
            return self._close(CLOSE_SILENT, "nothing was heard")
        return ()

    def replaced(self) -> Effects:
        """This server is going away."""
        return self._close(CLOSE_REPLACED, "the server is being replaced")

    def too_slow(self) -> Effects:
        """The client does not read what is sent."""
        return self._close(CLOSE_SLOW, "too slow to read")

    def busy(self) -> Effects:
        """The token cannot be looked up now."""
        return self._close(CLOSE_BUSY, "the server is busy")

    def wants(self, game_id: str) -> bool:
        """Whether the client is still subscribed to this game."""
        return game_id in self._games and not self.closed

    def joined(self, game: HeldGame) -> Effects:
        """The connection listens to the game, from this version on."""
        subscription = self._games.get(game.info.id)
        if subscription is None:
            return (Leave(game.info.id),)
        subscription.joining = False
        since = subscription.since
        changes = game.changes_after(since) if since > 0 else None
        if changes is None or since > game.version:
            return self._whole(game, subscription, "snapshot" if since else "full")
        self._look(game, subscription)
        return (Send(shapes.events(game.info.id, changes)), Resumed("delta"))

    def reloaded(self, game: HeldGame) -> Effects:
        """A subscribed game has moved on by more events than are known here: send it as a whole."""
        subscription = self._games.get(game.info.id)
        if subscription is None or subscription.joining or game.version <= subscription.sent:
            return ()
        return self._whole(game, subscription, "snapshot")

    def not_joined(self, game_id: str, refusal: Refusal) -> Effects:
        """The connection cannot listen to the game."""
        if self._games.pop(game_id, None) is None:
            return ()
        return (Send(shapes.gone(game_id, refusal.code, told(refusal.text))), Leave(game_id), Resumed("gone"))

    def takes(self, game_id: str, change: EventFrame) -> bool:
        """Whether this event is the next to send to the client. If so, it counts as sent."""
        subscription = self._games.get(game_id)
        if subscription is None or subscription.sent == 0 or change.version <= subscription.sent:
            return False
        subscription.sent = change.version
        subscription.over = change.event.state.status != events_pb2.GAME_STATUS_STARTED
        return True

    def waited_for(self, game_id: str, change: EventFrame) -> bool:
        """Whether this is the opponent's move in a game of the signed-in player. Its delivery is timed."""
        event, subscription = change.event, self._games.get(game_id)
        if subscription is None or event.kind != events_pb2.GAME_EVENT_KIND_MOVE:
            return False
        return subscription.you not in (common_pb2.COLOR_UNSPECIFIED, event.by)

    def said(self, line: events_pb2.ChatLine) -> Effects:
        """A chat line. Only the players see their room; spectators' lines reach the players only after the game."""
        subscription = self._games.get(line.game_id)
        if subscription is None or subscription.sent == 0:
            return ()
        plays = subscription.you != common_pb2.COLOR_UNSPECIFIED
        hears = plays if line.room == events_pb2.CHAT_ROOM_PLAYER else not plays or subscription.over
        return (Send(shapes.chat(line)),) if hears else ()

    def hinted(self, hint: events_pb2.Hint) -> Effects:
        """A hint. Only the player who asked gets it."""
        subscription = self._games.get(hint.game_id)
        if subscription is None or subscription.sent == 0 or not hint.player_id or hint.player_id != self.player_id:
            return ()
        return (Send(shapes.hint(hint)),)

    def following(self, player_id: str, seq: int) -> Effects:
        """The answer to Follow: every event of the player after number `seq` will come."""
        return (Send(shapes.following(seq)),) if player_id == self.player_id else ()

    def happened(self, event: events_pb2.PlayerEvent) -> Effects:
        """An event of the signed-in player."""
        if event.player_id != self.player_id:
            return ()
        return (Send(affairs.player_event(event)),)

    def decided(self, submit: Submit, reply: game_pb2.Reply, change: EventFrame | None) -> Effects:
        """The answer to a command. `change` is its event, None when it is not known here."""
        self._undecided -= 1
        if not reply.HasField("accepted"):
            refusal = refusal_from_pb(reply.refusal)
            return (Send(shapes.nack(submit.id, submit.command.game_id, refusal.code, told(refusal.text))),)
        return self._accepted(submit.id, submit.command.game_id, reply.accepted, change)

    def hinting(self, ask: Ask, accepted: game_pb2.Accepted, change: EventFrame | None) -> Effects:
        """A hint will come. The game's state now shows that a hint was taken."""
        self._undecided -= 1
        return self._accepted(ask.id, ask.request.game_id, accepted, change)

    def not_hinting(self, ask: Ask, refusal: Refusal) -> Effects:
        """The hint is refused."""
        self._undecided -= 1
        return (Send(shapes.nack(ask.id, ask.request.game_id, refusal.code, told(refusal.text))),)

    def undecided(self, asked: Submit | Say | Ask) -> Effects:
        """No answer came. The command or chat line may or may not have been committed."""
        self._undecided -= 1
        game_id = asked.command.game_id if isinstance(asked, Submit) else asked.request.game_id
        return (Send(shapes.nack(asked.id, game_id, BUSY.code, told(BUSY.text))),)

    def posted(self, say: Say) -> Effects:
        """A chat line was accepted."""
        self._undecided -= 1
        return (Send(shapes.chat_ack(say.id, say.request.game_id)),)

    def not_posted(self, say: Say, refusal: Refusal) -> Effects:
        """A chat line was refused."""
        self._undecided -= 1
        return (Send(shapes.nack(say.id, say.request.game_id, refusal.code, told(refusal.text))),)

    @property
    def player_id(self) -> str:
        """The id of the signed-in player; empty when there is none."""
        return self._viewer.player.id if self._viewer else ""

    def _accepted(self, id: str, game_id: str, accepted: game_pb2.Accepted, change: EventFrame | None) -> Effects:
        state_json = change.state_json if change else orjson.dumps(shapes.accepted_state(accepted))
        return (Send(shapes.ack(id, game_id, accepted.version, state_json, accepted.repeated)),)

    def _close(self, code: int, reason: str) -> Effects:
        if self.closed:
            return ()
        self.closed = True
        return (Close(code, reason),)

    def _unreadable(self, text: Text, at: str, id: str | None, now: Now) -> Effects:
        if not self._errors.take(now.steady_ms):
            return self._close(CLOSE_FLOOD, "too many frames that cannot be read")
        return (Send(shapes.error(RefusalCode.MALFORMED, told(text), at, id)),)

    def _sub(self, game_id: str, since: int) -> Effects:
        subscription = self._games.get(game_id)
        if subscription is not None:
            subscription.since = since
            if subscription.joining:
                return ()
            subscription.joining = True
            return (Join(game_id, since),)
        if len(self._games) >= self._settings.socket_games_max:
            text = say("gateway.watched_max", most=self._settings.socket_games_max)
            return (Send(shapes.error(RefusalCode.LIMIT_REACHED, told(text), "game")),)
        self._games[game_id] = _Subscription(since)
        return (Join(game_id, since),)

    def _whole(self, game: HeldGame, subscription: _Subscription, result: str) -> Effects:
        self._look(game, subscription)
        return (Send(game.full(subscription.you)), Resumed(result))

    def _look(self, game: HeldGame, subscription: _Subscription) -> None:
        subscription.you = game.colour_of(self.player_id)
        subscription.over = not game.running
        subscription.sent = game.version

    def _refusal(self) -> Refusal | None:
        if self._viewer is None:
            return Refusal(RefusalCode.NOT_A_PLAYER, say("gateway.sign_in"))
        if not self._viewer.may_play:
            return Refusal(RefusalCode.NOT_A_PLAYER, lacks_scope(PLAY_SCOPES))
        if self._undecided >= self._settings.socket_commands_max:
            return Refusal(RefusalCode.LIMIT_REACHED, say("gateway.commands_max"))
        return None

    def _command(self, frame: frames.GameFrame) -> Effects:
        if (refusal := self._refusal()) is not None:
            return (Send(shapes.nack(frame.id, frame.game, refusal.code, told(refusal.text))),)
        self._undecided += 1
        return (Submit(frame.id, command_of(frame, self.player_id, COMMAND_PREFIX + frame.id)),)

    def _hint(self, frame: frames.Hint) -> Effects:
        if (refusal := self._refusal()) is not None:
            return (Send(shapes.nack(frame.id, frame.game, refusal.code, told(refusal.text))),)
        self._undecided += 1
        request = game_pb2.AskHintRequest(
            game_id=frame.game, player_id=self.player_id, command_id=COMMAND_PREFIX + frame.id
        )
        return (Ask(frame.id, request),)

    def _chat(self, frame: frames.Chat, now: Now) -> Effects:
        if (refusal := self._refusal()) is not None:
            return (Send(shapes.nack(frame.id, frame.game, refusal.code, told(refusal.text))),)
        if not self._chats.take(now.steady_ms):
            return (Send(shapes.nack(frame.id, frame.game, RefusalCode.LIMIT_REACHED, told(say("chat.too_much")))),)
        self._undecided += 1
        request = game_pb2.PostChatRequest(
            game_id=frame.game, player_id=self.player_id, room=_ROOMS[frame.room], text=frame.text
        )
        return (Say(frame.id, request),)
