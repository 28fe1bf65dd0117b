"""A move updates its game in place: no index holds what changes with every move."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Deadlines are looked for by a moment before which none can pass, and events need no foreign key."""
    op.add_column("game", sa.Column("look_ms", sa.BigInteger, server_default="0", nullable=False))
    op.create_index(
        "game_look_idx",
        "game",
        ["deadline_kind", "look_ms"],
        postgresql_where=sa.text("end_reason = 0 AND deadline_kind > 0"),
    )
    op.create_index("game_computer_to_move_idx", "game", ["id"], postgresql_where=sa.text("computer_turn_level > 0"))
    op.drop_index("game_deadline_idx", "game")
    op.drop_index("game_computer_turn_idx", "game")
    op.drop_constraint("game_event_game_id_fkey", "game_event")
