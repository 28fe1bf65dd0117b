"""One socket: a task that reads, a task that writes, and between them a session that decides (docs/protocol.md)."""

import asyncio
import logging
import time
from collections.abc import Coroutine
from typing import Any

from services.domain.refusal import RefusalCode
from services.gateway.errors import HubRefused, Refused
from services.gateway.game_calls.unreachable import UNREACHABLE, why
from services.gateway.hub.held_game import HeldGame
from services.gateway.hub.metrics import KNOWN_CODES, RESUME_SECONDS, WS_CLOSED, WS_RESUMES, WS_SLOW
from services.gateway.protocol import shapes
from services.gateway.protocol.absence import Absence, Away
from services.gateway.protocol.handshake import bearer, cookie, headers_of, seq_of
from services.gateway.protocol.shapes import EventFrame
from services.gateway.sockets.effects import (
    Ask,
    Close,
    Effect,
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
from services.gateway.sockets.outbox import Outbox
from services.gateway.sockets.room import Receive, Room, Scope, SendMessage
from services.gateway.sockets.session import CLOSE_SLOW, PLAY_SCOPES, Session
from services.gateway.sockets.websocket_protocol import EXTENSION, SocketProtocol
from services.pb.flagfall.v1 import events_pb2
from services.runtime.logs import bind_task

log = logging.getLogger(__name__)


class Connection:
    """One socket: it carries out the effects of its session, and listens to the session's games and player."""

    def __init__(self, room: Room, scope: Scope, receive: Receive, send: SendMessage) -> None:
        self._room = room
        self._scope = scope
        self._receive = receive
        self._send = send
        self._settings = room.settings
        self._session = Session(room.settings, read_clock())
        self._games: dict[str, _GameEars] = {}
        self._player_id: str | None = None
        self._following: asyncio.Task[None] | None = None
        self._signing_in: asyncio.Task[None] | None = None
        self._in_hand = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._token: str | None = None
        self._closing: Close | None = None
        self._ending = asyncio.Event()
        protocol = scope.get("extensions", {}).get(EXTENSION)
        self._protocol = protocol if isinstance(protocol, SocketProtocol) else None
        frames_max, bytes_max = room.settings.socket_queue_frames_max, room.settings.socket_queue_bytes_max
        if self._protocol is None:
            self._outbox = Outbox(frames_max, bytes_max)
        else:
            self._outbox = Outbox(frames_max, bytes_max, self._protocol.write_text)

    async def serve(self) -> None:
        """Serve the connection from the handshake to its end."""
        viewer, opening = await self._who()
        await self._send({"type": "websocket.accept"})
        if self._protocol is not None:
            self._protocol.take_other = self._other
        writing = asyncio.ensure_future(self._outbox.write(self._write))
        reading = asyncio.ensure_future(self._read(viewer, opening))
        ending = asyncio.ensure_future(self._ending.wait())
        code = 1006
        try:
            await asyncio.wait((writing, reading, ending), return_when=asyncio.FIRST_COMPLETED)
            if self._closing is None:
                code = reading.result() if reading.done() else code
            else:
                code = self._closing.code
                await self._finish(self._closing, writing)
        finally:
            self._quit()
            for task in (writing, reading, ending):
                task.cancel()
            await asyncio.gather(writing, reading, ending, return_exceptions=True)
            WS_CLOSED.labels(str(code) if code in KNOWN_CODES else "other").inc()

    def tick(self, now: Now) -> None:
        """Check whether the client is still there."""
        pong_ms = int(self._protocol.pong_s * 1000) if self._protocol else 0
        self._do(self._session.tick(now, pong_ms))

    def replace(self) -> None:
        """Close with 1012, so that the client connects to another server."""
        self._do(self._session.replaced())

    def put(self, item: bytes | EventFrame) -> None:
        """Write or queue a frame. Close the connection when the queue is full."""
        if not self._outbox.put(item):
            self._do(self._session.too_slow())

    async def _who(self) -> tuple[Viewer | None, Effects]:
        """The viewer of the handshake's token or cookie, or the effects to do instead of a welcome."""
        headers = headers_of(self._scope)
        token, given = bearer(headers), True
        if token is None:
            token, given = cookie(headers, self._scope["scheme"], self._settings.own_origins), False
        if token is None:
            return None, ()
        try:
            viewer = await self._viewer(token)
        except Refused as error:
            log.warning("a token could not be looked up: %s", error)
            return None, self._session.busy()
        if viewer is None:
            self._token = None  # an old cookie: treat the client as a spectator
            return None, self._session.signed_in(None, None, read_clock()) if given else ()
        return viewer, ()

    async def look_again(self) -> None:
        """End the connection when its token is no longer valid: it was revoked, or the account was closed."""
        if self._token is None:
            return
        try:
            held = await self._viewer(self._token) is not None
        except Refused:
            return  # unknown now; the next check may know
        if not held:
            self._do(self._session.signed_out())

    async def _viewer(self, token: str) -> Viewer | None:
        self._token = token
        holder = await self._room.tokens.resolve(token)
        if holder is None:
            return None
        return Viewer(holder.player, any(scope in holder.scopes for scope in PLAY_SCOPES))

    async def _read(self, viewer: Viewer | None, opening: Effects) -> int:
        """Read until the client has gone. Returns the close code."""
        self._do(opening or self._session.opened(viewer, seq_of(self._scope), read_clock()))
        while True:
            self._in_hand = False
            self._listen()
            message = await self._receive()
            self._in_hand = True  # messages that come meanwhile must stay behind this one
            if self._signing_in is not None:
                await self._signing_in
            if message["type"] == "websocket.disconnect":
                return int(message.get("code") or 1005)
            text = message.get("text")
            if text is None:
                self._do(self._session.received_binary(read_clock()))
            else:
                self._received(text)
                if self._signing_in is not None:
                    await self._signing_in  # later frames wait for the sign-in

    def _received(self, text: str) -> None:
        self._do(self._session.received(text, read_clock()))

    def _other(self) -> bool:
        """Count a ping, pong or fragment: the limits of frames apply. False when the connection is closed."""
        self._do(self._session.received_other(read_clock()))
        return not self._session.closed

    def _listen(self) -> None:
        """Take text frames directly, unless older ones are queued or a sign-in is under way: then they queue."""
        if self._protocol is not None and self._signing_in is None and not self._in_hand and self._protocol.idle:
            self._protocol.take_text = self._received

    def _sign_in(self, effect: SignIn) -> None:
        if self._protocol is not None:
            self._protocol.take_text = None
        self._signing_in = self._start(self._signed_in(effect))

    async def _signed_in(self, effect: SignIn) -> None:
        try:
            viewer = await self._viewer(effect.token)
        except Refused as error:
            log.warning("a token could not be looked up: %s", error)
            self._do(self._session.busy())
        else:
            self._do(self._session.signed_in(viewer, effect.seq, read_clock()))
        self._signing_in = None
        self._listen()

    async def _write(self, frame: bytes) -> None:
        await self._send({"type": "websocket.send", "text": frame.decode()})

    async def _finish(self, closing: Close, writing: asyncio.Future[None]) -> None:
        """Write what is queued, then the close frame. Cut the connection when that takes too long."""
        try:
            async with asyncio.timeout(self._settings.socket_close_ms / 1000):
                if closing.code == CLOSE_SLOW:
                    writing.cancel()
                await asyncio.gather(writing, return_exceptions=True)
                await self._send({"type": "websocket.close", "code": closing.code, "reason": closing.reason})
        except TimeoutError:
            if self._protocol is not None:
                self._protocol.cut()
        else:
            # The close frame may be stuck in a buffer that the client does not read.
            if self._protocol is not None:
                asyncio.get_running_loop().call_later(self._settings.socket_close_ms / 1000, self._protocol.cut)

    def _quit(self) -> None:
        self._outbox.close()
        for task in self._tasks:
            task.cancel()
        for game_id, ears in self._games.items():
            self._room.hub.leave_game(game_id, ears)
            self._room.boards.leave(game_id, ears)
        self._games.clear()
        if self._player_id is not None:
            self._room.hub.leave_player(self._player_id, self)

    def _do(self, effects: Effects) -> None:
        for effect in effects:
            self._do_one(effect)

    def _do_one(self, effect: Effect) -> None:
        match effect:
            case Send(frame):
                self.put(frame)
            case Submit():
                self._room.see_through(self._submit(effect))
            case Say():
                self._room.see_through(self._say(effect))
            case Ask():
                self._room.see_through(self._ask(effect))
            case Join(game_id, since):
                self._start(self._join(game_id, since))
            case Leave(game_id):
                if (ears := self._games.pop(game_id, None)) is not None:
                    self._room.hub.leave_game(game_id, ears)
                    self._room.boards.leave(game_id, ears)
            case Follow():
                if self._following is not None:
                    self._following.cancel()
                self._following = self._start(self._follow(effect))
            case Resumed(result):
                WS_RESUMES.labels(result).inc()
            case Close(code):
                if code == CLOSE_SLOW:
                    WS_SLOW.inc()
                self._closing = effect
                self._outbox.close()
                self._ending.set()
            case SignIn():
                self._sign_in(effect)

    def _start(self, coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _join(self, game_id: str, since: int) -> None:
        ears = self._games.get(game_id) or _GameEars(self, game_id)
        asked_s = time.monotonic()
        pause_s = self._settings.join_retry_min_ms / 1000
        while self._session.wants(game_id):
            try:
                game = await self._room.hub.join_game(game_id, ears, since, self._session.player_id)
            except HubRefused as error:
                if error.refusal.code is not RefusalCode.UNAVAILABLE:
                    self._resume(self._session.not_joined(game_id, error.refusal), asked_s)
                    return
                await asyncio.sleep(pause_s)
                pause_s = min(self._settings.join_retry_max_ms / 1000, pause_s * 2)
            else:
                # No update can come between joining and this answer, since nothing here waits.
                self._games[game_id] = ears
                self._resume(self._session.joined(game), asked_s)
                self._room.boards.enter(game, game.colour_of(self._session.player_id), ears)
                return

    def _resume(self, effects: Effects, asked_s: float) -> None:
        """Do the answer to a subscription, and record how long it took since `asked_s` (monotonic seconds)."""
        self._do(effects)
        for effect in effects:
            if isinstance(effect, Resumed):
                RESUME_SECONDS.labels(effect.result).observe(time.monotonic() - asked_s)

    async def _follow(self, effect: Follow) -> None:
        if self._player_id is not None:
            self._room.hub.leave_player(self._player_id, self)
            self._player_id = None
        pause_s = self._settings.join_retry_min_ms / 1000
        while True:
            try:
                seq, missed = await self._room.hub.join_player(effect.player_id, self, effect.seq)
            except HubRefused as error:
                log.info("the events of player %s cannot be followed yet: %s", effect.player_id, error)
                await asyncio.sleep(pause_s)
                pause_s = min(self._settings.join_retry_max_ms / 1000, pause_s * 2)
            else:
                self._player_id = effect.player_id
                for event in missed:
                    self.happened(event)
                self._do(self._session.following(effect.player_id, seq))
                return

    async def _submit(self, effect: Submit) -> None:
        bind_task(game_id=effect.command.game_id)
        try:
            reply = await self._room.commands.ask(effect.command)
        except UNREACHABLE as error:
            log.warning("a command has no answer: %s", why(error))
            self._do(self._session.undecided(effect))
            return
        except Exception:
            log.exception("a command failed")
            self._do(self._session.undecided(effect))
            return
        change = self._room.hub.change(effect.command.game_id, reply.accepted.version)
        self._do(self._session.decided(effect, reply, change))

    async def _say(self, effect: Say) -> None:
        try:
            await self._room.commands.post_chat(effect.request)
        except Refused as error:
            self._do(self._session.not_posted(effect, error.refusal))
        except Exception:
            log.exception("a line of chat failed")
            self._do(self._session.undecided(effect))
        else:
            self._do(self._session.posted(effect))

    async def _ask(self, effect: Ask) -> None:
        game_id = effect.request.game_id
        bind_task(game_id=game_id)
        try:
            accepted = await self._room.commands.ask_hint(effect.request)
        except Refused as error:
            self._do(self._session.not_hinting(effect, error.refusal))
        except Exception:
            log.exception("asking for a hint failed")
            self._do(self._session.undecided(effect))
        else:
            self._do(self._session.hinting(effect, accepted, self._room.hub.change(game_id, accepted.version)))

    def game_changed(self, game_id: str, change: EventFrame) -> None:
        """Send the next event of a subscribed game."""
        if self._session.takes(game_id, change):
            self.put(change if self._session.waited_for(game_id, change) else change.frame)

    def game_reloaded(self, game: HeldGame) -> None:
        """Send a subscribed game as a whole, after too many missed events."""
        self._do(self._session.reloaded(game))
        if (ears := self._games.get(game.info.id)) is not None:
            self._room.boards.enter(game, game.colour_of(self._session.player_id), ears)

    def said(self, line: events_pb2.ChatLine) -> None:
        """Send a chat line of a subscribed game, if this client may see it."""
        self._do(self._session.said(line))

    def hinted(self, hint: events_pb2.Hint) -> None:
        """Send a hint in a subscribed game, if it is for this player."""
        self._do(self._session.hinted(hint))

    def happened(self, event: events_pb2.PlayerEvent) -> None:
        """See PlayerListener."""
        self._do(self._session.happened(event))

    def ended(self, reason: Exception) -> None:
        """See GameListener. The hub is closing, so the client must reconnect."""
        self.replace()


class _GameEars:
    """Listens to one game for a connection."""

    __slots__ = ("_connection", "_game_id")

    def __init__(self, connection: Connection, game_id: str) -> None:
        self._connection = connection
        self._game_id = game_id

    def changed(self, change: EventFrame) -> None:
        """See GameListener."""
        self._connection.game_changed(self._game_id, change)

    def said(self, line: events_pb2.ChatLine) -> None:
        """See GameListener."""
        self._connection.said(line)

    def hinted(self, hint: events_pb2.Hint) -> None:
        """See GameListener."""
        self._connection.hinted(hint)

    def reloaded(self, game: HeldGame) -> None:
        """See GameListener."""
        self._connection.game_reloaded(game)

    def ended(self, reason: Exception) -> None:
        """See GameListener."""
        self._connection.ended(reason)

    def absent(self, game_id: str, absence: Absence) -> None:
        """See Ears."""
        self._connection.put(shapes.presence(game_id, absence))

    def absences(self, game_id: str, white: Away, black: Away) -> None:
        """See Ears."""
        self._connection.put(shapes.absences(game_id, white, black))


def read_clock() -> Now:
    """The current time: wall clock and steady clock, in ms."""
    return Now(time.time_ns() // 1_000_000, int(asyncio.get_running_loop().time() * 1000))
