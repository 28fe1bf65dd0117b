"""Makes flags fall and first moves lapse when their time is up, with nobody watching.

Job: keep one alarm for each game with a live deadline, and fire it at the game service when it is due.
In: events of all games (`follower`); a page of deadlines after each doubt (`rebuild`) and the overdue ones each second
    (`sweep`), both from the game service.
Out: `Submit(Flag)` in batches (`firing`, `grpc_game`).
Owns: the alarms in Redis (`redis_alarms`): sorted sets by due time, spread over shards. They are a copy that may be
    lost; the deadline in the database is the truth and the game service decides.
Never: decides a result; opens the database; fires ahead of the database's clock (`runtime.database_clock`); touches
    correspondence limits (the sweep of the workers ends those).
When it breaks: a lost or late alarm makes a flag late, never wrong. Redis away: no alarms, so each flag waits for the
    next sweep, a second at most, and /readyz stays good since flags still fall. Game service away: alarms wait with
    growing pauses, and /readyz turns bad. A replica dies: what it had taken comes back when its lease ends, and any
    other replica fires it. All replicas die: at the next start everything overdue is fired at once.

Several replicas share the alarms without a leader: a script hands each due alarm to one of them for a lease.
"""
