"""Accounts can be closed, and games removed when they are old.

Added only: an older replica knows nothing of a closed account but that its password and its tokens are gone.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

INDEXES = {
    "challenge_challenger_id_idx": "(challenger_id)",
    "challenge_dest_id_idx": "(dest_id)",
    "challenge_white_id_idx": "(white_id) WHERE white_id IS NOT NULL",
    "challenge_black_id_idx": "(black_id) WHERE black_id IS NOT NULL",
    "challenge_user_ids_idx": "USING gin (user_ids) WHERE user_ids <> '{}'::text[]",
}
"""All invitations of somebody who leaves: those that wait have indexes of their own."""

BEFOREHAND = tuple(
    f"CREATE INDEX CONCURRENTLY IF NOT EXISTS {name} ON challenge {what}" for name, what in INDEXES.items()
)


def upgrade() -> None:
    """Add a column, two tables and indexes; wins against the computer no longer need their game."""
    op.add_column("player", sa.Column("closed_ms", sa.BigInteger))
    op.create_table(
        "closing",
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("alias", sa.Text, nullable=False),
        sa.Column("closed_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("player_id", name="closing_pkey"),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="closing_player_id_fkey", ondelete="CASCADE"),
    )
    op.create_table(
        "closed_name",
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="closed_name_pkey"),
    )
    for name, what in INDEXES.items():
        op.execute(f"CREATE INDEX IF NOT EXISTS {name} ON challenge {what}")
    op.drop_constraint("computer_win_game_id_fkey", "computer_win", type_="foreignkey")
