"""The whole life of a game: pauses, takebacks, ratings, seeks, parties, progress, conditional moves, vacations.

Everything is added; nothing that an older replica reads or writes changes its meaning.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql as pg

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

NUMBER_MOVES = """
    UPDATE game_event SET ply = numbered.ply FROM (
        SELECT game_id, version, row_number() OVER (PARTITION BY game_id ORDER BY version) AS ply
        FROM game_event WHERE uci <> ''
    ) AS numbered
    WHERE game_event.game_id = numbered.game_id AND game_event.version = numbered.version
"""
"""No move was ever taken back before: the first move is half-move 1, and so on."""


def upgrade() -> None:
    """Add columns and tables."""
    _columns()
    _correspondence()
    _ratings()
    _lobby()
    _parties()


def _columns() -> None:
    for side in ("white", "black"):
        op.add_column("game", sa.Column(f"{side}_rating", sa.SmallInteger, server_default="0", nullable=False))
        op.add_column(
            "game", sa.Column(f"{side}_provisional", sa.Boolean, server_default=sa.text("false"), nullable=False)
        )
    op.add_column("game", sa.Column("rematch_of", sa.Text, server_default="", nullable=False))
    op.add_column("game", sa.Column("party_id", sa.Text, server_default="", nullable=False))
    op.add_column("game", sa.Column("extra", sa.LargeBinary, server_default="", nullable=False))
    op.add_column("game", sa.Column("reminded_ply", sa.Integer, server_default="-1", nullable=False))
    op.create_index("game_created_idx", "game", [sa.text("created_ms DESC"), sa.text("id DESC")])
    op.create_index("game_variant_idx", "game", ["variant", sa.text("created_ms DESC"), sa.text("id DESC")])
    op.create_index("chat_line_player_idx", "chat_line", ["player_id", "at_ms"])
    op.create_index("game_rematch_idx", "game", ["rematch_of"], postgresql_where=sa.text("rematch_of <> ''"))
    op.create_index("game_party_idx", "game", ["party_id"], postgresql_where=sa.text("party_id <> ''"))
    op.add_column("game_event", sa.Column("ply", sa.Integer, server_default="0", nullable=False))
    op.add_column("game_event", sa.Column("by_computer", sa.Boolean, server_default=sa.text("false"), nullable=False))
    op.execute(NUMBER_MOVES)
    op.add_column("challenge", sa.Column("rematch_of", sa.Text, server_default="", nullable=False))
    op.add_column("challenge", sa.Column("counter_to", sa.Text, server_default="", nullable=False))
    op.add_column("challenge", sa.Column("user_ids", pg.ARRAY(sa.Text), server_default="{}", nullable=False))
    op.create_index(
        "challenge_rematch_idx",
        "challenge",
        ["rematch_of"],
        unique=True,
        postgresql_where=sa.text("status = 1 AND rematch_of <> ''"),
    )


def _correspondence() -> None:
    op.create_table(
        "conditional_moves",
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("lines", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="conditional_moves_game_id_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "player_id", name="conditional_moves_pkey"),
    )
    op.create_table(
        "vacation",
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("start_ms", sa.BigInteger, nullable=False),
        sa.Column("end_ms", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="vacation_player_id_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("player_id", "start_ms", name="vacation_pkey"),
    )


def _ratings() -> None:
    op.create_table(
        "rating",
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("variant", sa.Text, nullable=False),
        sa.Column("speed", sa.Text, nullable=False),
        sa.Column("value", sa.Double, nullable=False),
        sa.Column("deviation", sa.Double, nullable=False),
        sa.Column("volatility", sa.Double, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="rating_player_id_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("player_id", "variant", "speed", name="rating_pkey"),
    )
    op.create_table(
        "rating_point",
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("variant", sa.Text, nullable=False),
        sa.Column("speed", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("value", sa.Double, nullable=False),
        sa.Column("deviation", sa.Double, nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="rating_point_player_id_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("player_id", "game_id", name="rating_point_pkey"),
    )
    op.create_index("rating_point_number_idx", "rating_point", ["player_id", "variant", "speed", "number"], unique=True)
    op.create_index("rating_point_history_idx", "rating_point", ["player_id", "at_ms"])
    op.create_table(
        "computer_win",
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("variant", sa.Text, nullable=False),
        sa.Column("level", sa.SmallInteger, nullable=False),
        sa.Column("helped", sa.Boolean, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="computer_win_game_id_fkey", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="computer_win_player_id_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", name="computer_win_pkey"),
    )
    op.create_index("computer_win_player_idx", "computer_win", ["player_id", "variant", "level"])


def _lobby() -> None:
    op.create_table(
        "seek",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("variant", sa.Text, nullable=False),
        sa.Column("rule_set", sa.LargeBinary, nullable=False),
        sa.Column("time_control", sa.LargeBinary, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("live", sa.Boolean, nullable=False),
        sa.Column("color", sa.SmallInteger, nullable=False),
        sa.Column("rating", sa.SmallInteger, nullable=False),
        sa.Column("rating_min", sa.SmallInteger, nullable=False),
        sa.Column("rating_max", sa.SmallInteger, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("expires_ms", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="seek_player_id_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="seek_pkey"),
    )
    op.create_index("seek_player_id_idx", "seek", ["player_id"])
    op.create_index("seek_expires_ms_idx", "seek", ["expires_ms"])
    op.create_index("seek_terms_idx", "seek", ["variant", "time_control", "rated", "created_ms"])


def _parties() -> None:
    op.create_table(
        "party",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("host_id", sa.Text, nullable=False),
        sa.Column("settings", sa.LargeBinary, nullable=False),
        sa.Column("game_id", sa.Text, server_default="", nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("used_ms", sa.BigInteger, nullable=False),
        sa.Column("closed", sa.Boolean, server_default=sa.text("false"), nullable=False),
        sa.ForeignKeyConstraint(["host_id"], ["player.id"], name="party_host_id_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="party_pkey"),
    )
    op.create_index("party_host_id_idx", "party", ["host_id"])
    op.create_index("party_used_idx", "party", ["used_ms"], postgresql_where=sa.text("NOT closed"))
    op.create_table(
        "party_member",
        sa.Column("party_id", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("joined_ms", sa.BigInteger, nullable=False),
        sa.Column("spectator", sa.Boolean, server_default=sa.text("false"), nullable=False),
        sa.Column("place", sa.BigInteger, nullable=False),
        sa.Column("last_color", sa.SmallInteger, server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["party_id"], ["party.id"], name="party_member_party_id_fkey", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="party_member_player_id_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("party_id", "player_id", name="party_member_pkey"),
    )
    op.create_index("party_member_player_idx", "party_member", ["player_id"])
