"""What takes longer than a request: the computer's moves, and sweeps of what has expired.

Job: turn an event that leaves the computer to move into a task, play it with an engine, and submit the move as any
    player would; let the game service end what has expired, once a minute.
In: events of all games, shared by all dispatchers through a consumer group (`event_group`); the turns that still wait,
    from the game service (`reconcile`); tasks from the broker (`celery_worker`).
Out: tasks (`celery_queue`); `Submit(Move)` and `Sweep` (`grpc_game`); the engine's name in Redis for the gateway.
Owns: the ten levels (`levels`), the engine processes (`engine_pool`), the queues `engine` and `sweep`, the task keys.
Never: decides what is legal or over (the game service does); waits with `eta` or `countdown`; keeps anything that
    cannot be asked for again.
When it breaks: every task may come twice or late, and then changes nothing. A dispatcher dies: another claims what it
    had read. A worker dies: the broker gives its task out again, and the dispatcher asks every few seconds for turns
    that wait too long. An engine stalls or dies: it is replaced, and in the end an own small search moves; /readyz of
    the worker and the gateway's health page name it. Redis or broker away: turns wait, none is lost.

Three processes: `dispatcher`, `celery` (a worker), `beat`. Any number of each may run side by side.
"""
