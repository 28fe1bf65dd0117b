"""Metrics of the WebSocket and the hub."""

from prometheus_client import Counter, Gauge, Histogram

from services.domain.time_control import MODES
from services.runtime.metrics import REDIS_RECONNECTS, SECONDS, STREAM_REFETCHES, from_zero

WS_CONNECTIONS = Gauge("flagfall_ws_connections", "Open WebSocket connections.")
WS_RESUMES = Counter("flagfall_ws_resumes_total", "Subscriptions answered, by kind of answer.", ["result"])
WS_SLOW = Counter("flagfall_ws_slow_consumer_drops_total", "Connections closed because their reader was too slow.")
WS_REFUSED = Counter("flagfall_ws_refused_total", "Sockets refused before their handshake, for lack of room.")
WS_CLOSED = Counter("flagfall_ws_closed_total", "Connections closed, by close code.", ["code"])
RESUME_SECONDS = Histogram(
    "flagfall_ws_resume_duration_seconds", "From a subscription to its answer.", ["result"], buckets=SECONDS
)
MOVE_DELIVERY = Histogram(
    "flagfall_move_delivery_seconds",
    "From a move's receipt at the game service to its write to the opponent's socket.",
    ["mode"],
    buckets=SECONDS,
)
HUB_GAMES = Gauge("flagfall_hub_games", "Games held for listeners.")
HUB_PLAYERS = Gauge("flagfall_hub_players", "Players followed for listeners.")
HUB_LISTENERS = Gauge("flagfall_hub_listeners", "Listeners of games and players.")
HUB_FETCHES = Counter("flagfall_hub_fetches_total", "Fetches by the hub, by reason.", ["reason"])
HUB_DUPLICATES = Counter("flagfall_hub_duplicates_total", "Repeated events that were ignored.")
HTTP_STREAMS = Gauge("flagfall_http_streams", "Open streams of lines.", ["kind"])
"""By kind: a player's own events, a game for its players, a challenge kept open by its challenger, or spectators."""
for _kind in ("events", "game", "challenge", "watched"):
    HTTP_STREAMS.labels(_kind)
PUBSUB_RECONNECTS = REDIS_RECONNECTS.labels("pubsub")

RESULTS = ("full", "delta", "snapshot", "gone")
"""The possible answers to a subscription."""
KNOWN_CODES = (1000, 1001, 1002, 1003, 1005, 1006, 1007, 1009, 1011, 1012, 1013, 4000, 4001, 4008, 4029)
"""Close codes that get their own label. A client may send others."""

from_zero(WS_RESUMES, RESULTS)
from_zero(RESUME_SECONDS, RESULTS)
from_zero(WS_CLOSED, (*map(str, KNOWN_CODES), "other"))
from_zero(MOVE_DELIVERY, MODES)
from_zero(HUB_FETCHES, ("load", "subscribed", "silence", "gap", "ahead", "resume", "torn", "more", "late", "epoch"))
from_zero(STREAM_REFETCHES, ("redis_away", "epoch"))
