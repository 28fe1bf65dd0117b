"""Accounts can be closed, and games removed when they are old.

Added only: an older replica knows nothing of a closed account but that its password and its tokens are gone.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add a column and two tables; wins against the computer no longer need their game."""
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
    op.drop_constraint("computer_win_game_id_fkey", "computer_win", type_="foreignkey")
