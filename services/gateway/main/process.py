"""The process: connects all parts of the gateway, and runs them from start to drain."""

import asyncio
import logging
import socket
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from services.channels import open_game_channel
from services.gateway.game_calls.game_client import GameClient
from services.gateway.game_calls.lists_client import ListsClient
from services.gateway.game_calls.party_client import PartyClient
from services.gateway.game_calls.seeks_client import SeeksClient
from services.gateway.game_calls.tokens import Auth
from services.gateway.hub.hub import Hub
from services.gateway.hub.onlookers import Onlookers
from services.gateway.main.app import make_app
from services.gateway.main.connections import fitted
from services.gateway.main.engine_fact import follow_engine
from services.gateway.main.http_protocol import bounded
from services.gateway.main.pulse import Pulse, beat
from services.gateway.presence.game_presence import GamePresence
from services.gateway.presence.keeping import Keeping
from services.gateway.presence.presence import Presence
from services.gateway.presence.signs import Signs
from services.gateway.rest.limits import RateLimits
from services.gateway.rest.parts import Parts
from services.gateway.settings import GatewaySettings
from services.gateway.sockets.door import WebSocketDoor
from services.gateway.sockets.websocket_protocol import uvicorn_options
from services.gateway.streams.streams import Streams
from services.gateway.streams.watched_streams import WatchedStreams
from services.pb.flagfall.v1.events_pb2 import GameInfo
from services.runtime import lifecycle
from services.runtime.lifecycle import Stop, background
from services.runtime.open_files import open_files
from services.runtime.redis_client import connect
from services.runtime.redis_writes import check_writes
from services.runtime.rpc import check_serving

log = logging.getLogger(__name__)


async def serve(settings: GatewaySettings, stop: Stop) -> None:
    """Run until `stop` is set. Then report not ready, close sockets and streams over the drain time, and end."""
    settings = fitted(settings, open_files())
    async with AsyncExitStack() as stack:
        channel = open_game_channel(settings.game_target, settings)
        stack.push_async_callback(channel.close)
        redis = connect(settings.redis_url, settings)
        stack.push_async_callback(redis.aclose)
        game = GameClient(channel, settings)
        lists = ListsClient(channel, settings)
        hub = Hub(settings, game, lists)
        onlookers = Onlookers(game, lists, settings.spectator_delay_ms)
        game.on_accepted = hub.committed
        game.mode_of = lambda game_id: held.mode if (held := hub.held_game(game_id)) else None
        health = await stack.enter_async_context(lifecycle.admin(settings, stop))
        health.add_check("game", lambda: check_serving(channel))
        health.add_check("hub", hub.check)
        health.add_sign("redis", lambda: check_writes(redis))
        pulse = Pulse()
        presence = Presence(redis, settings)
        boards = GamePresence(redis, settings, game.ask)
        signs = Signs(redis, settings, boards, lambda game_id: _info(hub, game, game_id))
        game.on_asked = signs.show
        seeks = SeeksClient(channel, settings)
        keeping = Keeping(seeks, lambda: hub.connected, settings.keep_alive_period_ms, settings.streams_max)
        made = Parts(
            settings,
            game,
            PartyClient(channel, settings),
            lists,
            onlookers,
            seeks,
            keeping,
            hub,
            Auth(game, settings),
            RateLimits(settings.limit_keys_max),
            presence,
            signs,
            Streams(settings, hub, game, presence, boards),
            WatchedStreams(settings, hub, game, onlookers),
            health,
            lambda: pulse.fault,
        )
        door = WebSocketDoor(settings, hub, game, made.auth, boards)
        server = _Server(_config(make_app(made, door), settings))

        ears = await stack.enter_async_context(AsyncExitStack())
        await ears.enter_async_context(hub)
        await stack.enter_async_context(
            background(beat(game, pulse, settings.beat_period_ms, settings.command_pause_ms), "beat", stop)
        )
        await stack.enter_async_context(background(follow_engine(redis, health), "engine", stop))
        await stack.enter_async_context(background(presence.renew(), "presence", stop))
        await stack.enter_async_context(background(boards.run(), "boards", stop))
        await stack.enter_async_context(background(signs.run(), "signs", stop))
        await stack.enter_async_context(background(keeping.run(), "keeping alive", stop))
        await stack.enter_async_context(background(door.sweep(), "silent sockets", stop))
        await stack.enter_async_context(background(door.look_again(), "tokens of sockets", stop))
        listening = _listen(settings.host, settings.port, settings.connections_waiting_max)
        serving = asyncio.ensure_future(server.serve([listening]))
        stopping = asyncio.ensure_future(stop.wait())
        log.info("listening on http://%s:%d", *listening.getsockname()[:2])
        await asyncio.wait([serving, stopping], return_when=asyncio.FIRST_COMPLETED)

        health.drain()
        await door.drain()
        server.stop_listening()  # whoever connects again reaches another gateway
        await ears.aclose()  # ends all streams of lines, because their listeners get HubClosed
        server.should_exit = True
        drain_s = settings.drain_ms / 1000
        cutting = asyncio.get_running_loop().call_later(max(drain_s / 2, drain_s - CUT_OFF_S), server.cut_off)
        await serving
        cutting.cancel()
        stopping.cancel()


def _listen(host: str, port: int, backlog: int) -> socket.socket:
    """The listening socket. Raises OSError with the port's number when the port is in use."""
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise OSError(error.errno, f"port {port} of {host}: {error.strerror}") from error
    listening.listen(backlog)
    return listening


def _config(app: ASGIApp, settings: GatewaySettings) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="off",
        http=bounded(settings),
        server_header=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=settings.trusted_proxies,
        backlog=settings.connections_waiting_max,
        limit_concurrency=settings.connections_max,
        timeout_keep_alive=settings.idle_connection_s,
        timeout_graceful_shutdown=max(1, settings.drain_ms // 1000),
        **uvicorn_options(settings),
    )


CUT_OFF_S = 2
"""How long before the drain's end connections are cut off, in s: a command that waits is answered within this time."""


async def _info(hub: Hub, game: GameClient, game_id: str) -> GameInfo:
    """The info of a game; without a call if this process holds the game. Raises Refused."""
    held = hub.held_game(game_id)
    return held.info if held is not None else (await game.snapshot(game_id)).info


class _Server(uvicorn.Server):
    """A uvicorn server that leaves signals to `lifecycle`, and cuts off readers who do not read."""

    def stop_listening(self) -> None:
        """Accept no more connections; those that are there go on."""
        for listener in self.servers:
            listener.close()

    def cut_off(self) -> None:
        """End the connections that are still there: their readers do not read, or long answers are under way.

        The application sees that the client has left, so nothing fails.
        """
        left = [connection for connection in self.server_state.connections if isinstance(connection, HttpToolsProtocol)]
        if left:
            log.info("%d connections are cut off", len(left))
        for connection in left:
            connection.transport.abort()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Do not handle signals."""
        yield
