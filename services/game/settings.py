"""Settings of the game service."""

from pydantic import Field, field_validator

from services.game.play.game import Limits
from services.runtime.absence_settings import AbsenceSettings
from services.runtime.command_limits import CommandLimits


class GameSettings(AbsenceSettings, CommandLimits):
    """The settings of the game service besides the common ones."""

    database_url: str = Field(
        "postgresql+asyncpg://flagfall@127.0.0.1:5432/flagfall", description="PostgreSQL, for SQLAlchemy with asyncpg."
    )
    database_ca_file: str = Field(
        "",
        description="PEM file of the CA of PostgreSQL's certificate: then only TLS is used, and it must have the "
        "name of the URL's server; empty: as the URL says (?ssl=require encrypts without checking the certificate).",
    )
    pool_connections: int = Field(8, ge=2, le=100, description="Connections to PostgreSQL that this process may hold.")
    statement_timeout_ms: int = Field(5_000, ge=100, description="Time limit of one statement.")
    database_pooled: bool = Field(
        False,
        description="PostgreSQL is behind a pooler in transaction mode (PgBouncer): no state outlives a transaction. "
        "Set jit=off and statement_timeout for the role there, since a pooler forwards neither.",
    )
    database_wait_ms: int = Field(30_000, ge=0, description="How long `migrate` waits for the database to answer.")
    migrate_lock_ms: int = Field(
        1_000,
        ge=1,
        description="How long a step of `migrate` waits for each table; moves wait too. Then it lets go and retries.",
    )
    connect_timeout_ms: int = Field(5_000, ge=100, description="Time limit of opening a connection to PostgreSQL.")
    connection_wait_ms: int = Field(2_000, ge=10, description="How long a request waits for a free connection.")
    connection_renewed_ms: int = Field(
        1_800_000, ge=1_000, description="Age at which a connection to PostgreSQL is replaced."
    )
    day_ms: int = Field(86_400_000, ge=1, description="Length of a correspondence day.")
    first_move_ms: int = Field(30_000, ge=100, description="Time for each side's first move in a live game.")
    flag_grace_ms: int = Field(100, ge=0, description="A flag is committed no earlier than this after its deadline.")
    decision_ms: int = Field(
        120_000, ge=100, description="Time to decide after a flag fall, where the opponent decides."
    )
    claim_days: int = Field(
        7, ge=0, description="Days to claim a correspondence game whose limit has passed, before it is closed."
    )
    idle_days: int = Field(14, ge=1, description="Days without a move after which an untimed game may be claimed.")
    reminder_ms: int = Field(
        86_400_000, ge=0, description="How long before a correspondence limit its player gets a reminder."
    )
    vacation_days_max: int = Field(
        0, ge=0, le=365, description="Vacation days in a year, in which a player's correspondence time stops; 0: none."
    )
    undo_ms: int = Field(86_400_000, ge=0, description="How long after its end a game with the computer can be undone.")
    given_ms_max: int = Field(3_600_000, ge=1_000, description="Time that one side may be given in a game.")
    seat_level: int = Field(5, ge=1, le=10, description="Level of a computer that takes a seat.")
    abandoned_ms: int = Field(
        600_000, ge=100, description="Absence of both players after which a party's game is aborted."
    )
    outage_gap_ms: int = Field(3_000, ge=100, description="A longer gap between committed beats is an outage.")
    beat_poll_ms: int = Field(
        1_000, ge=50, description="How often a replica reads the last beat and the database's clock."
    )
    race_retries_max: int = Field(8, ge=1, description="How often a command that lost a race is decided again.")
    games_cached_max: int = Field(
        20_000, ge=0, description="Games cached in memory, checked by version at each commit."
    )
    adjudications_under_way_max: int = Field(
        2,
        ge=1,
        le=64,
        description="Flag falls and resignations that the rules service searches at once for this process.",
    )
    adjudications_waiting_max: int = Field(
        256, ge=1, description="Such searches that wait or run; one more is decided without a search."
    )
    adjudication_timeout_ms: int = Field(
        20_000,
        ge=10,
        description="How long a flag fall or resignation waits for its search; then the other side has won.",
    )
    events_fetched_max: int = Field(
        200, ge=1, description="Events that one Fetch sends before it sends a snapshot instead."
    )
    items_max: int = Field(1_024, ge=1, description="The most commands or items of one request.")
    publishing_waiting_max: int = Field(
        10_000, ge=1, description="Events that may wait for Redis; more are left to the relay."
    )
    relay_period_ms: int = Field(1_000, ge=50, description="How often the relay reads the outbox.")
    relay_age_ms: int = Field(1_000, ge=50, description="Age from which the relay publishes an outbox row.")
    relay_rows_max: int = Field(500, ge=1, description="Outbox rows that the relay takes at once.")
    outbox_flush_ms: int = Field(250, ge=1, description="How long published rows wait for a commit that deletes them.")
    outbox_gone_max: int = Field(
        2_000,
        ge=1,
        description="The most published rows that wait while they cannot be deleted; the rest is relayed again.",
    )
    rating_points_max: int = Field(5_000, ge=1, le=20_000, description="The most points of a rating history.")
    player_events_listed_max: int = Field(200, ge=1, description="The most events of a person in one list.")
    player_events_kept_ms: int = Field(7 * 86_400_000, ge=1, description="How long a person's events are kept.")
    list_games_max: int = Field(100, ge=1, le=1000, description="Games of one list at the most.")
    list_deadlines_max: int = Field(2_000, ge=1, le=10_000, description="Deadlines of one page at the most.")
    sweep_pages_max: int = Field(50, ge=1, description="The most pages of overdue games that one sweep reads.")
    sweep_max: int = Field(500, ge=1, le=5_000, description="The most games or challenges that one sweep ends.")
    command_id_chars_max: int = Field(64, ge=40, description="Characters of a command id at the most.")
    challenge_live_ms: int = Field(
        20_000, ge=100, description="How long a live challenge or seek stays after its maker has left."
    )
    challenge_days: int = Field(
        14, ge=1, description="Days after which other challenges, open links and seeks without a live clock expire."
    )
    challenges_open_max: int = Field(20, ge=1, description="Challenges that one player may have open.")
    challenges_incoming_max: int = Field(200, ge=1, description="Challenges that may wait for one player's answer.")
    seeks_of_player_max: int = Field(10, ge=1, description="Seeks that one player may have waiting.")
    seeks_max: int = Field(5_000, ge=1, description="Seeks that may wait at once, of everybody.")
    seeks_listed_max: int = Field(200, ge=1, le=5_000, description="Seeks of one list at the most.")
    challenge_name_chars_max: int = Field(100, ge=1, description="Characters of an invitation's name at the most.")
    fen_chars_max: int = Field(256, ge=90, description="Characters of a position at the most.")
    import_bytes_max: int = Field(262_144, ge=1_024, description="Bytes of a PGN that is imported at the most.")
    import_plies_max: int = Field(2_000, ge=1, description="Half-moves of an imported game at the most.")
    import_tags_bytes_max: int = Field(
        16_384, ge=1_024, description="Bytes of an imported game's tags, names and values, at the most."
    )
    import_name_chars_max: int = Field(100, ge=1, description="Characters of a player's name that an import keeps.")
    import_timeout_ms: int = Field(4_000, ge=100, description="Time limit of reading a PGN.")
    games_ongoing_max: int = Field(200, ge=1, description="Games that one player may have going on.")
    tokens_max: int = Field(50, ge=2, description="Tokens of one player at the most.")
    token_description_chars_max: int = Field(100, ge=1, description="Characters of a token's description at the most.")
    seen_period_ms: int = Field(60_000, ge=0, description="How exact the time is at which a player was last seen.")
    bots_listed_max: int = Field(512, ge=1, le=10_000, description="Bots that one list holds at the most.")
    party_members_max: int = Field(32, ge=2, le=500, description="Members of one party at the most.")
    parties_hosted_max: int = Field(5, ge=1, description="Open parties that one player may be the host of.")
    parties_joined_max: int = Field(20, ge=1, description="Open parties that one player may be in.")
    party_unused_ms: int = Field(86_400_000, ge=1, description="How long an unused party stays open.")
    chat_rooms: str = Field(
        "player,spectator",
        description="Chat rooms of each game, separated by commas: player, spectator; empty: no chat.",
    )
    chat_lines_at_once: int = Field(
        30,
        ge=1,
        description="Chat lines that one person may send in chat_span_ms: to each room of an own game, and to all "
        "rooms of other people's games together.",
    )
    chat_span_ms: int = Field(20_000, ge=1, description="The time span of this limit, over all gateways.")
    chat_lines_max: int = Field(200, ge=1, description="Chat lines that are stored for a room.")
    games_kept_days: int = Field(
        0, ge=0, description="Days after its end that a game is kept, with its chat; 0: always."
    )
    chat_kept_days: int = Field(0, ge=0, description="Days that a line of chat is kept; 0: as long as its game.")
    guests_kept_days: int = Field(
        400, ge=0, description="Days without a sign after which a guest is forgotten, as the browser does; 0: never."
    )
    chat_exported_max: int = Field(1_000, ge=1, description="Lines of chat in one page of somebody's own data.")
    password_workers: int = Field(1, ge=1, le=8, description="Passwords that are hashed at once.")
    password_waiting_max: int = Field(
        64, ge=1, description="Passwords that may wait to be hashed; one more is refused."
    )
    password_memory_kib: int = Field(19_456, ge=8, description="Memory that argon2id takes for one password.")
    password_rounds: int = Field(2, ge=1, description="Passes of argon2id over that memory.")

    @property
    def rooms_of_chat(self) -> frozenset[str]:
        """The names in `chat_rooms`."""
        return frozenset(name.strip() for name in self.chat_rooms.split(",") if name.strip())

    @field_validator("chat_rooms")
    @classmethod
    def _known_rooms(cls, given: str) -> str:
        """Raises ValueError for an unknown room: a misspelt room would be closed without any message."""
        unknown = {name.strip() for name in given.split(",")} - {"player", "spectator", ""}
        if unknown:
            raise ValueError(f"there are player and spectator, not {sorted(unknown)[0]!r}")
        return given

    def limits(self) -> Limits:
        """The limits for games from these settings."""
        return Limits(
            day_ms=self.day_ms,
            first_move_ms=self.first_move_ms,
            flag_grace_ms=self.flag_grace_ms,
            decision_ms=self.decision_ms,
            claim_days=self.claim_days,
            idle_days=self.idle_days,
            reminder_ms=self.reminder_ms,
            undo_ms=self.undo_ms,
            given_ms_max=self.given_ms_max,
            gone_ms=self.gone_ms,
            absence_ms=self.absence_ms,
            seat_ms=self.seat_ms,
            seat_level=self.seat_level,
            abandoned_ms=self.abandoned_ms,
        )
