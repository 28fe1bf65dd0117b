"""Settings of WebSockets and of the hub. The gateway's settings inherit them."""

from pydantic import Field

from services.runtime.command_limits import CommandLimits


class SocketSettings(CommandLimits):
    """Limits and periods. Limits of a connection apply to each connection."""

    socket_token_ms: int = Field(
        30_000, ge=100, description="How often the token of a connection or stream is checked again."
    )
    hub_games_max: int = Field(20_000, ge=1, description="Games that this gateway holds at once.")
    hub_players_max: int = Field(20_000, ge=1, description="Players whose own events this gateway follows at once.")
    hub_listeners_max: int = Field(100_000, ge=1, description="Listeners of this gateway, over all games and players.")
    hub_queue_max: int = Field(256, ge=2, description="Updates that may wait for one listener; one more ends it.")
    hub_events_kept: int = Field(
        16,
        ge=1,
        description="Latest events kept of a held game, to resume from; more would be larger than the whole game, and "
        "they are most of the memory of a held game.",
    )
    hub_resume_events_max: int = Field(64, ge=0, description="Missed events up to which a resume is a delta.")
    hub_early_max: int = Field(64, ge=1, description="Events of one game kept while an earlier one is missing.")
    hub_gap_grace_ms: int = Field(25, ge=0, description="How long a missing event may still come by itself.")
    hub_linger_ms: int = Field(2_000, ge=0, description="How long a game is held after its last listener has left.")
    spectator_delay_ms: int = Field(
        0,
        ge=0,
        le=3_600_000,
        description="Delay with which everybody but its players sees a running game; 0: none. The same"
        " for all gateways.",
    )
    hub_late_events_max: int = Field(
        256, ge=1, description="Events of one game that wait until the delay is over; more are refetched."
    )
    hub_late_poll_ms: int = Field(
        500, ge=10, description="How often a delayed game is fetched while events may have been missed."
    )
    hub_silence_ms: int = Field(5_000, ge=100, description="Silence of a running game after which it is refetched.")
    hub_silence_away_ms: int = Field(1_000, ge=100, description="The same while Redis is known to be down.")
    hub_fetches_max: int = Field(
        256, ge=1, description="Refetches that may run at once, separately for games and players."
    )
    hub_pause_ms: int = Field(250, ge=1, description="Pause of fetching after the game service did not answer.")
    hub_player_events_max: int = Field(100, ge=1, description="The most own events that one resume sends.")
    hub_tick_ms: int = Field(100, ge=10, description="How often the hub checks what is due.")
    hub_load_ms: int = Field(5_000, ge=100, description="How long a listener waits for a game to be loaded.")
    hub_subscribed_ms: int = Field(250, ge=0, description="How long a first load waits for Redis to confirm.")
    epoch_period_ms: int = Field(2_000, ge=100, description="How often the epoch of Redis is checked.")
    pubsub_ping_ms: int = Field(2_000, ge=100, description="How often the pub/sub connection is pinged.")
    pubsub_silence_ms: int = Field(5_000, ge=200, description="Silence after which it counts as lost.")
    pubsub_pause_ms: int = Field(100, ge=1, description="Pause before it connects again; doubles each time.")
    pubsub_pause_max_ms: int = Field(1_000, ge=1, description="Longest such pause.")
    pubsub_channels_max: int = Field(500, ge=1, description="Channels that one command subscribes to.")

    sockets_max: int = Field(20_000, ge=1, description="WebSocket connections; one more is answered with 503.")
    socket_origins: str = Field(
        "", description="Other origins whose cookies count, separated by commas (https://chess.example)."
    )

    @property
    def own_origins(self) -> frozenset[str]:
        """Origins besides the request's own host whose pages may use the cookie."""
        return frozenset(origin.strip() for origin in self.socket_origins.split(",") if origin.strip())

    socket_frame_bytes_max: int = Field(4_096, ge=256, description="Size of a client's frame; larger: 1009.")
    socket_games_max: int = Field(64, ge=1, description="Games that one connection may watch.")
    socket_commands_max: int = Field(32, ge=1, description="Commands of one connection that may be unanswered.")
    socket_frames_per_s: float = Field(50.0, gt=0, description="Frames that a client may send on average.")
    socket_frames_burst: int = Field(200, ge=1, description="Frames that it may send in a burst; more: 4029.")
    socket_errors_per_s: float = Field(0.5, gt=0, description="Unreadable frames on average.")
    socket_errors_burst: int = Field(20, ge=1, description="Unreadable frames in a burst; more: 4029.")
    socket_chats_per_s: float = Field(0.5, gt=0, description="Chat lines on average.")
    socket_chats_burst: int = Field(5, ge=1, description="Chat lines in a burst; more are refused.")
    socket_queue_frames_max: int = Field(256, ge=2, description="Frames that may wait for a slow reader; more: 4008.")
    socket_queue_bytes_max: int = Field(1_048_576, ge=16_384, description="The same in bytes.")
    socket_silence_ms: int = Field(30_000, ge=1_000, description="Silence after which a client is closed: 4000.")
    socket_ping_ms: int = Field(10_000, ge=100, description="Period of the server's WebSocket pings.")
    socket_sweep_ms: int = Field(1_000, ge=10, description="How often the gateway checks for silent connections.")
    join_retry_min_ms: int = Field(
        250, ge=1, description="First pause before a game or player that could not be followed is tried again."
    )
    join_retry_max_ms: int = Field(2_000, ge=1, description="Longest such pause; each is twice the one before.")
    socket_close_ms: int = Field(2_000, ge=10, description="How long a close may take before the connection is cut.")
    socket_drain_ms: int = Field(3_000, ge=0, description="Time over which a drain spreads the closing of sockets.")
