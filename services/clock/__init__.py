"""Ends games at flag fall or for a missing first move when their time is up, also if no client is connected.

Job: keep one alarm for each game with a live deadline, and fire it at the game service when it is due.
In: events of all games (`follower`). From the game service: all deadlines, page by page, after each doubt (`rebuild`),
    and each second the overdue ones (`sweep`).
Out: `Submit(Flag)` in batches (`firing`, `grpc_game`).
Owns: the alarms in Redis (`redis_alarms`): sorted sets by due time, in shards. They are a copy and may be lost: the
    database has the deadlines and the game service decides.
Never: decides a result; opens the database; fires ahead of the database's clock (`runtime.database_clock`); touches
    correspondence limits (the sweep of the workers ends those).
When it breaks: a lost or late alarm makes a flag fall late, never wrong. Redis away: no alarms, so each flag waits at
    most a second for the next sweep, and /readyz stays good. Game service away: alarms are retried with growing
    pauses, and /readyz turns bad. A replica dies: when the lease of its alarms ends, other replicas fire them. All
    replicas die: at the next start all overdue alarms are fired at once.

Several replicas share the alarms without a leader: a script gives each due alarm to one of them for a lease.
"""
