"""Alembic runs this module for every command, on the given connection and in its open transaction."""

from alembic import context

from services.game.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    compare_type=True,
    compare_server_default=True,
)
with context.begin_transaction():
    context.run_migrations()
