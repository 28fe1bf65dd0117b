"""The game service: the one owner of PostgreSQL, and the one place where a game changes.

Job: decide every command on a game once, commit it with its event and outbox row, publish it; keep players, tokens,
invitations, seeks, parties, ratings, progress and chat; give back time that an outage took.
In: a gRPC service for each feature (`servicer` in the feature's folder, composed in `main.servicers`).
Out: gRPC to the rules service (`grpc_rules`), PostgreSQL (`sql_*`), Redis (`publishing`).
Owns: all tables (`schema`, `migrations`), the commit path (`commit_path`), the decisions (`decision`, drawn in
docs/lifecycle.md), the outbox.
Never: judges chess itself; makes a remote call inside a transaction; publishes before the commit; trusts a timer.
When it breaks: a command that was not acknowledged may be sent again with its id; what was committed is published by
any replica's relay within 2 s; without the rules service no move is decided and no time is charged (`beats`).
"""
