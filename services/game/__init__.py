"""The game service: the only owner of PostgreSQL, and the only place where a game changes.

Job: decide every command on a game once, commit it with its event and outbox row, publish it; store players, tokens,
invitations, seeks, parties, ratings, progress and chat; give back the time that an outage took.
In: a gRPC service for each feature (`servicer` in the feature's folder, composed in `main.servicers`).
Out: gRPC to the rules service (`wire.grpc_rules`), PostgreSQL (`sql_*`), Redis (`commit.publishing`).
Owns: all tables (`store.schema`, `store.migrations`), the commit path (`commit.path`), the decisions (`play.decision`,
diagram in docs/lifecycle.md), the outbox.
Never: judges chess itself; makes a remote call inside a transaction; publishes before the commit; trusts a timer.
When it fails: a command without an answer may be retried with its id; the relay of any replica publishes committed
events within 2 s; without the rules service no move is decided and no player loses time (`commit.beats`).
"""
