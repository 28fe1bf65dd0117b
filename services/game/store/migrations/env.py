"""Alembic runs this for every command: on the connection that it was handed, in the transaction that is open there."""

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
