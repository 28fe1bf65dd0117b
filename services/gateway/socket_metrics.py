"""Metrics of the WebSocket and the hub."""

from prometheus_client import Counter, Gauge, Histogram

from services.runtime.metrics import SECONDS

WS_CONNECTIONS = Gauge("flagfall_ws_connections", "Open WebSocket connections.")
WS_RESUMES = Counter("flagfall_ws_resumes_total", "Subscriptions answered, by how.", ["result"])
WS_SLOW = Counter("flagfall_ws_slow_consumer_drops_total", "Connections closed since their reader was too slow.")
WS_CLOSED = Counter("flagfall_ws_closed_total", "Connections closed, by close code.", ["code"])
MOVE_DELIVERY = Histogram(
    "flagfall_move_delivery_seconds",
    "From a move's receipt at the game service to a socket it was written to.",
    ["mode"],
    buckets=SECONDS,
)
HUB_GAMES = Gauge("flagfall_hub_games", "Games held for listeners.")
HUB_PLAYERS = Gauge("flagfall_hub_players", "Players followed for listeners.")
HUB_LISTENERS = Gauge("flagfall_hub_listeners", "Listeners of games and players.")
HUB_FETCHES = Counter("flagfall_hub_fetches_total", "Fetches by the hub, by reason.", ["reason"])
HUB_DUPLICATES = Counter("flagfall_hub_duplicates_total", "Events that came again and were ignored.")
REDIS_RECONNECTS = Counter("flagfall_redis_reconnects_total", "Times the pub/sub connection was made anew.")
