"""The first tables."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make them, and the one row of heartbeats."""
    _people()
    _games()
    _game_facts()
    _challenges()
    _beats()


def _people() -> None:
    op.create_table(
        "player",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("title", sa.Text, server_default="", nullable=False),
        sa.Column("guest", sa.Boolean, nullable=False),
        sa.Column("password_hash", sa.Text, nullable=True),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("seen_ms", sa.BigInteger, nullable=False),
        sa.Column("event_seq", sa.BigInteger, server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("id", name="player_pkey"),
    )
    op.create_index("player_bot_idx", "player", ["id"], postgresql_where=sa.text("title = 'BOT'"))
    op.create_table(
        "token",
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("scopes", postgresql.ARRAY(sa.Text), nullable=False),
        sa.Column("description", sa.Text, server_default="", nullable=False),
        sa.Column("sign_in", sa.Boolean, server_default=sa.text("false"), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="token_player_id_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("hash", name="token_pkey"),
    )
    op.create_index("token_player_id_idx", "token", ["player_id"])
    op.create_table(
        "player_event",
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("payload", sa.LargeBinary, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="player_event_player_id_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("player_id", "seq", name="player_event_pkey"),
    )
    op.create_index("player_event_at_ms_idx", "player_event", ["at_ms"])


def _games() -> None:
    op.create_table(
        "game",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("variant", sa.Text, nullable=False),
        sa.Column("rule_set", sa.LargeBinary, nullable=False),
        sa.Column("time_control", sa.LargeBinary, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("initial_fen", sa.Text, server_default="", nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("white_id", sa.Text, nullable=False),
        sa.Column("white_name", sa.Text, nullable=False),
        sa.Column("white_title", sa.Text, server_default="", nullable=False),
        sa.Column("white_guest", sa.Boolean, nullable=False),
        sa.Column("white_level", sa.SmallInteger, server_default="0", nullable=False),
        sa.Column("black_id", sa.Text, nullable=False),
        sa.Column("black_name", sa.Text, nullable=False),
        sa.Column("black_title", sa.Text, server_default="", nullable=False),
        sa.Column("black_guest", sa.Boolean, nullable=False),
        sa.Column("black_level", sa.SmallInteger, server_default="0", nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("end_reason", sa.SmallInteger, server_default="0", nullable=False),
        sa.Column("winner", sa.SmallInteger, server_default="0", nullable=False),
        sa.Column("fen", sa.Text, nullable=False),
        sa.Column("keys", sa.LargeBinary, nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("turn", sa.SmallInteger, nullable=False),
        sa.Column("in_check", sa.Boolean, nullable=False),
        sa.Column("legal", sa.Text, nullable=False),
        sa.Column("claims", sa.SmallInteger, server_default="0", nullable=False),
        sa.Column("white_ms", sa.BigInteger, nullable=False),
        sa.Column("black_ms", sa.BigInteger, nullable=False),
        sa.Column("turn_started_ms", sa.BigInteger, nullable=False),
        sa.Column("deadline_ms", sa.BigInteger, nullable=True),
        sa.Column("deadline_kind", sa.SmallInteger, server_default="0", nullable=False),
        sa.Column("draw_offer", sa.SmallInteger, server_default="0", nullable=False),
        sa.Column("last_uci", sa.Text, server_default="", nullable=False),
        sa.Column("last_san", sa.Text, server_default="", nullable=False),
        sa.Column("computer_turn_level", sa.SmallInteger, server_default="0", nullable=False),
        sa.Column("ended_ms", sa.BigInteger, nullable=True),
        sa.PrimaryKeyConstraint("id", name="game_pkey"),
        postgresql_with={"fillfactor": "70"},
    )
    op.create_index("game_black_idx", "game", ["black_id", sa.literal_column("created_ms DESC")])
    op.create_index("game_black_ongoing_idx", "game", ["black_id"], postgresql_where=sa.text("end_reason = 0"))
    op.create_index(
        "game_computer_turn_idx", "game", ["turn_started_ms"], postgresql_where=sa.text("computer_turn_level > 0")
    )
    op.create_index(
        "game_deadline_idx",
        "game",
        ["deadline_kind", "deadline_ms"],
        postgresql_where=sa.text("deadline_ms IS NOT NULL"),
    )
    op.create_index("game_white_idx", "game", ["white_id", sa.literal_column("created_ms DESC")])
    op.create_index("game_white_ongoing_idx", "game", ["white_id"], postgresql_where=sa.text("end_reason = 0"))


def _game_facts() -> None:
    op.create_table(
        "game_event",
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("payload", sa.LargeBinary, nullable=False),
        sa.Column("uci", sa.Text, server_default="", nullable=False),
        sa.Column("san", sa.Text, server_default="", nullable=False),
        sa.Column("clock_ms", sa.BigInteger, server_default="0", nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("player_id", sa.Text, nullable=True),
        sa.Column("command_id", sa.Text, nullable=True),
        sa.Column("command_digest", sa.LargeBinary, nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="game_event_game_id_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "version", name="game_event_pkey"),
    )
    op.create_index(
        "game_event_command_idx",
        "game_event",
        ["game_id", "player_id", "command_id"],
        unique=True,
        postgresql_where=sa.text("command_id IS NOT NULL"),
    )
    op.create_table(
        "outbox",
        sa.Column("kind", sa.CHAR(length=1), nullable=False),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("taken_ms", sa.BigInteger, server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("kind", "owner", "number", name="outbox_pkey"),
    )
    op.create_index("outbox_at_ms_idx", "outbox", ["at_ms"])
    op.create_table(
        "chat_line",
        sa.Column("id", sa.BigInteger, sa.Identity(always=False), nullable=False),
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("room", sa.SmallInteger, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("player_name", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="chat_line_game_id_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="chat_line_pkey"),
    )
    op.create_index("chat_line_game_idx", "chat_line", ["game_id", "room", "id"])


def _challenges() -> None:
    op.create_table(
        "challenge",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("status", sa.SmallInteger, nullable=False),
        sa.Column("open", sa.Boolean, nullable=False),
        sa.Column("challenger_id", sa.Text, nullable=True),
        sa.Column("dest_id", sa.Text, nullable=True),
        sa.Column("variant", sa.Text, nullable=False),
        sa.Column("rule_set", sa.LargeBinary, nullable=False),
        sa.Column("time_control", sa.LargeBinary, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("challenger_color", sa.SmallInteger, nullable=False),
        sa.Column("final_color", sa.SmallInteger, nullable=False),
        sa.Column("initial_fen", sa.Text, server_default="", nullable=False),
        sa.Column("name", sa.Text, server_default="", nullable=False),
        sa.Column("keep_alive", sa.Boolean, server_default=sa.text("false"), nullable=False),
        sa.Column("white_id", sa.Text, nullable=True),
        sa.Column("black_id", sa.Text, nullable=True),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("expires_ms", sa.BigInteger, nullable=False),
        sa.Column("decline_reason", sa.Text, server_default="", nullable=False),
        sa.ForeignKeyConstraint(
            ["challenger_id"], ["player.id"], name="challenge_challenger_id_fkey", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["dest_id"], ["player.id"], name="challenge_dest_id_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="challenge_pkey"),
    )
    op.create_index("challenge_challenger_idx", "challenge", ["challenger_id"], postgresql_where=sa.text("status = 1"))
    op.create_index("challenge_dest_idx", "challenge", ["dest_id"], postgresql_where=sa.text("status = 1"))
    op.create_index("challenge_expires_idx", "challenge", ["expires_ms"], postgresql_where=sa.text("status = 1"))


def _beats() -> None:
    op.create_table(
        "heartbeat",
        sa.Column("id", sa.SmallInteger, nullable=False),
        sa.Column("last_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="heartbeat_pkey"),
    )
    op.create_table(
        "outage",
        sa.Column("id", sa.Integer, sa.Identity(always=False), nullable=False),
        sa.Column("start_ms", sa.BigInteger, nullable=False),
        sa.Column("end_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="outage_pkey"),
    )
    op.execute("INSERT INTO heartbeat (id, last_ms) VALUES (1, 0)")
