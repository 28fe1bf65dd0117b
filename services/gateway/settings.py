"""Settings of the gateway."""

from ipaddress import ip_network
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from services.gateway.socket_settings import SocketSettings
from services.runtime.absence_settings import AbsenceSettings


class GatewaySettings(SocketSettings, AbsenceSettings):
    """The gateway's settings, with those of sockets and of absences."""

    port: int = Field(
        8000, ge=0, le=65535, description="Port of the page, the API and the WebSocket; 0 takes a free one."
    )
    trusted_proxies: str = Field(
        "",
        description="Addresses and networks of proxies, separated by commas (10.0.0.7, 10.1.0.0/16), whose"
        " X-Forwarded-For and X-Forwarded-Proto are trusted; empty: none.",
    )
    body_bytes_max: int = Field(65_536, ge=1_024, description="The most bytes of a request's body.")
    field_chars_max: int = Field(2_000, ge=100, description="The most characters of one field of a request.")
    fields_max: int = Field(64, ge=8, description="The most fields of one request.")
    import_bytes_max: int = Field(262_144, ge=1_024, le=1_048_576, description="The most bytes of an imported PGN.")
    import_timeout_ms: int = Field(5_000, ge=100, description="Deadline of an import.")
    header_bytes_max: int = Field(32_768, ge=4_096, description="The most bytes of a request's line and headers.")
    header_ms: int = Field(15_000, ge=100, description="How long a request's line and headers may take to arrive.")
    body_ms: int = Field(10_000, ge=100, description="How long a request's body may take to arrive.")
    idle_connection_s: int = Field(75, ge=1, description="How long an idle HTTP connection is kept open.")
    connections_waiting_max: int = Field(
        2_048, ge=1, description="Connections that may wait to be accepted; the system may limit it to fewer."
    )
    connections_max: int = Field(30_000, ge=10, description="Connections at once; one more is answered with 503.")
    illegal_moves_kept: int = Field(
        1_024, ge=1, description="Illegal moves that are stored, one for each player and game, to count repeats."
    )
    command_timeout_ms: int = Field(1_800, ge=100, description="Deadline of one command, retries included.")
    resignation_timeout_ms: int = Field(
        22_000,
        ge=100,
        description="Deadline of a resignation whose result needs a search, retries included: a bit more than the"
        " game service's adjudication_timeout_ms, after which it is decided in any case.",
    )
    password_timeout_ms: int = Field(
        10_000, ge=100, description="Deadline of a sign-up or log-in: a password is slow to check on purpose."
    )
    command_pause_ms: int = Field(100, ge=1, description="Pause before a call of an unavailable service is retried.")
    beat_period_ms: int = Field(1_000, ge=50, description="How often this gateway proves that moves are possible.")
    token_cache_ms: int = Field(10_000, ge=0, description="How long a resolved token is cached.")
    token_cache_max: int = Field(20_000, ge=1, description="Tokens cached at once, valid and invalid together.")
    token_chars_max: int = Field(512, ge=32, description="The most characters of a token.")
    line_keep_alive_ms: int = Field(
        6_000, ge=100, description="Silence after which a stream of lines sends an empty one."
    )
    line_unread_ms: int = Field(
        30_000, ge=100, description="How long a stream's reader may take nothing before the stream is closed."
    )
    streams_max: int = Field(10_000, ge=1, description="Streams of lines that are open at once.")
    presence_renewed_max: int = Field(500, ge=1, description="Leases that are renewed in one pipeline.")
    presence_lease_ms: int = Field(
        15_000, ge=300, description="How long a player counts as online after the last contact."
    )
    presence_seen_ms: int = Field(
        120_000, ge=0, description="How long an account counts as online after it has used a token."
    )
    presence_answer_ms: int = Field(300, ge=10, description="How long Redis may take to answer who is online.")
    game_presence_period_ms: int = Field(
        2_000, ge=50, description="How often presence at a board is written, and the other side's is read."
    )
    game_presence_kept_ms: int = Field(
        3_600_000, ge=1_000, description="How long a game's presence entries are kept after the last one."
    )
    game_presence_told_ms: int = Field(
        60_000, ge=100, description="How long they are kept after the end, until both players got the absences."
    )
    signs_waiting_max: int = Field(
        10_000, ge=1, description="Requests of players on games that wait to be recorded as signs of life."
    )
    signs_games_max: int = Field(
        10_000, ge=1, description="Games whose players are remembered, to know a request as a sign of life."
    )
    public_url: str = Field(
        "", description="Address of this site in links (https://chess.example); empty: as in each request."
    )
    users_listed_max: int = Field(100, ge=1, description="The most users in one request for their status.")
    bots_listed_max: int = Field(512, ge=1, description="The most bots in one list.")
    tokens_tested_max: int = Field(1_000, ge=1, le=1_024, description="The most tokens in one test.")
    searches_per_minute: int = Field(120, ge=1, description="Searches for games that one address may make in a minute.")
    sign_ups_per_hour: int = Field(300, ge=1, description="Accounts and guests that one address may make in an hour.")
    token_tests_per_minute: int = Field(
        120, ge=1, description="Tests of tokens that one address may request in a minute."
    )
    log_ins_per_minute: int = Field(30, ge=1, description="Log-ins that one address may try in a minute.")
    challenges_per_minute: int = Field(60, ge=1, description="Challenges and computer games of one player in a minute.")
    seeks_per_minute: int = Field(60, ge=1, description="Seeks of one player in a minute.")
    keep_alive_period_ms: int = Field(
        5_000,
        ge=50,
        description="How often this gateway reports connected players and open seeks: a fraction of the game service's"
        " challenge_live_ms.",
    )
    imports_per_minute: int = Field(30, ge=1, description="PGNs that one player or address may import in a minute.")
    party_changes_per_minute: int = Field(
        60, ge=1, description="Changes of parties (made, joined, left, set up, ...) of one player in a minute."
    )
    exports_per_minute: int = Field(
        60, ge=1, description="Lists of whole games that one player or address may request in a minute."
    )
    export_page_games: int = Field(20, ge=1, le=100, description="Games that a list reads at a time while it is sent.")
    games_by_ids_max: int = Field(300, ge=1, description="The most ids in one list of games.")
    users_followed_max: int = Field(300, ge=1, description="The most people whose games one stream may follow.")
    watch_streams_per_address: int = Field(
        8, ge=1, description="Streams of games for spectators that one address may have open."
    )
    among_remembered_max: int = Field(
        2_000,
        ge=1,
        description="Games that such a stream remembers as sent, because each arrives once for each player.",
    )
    chats_per_minute: int = Field(
        60, ge=1, description="Lines of chat of one player in one room of a game in a minute, over HTTP."
    )
    limit_keys_max: int = Field(
        50_000, ge=100, description="Addresses and players whose limits are remembered at once."
    )

    @field_validator("trusted_proxies")
    @classmethod
    def _networks(cls, given: str) -> str:
        """Allow only addresses and networks. `*` would trust a header that any client can send; names do not work."""
        proxies = [entry.strip() for entry in given.split(",") if entry.strip()]
        for proxy in proxies:
            ip_network(proxy)
        return ",".join(proxies)

    @property
    def own_origins(self) -> frozenset[str]:
        """Origins besides the request's own host whose pages may use the cookie: `public_url` is one."""
        public = {"://".join(urlsplit(self.public_url)[:2])} if self.public_url else set()
        return super().own_origins | public
